package migrate_test

import (
	"context"
	"database/sql"
	"flag"
	"slices"
	"sync"
	"testing"

	atlas "ariga.io/atlas/sql/migrate"
	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	"entgo.io/ent/dialect/sql/schema"
	_ "modernc.org/sqlite"

	"github.com/contentgraph/contentgraph/ent/db/aisearchcitation"
	"github.com/contentgraph/contentgraph/ent/db/aisearchsentiment"
	"github.com/contentgraph/contentgraph/ent/db/keywordranking"
	tables "github.com/contentgraph/contentgraph/ent/db/migrate"
	"github.com/contentgraph/contentgraph/ent/db/resultchunk"
	"github.com/contentgraph/contentgraph/ent/migrate"
	"github.com/contentgraph/contentgraph/internal/pgtest"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

var write = flag.String("write", "", "write the missing migration under this name, then rehash")

func TestMain(m *testing.M) { flag.Parse(); pgtest.Main(m) }

var dialects = map[string]func(t *testing.T) *sql.DB{
	dialect.SQLite: func(t *testing.T) *sql.DB {
		return open(t, "sqlite", "file:"+t.TempDir()+"/m.db?_pragma=busy_timeout(10000)&_pragma=foreign_keys(1)&_txlock=immediate")
	},
	dialect.Postgres: func(t *testing.T) *sql.DB { return open(t, "postgres", pgtest.Empty(t)) },
}

func open(t *testing.T, driver, dsn string) *sql.DB {
	t.Helper()
	db, err := sql.Open(driver, dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// TestMigrations checks the sum file, replays the folder and asserts that
// nothing is missing against the ent schema. With -write it adds what is.
func TestMigrations(t *testing.T) {
	for dia, fresh := range dialects {
		t.Run(dia, func(t *testing.T) {
			local, err := atlas.NewLocalDir(map[string]string{dialect.SQLite: "sqlite", dialect.Postgres: "postgres"}[dia])
			if err != nil {
				t.Fatal(err)
			}
			if *write != "" {
				rehash(t, local)
				diff(t, dia, fresh(t), local, *write)
				return
			}
			if err := atlas.Validate(local); err != nil {
				t.Fatalf("%v: a migration was edited or added by hand; `make migration name=...` rehashes", err)
			}
			have, err := local.Files()
			if err != nil {
				t.Fatal(err)
			}
			trial := new(atlas.MemDir)
			if err := trial.CopyFiles(have); err != nil {
				t.Fatal(err)
			}
			rehash(t, trial)
			diff(t, dia, fresh(t), trial, "zz_missing")
			if now, _ := trial.Files(); len(now) > len(have) {
				t.Errorf("the ent schema changed, run `make migration name=...`. Missing:\n%s", now[len(now)-1].Bytes())
			}
		})
	}
}

func diff(t *testing.T, dia string, db *sql.DB, dir atlas.Dir, name string) {
	t.Helper()
	m, err := schema.NewMigrate(entsql.OpenDB(dia, db), schema.WithDir(dir), schema.WithDialect(dia),
		schema.WithMigrationMode(schema.ModeReplay), schema.WithFormatter(atlas.DefaultFormatter))
	if err != nil {
		t.Fatal(err)
	}
	if err := m.NamedDiff(context.Background(), name, tables.Tables...); err != nil {
		t.Fatal(err)
	}
}

func rehash(t *testing.T, dir atlas.Dir) {
	t.Helper()
	sum, err := dir.Checksum()
	if err != nil {
		t.Fatal(err)
	}
	if err := atlas.WriteSumFile(dir, sum); err != nil {
		t.Fatal(err)
	}
}

// TestUpTogether starts several processes' worth of migrations on one database.
func TestUpTogether(t *testing.T) {
	for dia, fresh := range dialects {
		t.Run(dia, func(t *testing.T) {
			t.Parallel()
			db := fresh(t)
			var wg sync.WaitGroup
			for range 4 {
				wg.Go(func() {
					if err := migrate.Up(context.Background(), db, dia); err != nil {
						t.Error(err)
					}
				})
			}
			wg.Wait()
			want, _ := migrate.Versions(dia)
			var n int
			if err := db.QueryRow(`select count(*) from schema_migrations`).Scan(&n); err != nil || n != len(want) {
				t.Fatalf("%d migrations recorded (%v), want %d", n, err, len(want))
			}
			if _, err := db.Exec(`insert into schema_migrations (version, digest, applied) values ('29990101_future', 'x', 'x')`); err != nil {
				t.Fatal(err)
			}
			if err := migrate.Up(context.Background(), db, dia); err == nil {
				t.Error("a database of a newer program was accepted")
			}
			if _, err := db.Exec(`delete from schema_migrations where version = '29990101_future'; update schema_migrations set digest = 'x'`); err != nil {
				t.Fatal(err)
			}
			if err := migrate.Up(context.Background(), db, dia); err == nil {
				t.Error("a database of other migrations was accepted")
			}
		})
	}
}

// TestHandWrittenTables holds the tables that ent does not generate to the
// columns of the ent schema.
func TestHandWrittenTables(t *testing.T) {
	for dia, fresh := range dialects {
		t.Run(dia, func(t *testing.T) {
			t.Parallel()
			db := fresh(t)
			if err := migrate.Up(context.Background(), db, dia); err != nil {
				t.Fatal(err)
			}
			for table, columns := range map[string][]string{
				vocab.KeywordRankings.Table:    keywordranking.Columns,
				vocab.AISearchSentiments.Table: aisearchsentiment.Columns,
				vocab.AISearchCitations.Table:  aisearchcitation.Columns,
				resultchunk.Table:              resultchunk.Columns,
			} {
				rows, err := db.Query("select * from " + table + " where 1 = 0")
				if err != nil {
					t.Fatal(err)
				}
				got, err := rows.Columns()
				rows.Close()
				if err != nil {
					t.Fatal(err)
				}
				want := slices.Clone(columns)
				slices.Sort(got)
				slices.Sort(want)
				if !slices.Equal(got, want) {
					t.Errorf("%s has\n%v, the ent schema says\n%v", table, got, want)
				}
			}
		})
	}
}
