package facts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// history is four weeks of two accounts, the second week day by day for one.
const history = weekHead +
	"7,1,2026-01-11,2026-01-17,a\n7,1,2026-01-11,2026-01-17,a\n7,2,2026-01-11,2026-01-17,b\n8,1,2026-01-11,2026-01-17,x\n" +
	"7,1,2026-01-18,2026-01-24,c\n7,1,2026-01-19,2026-01-19,d\n7,1,2026-01-20,2026-01-20,e\n7,1,2026-01-21,2026-01-21,f\n" +
	"7,1,2026-01-25,2026-01-31,g\n8,1,2026-02-01,2026-02-07,y\n"

func mustPrune(t *testing.T, im *Importer, o PruneOptions) Pruned {
	t.Helper()
	reports, err := im.Prune(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(reports) != len(vocab.Datasets) {
		t.Fatalf("%d reports", len(reports))
	}
	for _, r := range reports[1:] {
		if r != (Pruned{Dataset: r.Dataset}) {
			t.Errorf("another dataset: %+v", r)
		}
	}
	return reports[0]
}

// partitionsLeft are the weeks of keyword rankings that have a table at all.
func partitionsLeft(t *testing.T, s *store.Store) string {
	t.Helper()
	if !s.Postgres() {
		return ""
	}
	var list string
	if err := s.Reader.QueryRow(`select coalesce(string_agg(right(relname, 4), ' ' order by relname), '') from pg_class
where relname ~ '^keyword_rankings_[0-9]{8}$'`).Scan(&list); err != nil {
		t.Fatal(err)
	}
	return list
}

func (im *Importer) execution(t *testing.T, s *store.Store, p []vocab.Pin) *db.Execution {
	t.Helper()
	return s.Execution.Create().SetAccountID(7).SetUserID(1).SetQuery("keyword_rankings").SetRequest(json.RawMessage(`{}`)).
		SetPins(p).SetPageRows(1000).SetExpected(2).SetCreated(im.Now()).SetExpires(im.Now()).SaveX(store.System(context.Background()))
}

func TestPrune(t *testing.T) {
	both(t, func(t *testing.T, s *store.Store) {
		im := NewImporter(s)
		mustImport(t, s, vocab.KeywordRankings, file(t, "a.csv", history), Options{})
		mustImport(t, s, vocab.AISearchCitations, file(t, "b.csv", "account_id,time_period_start,time_period_end\n7,2026-02-01,2026-02-07\n"), Options{})
		for i, c := range []struct {
			before string
			want   Pruned // Partitions on PostgreSQL
			rows   int    // left
			weekly string
			tables string
		}{
			{"2026-01-17", Pruned{}, 10, "a a b c g", "0111 0118 0125 0201"},
			{"2026-01-18", Pruned{Rows: 4, Slices: 3, Weeks: 1, Partitions: 1}, 6, "c g", "0118 0125 0201"},
			{"2026-01-18", Pruned{}, 6, "c g", "0118 0125 0201"},
			{"2026-01-21", Pruned{Rows: 2, Slices: 2, Weeks: 1}, 4, "c g", "0118 0125 0201"},
			{"2026-02-07", Pruned{Rows: 3, Slices: 3, Weeks: 2, Partitions: 2}, 1, "", "0201"},
		} {
			if !s.Postgres() {
				c.want.Partitions, c.tables = 0, ""
			}
			c.want.Dataset = vocab.KeywordRankings.Name
			before := count(t, s, "keyword_rankings")
			if got := mustPrune(t, im, PruneOptions{Before: c.before, DryRun: true}); got != c.want || count(t, s, "keyword_rankings") != before {
				t.Errorf("%d: a dry run reports %+v, want %+v", i, got, c.want)
			}
			done, total := 0, 0
			got := mustPrune(t, im, PruneOptions{Before: c.before, Progress: func(d, t int) { done, total = d, t }})
			if c.want.Partitions > 0 && got.Bytes < 8192 {
				t.Errorf("%d: %d bytes", i, got.Bytes)
			}
			got.Bytes = 0
			if got != c.want || done != c.want.Rows || total != c.want.Rows {
				t.Errorf("%d: %+v, want %+v; progress %d of %d", i, got, c.want, done, total)
			}
			if n, q, p := count(t, s, "keyword_rankings"), queries(t, s), partitionsLeft(t, s); n != c.rows || q != c.weekly || p != c.tables {
				t.Errorf("%d: %d rows, %q, partitions %s; want %d, %q, %s", i, n, q, p, c.rows, c.weekly, c.tables)
			}
		}
		if n, imports := count(t, s, "fact_slices"), count(t, s, "fact_imports"); n != 2 || imports != 3 {
			t.Errorf("%d slices and %d imports", n, imports) // of one file, a last slice keeps both
		}
		_, err := im.File(context.Background(), vocab.KeywordRankings, file(t, "a.csv", history), Options{})
		if !fault.Is(err, fault.Invalid) || !strings.Contains(err.Error(), "replaced or pruned since") {
			t.Errorf("importing it again: %v", err)
		}
		mustImport(t, s, vocab.KeywordRankings, file(t, "a.csv", history), Options{Replace: true})
		if q := queries(t, s); q != "a a b c g" {
			t.Errorf("after importing it again %q", q)
		}
	})
}

func TestPruneRefuses(t *testing.T) {
	t.Parallel()
	im := NewImporter(openStore(t, "sqlite"))
	im.Now = func() time.Time { return time.Date(2026, 1, 20, 1, 0, 0, 0, time.UTC) }
	for before, ok := range map[string]bool{"2026-01-20": true, "2026-01-21": false, "2026-02-30": false, "": false, "2026-1-1": false} {
		if _, err := im.Prune(context.Background(), PruneOptions{Before: before}); (err == nil) != ok || err != nil && !fault.Is(err, fault.Invalid) {
			t.Errorf("%q: %v", before, err)
		}
	}
}

// What an unfinished execution reads stays, and nothing more.
func TestPruneKeepsPinned(t *testing.T) {
	both(t, func(t *testing.T, s *store.Store) {
		im := NewImporter(s)
		mustImport(t, s, vocab.KeywordRankings, file(t, "a.csv", history), Options{})
		p, _ := pins(t, s, vocab.KeywordRankings, 7, vocab.Weekly)
		p = p[:1]
		p[0].Slices = p[0].Slices[:1] // of property 1
		running := im.execution(t, s, p)
		report := func(o PruneOptions, want Pruned) {
			t.Helper()
			got := mustPrune(t, im, o)
			got.Bytes = 0
			if want.Dataset = "keyword_rankings"; !s.Postgres() {
				want.Partitions = 0
			}
			if got != want {
				t.Errorf("%+v, want %+v", got, want)
			}
		}
		want := Pruned{Rows: 7, Slices: 7, Weeks: 3, Partitions: 2, KeptRows: 2, KeptSlices: 1}
		want.Rows, want.Slices = 7, 7
		report(PruneOptions{Before: "2026-02-01", DryRun: true}, want)
		report(PruneOptions{Before: "2026-02-01"}, want)
		if q, n := queries(t, s), count(t, s, "keyword_rankings"); q != "" || n != 3 {
			t.Errorf("%q is in sight, %d rows are left", q, n)
		}
		if got := joined(scan(t, s, Query{Account: 7, Dataset: vocab.KeywordRankings, Pins: p}, "query")); got != "a\na" {
			t.Errorf("the pinned rows are %q", got)
		}
		report(PruneOptions{Before: "2026-02-01"}, Pruned{KeptRows: 2, KeptSlices: 1})
		running.Update().SetState(vocab.Completed).ExecX(store.System(context.Background()))
		report(PruneOptions{Before: "2026-02-01"}, Pruned{Rows: 2, Slices: 1, Weeks: 1, Partitions: 1})
		if n := count(t, s, "keyword_rankings"); n != 1 {
			t.Errorf("%d rows are left", n)
		}
	})
}

// A query that is being submitted has read its slices, but nobody knows yet.
func TestPruneWaitsForSubmit(t *testing.T) {
	t.Parallel()
	s := openStore(t, "postgres")
	im := NewImporter(s)
	mustImport(t, s, vocab.KeywordRankings, file(t, "a.csv", history), Options{})
	ctx := store.System(context.Background())
	reports := make(chan []Pruned, 1)
	err := s.Tx(ctx, func(tx *db.Client) error {
		p, _, err := Pins(store.As(ctx, 7, 1), tx, vocab.KeywordRankings, vocab.Weekly, "2026-01-11", "2026-01-17", nil)
		if err != nil {
			return err
		}
		go func() {
			r, err := im.Prune(ctx, PruneOptions{Before: "2026-02-01"})
			if err != nil {
				t.Error(err)
			}
			reports <- r
		}()
		time.Sleep(1500 * time.Millisecond) // longer than it waits for the lock at once
		return tx.Execution.Create().SetAccountID(7).SetUserID(1).SetQuery("keyword_rankings").SetRequest(json.RawMessage(`{}`)).
			SetPins(p).SetPageRows(1000).SetExpected(3).SetCreated(im.Now()).SetExpires(im.Now()).Exec(ctx)
	})
	if err != nil {
		t.Fatal(err)
	}
	if r := <-reports; len(r) == 0 || r[0].KeptRows != 3 || r[0].Rows != 6 {
		t.Errorf("%+v", r)
	}
}

// An import that writes into an old week keeps the week, or is told.
func TestPruneBesideImport(t *testing.T) {
	t.Parallel()
	s := openStore(t, "postgres")
	im := NewImporter(s)
	ctx := context.Background()
	mustImport(t, s, vocab.KeywordRankings, file(t, "a.csv", history), Options{})
	w := halfway(t, im, 7, 3) // in the week of January 11
	r := mustPrune(t, im, PruneOptions{Before: "2026-02-01"})
	if r.Rows != 9 || r.Partitions != 2 {
		t.Errorf("%+v", r)
	}
	if n, p := count(t, s, "keyword_rankings"), partitionsLeft(t, s); n != 3+1 || p != "0111 0201" {
		t.Errorf("%d rows, partitions %s", n, p)
	}
	// The writer believes that this partition is still there.
	w.weeks["2026-01-18"] = true
	row := w.row()
	a, p, reason := w.layout.row(values(w.layout, "account_id=7", "time_period_start=2026-01-18", "time_period_end=2026-01-24"), row)
	if reason != "" {
		t.Fatal(reason)
	}
	err := w.add(ctx, row, 9, a, p)
	if err == nil {
		err = w.flush(ctx)
	}
	if !errors.Is(err, errPruned) {
		t.Errorf("a row of a week that is gone: %v", err)
	}
	if err := w.abandon(ctx); err != nil {
		t.Error(err)
	}
	if r := mustPrune(t, im, PruneOptions{Before: "2026-02-01"}); r.Partitions != 1 || partitionsLeft(t, s) != "0201" {
		t.Errorf("%+v", r)
	}
}

// A prune may die after each of its steps; until the next one ends it, nobody
// writes into the week.
func TestPruneStoppedHalfWay(t *testing.T) {
	t.Parallel()
	for name, steps := range map[string][]string{
		"sealed":   {"alter table keyword_rankings_20260111 add constraint pruned check (false) not valid"},
		"detached": {"alter table keyword_rankings_20260111 add constraint pruned check (false) not valid", "alter table keyword_rankings detach partition keyword_rankings_20260111 concurrently"},
		"dropped":  {"drop table keyword_rankings_20260111"},
		// Nothing is detached next to queries where there is a default partition.
		"default": {"create table keyword_rankings_rest partition of keyword_rankings default"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := openStore(t, "postgres")
			im := NewImporter(s)
			mustImport(t, s, vocab.KeywordRankings, file(t, "a.csv", history), Options{})
			if err := im.retireBefore(store.System(context.Background()), "2026-01-18"); err != nil {
				t.Fatal(err)
			}
			for _, step := range steps {
				if _, err := s.Writer.Exec(step); err != nil {
					t.Fatal(err)
				}
			}
			if q := queries(t, s); q != "c g" {
				t.Errorf("rows %q", q)
			}
			if len(steps) == 2 || name == "sealed" {
				_, err := im.File(context.Background(), vocab.KeywordRankings, file(t, "b.csv", weekHead+week1("b")), Options{})
				if !errors.Is(err, errPruned) {
					t.Errorf("an import: %v", err)
				}
			}
			if r := mustPrune(t, im, PruneOptions{Before: "2026-01-18"}); r.Rows != 4 || r.Slices != 3 || r.Partitions != 1 {
				t.Errorf("%+v", r)
			}
			if n, p := count(t, s, "keyword_rankings"), partitionsLeft(t, s); n != 6 || p != "0118 0125 0201" {
				t.Errorf("%d rows, partitions %s", n, p)
			}
			var timeout string
			if err := s.Writer.QueryRow("show lock_timeout").Scan(&timeout); err != nil || timeout != "0" {
				t.Errorf("the lock timeout of a pooled connection is %s, %v", timeout, err)
			}
			if name != "default" { // which has taken the week over, as far as PostgreSQL is concerned
				mustImport(t, s, vocab.KeywordRankings, file(t, "b.csv", weekHead+week1("b")), Options{})
				if q := queries(t, s); q != "b c g" {
					t.Errorf("rows %q", q)
				}
			}
		})
	}
}

// A reader that holds its lock for longer makes prune wait, and not fail.
func TestPruneWaitsForReaders(t *testing.T) {
	t.Parallel()
	s := openStore(t, "postgres")
	im := NewImporter(s)
	mustImport(t, s, vocab.KeywordRankings, file(t, "a.csv", history), Options{})
	tx, err := s.Reader.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec("select count(*) from keyword_rankings"); err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(2500*time.Millisecond, func() { tx.Rollback() })
	if r := mustPrune(t, im, PruneOptions{Before: "2026-01-18"}); r.Partitions != 1 || partitionsLeft(t, s) != "0118 0125 0201" {
		t.Errorf("%+v", r)
	}
}

// Prunes, sweeps and imports at once: in the end all rows are of slices.
func TestPruneAtOnce(t *testing.T) {
	both(t, func(t *testing.T, s *store.Store) {
		ctx := context.Background()
		im := NewImporter(s)
		im.Grace = 0
		head, lines, _ := strings.Cut(history, "\n")
		var wg sync.WaitGroup
		var mu sync.Mutex
		refused := 0
		for i := range 3 {
			wg.Go(func() {
				for n := range 4 {
					name := fmt.Sprintf("%d-%d.csv", i, n)
					_, err := im.File(ctx, vocab.KeywordRankings, file(t, name, head+",title\n"+strings.ReplaceAll(lines, "\n", ","+name+"\n")), Options{Replace: n%2 == 0})
					if errors.Is(err, errPruned) {
						mu.Lock()
						refused++
						mu.Unlock()
					} else if err != nil {
						t.Error(err)
					}
				}
			})
		}
		for range 2 {
			wg.Go(func() {
				for _, before := range []string{"2026-01-18", "2026-01-21", "2026-02-01", "2026-01-18", "2026-02-01"} {
					if _, err := im.Prune(ctx, PruneOptions{Before: before}); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Go(func() {
			for range 5 {
				if err := im.Sweep(ctx); err != nil {
					t.Error(err)
				}
			}
		})
		wg.Wait()
		time.Sleep(2 * time.Millisecond)
		if err := im.Sweep(ctx); err != nil {
			t.Fatal(err)
		}
		all := s.FactSlice.Query().AllX(store.System(ctx))
		if n := count(t, s, "keyword_rankings"); n != rowsOf(all) {
			t.Errorf("%d rows, the slices count %d", n, rowsOf(all))
		}
		if slices.ContainsFunc(all, func(s *db.FactSlice) bool { return s.Retired != nil }) {
			t.Error("a slice is left over")
		}
		if len(weekly(t, s, vocab.KeywordRankings, 8)) == 0 {
			t.Error("the newest week is gone")
		}
		t.Logf("%d imports were refused", refused)
	})
}

// TestPruneLeavesNewcomers: what is imported behind the retiring stays, although
// it is as old.
func TestPruneLeavesNewcomers(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, s *store.Store) {
		im, ctx := NewImporter(s), store.System(t.Context())
		bring := func(digest string) {
			t.Helper()
			columns := []string{"account_id", "time_period_start", "time_period_end", "topic", "prompt"}
			rows := func(yield func([]string, error) bool) {
				yield([]string{"7", "2026-01-11", "2026-01-17", "t", digest}, nil)
			}
			if _, err := im.Rows(ctx, vocab.AISearchCitations, digest, digest, columns, rows, Options{}); err != nil {
				t.Fatal(err)
			}
		}
		bring("old")
		p := &prune{im: im, options: PruneOptions{Before: "2026-02-01"}}
		if err := im.retireBefore(ctx, p.options.Before); err != nil {
			t.Fatal(err)
		}
		bring("new")
		if err := p.plan(ctx, vocab.AISearchCitations, nil); err != nil {
			t.Fatal(err)
		}
		if err := p.run(ctx); err != nil {
			t.Fatal(err)
		}
		var prompts []string
		found, err := s.Reader.Query(`select prompt from ai_search_citations`)
		if err != nil {
			t.Fatal(err)
		}
		defer found.Close()
		for found.Next() {
			var prompt string
			if err := found.Scan(&prompt); err != nil {
				t.Fatal(err)
			}
			prompts = append(prompts, prompt)
		}
		if !slices.Equal(prompts, []string{"new"}) || p.datasets[0].report.Rows != 1 {
			t.Errorf("left %v, reported %+v", prompts, p.datasets[0].report)
		}
	})
}
