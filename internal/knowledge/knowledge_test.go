package knowledge

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/input"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

func TestCreate(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		said := " Moka pots press water through ground coffee.\n"
		made, err := w.Create(w.ctx, map[string]any{"kind": "TEXT", "text": said, "fileName": "Über Moka"})
		must(t, err)
		got, err := w.Get(w.ctx, made.ID)
		must(t, err)
		for _, s := range []*Source{made, got} {
			if *s.Text != said || s.Kind != "TEXT" || *s.FileName != "Über Moka" || s.Status != vocab.KnowledgeExtracted || s.StatusReason != nil ||
				s.FileType() != nil || s.CreatedBy != user || s.AccountID != ours || s.BlobID != nil || s.Cut {
				t.Errorf("%+v %q", s.KnowledgeSource, *s.Text)
			}
		}
		for says, in := range map[string]map[string]any{
			"kind: is required; text: is required":                  {},
			"kind: must be one of TEXT":                             {"kind": "FILE", "text": "a"},
			"text: must not be blank":                               {"kind": "TEXT", "text": " \n\t"},
			"text: must be a string":                                {"kind": "TEXT", "text": 3},
			"text: must have at most 2097152 bytes":                 {"kind": "TEXT", "text": strings.Repeat("é", maxText/2) + "a"},
			"text: must not contain NUL":                            {"kind": "TEXT", "text": "a\x00"},
			"fileName: must not be blank":                           {"kind": "TEXT", "text": "a", "fileName": " "},
			"fileName: the name must have at most 255":              {"kind": "TEXT", "text": "a", "fileName": strings.Repeat("é", 128)},
			"fileName: the name must not contain control":           {"kind": "TEXT", "text": "a", "fileName": "a\nb"},
			"kind: must be a string; text: must be valid UTF-8":     {"kind": 1, "text": "a\xff"},
			"fileName: must be a string":                            {"kind": "TEXT", "text": "a", "fileName": []any{}},
			"fileName: the name must not contain control character": {"kind": "TEXT", "text": "a", "fileName": "a\u202egpj.txt"},
		} {
			_, err := w.Create(w.ctx, in)
			wantFault(t, err, fault.Invalid, says)
		}
		if _, err := w.Create(w.ctx, map[string]any{"kind": "TEXT", "text": strings.Repeat("é", maxText/2), "fileName": nil}); err != nil {
			t.Error(err)
		}
		if n := w.counts(t); !strings.HasPrefix(n, "2 sources 2 texts") {
			t.Error(n)
		}
	})
}

func TestList(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		var ids []uuid.UUID
		for _, name := range []string{"a.txt", "b.txt"} {
			s, err := w.send(name, "content of "+name)
			must(t, err)
			ids = append(ids, s.ID)
		}
		note, err := w.Create(w.ctx, map[string]any{"kind": "TEXT", "text": "note"})
		must(t, err)
		_, err = w.send("bomb.pdf", "BOMB")
		wantFault(t, err, fault.Internal, "too much memory")
		foreign, err := w.Create(w.their, map[string]any{"kind": "TEXT", "text": "theirs"})
		must(t, err)

		for _, c := range []struct {
			f     Filter
			page  input.Page
			n     int
			total int
		}{
			{Filter{}, input.Page{Limit: 20}, 4, 4},
			{Filter{}, input.Page{Limit: 2}, 2, 4},
			{Filter{}, input.Page{Limit: 3, Offset: 3}, 1, 4},
			{Filter{Kinds: []string{"TEXT"}}, input.Page{Limit: 20}, 1, 1},
			{Filter{Kinds: []string{"TEXT", "FILE"}, Statuses: []string{"EXTRACTED"}}, input.Page{Limit: 20}, 3, 3},
			{Filter{Statuses: []string{"ERROR", "STORED"}}, input.Page{Limit: 20}, 1, 1},
			{Filter{Kinds: []string{"TEXT"}, Statuses: []string{"ERROR"}}, input.Page{Limit: 20}, 0, 0},
		} {
			items, total, err := w.List(w.ctx, c.f, c.page)
			if err != nil || len(items) != c.n || total != c.total {
				t.Errorf("%+v: %d of %d, %v", c, len(items), total, err)
			}
			for i, s := range items {
				if s.Text != nil || s.AccountID != ours || i > 0 && items[i-1].Created.Before(s.Created) {
					t.Errorf("%+v: %+v", c, s.KnowledgeSource)
				}
			}
		}
		for field, f := range map[string]Filter{"status": {Statuses: []string{"DONE"}}, "kind": {Kinds: []string{"text"}}} {
			_, _, err := w.List(w.ctx, f, input.Page{Limit: 1})
			wantFault(t, err, fault.Invalid, field+": must be one of")
		}

		for _, id := range []uuid.UUID{foreign.ID, uuid.New()} {
			_, err := w.Get(w.ctx, id)
			wantFault(t, err, fault.NotFound, "knowledge source not found")
			_, err = w.Retry(w.ctx, id)
			wantFault(t, err, fault.NotFound, "")
			_, err = w.Watch(w.ctx, id)
			wantFault(t, err, fault.NotFound, "")
			wantFault(t, w.Delete(w.ctx, id), fault.NotFound, "")
		}
		must(t, w.Delete(w.ctx, note.ID))
		must(t, w.Delete(w.ctx, ids[0]))
		wantFault(t, w.Delete(w.ctx, ids[0]), fault.NotFound, "")
		if n := w.counts(t); n != "3 sources 2 texts 2 passages 2 blobs" {
			t.Error(n)
		}
		_, err = w.Get(w.their, foreign.ID)
		must(t, err)
	})
}
