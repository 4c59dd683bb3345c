package draft

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/input"
	"github.com/contentgraph/contentgraph/internal/store"
)

var all = input.Page{Limit: 100}

func TestAudit(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		made := w.made(t)
		if made.CreatedBy != user || made.UpdatedBy != user || !made.Created.Equal(start.Add(time.Second)) || !made.Updated.Equal(made.Created) {
			t.Error("created:", made)
		}
		other := store.As(w.ctx, ours, alone)
		changed, err := w.Update(other, made.ID, object(t, `{'status': 'IN_REVIEW'}`), nil)
		if err != nil {
			t.Fatal(err)
		}
		if changed.CreatedBy != user || changed.UpdatedBy != alone || !changed.Created.Equal(made.Created) ||
			!changed.Updated.After(made.Updated) || changed.VersionID == made.VersionID {
			t.Error("changed:", changed)
		}
		for _, in := range []string{`{}`, `{'versionId': 'x', 'updated': null, 'foo': 1}`} {
			same, err := w.Update(other, made.ID, object(t, in), []string{changed.VersionID.String()})
			if err != nil || same.VersionID != changed.VersionID || !same.Updated.Equal(changed.Updated) {
				t.Errorf("%s changed the draft: %v %v", in, same, err)
			}
		}
	})
}

func TestIfMatch(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		whole := object(t, `{'topics': ['a'], 'rankSourceId': 3, 'status': 'TO_DO'}`)
		for name, do := range map[string]func(id uuid.UUID, ifMatch []string) error{
			"replace": func(id uuid.UUID, m []string) error { _, err := w.Replace(w.ctx, id, whole, m); return err },
			"update": func(id uuid.UUID, m []string) error {
				_, err := w.Update(w.ctx, id, object(t, `{'page': null}`), m)
				return err
			},
			"content": func(id uuid.UUID, m []string) error { _, err := w.SaveContent(w.ctx, id, nil, m); return err },
			"delete":  func(id uuid.UUID, m []string) error { return w.Delete(w.ctx, id, m) },
		} {
			d := w.made(t)
			was := d.VersionID.String()
			wantFault(t, do(d.ID, []string{}), fault.Precondition)
			wantFault(t, do(d.ID, []string{uuid.NewString(), "x"}), fault.Precondition)
			if err := do(d.ID, []string{"x", was}); err != nil {
				t.Errorf("%s with its version: %v", name, err)
			}
			if name == "delete" {
				wantFault(t, do(d.ID, []string{was}), fault.NotFound)
				continue
			}
			wantFault(t, do(d.ID, []string{was}), fault.Precondition)
			if err := do(d.ID, nil); err != nil {
				t.Errorf("%s without condition: %v", name, err)
			}
		}
	})
}

func TestList(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		var want []uuid.UUID
		for i := range 7 {
			d := w.made(t)
			if i%2 == 0 {
				if _, err := w.Update(w.ctx, d.ID, object(t, `{'status': 'APPROVED'}`), nil); err != nil {
					t.Fatal(err)
				}
			}
			want = append(want, d.ID)
		}
		slices.Reverse(want)
		if _, err := w.Create(w.foreign, object(t, `{'topics': ['a'], 'rankSourceId': 3}`)); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			statuses []string
			page     input.Page
			want     []uuid.UUID
			total    int
		}{
			{nil, input.Page{Limit: 20}, want, 7},
			{nil, input.Page{Limit: 3}, want[:3], 7},
			{nil, input.Page{Limit: 3, Offset: 3}, want[3:6], 7},
			{nil, input.Page{Limit: 3, Offset: 6}, want[6:], 7},
			{nil, input.Page{Limit: 3, Offset: 9}, nil, 7},
			{[]string{"PUBLISHED"}, input.Page{Limit: 3}, nil, 0},
			{[]string{"IN_REVIEW"}, input.Page{Limit: 2}, []uuid.UUID{want[1], want[3]}, 3},
			{[]string{"IN_REVIEW", "APPROVED", "APPROVED"}, input.Page{Limit: 2}, want[:2], 7},
		} {
			drafts, total, err := w.List(w.ctx, Filter{Statuses: c.statuses}, c.page)
			if got := ids(drafts); err != nil || !slices.Equal(got, c.want) || total != c.total {
				t.Errorf("%v %+v: %v of %d, want %v of %d (%v)", c.statuses, c.page, got, total, c.want, c.total, err)
			}
		}
		for _, bad := range []string{"", "to_do", "TO_DO,APPROVED"} {
			_, _, err := w.List(w.ctx, Filter{Statuses: []string{"TO_DO", bad}}, all)
			wantFault(t, err, fault.Invalid, "status")
		}

		// Changed at one moment, drafts stand by id.
		w.Now = func() time.Time { return start.Add(time.Hour) }
		for _, i := range []int{2, 5, 0} {
			if _, err := w.SaveContent(w.ctx, want[i], nil, nil); err != nil {
				t.Fatal(err)
			}
		}
		drafts, _, err := w.List(w.ctx, Filter{}, input.Page{Limit: 4})
		if got := ids(drafts); err != nil || !slices.Equal(got, []uuid.UUID{want[5], want[2], want[0], want[1]}) {
			t.Error(got, err)
		}
		byID, err := w.ByIDs(w.ctx, []uuid.UUID{want[3], uuid.New(), want[1], want[1]})
		if err != nil || len(byID) != 2 || byID[want[1]].ID != want[1] || byID[want[3]].ID != want[3] {
			t.Error(byID, err)
		}
	})
}

func ids(drafts []*db.Draft) (ids []uuid.UUID) {
	for _, d := range drafts {
		ids = append(ids, d.ID)
	}
	return ids
}

// TestTenants shows that an account neither sees nor changes another's drafts.
func TestTenants(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		d := w.made(t)
		c, err := w.SaveContent(w.ctx, d.ID, map[string]any{"title": "ours"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		whole := object(t, `{'topics': ['a'], 'rankSourceId': 3, 'status': 'TO_DO'}`)
		for name, do := range map[string]func(ctx context.Context, id uuid.UUID) error{
			"get":      func(ctx context.Context, id uuid.UUID) error { _, err := w.Get(ctx, id); return err },
			"replace":  func(ctx context.Context, id uuid.UUID) error { _, err := w.Replace(ctx, id, whole, nil); return err },
			"update":   func(ctx context.Context, id uuid.UUID) error { _, err := w.Update(ctx, id, nil, nil); return err },
			"delete":   func(ctx context.Context, id uuid.UUID) error { return w.Delete(ctx, id, nil) },
			"content":  func(ctx context.Context, id uuid.UUID) error { _, err := w.Content(ctx, id); return err },
			"save":     func(ctx context.Context, id uuid.UUID) error { _, err := w.SaveContent(ctx, id, nil, nil); return err },
			"versions": func(ctx context.Context, id uuid.UUID) error { _, _, err := w.Versions(ctx, id, all); return err },
			"version":  func(ctx context.Context, id uuid.UUID) error { _, err := w.Version(ctx, id, c.VersionID); return err },
		} {
			if err := do(w.foreign, d.ID); !fault.Is(err, fault.NotFound) {
				t.Errorf("%s of another account's draft: %v", name, err)
			}
			if err := do(w.ctx, uuid.New()); !fault.Is(err, fault.NotFound) {
				t.Errorf("%s of no draft: %v", name, err)
			}
			if err := do(context.Background(), d.ID); !errors.Is(err, store.ErrNoViewer) {
				t.Errorf("%s for nobody: %v", name, err)
			}
		}
		if drafts, total, err := w.List(w.foreign, Filter{}, all); err != nil || total != 0 || len(drafts) != 0 {
			t.Error(drafts, total, err)
		}
		if byID, err := w.ByIDs(w.foreign, []uuid.UUID{d.ID}); err != nil || len(byID) != 0 {
			t.Error(byID, err)
		}
		now, err := w.Get(w.ctx, d.ID)
		if err != nil || view(now) != full || now.VersionID != c.VersionID {
			t.Error(now, err)
		}
	})
}
