// Package migrate brings a database to the schema of this program. Each
// database has its own folder of versioned SQL, checked by atlas.sum; files are
// applied in order and never edited once released.
package migrate

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"entgo.io/ent/dialect"
)

//go:embed sqlite/*.sql postgres/*.sql
var files embed.FS

// Versions are the migrations of a dialect, oldest first.
func Versions(dia string) ([]string, error) {
	entries, err := fs.ReadDir(files, folder(dia))
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".sql"))
	}
	return names, nil
}

// Up applies what is missing, all or nothing. Several processes may call it at
// once: a locked row (PostgreSQL) or the write lock (SQLite) lets one work while
// the others wait. It refuses a database that a newer program has migrated, or
// one whose migrations were not these.
func Up(ctx context.Context, db *sql.DB, dia string) error {
	names, err := Versions(dia)
	if err != nil {
		return err
	}
	if err := prepare(ctx, db); err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	// An update rather than SELECT FOR UPDATE: it locks on both databases.
	if _, err := tx.ExecContext(ctx, `update schema_lock set taken = taken + 1 where id = 1`); err != nil {
		return err
	}
	done, err := applied(ctx, tx)
	if err != nil {
		return err
	}
	for _, name := range names {
		text, err := files.ReadFile(folder(dia) + "/" + name + ".sql")
		if err != nil {
			return err
		}
		digest := fmt.Sprintf("%x", sha256.Sum256(text))
		was, applied := done[name]
		delete(done, name)
		switch {
		case applied && was != digest:
			return fmt.Errorf("migration %s was another when it was applied: the database was made by an unreleased build; start with a new one", name)
		case applied:
			continue
		}
		if err := apply(ctx, tx, name, string(text), digest); err != nil {
			return fmt.Errorf("migration %s: %w", name, err)
		}
	}
	for name := range done {
		return fmt.Errorf("the database has migration %s, which this program does not know: use a newer contentgraph", name)
	}
	return tx.Commit()
}

func folder(dia string) string {
	if dia == dialect.Postgres {
		return "postgres"
	}
	return "sqlite"
}

// prepare makes the two tables of the runner itself. Concurrent "if not exists"
// can still collide on PostgreSQL, so a few tries are made.
func prepare(ctx context.Context, db *sql.DB) (err error) {
	const ddl = `create table if not exists schema_migrations (version text primary key, digest text not null, applied text not null);
create table if not exists schema_lock (id integer primary key, taken bigint not null);
insert into schema_lock (id, taken) values (1, 0) on conflict do nothing;`
	for try := range 5 {
		if _, err = db.ExecContext(ctx, ddl); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Duration(50<<try) * time.Millisecond):
		}
	}
	return err
}

// applied is the digest of every migration that the database has.
func applied(ctx context.Context, tx *sql.Tx) (map[string]string, error) {
	rows, err := tx.QueryContext(ctx, `select version, digest from schema_migrations`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	done := map[string]string{}
	for rows.Next() {
		var version, digest string
		if err := rows.Scan(&version, &digest); err != nil {
			return nil, err
		}
		done[version] = digest
	}
	return done, rows.Err()
}

func apply(ctx context.Context, tx *sql.Tx, name, text, digest string) error {
	if _, err := tx.ExecContext(ctx, text); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `insert into schema_migrations (version, digest, applied) values ($1, $2, $3)`,
		name, digest, time.Now().UTC().Format(time.RFC3339))
	return err
}
