package knowledge

import (
	"fmt"
	"strings"
	"testing"

	"github.com/contentgraph/contentgraph/internal/fault"
)

func TestSearch(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		long := "Überblick\n\n" + prose(6) + "\n\nDescaling\n\nA descaling agent dissolves lime. Citric acid does, too.\n\n" + prose(8)
		guide, err := w.Create(w.ctx, map[string]any{"kind": "TEXT", "text": long, "fileName": "Guide"})
		must(t, err)
		file, err := w.send("facts.txt", "Lime is what hard water leaves in a kettle.")
		must(t, err)
		_, err = w.Create(w.their, map[string]any{"kind": "TEXT", "text": "Their lime is descaled with a secret agent."})
		must(t, err)

		found, err := w.Search(w.ctx, "Which agents dissolve the lime?", nil)
		must(t, err)
		if len(found) != 2 || found[0].SourceID != guide.ID || found[1].SourceID != file.ID || found[0].Score <= found[1].Score {
			t.Fatalf("%+v", found)
		}
		p := found[0]
		if *p.FileName != "Guide" || *p.Heading != "Descaling" || p.Number != 1 || !strings.Contains(p.Text, "Citric acid") ||
			string([]rune(long)[p.Start:p.End]) != p.Text {
			t.Errorf("%+v", p)
		}
		if p := found[1]; *p.FileName != "facts.txt" || p.Heading != nil || p.Start != 0 || p.Text != "Lime is what hard water leaves in a kettle." {
			t.Errorf("%+v", p)
		}
		for query, n := range map[string]int{"citric": 1, "secret": 0, "the of": 0, "überblick": 1, "flow": 2, "%_'\"; --": 0} {
			if found, err := w.Search(w.ctx, query, new(2)); err != nil || len(found) != n || found == nil {
				t.Errorf("%q: %d passages, %v", query, len(found), err)
			}
		}
		must(t, w.Delete(w.ctx, guide.ID))
		if found, err := w.Search(w.ctx, "lime", new(50)); err != nil || len(found) != 1 {
			t.Errorf("after deletion %d passages, %v", len(found), err)
		}
		for says, c := range map[string]struct {
			query string
			limit int
		}{"query: must not be blank": {" ", 1}, "query: must have at most 1000": {strings.Repeat("é", 1001), 1},
			"limit: must be from 1 to 50": {"a", 0}, "limit: must be": {"a", 51}} {
			_, err := w.Search(w.ctx, c.query, &c.limit)
			wantFault(t, err, fault.Invalid, says)
		}
	})
}

// TestSearchMany goes through more sources than are read at a time.
func TestSearchMany(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		for i := range 2*textsOnce + 3 {
			_, err := w.Create(w.ctx, map[string]any{"kind": "TEXT", "text": fmt.Sprintf("Kettle number %d of many.", i)})
			must(t, err)
		}
		found, err := w.Search(w.ctx, "kettles", new(50))
		if err != nil || len(found) != 50 {
			t.Fatal(len(found), err)
		}
		found, err = w.Search(w.ctx, fmt.Sprint("kettle ", 2*textsOnce+2), new(3))
		if err != nil || len(found) != 3 || !strings.Contains(found[0].Text, fmt.Sprint(2*textsOnce+2)) {
			t.Error(found, err)
		}
	})
}
