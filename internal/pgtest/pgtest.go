// Package pgtest gives each test a PostgreSQL database of its own. The server
// is started on first use, once per test binary, and dies with it, even when
// the binary is killed. The migrations run once, in a template that every
// database of New copies. The package knows how to migrate and nothing else of
// the product; only test files may import it.
//
//	func TestMain(m *testing.M) { pgtest.Main(m) }
//
//	func TestDraft(t *testing.T) { url := pgtest.New(t); ... }
//
// Environment: TEST_POSTGRES_DSN names a running server to use instead (its
// user must be allowed to create databases), PGBIN the folder of the server's
// programs. Tests are skipped where no PostgreSQL is installed, unless
// REQUIRE_POSTGRES=1 makes that a failure.
package pgtest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"sync"
	"sync/atomic"
	"testing"

	_ "github.com/lib/pq" // registers the driver "postgres"

	"github.com/contentgraph/contentgraph/ent/migrate"
)

// The server and the template are made on first use, so that a run of tests
// which need no PostgreSQL does not pay for one.
var (
	connected = sync.OnceValues(connect)
	migrated  = sync.OnceValues(makeTemplate)
)

var (
	managed      atomic.Bool // Main runs and will clean up
	lastDatabase atomic.Int64
)

// New makes a migrated database, dropped when the test ends, and returns its URL.
func New(t testing.TB) string {
	t.Helper()
	srv := need(t)
	template, err := migrated()
	if err != nil {
		t.Fatal("pgtest: migrate the template:", err)
	}
	return create(t, srv, template)
}

// Empty makes a database without any migration, dropped when the test ends,
// and returns its URL.
func Empty(t testing.TB) string {
	t.Helper()
	return create(t, need(t), "template0")
}

// Main runs the tests of a binary, then removes the server and all its data.
// Every TestMain of a package that uses New or Empty ends in it.
func Main(m *testing.M) {
	managed.Store(true)
	code := m.Run()
	if err := disconnect(); err != nil {
		fmt.Fprintln(os.Stderr, "pgtest: clean up:", err)
		code = max(code, 1)
	}
	os.Exit(code)
}

func need(t testing.TB) *server {
	t.Helper()
	if !managed.Load() {
		t.Fatal("pgtest: this package lacks func TestMain(m *testing.M) { pgtest.Main(m) }")
	}
	srv, err := connected()
	switch {
	case errors.Is(err, errNotInstalled) && os.Getenv("REQUIRE_POSTGRES") != "1":
		t.Skip("pgtest:", err)
	case err != nil:
		t.Fatal("pgtest:", err)
	}
	return srv
}

// create copies a template. The name carries the process id, because several
// test binaries may share the server of TEST_POSTGRES_DSN.
func create(t testing.TB, srv *server, template string) string {
	t.Helper()
	name := fmt.Sprintf("pgtest_%d_%d", os.Getpid(), lastDatabase.Add(1))
	if err := srv.create(name, template); err != nil {
		t.Fatal("pgtest:", err)
	}
	t.Cleanup(func() {
		if err := srv.drop(name); err != nil {
			t.Error("pgtest:", err)
		}
	})
	return srv.url(name)
}

func templateName() string { return fmt.Sprintf("pgtest_%d_template", os.Getpid()) }

func makeTemplate() (string, error) {
	srv, err := connected()
	if err != nil {
		return "", err
	}
	name := templateName()
	if err := srv.create(name, "template0"); err != nil {
		return "", err
	}
	db, err := sql.Open("postgres", srv.url(name))
	if err != nil {
		return "", err
	}
	// PostgreSQL refuses to copy a database that somebody is connected to.
	defer db.Close()
	return name, migrate.Up(context.Background(), db, "postgres")
}

// server is a running PostgreSQL: ours, or the one of TEST_POSTGRES_DSN.
type server struct {
	base  *url.URL
	admin *sql.DB
	own   *process // nil for a foreign server
}

// current is what disconnect has to undo; connect may never have run.
var current *server

func connect() (*server, error) {
	srv := &server{}
	if dsn := os.Getenv("TEST_POSTGRES_DSN"); dsn != "" {
		u, err := url.Parse(dsn)
		if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" {
			return nil, errors.New("TEST_POSTGRES_DSN must look like postgres://user@host:port/database?sslmode=disable")
		}
		srv.base = u
	} else {
		own, err := start()
		if err != nil {
			return nil, err
		}
		srv.own = own
		srv.base = &url.URL{Scheme: "postgres", User: url.User("postgres"), Host: own.addr, Path: "/postgres", RawQuery: "sslmode=disable"}
	}
	db, err := sql.Open("postgres", srv.base.String())
	if err != nil {
		return nil, err
	}
	srv.admin = db
	current = srv
	return srv, nil
}

func disconnect() error {
	if current == nil {
		return nil
	}
	defer current.admin.Close()
	if current.own != nil {
		return current.own.stop()
	}
	return current.drop(templateName())
}

// url is the address of a database on the server.
func (s *server) url(name string) string {
	u := *s.base
	u.Path = "/" + name
	return u.String()
}

func (s *server) create(name, template string) error {
	// A killed run with the same process id may have left the name behind.
	if err := s.drop(name); err != nil {
		return err
	}
	_, err := s.admin.Exec(`create database ` + name + ` template ` + template)
	return err
}

// drop throws out whoever is still connected: a leaked connection in one test
// must not fail another.
func (s *server) drop(name string) error {
	_, err := s.admin.Exec(`drop database if exists ` + name + ` with (force)`)
	return err
}
