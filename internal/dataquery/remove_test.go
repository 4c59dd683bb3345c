package dataquery

import (
	"context"
	"testing"
	"time"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/execution"
	"github.com/contentgraph/contentgraph/ent/db/resultchunk"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

func TestRemove(t *testing.T) {
	databases(t, func(t *testing.T, f *fixture) {
		ctx := viewer()
		f.load(t, kr, rankings(15_000), false)
		f.pageRows = 100
		f.queue.Start()
		gone, kept := f.submit(t, ctx, kr, nil), f.submit(t, ctx, kr, object{"limit": 5})
		gone, kept = f.wait(t, ctx, gone), f.wait(t, ctx, kept)
		if err := f.Remove(store.As(context.Background(), account, user+1), ID(gone)); !fault.Is(err, fault.NotFound) {
			t.Errorf("removed by another user: %v", err)
		}
		if err := f.Remove(ctx, ID(gone)); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			wantCode(t, f.Remove(ctx, ID(gone)), fault.NotFound, fault.CodeExecutionNotFound)
		}
		_, err := f.Get(ctx, ID(gone), kr)
		wantCode(t, err, fault.NotFound, fault.CodeExecutionNotFound)
		// By one who has just found it.
		_, err = f.Page(ctx, gone, nil)
		wantCode(t, err, fault.NotFound, fault.CodeExecutionNotFound)
		_, err = f.Manifest(ctx, gone)
		wantCode(t, err, fault.NotFound, fault.CodeExecutionNotFound)
		if list, n, err := f.List(ctx, 20, 0); len(list) != 1 || n != 1 || err != nil || list[0].ID != kept.ID {
			t.Errorf("%v of %d, %v", list, n, err)
		}
		if n := f.store.ResultChunk.Query().CountX(ctx); n != 1 {
			t.Errorf("%d chunks are left", n)
		}
		if n := f.store.Execution.Query().CountX(ctx); n != 1 {
			t.Errorf("%d executions are left", n)
		}
	})
}

// A running execution is cancelled first, and removed when it is asked for again.
func TestRemoveRunning(t *testing.T) {
	databases(t, func(t *testing.T, f *fixture) {
		ctx := viewer()
		f.load(t, kr, rankings(3), false)
		f.queue.Workers, f.queue.Lease = 1, time.Minute
		e := f.submit(t, ctx, kr, nil)
		half, goOn := f.half(t)
		defer close(goOn)
		f.queue.Start()
		<-half
		if err := f.Remove(ctx, ID(e)); err != nil {
			t.Fatal(err)
		}
		if e, err := f.Get(ctx, ID(e), kr); err != nil || e.State != vocab.Failed || Message(e) != "cancelled by the caller" {
			t.Errorf("%+v, %v", e, err)
		}
		f.submit(t, ctx, kr, nil)
		select {
		case <-half: // the only worker has got to the next one
		case <-time.After(2 * time.Second):
			t.Error("the worker runs on")
		}
		f.queue.Stop()
		if err := f.Remove(ctx, ID(e)); err != nil {
			t.Fatal(err)
		}
		_, err := f.Get(ctx, ID(e), kr)
		wantCode(t, err, fault.NotFound, fault.CodeExecutionNotFound)
		if n := f.store.ResultChunk.Query().Where(resultchunk.ExecutionID(e.ID)).CountX(ctx); n != 0 {
			t.Errorf("%d chunks are left", n)
		}
	})
}

// What an interrupted removal leaves is swept.
func TestSweepOfRemoved(t *testing.T) {
	databases(t, func(t *testing.T, f *fixture) {
		ctx := viewer()
		f.load(t, kr, rankings(3), false)
		f.queue.Start()
		var list []*db.Execution
		for range 3 {
			list = append(list, f.wait(t, ctx, f.submit(t, ctx, kr, nil)))
		}
		f.store.Execution.Update().Where(execution.ID(list[0].ID)).SetRemoved(true).ExecX(ctx)
		f.store.Execution.Update().Where(execution.ID(list[1].ID)).SetRemoved(true).SetPurged(true).ExecX(ctx)
		f.store.ResultChunk.Delete().Where(resultchunk.ExecutionID(list[1].ID)).ExecX(ctx)
		if err := f.Sweep(context.Background()); err != nil {
			t.Fatal(err)
		}
		if n := f.store.ResultChunk.Query().CountX(ctx); n != 1 {
			t.Errorf("%d chunks are left", n)
		}
		if left := f.store.Execution.Query().AllX(ctx); len(left) != 1 || left[0].ID != list[2].ID {
			t.Errorf("%v is left", left)
		}
	})
}
