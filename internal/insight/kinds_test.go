package insight

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/internal/facts"
	"github.com/contentgraph/contentgraph/internal/htmldoc"
	"github.com/contentgraph/contentgraph/internal/serp"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// fixture is a brief as it is written down.
type fixture struct {
	Topic    Topic
	Language string
	Pages    []string // files of testdata/pages, without .html
	Results  []serp.Result
	Site     string
}

func load(t testing.TB, path string, v any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, v)
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

func (f *fixture) brief(t testing.TB, folder string) *Brief {
	b := &Brief{
		Topic: f.Topic, Language: f.Language, Site: f.Site, Curve: defaultCurve, pagesFrom: "text",
		Source: &db.RankSource{ID: 1, Name: "GOOGLE_EN_US", Language: "en"},
	}
	for _, name := range f.Pages {
		html, err := os.ReadFile(filepath.Join("testdata", "pages", name+".html"))
		if err != nil {
			t.Fatal(err)
		}
		address := "https://" + name + ".example/blog/" + name
		b.Pages = append(b.Pages, &Page{Page: htmldoc.Parse(html, "text/html", address), Address: address})
	}
	b.Results = []*serp.Page{{Topic: f.Topic.Phrases[0], Results: f.Results}}
	for _, r := range f.Results {
		b.Results[0].Questions = append(b.Results[0].Questions, r.Questions...)
	}
	if csv := filepath.Join(folder, "rankings.csv"); exists(csv) {
		s, err := store.Open(context.Background(), "", t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		if _, err := facts.NewImporter(s).File(context.Background(), vocab.KeywordRankings, csv, facts.Options{}); err != nil {
			t.Fatal(err)
		}
		if b.Rankings, err = facts.NewestRankings(store.As(context.Background(), 7, 1), s, b.Source.Name); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func loadCopy(t testing.TB, path, language string) *Copy {
	var in map[string]any
	load(t, path, &in)
	p, _, err := readCopy(in)
	if err != nil {
		t.Fatal(err)
	}
	return newCopy(p, language)
}

// TestKinds holds what each kind finds, and says of a copy, to golden files.
func TestKinds(t *testing.T) {
	t.Parallel()
	for _, k := range Kinds {
		t.Run(k.Type, func(t *testing.T) {
			t.Parallel()
			folder := filepath.Join("testdata", "kinds", k.Type)
			var f fixture
			load(t, filepath.Join(folder, "brief.json"), &f)
			b := f.brief(t, folder)
			o := outcomeOf(store.As(context.Background(), 7, 1), k, b)
			item := map[string]any{"status": o.status, "errorCode": o.code, "errorMessage": o.message, "guidance": o.guidance}
			if o.guidance != nil {
				check := k.check(o.guidance, loadCopy(t, filepath.Join(folder, "copy.json"), b.Language))
				item["details"], item["score"], item["summary"] = check.Details, check.Score, check.Summary
			}
			golden(t, filepath.Join(folder, "item.json"), item)
		})
	}
}

func golden(t *testing.T, path string, v any) {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, b.Bytes()) {
		t.Errorf("%s: got\n%s", path, b.Bytes())
	}
}
