package facts

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/contentgraph/contentgraph/internal/pgtest"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// both runs a test on each database.
func both(t *testing.T, fn func(t *testing.T, s *store.Store)) {
	t.Helper()
	pgtest.Both(t, func(t *testing.T, url string) { fn(t, openURL(t, url)) })
}

func openStore(t testing.TB, dialect string) *store.Store {
	t.Helper()
	url := ""
	if dialect == "postgres" {
		url = pgtest.New(t)
	}
	return openURL(t, url)
}

func openURL(t testing.TB, url string) *store.Store {
	t.Helper()
	s, err := store.Open(context.Background(), url, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// file writes a file to be imported.
func file(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func mustImport(t testing.TB, s *store.Store, d *vocab.Dataset, path string, o Options) Report {
	t.Helper()
	r, err := NewImporter(s).File(context.Background(), d, path, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// pins are the current slices of an account, over all time.
func pins(t testing.TB, s *store.Store, d *vocab.Dataset, account int, frequency string) ([]vocab.Pin, int) {
	t.Helper()
	ctx := store.As(context.Background(), account, 1)
	p, n, err := Pins(ctx, s.Client, d, frequency, "1900-01-01", "2999-12-31", nil)
	if err != nil {
		t.Fatal(err)
	}
	return p, n
}

// scan reads rows; columns are names of a dataset.
func scan(t testing.TB, s *store.Store, q Query, columns ...string) [][]string {
	t.Helper()
	for _, name := range columns {
		c, ok := q.Dataset.Column(name)
		if !ok {
			t.Fatalf("no column %s", name)
		}
		q.Columns = append(q.Columns, c)
	}
	if len(columns) == 0 {
		q.Columns = q.Dataset.Stored()
	}
	rows := [][]string{}
	err := Scan(context.Background(), s, q, func(row []byte) error {
		var values []string
		if err := json.Unmarshal(row, &values); err != nil {
			t.Fatalf("%v: %s", err, row)
		}
		rows = append(rows, values)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// weekly reads the current weekly rows of an account.
func weekly(t testing.TB, s *store.Store, d *vocab.Dataset, account int, columns ...string) [][]string {
	t.Helper()
	p, n := pins(t, s, d, account, vocab.Weekly)
	rows := scan(t, s, Query{Account: account, Dataset: d, Pins: p}, columns...)
	if len(rows) != n {
		t.Errorf("%d rows, but the slices count %d", len(rows), n)
	}
	return rows
}

// count is the number of rows of a table, whoever may see them.
func count(t testing.TB, s *store.Store, table string) (n int) {
	t.Helper()
	if err := s.Reader.QueryRow("select count(*) from " + table).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// joined shows rows in a failure and compares them.
func joined(rows [][]string) string {
	var lines []string
	for _, r := range rows {
		lines = append(lines, strings.Join(r, "|"))
	}
	return strings.Join(lines, "\n")
}
