package dataquery

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/store"
)

// TestAhead: an execution and its page that were read together are those that
// are read one after the other.
func TestAhead(t *testing.T) {
	databases(t, func(t *testing.T, f *fixture) {
		ctx := viewer()
		f.load(t, kr, rankings(4500), false)
		for _, pageRows := range []int{1000, 2000} {
			at := newFixture(t, f.store, pageRows)
			at.queue.Start()
			at.ahead(t, at.wait(t, ctx, at.submit(t, ctx, kr, nil)))
			at.ahead(t, at.wait(t, ctx, at.submit(t, ctx, kr, object{"devices": "TABLET"}))) // no rows
			at.queue.Stop()
		}
		id := ID(f.submit(t, ctx, kr, nil))
		running, err := f.Get(ctx, id, kr)
		if err != nil {
			t.Fatal(err)
		}
		ctx, done := Ahead(ctx, nil)
		defer done()
		if e, err := f.Get(ctx, id, kr); err != nil || !sameLine(e, running) {
			t.Errorf("%+v, %v", e, err)
		}
	})
}

// ahead reads all pages of a result both ways.
func (f *fixture) ahead(t *testing.T, e *db.Execution) {
	t.Helper()
	for token, n := (*string)(nil), 1; ; n++ {
		ctx, done := Ahead(viewer(), token)
		got, err := f.Get(ctx, ID(e), kr)
		if err != nil || !sameLine(got, e) {
			t.Fatalf("%+v, %v; want %+v", got, err, e)
		}
		if a := aheadOf(ctx); len(a.chunks) != min(pageChunks(e.PageRows), e.Chunks-a.of.chunk) {
			t.Errorf("page %d: %d chunks were read", n, len(a.chunks))
		}
		p, err := f.Page(ctx, got, token)
		if err != nil {
			t.Fatal(err)
		}
		want, err := f.Page(viewer(), e, token)
		if err != nil || rowsText(t, p) != rowsText(t, want) || p.Digest != want.Digest || (p.Next == nil) != (want.Next == nil) {
			t.Errorf("page %d of %d rows: %v", n, e.PageRows, err)
		}
		done()
		if token = p.Next; token == nil {
			return
		}
	}
}

// sameLine compares all that clients are told.
func sameLine(a, b *db.Execution) bool {
	x, y := *a, *b
	x.Pins, y.Pins = nil, nil // for the worker alone
	for _, e := range []*db.Execution{&x, &y} {
		e.Created, e.Expires = e.Created.UTC(), e.Expires.UTC()
		if e.Finished != nil {
			e.Finished = new(e.Finished.UTC())
		}
	}
	return x.String() == y.String() && reflect.DeepEqual(x.Digest, y.Digest)
}

func rowsText(t *testing.T, p *Page) string {
	t.Helper()
	var b strings.Builder
	if _, err := p.Rows.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestAheadIsForNobodyElse: reading ahead finds what Get finds, at any moment.
func TestAheadIsForNobodyElse(t *testing.T) {
	databases(t, func(t *testing.T, f *fixture) {
		ctx := viewer()
		f.load(t, kr, rankings(250), false)
		small := newFixture(t, f.store, 100)
		small.queue.Start()
		e := small.wait(t, ctx, small.submit(t, ctx, kr, nil))
		other := small.wait(t, ctx, small.submit(t, ctx, kr, nil))
		get := func(ctx context.Context, token *string) (*Page, error) {
			ctx, done := Ahead(ctx, token)
			defer done()
			e, err := f.Get(ctx, ID(e), kr)
			if err != nil {
				return nil, err
			}
			return f.Page(ctx, e, token)
		}
		code := func(err error) fault.Code { return fault.Of(err).Code }
		first, err := get(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		foreign := small.token(other, 1)
		if _, err := get(ctx, &foreign); code(err) != fault.CodeInvalidPageToken {
			t.Errorf("the token of another execution: %v", err)
		}
		if _, err := get(ctx, new("no token")); code(err) != fault.CodeInvalidPageToken {
			t.Errorf("no token at all: %v", err)
		}
		for name, ctx := range map[string]context.Context{
			"another user": store.As(context.Background(), account, user+1), "another account": store.As(context.Background(), account+1, user),
			"nobody": context.Background(), "the installation": store.System(context.Background()),
		} {
			if _, err := get(ctx, first.Next); code(err) != fault.CodeExecutionNotFound {
				t.Errorf("%s: %v", name, err)
			}
		}
		if err := f.Remove(ctx, ID(e)); err != nil {
			t.Fatal(err)
		}
		if _, err := get(ctx, first.Next); code(err) != fault.CodeExecutionNotFound {
			t.Errorf("after its removal: %v", err)
		}
		e = other
		f.Now = func() time.Time { return e.Expires }
		if _, err := get(ctx, nil); code(err) != fault.CodeExecutionExpired {
			t.Errorf("after its expiry: %v", err)
		}
	})
}
