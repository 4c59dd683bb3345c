// Package store opens the database, embedded SQLite or PostgreSQL, and guards
// it: every query of a tenant resource is kept to the viewer's account, and a
// query without a viewer fails. It knows no rules of any resource.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	"github.com/lib/pq"
	_ "modernc.org/sqlite" // registers the driver "sqlite"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/migrate"
)

// Store is an open database. Its ent client is tenant-safe; Writer and Reader
// are for the bulk paths over facts, jobs and results, which name the account
// in every statement themselves.
type Store struct {
	*db.Client
	Dialect string
	Writer  *sql.DB // SQLite: the only connection that writes
	Reader  *sql.DB // PostgreSQL: the same pool as Writer

	line    *line        // SQLite: who waits to write
	release func() error // what else Close ends
}

// Open opens the database of a URL (postgres://...), or the SQLite file in
// folder when the URL is empty, and migrates it.
func Open(ctx context.Context, databaseURL, folder string) (*Store, error) {
	s, err := connect(databaseURL, folder)
	if err != nil {
		return nil, err
	}
	if err := migrate.Up(ctx, s.Writer, s.Dialect); err != nil {
		s.Close()
		return nil, fmt.Errorf("migrate the database: %w", err)
	}
	return s, nil
}

func connect(databaseURL, folder string) (*Store, error) {
	if databaseURL == "" {
		return openSQLite(filepath.Join(folder, "contentgraph.db"))
	}
	if !strings.HasPrefix(databaseURL, "postgres://") && !strings.HasPrefix(databaseURL, "postgresql://") {
		return nil, errors.New("the database URL must begin with postgres://; leave it empty for the embedded SQLite")
	}
	return openPostgres(databaseURL)
}

func openSQLite(file string) (*Store, error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return nil, err
	}
	// The folder may be readable by others; the data is not.
	if f, err := os.OpenFile(file, os.O_CREATE|os.O_RDWR, 0o600); err != nil {
		return nil, err
	} else if err := f.Close(); err != nil {
		return nil, err
	}
	// Without _time_format the driver writes times as Go's String(), which
	// range filters would compare wrongly.
	base := "file:" + (&url.URL{Path: file}).EscapedPath() +
		"?_time_format=sqlite&_pragma=busy_timeout(10000)&_pragma=journal_mode(wal)&_pragma=synchronous(normal)"
	writer, err := sql.Open("sqlite", fmt.Sprintf("%s&_txlock=immediate&_pragma=wal_autocheckpoint(%d)", base, checkpointInline))
	if err != nil {
		return nil, err
	}
	writer.SetMaxOpenConns(1)
	reader, err := sql.Open("sqlite", base+"&_pragma=query_only(1)")
	if err != nil {
		return nil, err
	}
	reader.SetMaxOpenConns(max(4, runtime.NumCPU()))
	reader.SetMaxIdleConns(max(4, runtime.NumCPU()))
	checkpointer, err := sql.Open("sqlite", base)
	if err != nil {
		return nil, err
	}
	if err := writer.Ping(); err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", file, err), writer.Close(), reader.Close(), checkpointer.Close())
	}
	line, err := openLine(file + "-line")
	if err != nil {
		return nil, errors.Join(err, writer.Close(), reader.Close(), checkpointer.Close())
	}
	drv := split{writer: entsql.OpenDB(dialect.SQLite, writer), reader: entsql.OpenDB(dialect.SQLite, reader)}
	s := newStore(drv, writer, reader)
	s.line = line
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() { defer close(stopped); checkpoint(checkpointer, file+"-wal", stop) }()
	s.release = func() error { close(stop); <-stopped; line.close(); return checkpointer.Close() }
	return s, nil
}

func openPostgres(dsn string) (*Store, error) {
	u, err := url.Parse(dsn)
	if err != nil {
		return nil, errors.New("the database URL is not a URL") // the cause would show the password
	}
	if q := u.Query(); q.Get("sslmode") == "" {
		q.Set("sslmode", "prefer") // named, since the driver's default may change
		u.RawQuery = q.Encode()
	}
	connector, err := pq.NewConnector(u.String())
	if err != nil {
		return nil, errors.New("the database URL has a bad option")
	}
	pool := sql.OpenDB(connector)
	pool.SetMaxOpenConns(20)
	pool.SetMaxIdleConns(10)
	if err := pool.Ping(); err != nil {
		pool.Close()
		return nil, fmt.Errorf("connect to PostgreSQL at %s: %w", u.Host, err)
	}
	return newStore(entsql.OpenDB(dialect.Postgres, pool), pool, pool), nil
}

func newStore(drv dialect.Driver, writer, reader *sql.DB) *Store {
	s := &Store{Client: db.NewClient(db.Driver(drv)), Dialect: drv.Dialect(), Writer: writer, Reader: reader, release: func() error { return nil }}
	guard(s.Client)
	return s
}

// Close closes the database.
func (s *Store) Close() error {
	return errors.Join(s.release(), s.Reader.Close(), s.Writer.Close())
}

// Postgres reports whether the database is PostgreSQL rather than SQLite.
func (s *Store) Postgres() bool { return s.Dialect == dialect.Postgres }

// split sends plain reads to SQLite's reader pool and everything else to its
// only writer, so that no transaction of this process fails as busy.
type split struct{ writer, reader *entsql.Driver }

func (d split) Query(ctx context.Context, query string, args, v any) error {
	if strings.HasPrefix(query, "SELECT") {
		return d.reader.Query(ctx, query, args, v)
	}
	return d.writer.Query(ctx, query, args, v)
}

func (d split) Exec(ctx context.Context, query string, args, v any) error {
	return d.writer.Exec(ctx, query, args, v)
}

func (d split) Tx(ctx context.Context) (dialect.Tx, error) { return d.writer.Tx(ctx) }

func (d split) BeginTx(ctx context.Context, opts *sql.TxOptions) (dialect.Tx, error) {
	return d.writer.BeginTx(ctx, opts)
}

func (d split) Close() error    { return nil } // Store.Close closes the pools
func (d split) Dialect() string { return dialect.SQLite }
