package insight

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/contentgraph/contentgraph/internal/crawl"
	"github.com/contentgraph/contentgraph/internal/draft"
	"github.com/contentgraph/contentgraph/internal/facts"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// TestAskedAtOnce: of many first requests for a draft none fails, and the
// newest is what is kept.
func TestAskedAtOnce(t *testing.T) {
	both(t, func(t *testing.T, in *installation) {
		for range 5 {
			in.draft = in.newDraft(in.ctx)
			var all sync.WaitGroup
			for range 8 {
				all.Go(func() {
					list, err := in.Request(in.ctx, in.draft, ask(coldBrew()))
					if err != nil || len(list) != len(Kinds) {
						t.Errorf("%d items, %v", len(list), err)
					}
				})
			}
			all.Wait()
			list, err := in.List(in.ctx, in.draft, nil)
			if err != nil || len(list) != len(Kinds) {
				t.Errorf("%d items are kept, %v", len(list), err)
			}
		}
	})
}

// TestDeletedMeanwhile: a request leaves nothing behind for a draft that goes.
func TestDeletedMeanwhile(t *testing.T) {
	both(t, func(t *testing.T, in *installation) {
		for range 20 {
			id := in.newDraft(in.ctx)
			var all sync.WaitGroup
			all.Go(func() {
				if _, err := in.Request(in.ctx, id, ask(coldBrew())); err != nil && fault.Of(err).Kind != fault.NotFound {
					t.Error(err)
				}
			})
			all.Go(func() {
				if err := draft.New(in.store).Delete(in.ctx, id, nil); err != nil {
					t.Error(err)
				}
			})
			all.Wait()
		}
		if n := in.store.Guidance.Query().CountX(in.ctx); n != 0 {
			t.Errorf("%d insights outlive their draft", n)
		}
	})
}

// TestOddPages: what strangers send is kept whatever bytes it has.
func TestOddPages(t *testing.T) {
	both(t, func(t *testing.T, in *installation) {
		page := html("Quiet\x00kettle", "Brass\x00valve and\x00quiet kettle \xff", "<h1>Steel\x00burr</h1>",
			"<h2>Paper\x00cone</h2><p>"+strings.Repeat("A slow\x00pour. ", 50)+"</p>")
		in.Service.pages.fetch = func(_ context.Context, r crawl.Request) (*crawl.Response, error) {
			if strings.Contains(r.URL, "gone") {
				return nil, &crawl.Failure{Reason: crawl.Status, Host: "\xff\x00.example", Status: 404}
			}
			return &crawl.Response{Body: []byte(page), ContentType: "text/html; charset=utf-8", URL: r.URL, ETag: "\"gr\xfcn\"", LastModified: "\xff"}, nil
		}
		for name, i := range in.make(ask(coldBrew("https://a.example/", "https://b.example/", "https://gone.example/"))) {
			if deref(i.ErrorCode) == codeInternal || i.Guidance == nil && deref(i.ErrorCode) != CodeNoRankings {
				t.Errorf("%s: %s %s", name, deref(i.ErrorCode), deref(i.ErrorMessage))
			}
		}
	})
}

// TestSameURLTwice counts a page that is named twice once.
func TestSameURLTwice(t *testing.T) {
	both(t, func(t *testing.T, in *installation) {
		url := planted(in.web, 1)[0]
		const kind = "HTML_TITLE_COMMON"
		i := in.make(ask(coldBrew(url, url, url), kind))[kind]
		if g := i.Guidance.(PhraseGuidance); g.Pages != 1 || len(g.Phrases) != 0 || len(i.Pages) != 1 {
			t.Errorf("%+v of %+v", g, i.Pages)
		}
	})
}

// TestVolumesInOtherForms: accents, umlauts and inflected words of the topic do
// not keep its queries from being found, and volumes are the same everywhere.
func TestVolumesInOtherForms(t *testing.T) {
	both(t, func(t *testing.T, in *installation) {
		all := store.System(context.Background())
		head := "account_id,time_period_start,time_period_end,search_engine_name,query,normalized_url,rank_standard,average_search_volume,cpc,competition\n"
		lines := []string{}
		for _, row := range []string{
			"F,crème brûlée", "F,CREME BRULEE", "D,äpfel backen", "D,apfel backen", "E,The Who", "E,sunny skies", "E,sunny sky", "E,stories of brands", "E,story of a brand", "E,the of",
		} {
			lines = append(lines, "7,2026-01-18,2026-01-24,"+row+",https://a.example/,1,900,123456.789,1e+300")
		}
		if _, err := facts.NewImporter(in.store).File(context.Background(), vocab.KeywordRankings, writeFile(t, head+strings.Join(lines, "\n")+"\n"), facts.Options{}); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct{ engine, language, phrase, want string }{
			{"F", "fr", "Crème brûlée", "CREME BRULEE, crème brûlée"},
			{"F", "fr", "creme brulee", "CREME BRULEE, crème brûlée"},
			{"D", "de", "Äpfel backen", "apfel backen, äpfel backen"},
			{"E", "en", "The Who", "The Who"},
			{"E", "en", "sunny skies", "sunny skies, sunny sky"},
			{"E", "en", "sunny sky", "sunny skies, sunny sky"},
			{"E", "en", "story of a brand", "stories of brands, story of a brand"},
		} {
			in.store.RankSource.Update().SetLanguage(c.language).SaveX(all)
			r, err := facts.NewestRankings(in.ctx, in.store, c.engine)
			if err != nil {
				t.Fatal(err)
			}
			b := &Brief{Topic: Topic{Phrases: []string{c.phrase}}, Language: c.language, Rankings: r, Source: in.store.RankSource.GetX(all, 1)}
			g, err := searchVolume.generate(in.ctx, b)
			if err != nil {
				t.Errorf("%+v: %v", c, err)
				continue
			}
			var got []string
			for _, p := range g.(SearchVolumeGuidance).Phrases {
				got = append(got, p.Phrase)
				if *p.CPC != 123456.789 || *p.Competition != 1e300 {
					t.Errorf("%s costs %v, competition %v", p.Phrase, *p.CPC, *p.Competition)
				}
			}
			slices.Sort(got)
			if strings.Join(got, ", ") != c.want {
				t.Errorf("%s: %q, want %q", c.phrase, got, c.want)
			}
		}
	})
}

func writeFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
