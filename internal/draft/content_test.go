package draft

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/input"
	"github.com/contentgraph/contentgraph/internal/store"
)

func TestContent(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		d := w.made(t)
		empty, err := w.Content(w.ctx, d.ID)
		if err != nil || *empty != (Content{VersionID: d.VersionID}) {
			t.Fatal(empty, err)
		}
		body := "<p>" + strings.Repeat("ä\n", 1<<20)
		saves := []string{d.VersionID.String()}
		for i, in := range []string{
			`{'title': 'One', 'metaDescription': ' kept as it is ', 'bodyCopy': 'text', 'number': 77, 'versionId': 'ignored'}`,
			`{'title': 'Two', 'bodyCopy': null}`,
			`{}`,
		} {
			c, err := w.SaveContent(store.As(w.ctx, ours, alone), d.ID, object(t, in), saves[i:])
			if err != nil {
				t.Fatal(err)
			}
			now, err := w.Get(w.ctx, d.ID)
			if err != nil || now.VersionID != c.VersionID || now.UpdatedBy != alone || !now.Updated.Equal(*c.Saved) || view(now) != full {
				t.Error("the draft after a save:", now, err)
			}
			if *c.Number != i+1 || *c.SavedBy != alone {
				t.Error("save", *c.Number, "by", *c.SavedBy)
			}
			saves = append(saves, c.VersionID.String())
		}
		c, err := w.Content(w.ctx, d.ID)
		if err != nil || c.Title != nil || c.MetaDescription != nil || c.BodyCopy != nil || *c.Number != 3 || c.VersionID.String() != saves[3] {
			t.Error(c, err)
		}

		// A change of the draft moves its version on, not the content.
		changed, err := w.Update(w.ctx, d.ID, map[string]any{"draftTitle": "Title"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = w.SaveContent(w.ctx, d.ID, nil, saves[3:])
		wantFault(t, err, fault.Precondition)
		c, err = w.Content(w.ctx, d.ID)
		if err != nil || c.VersionID != changed.VersionID || *c.Number != 3 {
			t.Error(c, err)
		}

		versions, total, err := w.Versions(w.ctx, d.ID, input.Page{Limit: 2})
		if err != nil || total != 3 || len(versions) != 2 || versions[0].Number != 3 || versions[1].Number != 2 ||
			*versions[1].Title != "Two" || versions[1].DraftID != d.ID || versions[1].CreatedBy != alone {
			t.Error(versions, total, err)
		}
		versions, total, err = w.Versions(w.ctx, d.ID, input.Page{Limit: 2, Offset: 2})
		if err != nil || total != 3 || len(versions) != 1 || versions[0].BodyCopy != nil || versions[0].ID.String() != saves[1] {
			t.Error(versions, total, err)
		}
		v, err := w.Version(w.ctx, d.ID, versions[0].ID)
		if err != nil || *v.Title != "One" || *v.MetaDescription != " kept as it is " || *v.BodyCopy != "text" || v.Number != 1 {
			t.Error(v, err)
		}
		other := w.made(t)
		for _, id := range []uuid.UUID{other.ID, uuid.New()} {
			_, err = w.Version(w.ctx, id, v.ID)
			wantFault(t, err, fault.NotFound)
		}

		// The bounds: at them, and one beyond.
		at := map[string]any{"title": strings.Repeat("t", 1000), "metaDescription": strings.Repeat("m", 5000), "bodyCopy": body[3:]}
		if c, err = w.SaveContent(w.ctx, d.ID, at, nil); err != nil || *c.BodyCopy != body[3:] {
			t.Error(err)
		}
		if c, err = w.Content(w.ctx, d.ID); err != nil || *c.BodyCopy != body[3:] {
			t.Error(err)
		}
		for name, text := range at {
			at[name] = text.(string) + "x"
		}
		_, err = w.SaveContent(w.ctx, d.ID, at, nil)
		wantFault(t, err, fault.Invalid, "title", "metaDescription", "bodyCopy")
		_, err = w.SaveContent(w.ctx, d.ID, map[string]any{"title": 5, "bodyCopy": "a\x00b"}, nil)
		wantFault(t, err, fault.Invalid, "title", "bodyCopy")
	})
}

func TestDelete(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		d, other := w.made(t), w.made(t)
		for _, id := range []uuid.UUID{d.ID, d.ID, other.ID} {
			if _, err := w.SaveContent(w.ctx, id, map[string]any{"title": "x"}, nil); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Delete(w.ctx, d.ID, nil); err != nil {
			t.Fatal(err)
		}
		wantFault(t, w.Delete(w.ctx, d.ID, nil), fault.NotFound)
		_, err := w.Content(w.ctx, d.ID)
		wantFault(t, err, fault.NotFound)
		if n := w.store.DraftVersion.Query().CountX(store.System(w.ctx)); n != 1 {
			t.Errorf("%d saves are left, want the other draft's", n)
		}
		if c, err := w.Content(w.ctx, other.ID); err != nil || *c.Title != "x" {
			t.Error(c, err)
		}
	})
}
