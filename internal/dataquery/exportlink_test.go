package dataquery

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/store"
)

func TestExportLinks(t *testing.T) {
	databases(t, func(t *testing.T, f *fixture) {
		ctx := viewer()
		now := time.Now()
		f.Now = func() time.Time { return now }
		f.load(t, kr, rankings(1), false)
		f.queue.Start()
		e := f.wait(t, ctx, f.submit(t, ctx, kr, nil))
		credential := uuid.New()
		link := func() *Link {
			t.Helper()
			l, err := f.CreateLink(ctx, ID(e), "PARQUET", credential)
			if err != nil {
				t.Fatal(err)
			}
			return l
		}
		l := link()
		if again := link(); again.Token == l.Token || len(l.Token) < 40 || l.Expires.Sub(now) > LinkValid {
			t.Errorf("%+v, %+v", l, again)
		}
		found, err := f.FindLink(t.Context(), l.Token) // by nobody
		if err != nil || found.AccountID != account || found.ExecutionID != ID(e) || found.Format != "parquet" || found.CredentialID != credential {
			t.Fatalf("%+v, %v", found, err)
		}
		if stored := f.store.ExportLink.Query().AllX(store.System(ctx)); strings.Contains(stored[0].String(), l.Token[5:]) {
			t.Error("the token is stored")
		}

		// Several replicas use it at once.
		var used atomic.Int64
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				switch err := newFixture(t, f.store, 1000).UseLink(ctx, found); {
				case err == nil:
					used.Add(1)
				case !fault.Is(err, fault.NotFound):
					t.Error(err)
				}
			})
		}
		all.Wait()
		if used.Load() != 1 {
			t.Errorf("used %d times", used.Load())
		}
		for _, token := range []string{l.Token, "", ".", "2t", strings.Replace(l.Token, "2t.", "2u.", 1), l.Token + "x", "2t." + strings.Repeat("A", 43), "-2t." + strings.Repeat("A", 43)} {
			_, err := f.FindLink(t.Context(), token)
			wantCode(t, err, fault.NotFound, fault.CodeNotFound)
		}

		// Another account cannot use it up.
		l = link()
		if found, err = f.FindLink(t.Context(), l.Token); err != nil {
			t.Fatal(err)
		}
		if err := f.UseLink(store.As(ctx, account+1, user), found); !fault.Is(err, fault.NotFound) {
			t.Errorf("used by another account: %v", err)
		}
		if _, err := f.CreateLink(store.As(ctx, account, user+1), ID(e), "CSV", credential); !fault.Is(err, fault.NotFound) {
			t.Errorf("link to the execution of another user: %v", err)
		}
		if err := f.Sweep(ctx); err != nil {
			t.Fatal(err)
		}
		now = now.Add(LinkValid)
		if _, err := f.FindLink(t.Context(), l.Token); !fault.Is(err, fault.NotFound) {
			t.Errorf("after its time: %v", err)
		}
		for _, want := range []int{2, 0} {
			if n := f.store.ExportLink.Query().CountX(store.System(ctx)); n != want {
				t.Errorf("%d links, want %d", n, want)
			}
			if err := f.Sweep(ctx); err != nil {
				t.Fatal(err)
			}
		}
	})
}
