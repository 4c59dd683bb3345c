package dataquery

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/contentgraph/contentgraph/ent/db/resultchunk"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/jobs"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// half makes the fixture's queue stop in the middle: its handler writes chunks
// of rows that no result may have, says so and waits. Then it writes more, as a
// worker does that does not know yet that it lost its lease.
func (f *fixture) half(t *testing.T) (written <-chan error, goOn chan struct{}) {
	said, goOn := make(chan error, 1), make(chan struct{})
	f.queue.Handle(jobKind, jobs.Handler{Discard: f.discard, Run: func(ctx context.Context, l *jobs.Lease) error {
		e := f.store.Execution.GetX(ctx, l.ID)
		w, err := f.newWriter(l, e)
		if err != nil {
			return err
		}
		n := chunkRows(e.PageRows)
		chunk := portion{text: []byte(strings.Repeat(`,["of an attempt that did not finish"]`, n)[1:]), rows: n, ends: true}
		write := func() (err error) {
			for range 2 * batchChunks {
				if err == nil {
					err = w.take(ctx, chunk)
				}
			}
			return err
		}
		said <- write()
		select {
		case <-goOn:
		case <-ctx.Done():
			return ctx.Err()
		}
		if err := write(); err != nil {
			return err
		}
		return f.finish(ctx, w)
	}})
	return said, goOn
}

// A worker that is interrupted in the middle hands over to another process,
// and so does one that dies. The rows are there, and once.
func TestInterrupted(t *testing.T) {
	for name, interrupt := range map[string]func(t *testing.T, f *fixture, goOn chan struct{}){
		"stopped": func(t *testing.T, f *fixture, _ chan struct{}) { f.queue.Stop() },
		"dead": func(t *testing.T, f *fixture, _ chan struct{}) {
			// As after a kill: the lease runs out under another's name.
			if _, err := f.store.Writer.Exec(`update jobs set owner = 'dead', lease_until = 0`); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			databases(t, func(t *testing.T, f *fixture) {
				ctx := viewer()
				f.load(t, kr, rankings(450), false)
				first, second := newFixture(t, f.store, 100), newFixture(t, f.store, 100)
				// One worker with a slow heart learns of the loss when it writes.
				first.queue.Workers, first.queue.Lease = 1, time.Minute
				e := first.submit(t, ctx, kr, nil)
				half, goOn := first.half(t)
				first.queue.Start()
				if err := <-half; err != nil {
					t.Fatal(err)
				}
				running, err := second.Get(ctx, ID(e), kr)
				if err != nil || running.State != vocab.InProgress || running.Written != 2*batchChunks*100 {
					t.Fatalf("in the middle: %+v, %v", running, err)
				}
				interrupt(t, first, goOn)
				second.queue.Start()
				e = second.wait(t, ctx, e)
				close(goOn)
				first.queue.Stop() // the first one has tried to write more
				if again, err := second.Get(ctx, ID(e), kr); err != nil || again.Written != 450 || again.State != vocab.Completed {
					t.Errorf("%+v, %v", again, err)
				}
				pages := second.pages(t, ctx, e)
				if got := column(t, kr, "query", slices.Concat(pages...)); !slices.Equal(got, queries(450)) || len(pages) != 5 {
					t.Errorf("%d pages of %d rows, first %.50q", len(pages), len(got), got)
				}
				if n := second.store.ResultChunk.Query().Where(resultchunk.ExecutionID(e.ID)).CountX(ctx); n != 5 {
					t.Errorf("%d chunks", n)
				}
			})
		})
	}
}

// A job that runs again after its execution has ended changes nothing.
func TestRunAgain(t *testing.T) {
	databases(t, func(t *testing.T, f *fixture) {
		ctx := viewer()
		f.load(t, kr, rankings(3), false)
		f.queue.Start()
		e := f.wait(t, ctx, f.submit(t, ctx, kr, nil))
		gone := f.submit(t, ctx, kr, nil)
		f.wait(t, ctx, gone)
		f.store.Execution.DeleteOneID(gone.ID).ExecX(ctx)
		for _, id := range []string{e.ID.String(), gone.ID.String()} {
			if _, err := f.store.Writer.Exec(`insert into jobs (id, kind, account_id, args, state, run_at, attempt, max_attempts, owner, lease_until, error, created, turn)
values ($1, 'execution', $2, 'null', 'QUEUED', 0, 3, 5, '', 0, '', 0, 1)`, id, account); err != nil {
				t.Fatal(err)
			}
		}
		f.queue.Wake(jobKind)
		f.result(t, ctx, kr, nil) // a later job
		for f.store.Job.Query().CountX(ctx) > 0 {
			f.queue.Wake(jobKind)
		}
		again, err := f.Get(ctx, ID(e), kr)
		if err != nil || again.Attempt != e.Attempt || !again.Finished.Equal(*e.Finished) {
			t.Errorf("%+v became %+v, %v", e, again, err)
		}
	})
}

func TestPages(t *testing.T) {
	databases(t, func(t *testing.T, f *fixture) {
		ctx := viewer()
		f.load(t, kr, rankings(2500), false)
		f.queue.Start()
		want := queries(2500)
		for _, pageRows := range []int{100, 1000, 2000} {
			at := newFixture(t, f.store, pageRows)
			for _, n := range []int{0, 1, 99, 100, 101, 999, 1000, 1001, 2500} {
				name := fmt.Sprintf("%d rows in pages of %d", n, pageRows)
				in := object{"limit": n, "devices": "TABLET"}
				if n > 0 {
					delete(in, "devices")
				}
				if n == 0 {
					delete(in, "limit")
				}
				submitted := at.submit(t, ctx, kr, in)
				f.queue.Wake(jobKind)
				e := f.wait(t, ctx, submitted)
				pages := f.pages(t, ctx, e)
				if e.Written != n || e.Chunks != (n+min(pageRows, 1000)-1)/min(pageRows, 1000) {
					t.Errorf("%s: %d written in %d chunks", name, e.Written, e.Chunks)
				}
				if len(pages) != max(1, (n+pageRows-1)/pageRows) {
					t.Errorf("%s: %d pages", name, len(pages))
				}
				for _, p := range pages[:len(pages)-1] {
					if len(p) != pageRows {
						t.Errorf("%s: a page of %d rows", name, len(p))
					}
				}
				if got := column(t, kr, "query", slices.Concat(pages...)); !slices.Equal(got, want[:n]) {
					t.Errorf("%s: wrong rows: %.80q", name, got)
				}
			}
		}
	})
}

func TestPageTokens(t *testing.T) {
	databases(t, func(t *testing.T, f *fixture) {
		ctx := viewer()
		f.load(t, kr, rankings(350), false)
		small := newFixture(t, f.store, 100)
		small.queue.Start()
		e := small.wait(t, ctx, small.submit(t, ctx, kr, nil))
		other := small.wait(t, ctx, small.submit(t, ctx, kr, nil))
		read := func(e *fixture, token *string) (string, *string) {
			t.Helper()
			p, err := e.Page(ctx, small.wait(t, ctx, other), token)
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			p.Rows.WriteTo(&b)
			return b.String(), p.Next
		}
		_, second := read(small, nil)
		text, third := read(small, second)
		for range 2 {
			// Also by a process with another page size: the execution keeps its own.
			if again, next := read(f, second); again != text || *next != *third {
				t.Error("a page changed when it was asked for again")
			}
		}
		for name, token := range map[string]string{
			"of another execution": *second, "empty": "", "tampered": strings.ToUpper(*second),
		} {
			if _, err := f.Page(ctx, e, &token); fault.Of(err).Code != fault.CodeInvalidPageToken || err == nil {
				t.Errorf("token %s: %v", name, err)
			}
		}
	})
}
