package facts

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/factimport"
	"github.com/contentgraph/contentgraph/internal/fault"
)

// Rows a transaction. SQLite has one writer, whom a draft that is being saved
// must not miss for long; PostgreSQL copies faster in larger portions.
const (
	batchSQLite   = 500
	batchPostgres = 5000
	batchBytes    = 8 << 20 // of text, whatever the number of rows
	statementRows = 20      // of one INSERT; more give no gain
)

// writer writes the rows of one file under imports that nobody reads yet, one
// for each account. Every transaction proves by a lease that the imports were
// not swept meanwhile.
type writer struct {
	im     *Importer
	layout *layout
	file   uuid.UUID
	name   string
	digest string

	shares  map[int]*share  // by account
	weeks   map[string]bool // that have a partition, by start of period
	batch   []any           // rows one behind the other
	bytes   int             // of text in the batch
	lease   int64           // until, Unix milliseconds, as all imports of the file have it
	renewed time.Time
	inserts [2]*sql.Stmt // SQLite: of many rows, of one
}

// share is an account's part of the file.
type share struct {
	id      uuid.UUID
	account int
	number  int
	rows    int
	slices  map[period]*slice
}

// slice is what becomes current, and is replaced, as a whole.
type slice struct{ number, rows int }

func newWriter(im *Importer, l *layout, file uuid.UUID, name, digest string) *writer {
	return &writer{
		im: im, layout: l, file: file, name: name, digest: digest,
		shares: map[int]*share{}, weeks: map[string]bool{}, lease: im.until(), renewed: im.Now(),
	}
}

func (im *Importer) until() int64 { return im.Now().Add(im.Lease).UnixMilli() }

func (w *writer) close() {
	for _, stmt := range w.inserts {
		if stmt != nil {
			stmt.Close()
		}
	}
}

// row makes room for a row at the end of the batch; drop takes it back.
func (w *writer) row() []any {
	n := len(w.layout.columns)
	for range n {
		w.batch = append(w.batch, nil)
	}
	return w.batch[len(w.batch)-n:]
}

func (w *writer) drop() {
	end := len(w.batch) - len(w.layout.columns)
	clear(w.batch[end:])
	w.batch = w.batch[:end]
}

// add puts the row, the last of the batch, into its slice.
func (w *writer) add(ctx context.Context, row []any, line, account int, p period) error {
	s := w.shares[account]
	if s == nil {
		var err error
		if s, err = w.begin(ctx, account); err != nil {
			return err
		}
		w.shares[account] = s
	}
	sl := s.slices[p]
	if sl == nil {
		sl = &slice{number: len(s.slices)}
		// The strings are parts of a whole record, which must not stay.
		s.slices[period{p.property, strings.Clone(p.frequency), strings.Clone(p.start), strings.Clone(p.end)}] = sl
	}
	s.rows++
	sl.rows++
	row[0], row[1], row[2] = line, s.number, sl.number
	for _, v := range row {
		if text, ok := v.(string); ok {
			w.bytes += len(text)
		}
	}
	if w.im.Store.Postgres() && !w.weeks[p.start] {
		if err := w.partition(ctx, p.start); err != nil {
			return err
		}
		w.weeks[strings.Clone(p.start)] = true
	}
	limit := batchSQLite
	if w.im.Store.Postgres() {
		limit = batchPostgres
	}
	if len(w.batch) >= limit*len(w.layout.columns) || w.bytes >= batchBytes {
		return w.flush(ctx)
	}
	return nil
}

// begin makes the import of an account, with the next number.
func (w *writer) begin(ctx context.Context, account int) (*share, error) {
	s := &share{id: w.im.NewID(), account: account, slices: map[period]*slice{}}
	for try := 0; ; try++ {
		last, err := w.im.Store.FactImport.Query().Where(factimport.AccountID(account)).
			Order(newest).First(ctx)
		switch {
		case err == nil:
			s.number = last.Number + 1
		case db.IsNotFound(err):
			s.number = 1
		default:
			return nil, err
		}
		err = w.im.Store.FactImport.Create().SetID(s.id).SetAccountID(account).SetNumber(s.number).
			SetDataset(w.layout.dataset.Name).SetFileID(w.file).SetFileName(w.name).SetDigest(w.digest).
			SetLeaseUntil(w.lease).SetCreated(w.im.Now().UTC().Truncate(time.Millisecond)).Exec(ctx)
		if !db.IsConstraintError(err) || try == 20 {
			return s, err
		}
	}
}

// errLost says that the imports were swept, because their lease had run out.
var errLost = fault.New(fault.Unavailable, "the import was held up for too long and is given up; nothing is imported; try again")

// execer is a transaction of database/sql or ent.
type execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// hold extends the lease of the file's imports, or fails when it was lost.
func (w *writer) hold(ctx context.Context, tx execer, set string) error {
	until := max(w.im.until(), w.lease)
	err := exactly(ctx, tx, len(w.shares), `update fact_imports set `+set+`lease_until = $1
where state = 'WRITING' and lease_until = $2 and file_id = $3`, until, w.lease, w.file.String())
	if err == nil {
		w.lease, w.renewed = until, w.im.Now()
	}
	return err
}

// exactly changes n rows, or fails with errLost.
func exactly(ctx context.Context, tx execer, n int, query string, args ...any) error {
	res, err := tx.ExecContext(ctx, query, args...)
	if err != nil {
		return err
	}
	if changed, err := res.RowsAffected(); err != nil || changed != int64(n) {
		return errors.Join(errLost, err)
	}
	return nil
}

// renew extends the lease when nothing was written for a while.
func (w *writer) renew(ctx context.Context) error {
	if w.im.Now().Sub(w.renewed) < w.im.Lease/6 {
		return nil
	}
	return w.hold(ctx, w.im.Store.Writer, "")
}

// flush writes the batch in a transaction of its own.
func (w *writer) flush(ctx context.Context) error {
	if len(w.batch) == 0 {
		return nil
	}
	if err := w.prepare(ctx); err != nil {
		return err
	}
	w.im.Store.Yield(ctx)
	tx, err := w.im.Store.Writer.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // without effect after Commit
	before := w.lease
	if err := w.hold(ctx, tx, ""); err != nil {
		return err
	}
	write := w.insert
	if w.im.Store.Postgres() {
		write = w.copy
	}
	if err = write(ctx, tx); err == nil {
		err = tx.Commit()
	}
	if err != nil {
		w.lease = before
		if is(err, "23514") { // the partition is sealed, or gone
			return errPruned
		}
		return err
	}
	clear(w.batch)
	w.batch, w.bytes = w.batch[:0], 0
	return nil
}

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

func (w *writer) insert(ctx context.Context, tx *sql.Tx) error {
	row := len(w.layout.columns)
	many, single := tx.StmtContext(ctx, w.inserts[0]), tx.StmtContext(ctx, w.inserts[1])
	for rest := w.batch; len(rest) > 0; {
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

func (w *writer) copy(ctx context.Context, tx *sql.Tx) error {
	stmt, err := tx.PrepareContext(ctx, fmt.Sprintf("copy %s (%s) from stdin",
		w.layout.dataset.Table, strings.Join(w.layout.columns, ", ")))
	if err != nil {
		return err
	}
	defer stmt.Close()
	row := len(w.layout.columns)
	for rest := w.batch; len(rest) > 0; rest = rest[row:] {
		if _, err := stmt.ExecContext(ctx, rest[:row]...); err != nil {
			return err
		}
	}
	_, err = stmt.ExecContext(ctx)
	return err
}
