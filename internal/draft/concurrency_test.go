package draft

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/contentprofile"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/profile"
)

// TestOneWinner lets writers with the same condition meet.
func TestOneWinner(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		d := w.made(t)
		for round := range 5 {
			var errs []error
			was := []string{d.VersionID.String()}
			var mu sync.Mutex
			var wait sync.WaitGroup
			for i := range 6 {
				wait.Go(func() {
					var err error
					if i%2 == 0 {
						_, err = w.Update(w.ctx, d.ID, map[string]any{"draftTitle": fmt.Sprint(i)}, was)
					} else {
						_, err = w.SaveContent(w.ctx, d.ID, map[string]any{"title": fmt.Sprint(i)}, was)
					}
					mu.Lock()
					defer mu.Unlock()
					errs = append(errs, err)
				})
			}
			wait.Wait()
			won := 0
			for _, err := range errs {
				if err == nil {
					won++
				} else if !fault.Is(err, fault.Precondition) {
					t.Error(err)
				}
			}
			if won != 1 {
				t.Errorf("round %d: %d writers won", round, won)
			}
			var err error
			if d, err = w.Get(w.ctx, d.ID); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestNothingLost lets writers of different fields meet without a condition.
func TestNothingLost(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		d := w.made(t)
		var wait sync.WaitGroup
		for _, in := range []string{`{'draftTitle': 'new'}`, `{'status': 'APPROVED'}`, `{'page': null}`, `{'topics': ['x']}`} {
			patch := object(t, in)
			wait.Go(func() {
				if _, err := w.Update(w.ctx, d.ID, patch, nil); err != nil {
					t.Error(err)
				}
			})
			wait.Go(func() {
				if _, err := w.SaveContent(w.ctx, d.ID, nil, nil); err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
		d, err := w.Get(w.ctx, d.ID)
		if err != nil || d.DraftTitle != "new" || d.Status != "APPROVED" || d.Page != nil || !slices.Equal(d.Topics, []string{"x"}) {
			t.Error(d, err)
		}
		if _, total, err := w.Versions(w.ctx, d.ID, all); err != nil || total != 4 {
			t.Errorf("%d saves of 4 (%v)", total, err)
		}
	})
}

// TestProfileIsHeld takes a profile for a draft while another transaction
// deletes it, and lets that one win.
func TestProfileIsHeld(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		d, err := w.Create(w.ctx, object(t, `{'topics': ['a'], 'rankSourceId': 3}`))
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		err = w.store.Tx(w.ctx, func(tx *db.Client) error {
			if err := tx.ContentProfile.DeleteOneID(voice).Exec(w.ctx); err != nil {
				return err
			}
			go func() {
				_, err := w.Update(w.ctx, d.ID, map[string]any{"contentProfileId": voice}, nil)
				done <- err
			}()
			for len(done) == 0 && !w.waiting(t) {
				time.Sleep(time.Millisecond)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		wantFault(t, <-done, fault.Invalid, "contentProfileId")
	})
}

// waiting reports whether a transaction waits for another.
func (w world) waiting(t *testing.T) (yes bool) {
	if !w.store.Postgres() {
		return w.store.Writer.Stats().WaitCount > 0
	}
	const blocked = `select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')`
	if err := w.store.Reader.QueryRow(blocked).Scan(&yes); err != nil {
		t.Error(err)
		return true
	}
	return yes
}

// TestProfileGoes lets a profile be deleted while drafts take it: none may keep it.
func TestProfileGoes(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		d := w.made(t)
		var wait sync.WaitGroup
		for range 4 {
			wait.Go(func() {
				_, err := w.Create(w.ctx, map[string]any{"topics": []string{"a"}, "rankSourceId": source, "contentProfileId": voice})
				if err != nil && !fault.Is(err, fault.Invalid) {
					t.Error(err)
				}
			})
			wait.Go(func() {
				_, err := w.Update(w.ctx, d.ID, map[string]any{"contentProfileId": voice}, nil)
				if err != nil && !fault.Is(err, fault.Invalid) {
					t.Error(err)
				}
			})
		}
		wait.Go(func() {
			if err := profile.New(w.store).Delete(w.ctx, voice, nil); err != nil {
				t.Error(err)
			}
		})
		wait.Wait()
		if w.store.ContentProfile.Query().Where(contentprofile.ID(voice)).ExistX(w.ctx) {
			t.Fatal("the profile is still there")
		}
		drafts, _, err := w.List(w.ctx, Filter{}, all)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range drafts {
			if d.ContentProfileID != nil {
				t.Error("a draft uses a profile that is gone")
			}
		}
	})
}
