package facts

import (
	"context"
	"database/sql"
	"strconv"
)

// Rows a transaction. SQLite has one writer, whom a draft that is being saved
// must not miss for long; PostgreSQL copies faster in larger portions.
const (
	batchSQLite   = 500
	batchPostgres = 5000
	batchBytes    = 8 << 20 // of text, whatever the number of rows
)

// batch is the rows of one transaction: for SQLite as values, for PostgreSQL as
// the text that it copies.
type batch struct {
	rows   int
	values []any  // rows one behind the other
	text   []byte // lines of COPY's text format
	bytes  int    // of text in the rows
}

// row makes room for n values; drop takes it back.
func (b *batch) row(n int) []any {
	for range n {
		b.values = append(b.values, nil)
	}
	return b.values[len(b.values)-n:]
}

func (b *batch) drop(n int) {
	end := len(b.values) - n
	clear(b.values[end:])
	b.values = b.values[:end]
}

// add takes the row that there was made room for, and reports a full batch.
func (b *batch) add(row []any, postgres bool) (full bool) {
	b.rows++
	if postgres {
		b.text = appendLine(b.text, row)
		b.bytes = len(b.text)
		b.drop(len(row))
		return b.rows >= batchPostgres || b.bytes >= batchBytes
	}
	for _, v := range row {
		if text, ok := v.(string); ok {
			b.bytes += len(text)
		}
	}
	return b.rows >= batchSQLite || b.bytes >= batchBytes
}

func (b *batch) reset() {
	clear(b.values)
	b.rows, b.values, b.text, b.bytes = 0, b.values[:0], b.text[:0], 0
}

// appendLine writes a row in the text format of COPY. Texts are valid UTF-8
// without NUL.
func appendLine(dst []byte, row []any) []byte {
	for i, v := range row {
		if i > 0 {
			dst = append(dst, '\t')
		}
		switch v := v.(type) {
		case nil:
			dst = append(dst, '\\', 'N')
		case string:
			dst = appendEscaped(dst, v)
		case int:
			dst = strconv.AppendInt(dst, int64(v), 10)
		case int64:
			dst = strconv.AppendInt(dst, v, 10)
		}
	}
	return append(dst, '\n')
}

func appendEscaped(dst []byte, s string) []byte {
	start := 0
	for i := range len(s) {
		c := s[i]
		if c >= ' ' && c != '\\' {
			continue
		}
		switch c {
		case '\t':
			c = 't'
		case '\n':
			c = 'n'
		case '\r':
			c = 'r'
		case '\\':
		default:
			continue
		}
		dst = append(append(dst, s[start:i]...), '\\', c)
		start = i + 1
	}
	return append(dst, s[start:]...)
}

// hand has the batch written while the other one is filled, and tells how the
// batch before went.
func (w *writer) hand(ctx context.Context) error {
	if err := w.wait(); err != nil || w.batch.rows == 0 {
		return err
	}
	b, until := w.batch, w.until()
	w.batch, w.spare, w.renewed = w.spare, b, w.im.Now()
	w.writing = make(chan error, 1)
	go func() {
		err := w.write(ctx, b, until)
		b.reset()
		w.writing <- err
	}()
	return nil
}

// wait is for the batch that is being written.
func (w *writer) wait() error {
	if w.writing == nil {
		return nil
	}
	err := <-w.writing
	w.writing = nil
	return err
}

// flush writes what is left.
func (w *writer) flush(ctx context.Context) error {
	if err := w.hand(ctx); err != nil {
		return err
	}
	return w.wait()
}

// write writes a batch in a transaction of its own.
func (w *writer) write(ctx context.Context, b *batch, until int64) error {
	if err := w.prepare(ctx); err != nil {
		return err
	}
	w.im.Store.Yield(ctx)
	conn, err := w.im.Store.Writer.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // without effect after Commit
	before := w.lease
	if err := w.hold(ctx, tx, "", until); err != nil {
		return err
	}
	if err = w.put(ctx, conn, tx, b); err == nil {
		err = tx.Commit()
	}
	if err != nil {
		w.lease = before
		if is(err, "23514") { // the partition is sealed, or gone
			return errPruned
		}
	}
	return err
}

func (w *writer) put(ctx context.Context, conn *sql.Conn, tx *sql.Tx, b *batch) error {
	if w.im.Store.Postgres() {
		return w.copy(ctx, conn, b.text)
	}
	return w.insert(ctx, tx, b.values)
}
