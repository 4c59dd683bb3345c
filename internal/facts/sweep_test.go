package facts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// halfway is an importer that was stopped after n rows of one account, as if
// its process had been killed.
func halfway(t *testing.T, im *Importer, account, n int) *writer {
	t.Helper()
	ctx := store.System(context.Background())
	l := newLayout(vocab.KeywordRankings)
	w := newWriter(im, l, uuid.New(), "demo", "killed")
	t.Cleanup(w.close)
	for i := range n {
		row := w.row()
		a, p, reason := l.row(values(l, fmt.Sprintf("account_id=%d", account), fmt.Sprintf("query=%d", i)), row)
		if reason != "" {
			t.Fatal(reason)
		}
		if err := w.add(ctx, row, i+1, a, p); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.flush(ctx); err != nil {
		t.Fatal(err)
	}
	return w
}

func TestKilledImport(t *testing.T) {
	both(t, func(t *testing.T, s *store.Store) {
		ctx := context.Background()
		mustImport(t, s, vocab.KeywordRankings, file(t, "a.csv", weekHead+week1("a")), Options{})
		now := time.Now()
		im := NewImporter(s)
		im.Now = func() time.Time { return now }
		w := halfway(t, im, 7, 1200)
		if q := queries(t, s); q != "a" || count(t, s, "keyword_rankings") != 1201 {
			t.Fatalf("rows that are not finished are seen: %q", q)
		}
		sweep := func(want int) {
			t.Helper()
			if err := im.Sweep(ctx); err != nil {
				t.Fatal(err)
			}
			if n := count(t, s, "keyword_rankings"); n != want {
				t.Errorf("%d rows, want %d", n, want)
			}
		}
		now = now.Add(29 * time.Second)
		sweep(1201)
		now = now.Add(2 * time.Second)
		sweep(1)
		if n := count(t, s, "fact_imports"); n != 1 {
			t.Errorf("%d imports", n)
		}
		// Should it wake up, it cannot write under a number that may be used again.
		row := w.row()
		a, p, _ := w.layout.row(values(w.layout), row)
		if err := w.add(ctx, row, 9999, a, p); err != nil {
			t.Fatal(err)
		}
		if err := w.flush(ctx); !errors.Is(err, errLost) {
			t.Errorf("write after the sweep: %v", err)
		}
		if err := w.abandon(ctx); err != nil {
			t.Error(err)
		}
		sweep(1)
		mustImport(t, s, vocab.KeywordRankings, file(t, "b.csv", weekHead+week1("b")), Options{})
		sweep(2)
		if q := queries(t, s); q != "a b" {
			t.Errorf("rows %q", q)
		}
	})
}

// An import that is slow to read keeps its lease without writing.
func TestLeaseIsRenewed(t *testing.T) {
	both(t, func(t *testing.T, s *store.Store) {
		now := time.Now()
		im := NewImporter(s)
		im.Now = func() time.Time { return now }
		src := func(yield func([]string, error) bool) {
			slow := func() bool { // more than a minute of lines that are rejected
				for range 10 {
					now = now.Add(8 * time.Second)
					if err := im.Sweep(context.Background()); err != nil || !yield([]string{"x"}, err) {
						return false
					}
				}
				return true
			}
			if slow() {
				endless(6000, nil)(yield)
				slow()
			}
		}
		r, err := im.Rows(context.Background(), vocab.KeywordRankings, "demo", "1", endlessColumns, src, Options{})
		if err != nil || r.Rows != 6000 || r.Rejected != 20 {
			t.Errorf("%+v, %v", r, err)
		}
		if n := len(weekly(t, s, vocab.KeywordRankings, 7)); n != 6000 {
			t.Errorf("%d rows", n)
		}
	})
}

func TestSweepOfReplacedFacts(t *testing.T) {
	both(t, func(t *testing.T, s *store.Store) {
		ctx := context.Background()
		now := time.Now()
		im := NewImporter(s)
		im.Now = func() time.Time { return now }
		load := func(name, text string) {
			t.Helper()
			if _, err := im.File(ctx, vocab.KeywordRankings, file(t, name, weekHead+text), Options{Replace: true}); err != nil {
				t.Fatal(err)
			}
		}
		sweep := func(rows, slices, imports int) {
			t.Helper()
			if err := im.Sweep(ctx); err != nil {
				t.Fatal(err)
			}
			got := [3]int{count(t, s, "keyword_rankings"), count(t, s, "fact_slices"), count(t, s, "fact_imports")}
			if got != [3]int{rows, slices, imports} {
				t.Errorf("rows, slices, imports %v, want %d %d %d", got, rows, slices, imports)
			}
		}
		load("a.csv", week1("a1", "a1")+week2("a2")+"8,1,2026-01-11,2026-01-17,x\n")
		p, _ := pins(t, s, vocab.KeywordRankings, 7, vocab.Weekly)
		running := s.Execution.Create().SetAccountID(7).SetUserID(1).SetQuery("keyword_rankings").
			SetRequest(json.RawMessage(`{}`)).SetPins(p[:1]).SetPageRows(1000).SetExpected(2).
			SetCreated(now).SetExpires(now).SaveX(store.System(ctx))
		load("b.csv", week1("b1")+week2("b2"))
		sweep(6, 5, 3) // too soon
		now = now.Add(11 * time.Minute)
		sweep(5, 4, 3) // a1 is pinned, a2 is gone
		got := joined(scan(t, s, Query{Account: 7, Dataset: vocab.KeywordRankings, Pins: p[:1]}, "query"))
		if got != "a1\na1" {
			t.Errorf("pinned rows are %q", got)
		}
		running.Update().SetState(vocab.Completed).ExecX(store.System(ctx))
		sweep(3, 3, 3) // x is still there, so the import of a.csv is, too
		if _, err := im.File(ctx, vocab.KeywordRankings, file(t, "a.csv", weekHead+week1("a1", "a1")+week2("a2")+"8,1,2026-01-11,2026-01-17,x\n"), Options{}); err == nil {
			t.Error("a file whose replaced part was swept is taken for unchanged")
		}
		load("c.csv", "8,1,2026-01-11,2026-01-17,y\n")
		now = now.Add(11 * time.Minute)
		sweep(3, 3, 2)
		if q := queries(t, s); q != "b1 b2" {
			t.Errorf("rows %q", q)
		}
	})
}

// Several processes may sweep while facts are imported and replaced.
func TestSweepsAtOnce(t *testing.T) {
	both(t, func(t *testing.T, s *store.Store) {
		ctx := context.Background()
		im := NewImporter(s)
		im.Grace = 0
		halfway(t, &Importer{Store: s, Now: func() time.Time { return time.Now().Add(-time.Hour) }, NewID: uuid.New, Lease: im.Lease}, 7, 2500)
		var wg sync.WaitGroup
		stop := make(chan struct{})
		for range 3 {
			wg.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
					}
					if err := im.Sweep(ctx); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		for i := range 6 {
			_, err := im.Rows(ctx, vocab.KeywordRankings, "demo", fmt.Sprint(i), endlessColumns, endless(1500, nil), Options{Replace: true})
			if err != nil {
				t.Error(err)
			}
			if n := len(weekly(t, s, vocab.KeywordRankings, 7)); n != 1500 {
				t.Errorf("%d rows are current", n)
			}
		}
		close(stop)
		wg.Wait()
		time.Sleep(2 * time.Millisecond)
		if err := im.Sweep(ctx); err != nil {
			t.Error(err)
		}
		if n := count(t, s, "keyword_rankings"); n != 1500 {
			t.Errorf("%d rows are left", n)
		}
	})
}

// A process may die between making a partition and attaching it.
func TestPartitionLeftHalfMade(t *testing.T) {
	t.Parallel()
	s := openStore(t, "postgres")
	if _, err := s.Writer.Exec(`create table keyword_rankings_20260111 (like keyword_rankings including all)`); err != nil {
		t.Fatal(err)
	}
	mustImport(t, s, vocab.KeywordRankings, file(t, "a.csv", weekHead+week1("a")+"7,1,2026-01-17,2026-01-17,b\n"), Options{})
	if q := queries(t, s); q != "a" {
		t.Errorf("rows %q", q)
	}
	if n := count(t, s, "keyword_rankings_20260111"); n != 2 {
		t.Errorf("%d rows in the partition of the week", n)
	}
}

func TestPartitionsMadeAtOnce(t *testing.T) {
	t.Parallel()
	s := openStore(t, "postgres")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			w := newWriter(NewImporter(s), newLayout(vocab.KeywordRankings), uuid.New(), "demo", "1")
			for _, start := range []string{"2026-01-11", "2026-01-18", "2026-01-25"} {
				if err := w.partition(context.Background(), start); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}
