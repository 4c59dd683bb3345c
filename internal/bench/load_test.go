package bench

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/contentgraph/contentgraph/internal/pgtest"
	"github.com/contentgraph/contentgraph/internal/store"
)

// imports measures how fast facts come in, into an empty table each time,
// against a loader that gets the very rows of the table.
func imports(b *testing.B) {
	ctx, n, rows := context.Background(), *rowsFlag, block(account, week, weekEnd)
	url := pgtest.New(b)
	sqlite := func() (*store.Store, func()) {
		dir, err := os.MkdirTemp("", "contentgraph-bench-")
		check(b, err)
		s, err := store.Open(ctx, "", dir)
		check(b, err)
		return s, func() { s.Close(); os.RemoveAll(dir) }
	}
	postgres := func() (*store.Store, func()) {
		s, err := store.Open(ctx, url, "")
		check(b, err)
		_, err = s.Writer.Exec(`truncate keyword_rankings`)
		check(b, err)
		return s, func() { s.Close() }
	}
	for _, d := range []struct {
		name  string
		empty func() (*store.Store, func())
		write func(*sql.Tx, *parsed)
	}{{"SQLite", sqlite, insert}, {"PostgreSQL", postgres, copyIn}} {
		var ours, floor []time.Duration
		for range *roundsFlag {
			s, done := d.empty()
			ours = append(ours, load(b, s, rows, n))
			p := stored(b, s)
			done()
			s, done = d.empty()
			floor = append(floor, p.load(s, n, d.write)) // on PostgreSQL the week's partition is still there
			done()
		}
		results.rate(fmt.Sprintf("import of %d rows into %s", n, d.name), n, ours, floor, 0.6)
	}
}

// parsed is a block of rows as the table has them.
type parsed struct {
	b       *testing.B
	columns []string
	line    int // the column
	rows    [][]any
}

func stored(b *testing.B, s *store.Store) *parsed {
	rows, err := s.Reader.Query(`select * from keyword_rankings order by line limit $1`, blockRows)
	check(b, err)
	defer rows.Close()
	p := &parsed{b: b}
	p.columns, err = rows.Columns()
	check(b, err)
	for rows.Next() {
		row := make([]any, len(p.columns))
		into := make([]any, len(row))
		for i := range row {
			into[i] = &row[i]
		}
		check(b, rows.Scan(into...))
		for i, v := range row {
			if text, ok := v.([]byte); ok {
				row[i] = string(text)
			}
		}
		p.rows = append(p.rows, row)
	}
	check(b, rows.Err())
	for i, name := range p.columns {
		if name == "line" {
			p.line = i
		}
	}
	return p
}

// load writes n rows, a block a transaction.
func (p *parsed) load(s *store.Store, n int, write func(*sql.Tx, *parsed)) time.Duration {
	begin := time.Now()
	for line := 0; line < n; {
		part := *p
		part.rows = p.rows[:min(len(p.rows), n-line)]
		for _, row := range part.rows {
			line++
			row[p.line] = int64(line)
		}
		tx, err := s.Writer.Begin()
		check(p.b, err)
		write(tx, &part)
		check(p.b, tx.Commit())
	}
	return time.Since(begin)
}

func copyIn(tx *sql.Tx, p *parsed) {
	stmt, err := tx.Prepare("copy keyword_rankings (" + strings.Join(p.columns, ", ") + ") from stdin")
	check(p.b, err)
	for _, row := range p.rows {
		_, err := stmt.Exec(row...)
		check(p.b, err)
	}
	_, err = stmt.Exec()
	check(p.b, err)
	check(p.b, stmt.Close())
}

func insert(tx *sql.Tx, p *parsed) {
	const many = 20
	one := "(" + strings.TrimSuffix(strings.Repeat("?,", len(p.columns)), ",") + ")"
	prepare := func(rows int) *sql.Stmt {
		stmt, err := tx.Prepare("insert into keyword_rankings (" + strings.Join(p.columns, ", ") + ") values " +
			strings.TrimSuffix(strings.Repeat(one+",", rows), ","))
		check(p.b, err)
		return stmt
	}
	stmt, single := prepare(many), prepare(1)
	args := make([]any, 0, many*len(p.columns))
	for i, row := range p.rows {
		if args = append(args, row...); len(args) == cap(args) {
			_, err := stmt.Exec(args...)
			check(p.b, err)
			args = args[:0]
		} else if i == len(p.rows)-1 {
			for ; len(args) > 0; args = args[len(p.columns):] {
				_, err := single.Exec(args[:len(p.columns)]...)
				check(p.b, err)
			}
		}
	}
}
