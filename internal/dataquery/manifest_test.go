package dataquery

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/jobs"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// The manifest says of every page what the page says, and pages have the same
// rows by number and by token.
func TestManifest(t *testing.T) {
	databases(t, func(t *testing.T, f *fixture) {
		ctx := viewer()
		f.load(t, kr, rankings(20_100), false)
		f.queue.Start()
		for _, c := range []struct{ pageRows, rows int }{
			{100, 0}, {100, 1}, {100, 100}, {100, 101}, {100, 1700}, {1000, 1000}, {2000, 1000}, {2000, 2000}, {2000, 16_000}, {3000, 17_001}, {50_000, 20_000},
		} {
			in := object{"limit": max(c.rows, 1)}
			if c.rows == 0 {
				in["devices"] = "TABLET"
			}
			name := fmt.Sprintf("%d rows in pages of %d", c.rows, c.pageRows)
			e := newFixture(t, f.store, c.pageRows).submit(t, ctx, kr, in)
			if m, err := f.Manifest(ctx, e); m != nil || err != nil || Digest(e) != nil || Fraction(e) != nil {
				t.Errorf("%s: before it has run: %v %v", name, m, err)
			}
			f.queue.Wake(jobKind)
			e = f.wait(t, ctx, e)
			m, err := f.Manifest(ctx, e)
			if err != nil || len(m) != max(1, (c.rows+c.pageRows-1)/c.pageRows) || *Fraction(e) != 1 {
				t.Fatalf("%s: %d pages, %v", name, len(m), err)
			}
			all, rows := sha256.New(), 0
			var token *string
			for i, line := range m {
				p, err := f.Page(ctx, e, token)
				if err != nil {
					t.Fatal(err)
				}
				byNumber, err := f.PageNumber(ctx, e, i+1)
				if err != nil {
					t.Fatal(err)
				}
				var a, b strings.Builder
				p.Rows.WriteTo(&a)
				byNumber.Rows.WriteTo(&b)
				digest := sha256.Sum256([]byte(a.String()))
				all.Write(digest[:])
				if want := hex.EncodeToString(digest[:]); line.Digest != want || p.Digest != want || a.String() != b.String() || byNumber.Digest != want {
					t.Errorf("%s: page %d has the digests %s, %s, %s and %s", name, i+1, want, line.Digest, p.Digest, byNumber.Digest)
				}
				if n := strings.Count(a.String(), "],[") + min(1, strings.Count(a.String(), "]]")); line.Page != i+1 || line.Rows != n {
					t.Errorf("%s: page %d of %d rows is %+v", name, i+1, n, line)
				}
				rows += line.Rows
				if token = p.Next; (token == nil) != (i == len(m)-1) || (byNumber.Next == nil) != (token == nil) {
					t.Errorf("%s: page %d has the next one %v", name, i+1, token)
				}
			}
			if want := hex.EncodeToString(all.Sum(nil)); *Digest(e) != want || rows != c.rows {
				t.Errorf("%s: %d rows, digest %s, want %s", name, rows, *Digest(e), want)
			}
			for _, n := range []int{-1, 0, len(m) + 1, 1 << 62} {
				_, err := f.PageNumber(ctx, e, n)
				if wantCode(t, err, fault.NotFound, fault.CodeNotFound); !strings.Contains(fmt.Sprint(err), fmt.Sprintf("no page %d;", n)) {
					t.Errorf("%s: page %d: %v", name, n, err)
				}
			}
		}
	})
}

// An attempt after another has the same digests.
func TestDigestOfAnotherAttempt(t *testing.T) {
	databases(t, func(t *testing.T, f *fixture) {
		ctx := viewer()
		f.load(t, kr, rankings(450), false)
		f.pageRows = 100
		e := f.submit(t, ctx, kr, nil)
		half, goOn := f.half(t)
		f.queue.Workers = 1
		f.queue.Start()
		if err := <-half; err != nil {
			t.Fatal(err)
		}
		if got := f.store.Execution.GetX(ctx, e.ID); got.Scanned != 2*batchChunks*100 || *Fraction(got) != 1 || Digest(got) != nil {
			t.Errorf("in the middle: %+v", got) // more rows than there are, since half makes them up
		}
		f.queue.Stop()
		close(goOn)
		second := newFixture(t, f.store, 1000)
		second.queue.Start()
		again := second.wait(t, ctx, e)
		other := second.submit(t, ctx, kr, nil)
		if other = second.wait(t, ctx, other); other.PageRows != 1000 {
			t.Fatal(other.PageRows)
		}
		third := newFixture(t, f.store, 100)
		same := third.submit(t, ctx, kr, nil)
		second.queue.Wake(jobKind)
		if same = second.wait(t, ctx, same); *Digest(same) != *Digest(again) || *Digest(same) == *Digest(other) {
			t.Errorf("%s, once more %s, in other pages %s", *Digest(again), *Digest(same), *Digest(other))
		}
	})
}

// Progress is told while hardly any row passes the filters, and not too often.
func TestProgress(t *testing.T) {
	databases(t, func(t *testing.T, f *fixture) {
		ctx := viewer()
		now := time.Now()
		f.Now = func() time.Time { return now }
		f.load(t, kr, rankings(10), false)
		e := f.submit(t, ctx, kr, nil)
		type step struct {
			after time.Duration
			rows  int
			want  int // scanned, as told
		}
		failed := make(chan error, 1)
		f.queue.Handle(jobKind, jobs.Handler{Discard: f.discard, Run: func(ctx context.Context, l *jobs.Lease) (err error) {
			defer func() { failed <- err }()
			w, err := f.newWriter(l, f.store.Execution.GetX(ctx, l.ID))
			if err != nil {
				return err
			}
			for _, s := range []step{{time.Second, 1, 0}, {time.Second, 1, 2}, {time.Second, 3, 2}, {progressEvery, 1, 6}} {
				now = now.Add(s.after)
				if err := w.take(ctx, portion{scanned: s.rows}); err != nil {
					return err
				}
				if got := f.store.Execution.GetX(ctx, l.ID); got.Scanned != s.want || got.Written != 0 {
					return fmt.Errorf("%+v: scanned %d, written %d", s, got.Scanned, got.Written)
				}
			}
			return nil
		}})
		f.queue.Start()
		if err := <-failed; err != nil {
			t.Fatal(err)
		}
		if e = f.store.Execution.GetX(ctx, e.ID); *Fraction(e) != 0.6 {
			t.Errorf("fraction %v", *Fraction(e))
		}
		for want, e := range map[string]*db.Execution{
			"1":   {State: vocab.Completed},
			"0.5": {State: vocab.Failed, Scanned: 2, Expected: 4},
			"nil": {State: vocab.InProgress, Expected: 4},
		} {
			got := "nil"
			if p := Fraction(e); p != nil {
				got = fmt.Sprint(*p)
			}
			if got != want {
				t.Errorf("%+v: %s", e, got)
			}
		}
	})
}
