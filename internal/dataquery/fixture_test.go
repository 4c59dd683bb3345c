package dataquery

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/internal/facts"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/jobs"
	"github.com/contentgraph/contentgraph/internal/pgtest"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

func TestMain(m *testing.M) {
	flag.Set("rapid.checks", "50") // unless the command line says otherwise
	pgtest.Main(m)
}

// fixture is a service over a database of its own; its queue does not run yet.
type fixture struct {
	*Service
	store *store.Store
	queue *jobs.Queue
}

// databases runs a test on SQLite and on PostgreSQL.
func databases(t *testing.T, test func(t *testing.T, f *fixture)) {
	t.Parallel()
	pgtest.Both(t, func(t *testing.T, url string) {
		s, err := store.Open(context.Background(), url, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		test(t, newFixture(t, s, 1000))
	})
}

// newFixture is as another process on the same database.
func newFixture(t *testing.T, s *store.Store, pageRows int) *fixture {
	q := jobs.New(s)
	q.Lease, q.Poll, q.Backoff = 2*time.Second, 20*time.Millisecond, 10*time.Millisecond
	t.Cleanup(q.Stop)
	return &fixture{New(s, q, []byte("a key of the tests"), pageRows), s, q}
}

// tester is what *testing.T and *rapid.T have in common.
type tester interface {
	Helper()
	Name() string
	Fatal(...any)
	Fatalf(string, ...any)
}

const (
	account = 101
	user    = 7
)

func viewer() context.Context { return store.As(context.Background(), account, user) }

// submit submits for the viewer of ctx, in that account.
func (f *fixture) submit(t tester, ctx context.Context, query string, in object) *db.Execution {
	t.Helper()
	e, err := f.Submit(ctx, must(Lookup(query)), week(in))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func must[T any](v T, _ bool) T { return v }

// wait waits until an execution has ended.
func (f *fixture) wait(t tester, ctx context.Context, e *db.Execution) *db.Execution {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(2 * time.Millisecond) {
		e, err := f.Get(ctx, ID(e), "")
		if err != nil {
			t.Fatal(err)
		}
		if e.State != vocab.InProgress {
			return e
		}
	}
	t.Fatal("the execution does not end")
	return nil
}

// pages reads every page of a completed execution.
func (f *fixture) pages(t tester, ctx context.Context, e *db.Execution) (pages [][][]string) {
	t.Helper()
	var token *string
	for {
		p, err := f.Page(ctx, e, token)
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		if _, err := p.Rows.WriteTo(&text); err != nil {
			t.Fatal(err)
		}
		var rows [][]string
		if err := json.Unmarshal([]byte(text.String()), &rows); err != nil {
			t.Fatalf("%v in %.200s", err, text.String())
		}
		for _, row := range rows {
			if len(row) != len(p.Schema) {
				t.Fatalf("%d values for %d columns", len(row), len(p.Schema))
			}
		}
		if p.Total != e.Written {
			t.Fatalf("total %d of %d", p.Total, e.Written)
		}
		if pages = append(pages, rows); len(pages) > 100 {
			t.Fatal("the pages do not end")
		}
		if token = p.Next; token == nil {
			return pages
		}
	}
}

// result submits, runs and reads a query; the queue must have been started.
func (f *fixture) result(t tester, ctx context.Context, query string, in object) [][]string {
	t.Helper()
	e := f.wait(t, ctx, f.submit(t, ctx, query, in))
	if e.State != vocab.Completed {
		t.Fatalf("%s: %s", e.State, Message(e))
	}
	var rows [][]string
	for _, page := range f.pages(t, ctx, e) {
		rows = append(rows, page...)
	}
	return rows
}

// column picks one value out of each row.
func column(t tester, query, name string, rows [][]string) []string {
	t.Helper()
	for i, c := range must(Lookup(query)).Dataset.Columns {
		if c.Name == name {
			var values []string
			for _, row := range rows {
				values = append(values, row[i])
			}
			return values
		}
	}
	t.Fatalf("%s has no column %s", query, name)
	return nil
}

func wantCode(t testing.TB, err error, kind fault.Kind, code fault.Code) {
	t.Helper()
	if f := fault.Of(err); err == nil || f.Kind != kind || f.Code != code {
		t.Errorf("got %v, want %s", err, code)
	}
}

// load imports facts, or makes them the current ones of their slices.
func (f *fixture) load(t tester, query string, list []fact, replace bool) {
	t.Helper()
	var columns []string
	for _, c := range must(Lookup(query)).Dataset.Stored() {
		columns = append(columns, c.Name)
	}
	if query == kr {
		columns = append(columns, "rank_source_id")
	}
	rows := func(yield func([]string, error) bool) {
		for _, row := range list {
			var values []string
			for _, c := range columns {
				values = append(values, row[c])
			}
			if !yield(values, nil) {
				return
			}
		}
	}
	r, err := facts.NewImporter(f.store).Rows(context.Background(), must(Lookup(query)).Dataset, t.Name(), uuid.NewString(),
		columns, rows, facts.Options{Replace: replace, Strict: true})
	if err != nil || r.Rows != len(list) {
		t.Fatalf("imported %d of %d facts: %v", r.Rows, len(list), err)
	}
}

// fact is the values of one fact by column; a missing one has no value.
type fact map[string]string

// rankings are n facts of the week that requests ask for, in this order, each
// with a query of its own.
func rankings(n int) []fact {
	var list []fact
	for _, q := range queries(n) {
		list = append(list, fact{
			"account_id": "101", "web_property_id": "201", "time_period_start": "2026-01-11", "time_period_end": "2026-01-17",
			"query": q, "device": "desktop", "rank_standard": "1", "msv_month": "202601",
		})
	}
	return list
}

func queries(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("q%04d", i)
	}
	return list
}
