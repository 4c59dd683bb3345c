package bench

import (
	"context"
	"database/sql"
	"fmt"
	"iter"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/internal/app"
	"github.com/contentgraph/contentgraph/internal/facts"
	"github.com/contentgraph/contentgraph/internal/pgtest"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// What is asked for.
const (
	account = "7"
	week    = "2026-01-11"
	weekEnd = "2026-01-17"
)

// blockRows are made once and given again and again: what makes rows shall not
// be measured. They are far more than any compression looks back.
const blockRows = 50_000

// block is rows of one account and week, with a value in every column.
func block(account, start, end string) [][]string {
	list := make([][]string, blockRows)
	for i := range list {
		q, site := i/20, fmt.Sprintf("site%d.example", i*7%4000)
		list[i] = []string{
			account, "Account " + account, "o-" + account, "Organization " + account, "1", "Site of the account",
			start, end, end, "Google", "GOOGLE", "US", "en", "US", "DESKTOP",
			fmt.Sprintf("query number %d", q), fmt.Sprintf("What everybody should know about query %d, part %d", q, i%20),
			fmt.Sprintf("https://www.%s/articles/%d", site, i), site, "www." + site, "STANDARD_LINK",
			strconv.Itoa(1 + i%20), strconv.Itoa(1 + i%23), strconv.Itoa(1 + i%3), fmt.Sprintf("%d,%d", 100+q%50, 200+q%3),
			fmt.Sprintf("group %d,kind %d", q%50, q%3), strconv.Itoa(q * 37 % 90_000), fmt.Sprintf("%d.%02d", q%9, q%97+1),
			fmt.Sprintf("0.%03d", q%999+1), strconv.Itoa(q * 41 % 70_000), "202601",
		}
	}
	return list
}

// repeated gives the first n rows of a block that has no end.
func repeated(rows [][]string, n int) iter.Seq2[[]string, error] {
	return func(yield func([]string, error) bool) {
		for i := range n {
			if !yield(rows[i%len(rows)], nil) {
				return
			}
		}
	}
}

// load imports n rows as a file of its own.
func load(b *testing.B, s *store.Store, rows [][]string, n int) time.Duration {
	b.Helper()
	var columns []string
	for _, c := range vocab.KeywordRankings.Columns {
		columns = append(columns, c.Name)
	}
	begin := time.Now()
	r, err := facts.NewImporter(s).Rows(context.Background(), vocab.KeywordRankings, "bench", uuid.NewString(), columns, repeated(rows, n), facts.Options{})
	check(b, err)
	if r.Rows != n {
		b.Fatalf("%d rows of %d are imported: %v", r.Rows, n, r.Reasons)
	}
	return time.Since(begin)
}

// fixture is a database with facts and a user who may ask for them.
type fixture struct {
	url, folder        string
	db                 *sql.DB
	app                *app.App // serves nothing
	rows               int      // that match
	number             string   // of their import
	token, key, secret string
}

// newFixture makes a database where n rows match, and more have the same account
// in another week or the same week in another account.
func newFixture(b *testing.B, n, more int) *fixture {
	b.Helper()
	ctx := store.System(context.Background())
	f := &fixture{url: pgtest.New(b), folder: b.TempDir(), rows: n}
	var err error
	f.app, err = app.Open(ctx, config(f.url, f.folder))
	check(b, err)
	b.Cleanup(func() { f.app.Close() })
	f.db = f.app.Store.Writer
	if more > 0 {
		load(b, f.app.Store, block("8", week, weekEnd), more/2)
		load(b, f.app.Store, block(account, "2026-01-18", "2026-01-24"), more/2)
	}
	load(b, f.app.Store, block(account, week, weekEnd), n)
	check(b, f.db.QueryRow(`select import_no from keyword_rankings where account_id = $1 and time_period_start = $2 limit 1`,
		account, week).Scan(&f.number))
	_, err = f.db.Exec(`create table bench_pages (id bigint primary key, body bytea not null)`) // of the floor
	check(b, err)
	_, err = f.db.Exec(`vacuum analyze`)
	check(b, err)

	id, _ := strconv.Atoi(account)
	_, err = f.app.Access.CreateAccount(ctx, nil, id, "Account")
	check(b, err)
	u, err := f.app.Access.CreateUser(ctx, nil, "bench", []int{id}, []string{vocab.ScopeContentRead, vocab.ScopeContentWrite, vocab.ScopeData})
	check(b, err)
	f.token, _, err = f.app.Access.CreateToken(ctx, nil, u.ID, nil)
	check(b, err)
	f.key, f.secret, _, err = f.app.Access.CreateKey(ctx, nil, u.ID)
	check(b, err)
	return f
}
