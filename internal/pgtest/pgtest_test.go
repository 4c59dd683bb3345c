package pgtest

import (
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/lib/pq"
)

func TestMain(m *testing.M) { Main(m) }

func TestNewIsMigrated(t *testing.T) {
	if n := count(t, open(t, New(t)), `select count(*) from schema_migrations`); n == 0 {
		t.Error("no migration was applied")
	}
}

func TestEmptyHasNoTables(t *testing.T) {
	const q = `select count(*) from information_schema.tables where table_schema = 'public'`
	if n := count(t, open(t, Empty(t)), q); n != 0 {
		t.Errorf("%d tables in an empty database", n)
	}
}

func TestDatabasesAreSeparate(t *testing.T) {
	a, b := open(t, New(t)), open(t, New(t))
	if _, err := a.Exec(`create table only_here (id int)`); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Exec(`select * from only_here`); err == nil {
		t.Error("a table of one test is visible in another")
	}
}

// A test may forget to close a connection; its database goes all the same.
func TestDroppedAtTheEnd(t *testing.T) {
	var url string
	t.Run("leaky", func(t *testing.T) {
		url = New(t)
		db, err := sql.Open("postgres", url)
		if err != nil {
			t.Fatal(err)
		}
		if err := db.Ping(); err != nil {
			t.Fatal(err)
		}
	})
	if url == "" {
		t.SkipNow() // as the subtest did
	}
	var refused *pq.Error
	if err := open(t, url).Ping(); !errors.As(err, &refused) || refused.Code != "3D000" {
		t.Errorf("want the database to be gone, got %v", err)
	}
}

func TestParallel(t *testing.T) {
	need(t)
	var names sync.Map
	for i := range 8 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			url := New(t)
			if _, taken := names.LoadOrStore(url, true); taken {
				t.Errorf("%s was given twice", url)
			}
			count(t, open(t, url), `select count(*) from schema_migrations`)
		})
	}
}

func TestNewestVersion(t *testing.T) {
	got := newest([]string{"/p/9.6/bin/initdb", "/p/16/bin/initdb", "/p/15/bin/initdb"})
	if got != "/p/16/bin/initdb" {
		t.Error(got)
	}
}

func open(t testing.TB, url string) *sql.DB {
	t.Helper()
	db, err := sql.Open("postgres", url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func count(t testing.TB, db *sql.DB, query string) (n int) {
	t.Helper()
	if err := db.QueryRow(query).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}
