package profile

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/input"
	"github.com/contentgraph/contentgraph/internal/store"
)

func TestNameIsUnique(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		first, second := w.made(t, "first"), w.made(t, "second")
		taken := map[string]any{"name": " first "}
		_, err := w.Create(w.ctx, taken)
		wantFault(t, err, fault.Conflict, "name")
		_, err = w.Replace(w.ctx, second.ID, taken, nil)
		wantFault(t, err, fault.Conflict, "name")
		_, err = w.Update(w.ctx, second.ID, taken, nil)
		wantFault(t, err, fault.Conflict, "name")
		if _, err = w.Update(w.ctx, first.ID, taken, nil); err != nil {
			t.Error("its own name:", err)
		}
		if _, err = w.Create(w.foreign, taken); err != nil {
			t.Error("in another account:", err)
		}
		now, err := w.Get(w.ctx, second.ID)
		if err != nil || view(now) != view(second) || now.VersionID != second.VersionID {
			t.Error(now, err)
		}
		if err := w.Delete(w.ctx, first.ID, nil); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Create(w.ctx, taken); err != nil {
			t.Error("after its owner went:", err)
		}
	})
}

func TestAudit(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		made := w.made(t, "n")
		if made.CreatedBy != user || made.UpdatedBy != user || !made.Created.Equal(start.Add(time.Second)) || !made.Updated.Equal(made.Created) {
			t.Error("created:", made)
		}
		other := store.As(w.ctx, ours, editor)
		changed, err := w.Update(other, made.ID, map[string]any{"audience": "b"}, nil)
		if err != nil || changed.CreatedBy != user || changed.UpdatedBy != editor || !changed.Created.Equal(made.Created) ||
			!changed.Updated.After(made.Updated) || changed.VersionID == made.VersionID {
			t.Error("changed:", changed, err)
		}
		for _, in := range []string{`{}`, `{'versionId': 'x', 'draftCount': null}`} {
			same, err := w.Update(other, made.ID, object(t, in), nil)
			if err != nil || same.VersionID != changed.VersionID || !same.Updated.Equal(changed.Updated) {
				t.Errorf("%s changed the profile: %v %v", in, same, err)
			}
		}
	})
}

func TestIfMatch(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		for name, do := range map[string]func(id uuid.UUID, ifMatch []string) error{
			"replace": func(id uuid.UUID, m []string) error {
				_, err := w.Replace(w.ctx, id, map[string]any{"name": "replaced"}, m)
				return err
			},
			"update": func(id uuid.UUID, m []string) error {
				_, err := w.Update(w.ctx, id, map[string]any{"name": "updated"}, m)
				return err
			},
			"delete": func(id uuid.UUID, m []string) error { return w.Delete(w.ctx, id, m) },
		} {
			p := w.made(t, name)
			was := p.VersionID.String()
			used := w.drafts(ours, &p.ID, 1)[0]
			wantFault(t, do(p.ID, []string{}), fault.Precondition)
			wantFault(t, do(p.ID, []string{uuid.NewString(), "x"}), fault.Precondition)
			if d := w.store.Draft.GetX(w.ctx, used); d.ContentProfileID == nil || d.VersionID != uuid.Nil {
				t.Errorf("%s that was refused changed a draft", name)
			}
			if err := do(p.ID, []string{"x", was}); err != nil {
				t.Errorf("%s with its version: %v", name, err)
			}
			if name == "delete" {
				wantFault(t, do(p.ID, []string{was}), fault.NotFound)
				continue
			}
			wantFault(t, do(p.ID, []string{was}), fault.Precondition)
			if err := do(p.ID, nil); err != nil {
				t.Errorf("%s without condition: %v", name, err)
			}
		}
	})
}

// TestOneWinner lets writers with the same condition meet.
func TestOneWinner(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		p := w.made(t, "n")
		for range 10 {
			was := []string{p.VersionID.String()}
			var won atomic.Int64
			var wait sync.WaitGroup
			for i := range 6 {
				wait.Go(func() {
					_, err := w.Update(w.ctx, p.ID, map[string]any{"audience": fmt.Sprint(i)}, was)
					if err == nil {
						won.Add(1)
					} else if !fault.Is(err, fault.Precondition) {
						t.Error(err)
					}
				})
			}
			wait.Wait()
			if won.Load() != 1 {
				t.Errorf("%d writers won", won.Load())
			}
			var err error
			if p, err = w.Get(w.ctx, p.ID); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestDelete(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		p, kept := w.made(t, "goes"), w.made(t, "stays")
		users, others, without := w.drafts(ours, &p.ID, 3), w.drafts(ours, &kept.ID, 2), w.drafts(ours, nil, 1)
		if err := w.Delete(store.As(w.ctx, ours, editor), p.ID, nil); err != nil {
			t.Fatal(err)
		}
		wantFault(t, w.Delete(w.ctx, p.ID, nil), fault.NotFound)
		_, err := w.Get(w.ctx, p.ID)
		wantFault(t, err, fault.NotFound)
		for _, id := range users {
			d := w.store.Draft.GetX(w.ctx, id)
			if d.ContentProfileID != nil || d.VersionID == uuid.Nil || d.UpdatedBy != editor || !d.Updated.After(start) {
				t.Error("a draft that used it:", d)
			}
		}
		for _, id := range append(others, without...) {
			if d := w.store.Draft.GetX(w.ctx, id); d.VersionID != uuid.Nil || !d.Updated.Equal(start) {
				t.Error("a draft that did not use it:", d)
			}
		}
		counts, err := w.DraftCounts(w.ctx, []uuid.UUID{p.ID, kept.ID})
		if err != nil || len(counts) != 1 || counts[kept.ID] != 2 {
			t.Error(counts, err)
		}
	})
}

func TestList(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		var want []string
		for i := range 5 {
			name := fmt.Sprint("p", i)
			w.made(t, name)
			want = append([]string{name}, want...)
		}
		if _, err := w.Create(w.foreign, map[string]any{"name": "foreign"}); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			page input.Page
			want []string
		}{
			{all, want}, {input.Page{Limit: 2}, want[:2]}, {input.Page{Limit: 2, Offset: 4}, want[4:]}, {input.Page{Limit: 2, Offset: 6}, nil},
		} {
			profiles, total, err := w.List(w.ctx, c.page)
			var got []string
			for _, p := range profiles {
				got = append(got, p.Name)
			}
			if err != nil || total != 5 || !slices.Equal(got, c.want) {
				t.Errorf("%+v: %v of %d, want %v (%v)", c.page, got, total, c.want, err)
			}
		}
	})
}

// TestTenants shows that an account neither sees nor changes another's profiles.
func TestTenants(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		p := w.made(t, "n")
		used := w.drafts(ours, &p.ID, 2)
		w.drafts(theirs, &p.ID, 1) // cannot be, and would not show
		name := map[string]any{"name": "m"}
		for what, do := range map[string]func(ctx context.Context, id uuid.UUID) error{
			"get":     func(ctx context.Context, id uuid.UUID) error { _, err := w.Get(ctx, id); return err },
			"replace": func(ctx context.Context, id uuid.UUID) error { _, err := w.Replace(ctx, id, name, nil); return err },
			"update":  func(ctx context.Context, id uuid.UUID) error { _, err := w.Update(ctx, id, nil, nil); return err },
			"delete":  func(ctx context.Context, id uuid.UUID) error { return w.Delete(ctx, id, nil) },
		} {
			if err := do(w.foreign, p.ID); !fault.Is(err, fault.NotFound) {
				t.Errorf("%s of another account's profile: %v", what, err)
			}
			if err := do(w.ctx, uuid.New()); !fault.Is(err, fault.NotFound) {
				t.Errorf("%s of no profile: %v", what, err)
			}
			if err := do(context.Background(), p.ID); !errors.Is(err, store.ErrNoViewer) {
				t.Errorf("%s for nobody: %v", what, err)
			}
		}
		if profiles, total, err := w.List(w.foreign, all); err != nil || total != 0 || len(profiles) != 0 {
			t.Error(profiles, total, err)
		}
		if byID, err := w.ByIDs(w.foreign, []uuid.UUID{p.ID}); err != nil || len(byID) != 0 {
			t.Error(byID, err)
		}
		if byID, err := w.ByIDs(w.ctx, []uuid.UUID{p.ID, uuid.New(), p.ID}); err != nil || len(byID) != 1 || view(byID[p.ID]) != view(p) {
			t.Error(byID, err)
		}
		if counts, err := w.DraftCounts(w.ctx, []uuid.UUID{p.ID}); err != nil || counts[p.ID] != 2 {
			t.Error(counts, err)
		}
		if d := w.store.Draft.GetX(w.ctx, used[0]); d.ContentProfileID == nil {
			t.Error("another account took a draft's profile away")
		}
	})
}
