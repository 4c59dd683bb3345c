package insight

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/internal/draft"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/serp"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// planted is a web of n pages, each with a phrase of its place in the first k.
func planted(w *web, n int) (urls []any) {
	phrases := map[string]int{"quiet kettle": 5, "brass valve": 4, "steel burr": 6, "paper cone": 7, "amber glass": 3, "slow pour": 8}
	for i := range n {
		pick := func(phrase string) string {
			if i < phrases[phrase] {
				return phrase
			}
			return fmt.Sprintf("plain%d", i)
		}
		url := fmt.Sprintf("https://page%d.example/blog/post", i)
		w.pages[url] = html("All about the "+pick("quiet kettle"), "Notes on the "+pick("brass valve"),
			"<h1>Why a "+pick("steel burr")+"</h1>", "<p>"+strings.Repeat("Readers of this page find a long text about many things here. ", 6)+"</p>",
			"<h2>With a "+pick("paper cone")+"</h2>", "<p>The "+pick("slow pour")+" is what matters. "+strings.Repeat("More words follow so that this is an article. ", 5)+"</p>",
			"<h3>And "+pick("amber glass")+"</h3>", "<p>That is all there is to say about it for today, dear reader.</p>")
		urls = append(urls, url)
	}
	return urls
}

func TestPlantedPhrases(t *testing.T) {
	both(t, func(t *testing.T, in *installation) {
		urls := planted(in.web, 10)
		found := in.make(ask(coldBrew(urls...)))
		for kind, want := range map[string]struct {
			phrase string
			pages  int
		}{
			"HTML_TITLE_COMMON": {"quiet kettle", 5}, "HTML_META_DESCRIPTION_COMMON": {"brass valve", 4}, "HTML_HEADING1_COMMON": {"steel burr", 6},
			"HTML_HEADING2_COMMON": {"paper cone", 7}, "HTML_HEADING3_COMMON": {"amber glass", 3}, "BODY_CONTENT_COMMON": {"slow pour", 8},
		} {
			i := found[kind]
			if deref(i.Status) != vocab.InsightCompleted {
				t.Errorf("%s: %s %s", kind, deref(i.Status), deref(i.ErrorMessage))
				continue
			}
			g := i.Guidance.(PhraseGuidance)
			at := slices.IndexFunc(g.Phrases, func(p PhraseFound) bool { return p.Phrase == want.phrase })
			if at < 0 || g.Phrases[at].Pages != want.pages || g.Pages != 10 || g.Phrases[at].Share != round(float64(want.pages)/10) {
				t.Errorf("%s: want %q on %d of 10 pages in %+v", kind, want.phrase, want.pages, g)
			}
			for _, p := range g.Phrases {
				if strings.Contains(strings.ToLower(p.Phrase), "navigation") {
					t.Errorf("%s: navigation in %q", kind, p.Phrase)
				}
				if p.Phrase != want.phrase && kind != "BODY_CONTENT_COMMON" && slices.Contains([]string{"quiet kettle", "brass valve", "steel burr", "paper cone", "amber glass", "slow pour"}, p.Phrase) {
					t.Errorf("%s: %q is of another place", kind, p.Phrase)
				}
			}
			if len(i.Pages) != 10 || i.Pages[0].Title == "" || i.Pages[0].Fetched.IsZero() || i.Generated == nil {
				t.Errorf("%s: pages %+v, generated %v", kind, i.Pages, i.Generated)
			}
		}
		for _, kind := range []string{"OPPORTUNITIES_SNIPPET", "MSV_SNIPPET"} {
			if i := found[kind]; deref(i.Status) != vocab.InsightError || deref(i.ErrorCode) != CodeNoRankings || i.InsightPresent() {
				t.Errorf("%s without rankings: %s %s", kind, deref(i.Status), deref(i.ErrorCode))
			}
		}
		if len(in.web.fetched) != 10 {
			t.Errorf("%d fetches of 10 pages", len(in.web.fetched))
		}
	})
}

func TestBrokenPages(t *testing.T) {
	both(t, func(t *testing.T, in *installation) {
		urls := planted(in.web, 15)
		broken := []string{urls[2].(string), urls[7].(string), urls[11].(string)}
		for _, url := range broken {
			delete(in.web.pages, url)
		}
		i := in.make(ask(coldBrew(urls...), "HTML_TITLE_COMMON"))["HTML_TITLE_COMMON"]
		if deref(i.Status) != vocab.InsightPartly || deref(i.ErrorCode) != CodeFetchFailed || !strings.HasPrefix(deref(i.ErrorMessage), "3 of 15 pages could not be read: ") {
			t.Errorf("%s %s %s", deref(i.Status), deref(i.ErrorCode), deref(i.ErrorMessage))
		}
		var failed []string
		for _, p := range i.Pages {
			if p.Error != nil {
				failed = append(failed, p.URL)
			}
		}
		if !slices.Equal(failed, broken) || i.Guidance.(PhraseGuidance).Pages != 12 {
			t.Errorf("failed %v, guidance %+v", failed, i.Guidance)
		}
		for _, url := range broken {
			if !strings.Contains(deref(i.ErrorMessage), url) {
				t.Errorf("%s does not name %s", deref(i.ErrorMessage), url)
			}
		}
		in.web.pages = nil
		in.Now = func() time.Time { return time.Now().Add(48 * time.Hour) }
		i = in.make(ask(coldBrew(urls...), "HTML_TITLE_COMMON"))["HTML_TITLE_COMMON"]
		if deref(i.Status) != vocab.InsightError || deref(i.ErrorCode) != CodeFetchFailed || i.InsightPresent() {
			t.Errorf("without any page: %s %s %v", deref(i.Status), deref(i.ErrorCode), i.Guidance)
		}
	})
}

// TestSourcesOfPages: the request's URLs, else the draft's, else the result page's.
func TestSourcesOfPages(t *testing.T) {
	both(t, func(t *testing.T, in *installation) {
		urls := planted(in.web, 4)
		const kind = "CONTENT_LENGTH_INSIGHT"
		if i := in.make(ask(coldBrew(), kind))[kind]; deref(i.ErrorCode) != CodeNoPages || deref(i.Status) != vocab.InsightError {
			t.Errorf("without pages: %s %s", deref(i.Status), deref(i.ErrorCode))
		}
		asked := ""
		in.serp.Search = func(_ context.Context, topic, language, country string) ([]serp.Result, error) {
			asked = topic + " " + language + " " + country
			return []serp.Result{{Position: 1, URL: urls[0].(string)}, {Position: 2, URL: urls[1].(string)}}, nil
		}
		i := in.make(ask(coldBrew(), kind))[kind]
		if i.Guidance == nil || i.Guidance.(LengthGuidance).Pages != 2 || deref(i.Source) != "serp" || asked != "cold brew en US" {
			t.Errorf("from the result page: %+v, source %s, asked for %q", i.Guidance, deref(i.Source), asked)
		}
		if _, err := draft.New(in.store).Update(in.ctx, in.draft, map[string]any{"competitorUrls": urls[:3]}, nil); err != nil {
			t.Fatal(err)
		}
		if i := in.make(ask(coldBrew(), kind))[kind]; i.Guidance.(LengthGuidance).Pages != 3 || deref(i.Source) != "text" {
			t.Errorf("from the draft: %+v, source %s", i.Guidance, deref(i.Source))
		}
		in.serp.Search = func(context.Context, string, string, string) ([]serp.Result, error) {
			return nil, errors.New("answers with status 429")
		}
		in.draft = in.newDraft(in.ctx)
		if i := in.make(ask(coldBrew(), kind))[kind]; !strings.Contains(deref(i.ErrorMessage), "status 429") {
			t.Errorf("when the search service fails: %s", deref(i.ErrorMessage))
		}
	})
}

// TestAskingAgain replaces the named kinds alone, and pages are not fetched twice.
func TestAskingAgain(t *testing.T) {
	both(t, func(t *testing.T, in *installation) {
		urls := planted(in.web, 3)
		first := in.make(ask(coldBrew(urls...), "HTML_TITLE_COMMON", "CONTENT_LENGTH_INSIGHT"))
		later := in.make(ask(coldBrew(urls[:2]...), "HTML_TITLE_COMMON"))
		if got := later["CONTENT_LENGTH_INSIGHT"]; !got.Generated.Equal(*first["CONTENT_LENGTH_INSIGHT"].Generated) || len(got.Pages) != 3 {
			t.Errorf("a kind that was not named has changed: %+v", got)
		}
		if got := later["HTML_TITLE_COMMON"].Guidance.(PhraseGuidance); got.Pages != 2 {
			t.Errorf("the named kind has %d pages", got.Pages)
		}
		if len(later) != 2 || len(in.web.fetched) != 3 {
			t.Errorf("%d kinds, %d fetches", len(later), len(in.web.fetched))
		}
		in.Now = func() time.Time { return time.Now().Add(25 * time.Hour) }
		in.make(ask(coldBrew(urls[:1]...), "HTML_TITLE_COMMON"))
		if n := len(in.web.fetched); n != 4 || in.web.etags[3] == "" {
			t.Errorf("a day later: %d fetches, validators %q", n, in.web.etags)
		}
		if err := in.Sweep(context.Background()); err != nil {
			t.Fatal(err)
		}
		if n := in.store.FetchedPage.Query().CountX(in.ctx); n != 3 {
			t.Errorf("%d pages kept", n)
		}
		in.Now = func() time.Time { return time.Now().Add(100 * 24 * time.Hour) }
		if err := in.Sweep(context.Background()); err != nil {
			t.Fatal(err)
		}
		if n := in.store.FetchedPage.Query().CountX(in.ctx); n != 0 {
			t.Errorf("%d pages kept for ever", n)
		}
	})
}

func TestBadRequests(t *testing.T) {
	both(t, func(t *testing.T, in *installation) {
		for name, c := range map[string]struct {
			body map[string]any
			bad  []string
		}{
			"nothing": {map[string]any{}, []string{"insight.input.topic.phrases", "insight.input.topic.rankSourceId"}},
			"all bad": {ask(map[string]any{"phrases": []any{" "}, "rankSourceId": 9, "webPropertyId": 4, "competitorUrls": []any{"ftp://x"}}, "NO_SUCH"),
				[]string{"insight.input.topic.phrases[0]", "insight.input.topic.competitorUrls[0]", "insight.input.topic.rankSourceId", "insight.input.topic.webPropertyId", "insight.request.insights[0]"}},
			"no object":        {map[string]any{"insight": "x"}, []string{"insight", "insight.input.topic.phrases", "insight.input.topic.rankSourceId"}},
			"an empty request": {map[string]any{"insight": map[string]any{"input": map[string]any{"topic": coldBrew()}, "request": map[string]any{"insights": []any{}}}}, []string{"insight.request.insights"}},
		} {
			_, err := in.Request(in.ctx, in.draft, c.body)
			var got []string
			for _, f := range fault.Of(err).Fields {
				got = append(got, f.Field)
			}
			slices.Sort(got)
			slices.Sort(c.bad)
			if (err == nil) != (c.bad == nil) || !slices.Equal(got, c.bad) {
				t.Errorf("%s: %v names %v, want %v", name, err, got, c.bad)
			}
		}
		foreign := store.As(context.Background(), 8, 2)
		for name, call := range map[string]func(ctx context.Context, id uuid.UUID) error{
			"request": func(ctx context.Context, id uuid.UUID) error {
				_, err := in.Request(ctx, id, ask(coldBrew()))
				return err
			},
			"list": func(ctx context.Context, id uuid.UUID) error { _, err := in.List(ctx, id, nil); return err },
			"validate": func(ctx context.Context, id uuid.UUID) error {
				_, err := in.Validate(ctx, id, map[string]any{"title": "x"})
				return err
			},
			"score":   func(ctx context.Context, id uuid.UUID) error { _, err := in.Score(ctx, id, nil); return err },
			"updates": func(ctx context.Context, id uuid.UUID) error { _, err := in.Updates(ctx, id); return err },
		} {
			for whose, err := range map[string]error{"foreign": call(foreign, in.draft), "unknown": call(in.ctx, uuid.New())} {
				if fault.Of(err).Kind != fault.NotFound {
					t.Errorf("%s of a %s draft: %v", name, whose, err)
				}
			}
		}
	})
}
