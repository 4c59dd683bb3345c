package dataquery

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/job"
	"github.com/contentgraph/contentgraph/ent/db/resultchunk"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

func TestExecution(t *testing.T) {
	databases(t, func(t *testing.T, f *fixture) {
		ctx := viewer()
		f.load(t, kr, rankings(3), false)
		e := f.submit(t, ctx, kr, nil)
		if e.State != vocab.InProgress || e.Expected != 3 || e.UserID != user || e.Expires.Sub(e.Created) != Valid {
			t.Errorf("submitted as %+v", e)
		}
		if got, err := f.Get(ctx, ID(e), kr); err != nil || got.State != vocab.InProgress {
			t.Errorf("before it ran: %v, %v", got, err)
		}
		if _, err := f.Page(ctx, e, nil); !fault.Is(err, fault.Conflict) {
			t.Errorf("page of a running execution: %v", err)
		}
		f.queue.Start()
		e = f.wait(t, ctx, e)
		if e.State != vocab.Completed || e.Written != 3 || e.Chunks != 1 || e.Finished == nil || Message(e) != "" {
			t.Errorf("ended as %+v", e)
		}
		pages := f.pages(t, ctx, e)
		if got := column(t, kr, "query", pages[0]); len(pages) != 1 || !slices.Equal(got, []string{"q0000", "q0001", "q0002"}) {
			t.Errorf("%d pages of %v", len(pages), got)
		}
		if got := f.result(t, ctx, kr, object{"includeMsv": "true"}); len(got) != 3 || len(got[0]) != 31 {
			t.Errorf("with MSV: %v", got)
		}
	})
}

// Only the user who submitted sees an execution, in its account, by its query.
func TestForeignExecutions(t *testing.T) {
	databases(t, func(t *testing.T, f *fixture) {
		e := f.submit(t, viewer(), kr, nil)
		for name, c := range map[string]struct {
			ctx       context.Context
			id, query string
		}{
			"another user":    {store.As(context.Background(), account, user+1), ID(e), kr},
			"another account": {store.As(context.Background(), account+1, user), ID(e), kr},
			"claimed account": {store.As(context.Background(), account+1, user), formatID("kr", account+1, e.ID), kr},
			"another query":   {viewer(), ID(e), ac},
			"claimed query":   {viewer(), formatID("ac", account, e.ID), ac},
			"unknown":         {viewer(), formatID("kr", account, [16]byte{1}), kr},
			"no identifier":   {viewer(), e.ID.String(), ""},
		} {
			if _, err := f.Get(c.ctx, c.id, c.query); true {
				wantCode(t, err, fault.NotFound, fault.CodeExecutionNotFound)
			}
			if _, err := f.Cancel(c.ctx, c.id, c.query); !fault.Is(err, fault.NotFound) {
				t.Errorf("%s cancelled it: %v", name, err)
			}
		}
		if _, err := f.Submit(viewer(), must(Lookup(kr)), week(object{"account_id": "102"})); !fault.Is(err, fault.Forbidden) {
			t.Errorf("submit in another account: %v", err)
		}
		if n := f.store.Job.Query().CountX(viewer()); n != 1 {
			t.Errorf("%d jobs", n)
		}
	})
}

func TestBadSubmitLeavesNothing(t *testing.T) {
	databases(t, func(t *testing.T, f *fixture) {
		_, err := f.Submit(viewer(), must(Lookup(kr)), object{"account_id": account, "start_date": "x", "limit": 0})
		if got := strings.Join(badFields(t, err), " "); got != "end_date limit start_date" {
			t.Error(got)
		}
		if list, n, err := f.List(viewer(), 20, 0); n != 0 || len(list) != 0 || err != nil {
			t.Errorf("%v %d %v", list, n, err)
		}
	})
}

func TestList(t *testing.T) {
	databases(t, func(t *testing.T, f *fixture) {
		now := time.Date(2026, 2, 1, 12, 0, 0, 0, time.UTC)
		f.Now = func() time.Time { return now }
		var want []string
		for range 5 {
			want = append(want, ID(f.submit(t, viewer(), as, nil)))
			now = now.Add(24 * time.Hour)
		}
		f.submit(t, store.As(context.Background(), account, user+1), as, nil)
		slices.Reverse(want)
		for _, c := range []struct{ limit, offset, from, to, total int }{
			{20, 0, 0, 5, 5}, {2, 0, 0, 2, 5}, {2, 2, 2, 4, 5}, {2, 4, 4, 5, 5}, {2, 6, 5, 5, 5},
		} {
			list, total, err := f.List(viewer(), c.limit, c.offset)
			var got []string
			for _, e := range list {
				got = append(got, ID(e))
			}
			if err != nil || total != c.total || !slices.Equal(got, want[c.from:c.to]) {
				t.Errorf("%+v: %v of %d, %v", c, got, total, err)
			}
		}
		now = now.Add(3 * 24 * time.Hour) // the two oldest have expired
		if list, total, err := f.List(viewer(), 20, 0); len(list) != 3 || total != 3 || err != nil {
			t.Errorf("after expiry: %d of %d, %v", len(list), total, err)
		}
	})
}

func TestExpiry(t *testing.T) {
	databases(t, func(t *testing.T, f *fixture) {
		ctx := viewer()
		now := time.Date(2026, 2, 1, 12, 0, 0, 0, time.UTC)
		f.Now = func() time.Time { return now }
		f.load(t, kr, rankings(250), false)
		small := newFixture(t, f.store, 100)
		small.Now = f.Now
		f.queue.Start()
		e := f.wait(t, ctx, small.submit(t, ctx, kr, nil))
		chunks := func() int {
			return f.store.ResultChunk.Query().Where(resultchunk.ExecutionID(e.ID)).CountX(ctx)
		}
		sweep := func() {
			t.Helper()
			if err := f.Sweep(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		p, err := f.Page(ctx, e, nil)
		if err != nil || p.Next == nil {
			t.Fatal(p, err)
		}

		now = now.Add(Valid - time.Millisecond)
		sweep()
		if _, err := f.Get(ctx, ID(e), kr); err != nil || chunks() != 3 {
			t.Errorf("just before: %v, %d chunks", err, chunks())
		}
		now = now.Add(time.Millisecond)
		_, err = f.Get(ctx, ID(e), kr) // before any sweep
		wantCode(t, err, fault.NotFound, fault.CodeExecutionExpired)
		sweep()
		sweep()
		if chunks() != 0 {
			t.Errorf("%d chunks after the sweep", chunks())
		}
		_, err = f.Get(ctx, ID(e), kr)
		wantCode(t, err, fault.NotFound, fault.CodeExecutionExpired)
		_, err = f.Get(store.As(context.Background(), account, user+1), ID(e), kr)
		wantCode(t, err, fault.NotFound, fault.CodeExecutionNotFound)
		_, err = f.Page(ctx, e, p.Next) // of an execution read before
		wantCode(t, err, fault.NotFound, fault.CodeExecutionExpired)

		now = now.Add(kept - time.Millisecond)
		sweep()
		_, err = f.Get(ctx, ID(e), kr)
		wantCode(t, err, fault.NotFound, fault.CodeExecutionExpired)
		now = now.Add(time.Millisecond)
		_, err = f.Get(ctx, ID(e), kr)
		wantCode(t, err, fault.NotFound, fault.CodeExecutionNotFound)
		sweep()
		if n := f.store.Execution.Query().CountX(ctx); n != 0 {
			t.Errorf("%d executions are left", n)
		}
	})
}

// An execution that never ran ends when it expires, and its job with it.
func TestExpiryOfRunning(t *testing.T) {
	databases(t, func(t *testing.T, f *fixture) {
		e := f.submit(t, viewer(), kr, nil)
		f.Now = func() time.Time { return e.Expires }
		if err := f.Sweep(context.Background()); err != nil {
			t.Fatal(err)
		}
		e = f.store.Execution.GetX(viewer(), e.ID)
		if e.State != vocab.Failed || !e.Purged || f.store.Job.GetX(viewer(), e.ID).State != job.StateCANCELLED {
			t.Errorf("%+v", e)
		}
	})
}

func TestFailed(t *testing.T) {
	databases(t, func(t *testing.T, f *fixture) {
		ctx := viewer()
		f.load(t, kr, rankings(3), false)
		e := f.submit(t, ctx, kr, nil)
		if _, err := f.store.Writer.Exec(`update executions set request = '[]'`); err != nil {
			t.Fatal(err)
		}
		f.queue.Start()
		e = f.wait(t, ctx, e)
		if m := Message(e); e.State != vocab.Failed || !strings.HasPrefix(m, "the query could not be completed") ||
			strings.Contains(m, "json") || e.Finished == nil {
			t.Errorf("%s: %q", e.State, m)
		}
		if _, err := f.Page(ctx, e, nil); !fault.Is(err, fault.Conflict) {
			t.Errorf("page of a failed execution: %v", err)
		}
	})
}

func TestCancel(t *testing.T) {
	databases(t, func(t *testing.T, f *fixture) {
		ctx := viewer()
		f.load(t, kr, rankings(3), false)
		e := f.submit(t, ctx, kr, nil)
		for range 2 {
			c, err := f.Cancel(ctx, ID(e), kr)
			if err != nil || c.State != vocab.Failed || Message(c) != "cancelled by the caller" || c.Finished == nil {
				t.Fatalf("%+v, %v", c, err)
			}
		}
		f.queue.Start()
		done := f.wait(t, ctx, f.submit(t, ctx, kr, nil))
		if c, err := f.Cancel(ctx, ID(done), kr); err != nil || c.State != vocab.Completed {
			t.Errorf("a completed one: %+v, %v", c, err)
		}
		if e, err := f.Get(ctx, ID(e), kr); err != nil || e.State != vocab.Failed {
			t.Errorf("the cancelled one: %+v, %v", e, err)
		}
	})
}

// A cancelled execution can write no more, and what it wrote is swept.
func TestCancelWhileRunning(t *testing.T) {
	databases(t, func(t *testing.T, f *fixture) {
		ctx := viewer()
		f.load(t, kr, rankings(3), false)
		e := f.submit(t, ctx, kr, nil)
		half, goOn := f.half(t)
		f.queue.Start()
		<-half
		if n := f.store.ResultChunk.Query().CountX(ctx); n == 0 {
			t.Error("nothing was written before")
		}
		if _, err := f.Cancel(ctx, ID(e), kr); err != nil {
			t.Fatal(err)
		}
		close(goOn)
		f.queue.Stop()
		if e := f.wait(t, ctx, e); e.State != vocab.Failed || Message(e) != "cancelled by the caller" {
			t.Errorf("%s: %s", e.State, Message(e))
		}
		if err := f.Sweep(context.Background()); err != nil {
			t.Fatal(err)
		}
		if n := f.store.ResultChunk.Query().CountX(ctx); n != 0 {
			t.Errorf("%d chunks are left", n)
		}
	})
}

// What is imported after a submit is not in the result, even when it replaces
// what was current then.
func TestReplaceAfterSubmit(t *testing.T) {
	databases(t, func(t *testing.T, f *fixture) {
		ctx := viewer()
		f.load(t, kr, rankings(3), false)
		before := f.submit(t, ctx, kr, nil)
		newer := rankings(2)
		for _, r := range newer {
			r["query"] = "new " + r["query"]
		}
		f.load(t, kr, newer, true)
		f.queue.Start()
		after := f.submit(t, ctx, kr, nil)
		for _, c := range []struct {
			e    *db.Execution
			want []string
		}{{before, []string{"q0000", "q0001", "q0002"}}, {after, []string{"new q0000", "new q0001"}}} {
			e := f.wait(t, ctx, c.e)
			if got := column(t, kr, "query", slices.Concat(f.pages(t, ctx, e)...)); !slices.Equal(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
		}
	})
}
