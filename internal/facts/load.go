package facts

import (
	"bytes"
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"strings"
)

const (
	statementRows = 20       // of one INSERT; more give no gain
	copyBytes     = 32 << 10 // given to the driver at once
)

// prepare prepares SQLite's statements once, on its only connection.
func (w *writer) prepare(ctx context.Context) error {
	if w.im.Store.Postgres() || w.inserts[0] != nil {
		return nil
	}
	n := len(w.layout.columns)
	row := "(" + strings.TrimSuffix(strings.Repeat("?,", n), ",") + ")"
	for i, rows := range []int{statementRows, 1} {
		text := fmt.Sprintf("insert into %s (%s) values %s", w.layout.dataset.Table,
			strings.Join(w.layout.columns, ", "), strings.TrimSuffix(strings.Repeat(row+",", rows), ","))
		var err error
		if w.inserts[i], err = w.im.Store.Writer.PrepareContext(ctx, text); err != nil {
			return err
		}
	}
	return nil
}

// insert writes rows, whose values stand one behind the other, to SQLite.
func (w *writer) insert(ctx context.Context, tx *sql.Tx, values []any) error {
	row := len(w.layout.columns)
	many, single := tx.StmtContext(ctx, w.inserts[0]), tx.StmtContext(ctx, w.inserts[1])
	for rest := values; len(rest) > 0; {
		stmt, n := single, row
		if len(rest) >= statementRows*row {
			stmt, n = many, statementRows*row
		}
		if _, err := stmt.ExecContext(ctx, rest[:n]...); err != nil {
			return err
		}
		rest = rest[n:]
	}
	return nil
}

// copyIn is how the driver takes lines that it need not make itself.
type copyIn interface {
	CopyData(ctx context.Context, lines string) (driver.Result, error)
}

// copy writes lines of COPY's text format to PostgreSQL, in the transaction of
// the connection.
func (w *writer) copy(ctx context.Context, conn *sql.Conn, text []byte) error {
	query := fmt.Sprintf("copy %s (%s) from stdin", w.layout.dataset.Table, strings.Join(w.layout.columns, ", "))
	return conn.Raw(func(c any) error {
		stmt, err := c.(driver.ConnPrepareContext).PrepareContext(ctx, query)
		if err != nil {
			return err
		}
		// The transaction watches the context; another watch for each call would cost more than the call.
		ctx := context.WithoutCancel(ctx)
		for len(text) > 0 && err == nil {
			end := min(copyBytes, len(text)-1)
			end += bytes.IndexByte(text[end:], '\n') // the driver adds the end of the last line
			_, err = stmt.(copyIn).CopyData(ctx, string(text[:end]))
			text = text[end+1:]
		}
		return stmt.Close() // it ends the copy and tells what went wrong
	})
}
