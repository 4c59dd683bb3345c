package facts

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/factimport"
	"github.com/contentgraph/contentgraph/internal/fault"
)

// writer writes the rows of one file under imports that nobody reads yet, one
// for each account. Every transaction proves by a lease that the imports were
// not swept meanwhile. While one batch is written the next one is filled.
type writer struct {
	im     *Importer
	layout *layout
	file   uuid.UUID
	name   string
	digest string

	shares  map[int]*share  // by account
	weeks   map[string]bool // that have a partition, by start of period
	last    place           // of the last row
	batch   *batch          // that is being filled
	spare   *batch
	writing chan error // of the batch before; nil = none; wait before any use of lease
	lease   int64      // until, Unix milliseconds, as all imports of the file have it
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

// place is where a row goes.
type place struct {
	account int
	period  period
	share   *share
	slice   *slice
}

func newWriter(im *Importer, l *layout, file uuid.UUID, name, digest string) *writer {
	return &writer{
		im: im, layout: l, file: file, name: name, digest: digest,
		shares: map[int]*share{}, weeks: map[string]bool{}, batch: new(batch), spare: new(batch),
		lease: im.until(), renewed: im.Now(),
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
func (w *writer) row() []any { return w.batch.row(len(w.layout.columns)) }
func (w *writer) drop()      { w.batch.drop(len(w.layout.columns)) }

// add puts the row, the last of the batch, into its slice.
func (w *writer) add(ctx context.Context, row []any, line, account int, p period) error {
	if w.last.share == nil || w.last.account != account || w.last.period != p {
		if err := w.find(ctx, account, p); err != nil {
			return err
		}
	}
	w.last.share.rows++
	w.last.slice.rows++
	row[0], row[1], row[2] = line, w.last.share.number, w.last.slice.number
	if w.batch.add(row, w.im.Store.Postgres()) {
		return w.hand(ctx)
	}
	return nil
}

// find makes ready where a row goes.
func (w *writer) find(ctx context.Context, account int, p period) error {
	s := w.shares[account]
	if s == nil {
		var err error
		if s, err = w.begin(ctx, account); err != nil {
			return err
		}
		w.shares[account] = s
	}
	// The strings are parts of a whole record, which must not stay.
	p = period{p.property, strings.Clone(p.frequency), strings.Clone(p.start), strings.Clone(p.end)}
	sl := s.slices[p]
	if sl == nil {
		sl = &slice{number: len(s.slices)}
		s.slices[p] = sl
	}
	if w.im.Store.Postgres() && !w.weeks[p.start] {
		if err := w.partition(ctx, p.start); err != nil {
			return err
		}
		w.weeks[p.start] = true
	}
	w.last = place{account, p, s, sl}
	return nil
}

// begin makes the import of an account, with the next number.
func (w *writer) begin(ctx context.Context, account int) (*share, error) {
	if err := w.wait(); err != nil {
		return nil, err
	}
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

// hold extends the lease of the file's imports until a moment, or fails when it
// was lost.
func (w *writer) hold(ctx context.Context, tx execer, set string, until int64) error {
	err := exactly(ctx, tx, len(w.shares), `update fact_imports set `+set+`lease_until = $1
where state = 'WRITING' and lease_until = $2 and file_id = $3`, until, w.lease, w.file.String())
	if err == nil {
		w.lease = until
	}
	return err
}

// until is how long the lease is to be held from now on.
func (w *writer) until() int64 { return max(w.im.until(), w.lease) }

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
	now := w.im.Now()
	if now.Sub(w.renewed) < w.im.Lease/6 {
		return nil
	}
	if err := w.wait(); err != nil {
		return err
	}
	w.renewed = now
	return w.hold(ctx, w.im.Store.Writer, "", w.until())
}
