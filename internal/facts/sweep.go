package facts

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/execution"
	"github.com/contentgraph/contentgraph/ent/db/factimport"
	"github.com/contentgraph/contentgraph/ent/db/factslice"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// Sweep deletes what imports that were killed left behind, and replaced facts
// that no unfinished execution reads any more. Any number of processes may
// sweep at once, next to imports: each transaction proves that what it deletes
// from is still to be deleted, since a number is used again once it is free.
func (im *Importer) Sweep(ctx context.Context) error {
	ctx = store.System(ctx)
	return errors.Join(im.sweepKilled(ctx), im.sweepRetired(ctx))
}

func (im *Importer) sweepKilled(ctx context.Context) error {
	killed, err := im.Store.FactImport.Query().
		Where(factimport.StateEQ(factimport.StateWRITING), factimport.LeaseUntilLT(im.Now().UnixMilli())).All(ctx)
	if err != nil {
		return err
	}
	for _, i := range killed {
		// Not to be caught up with by the import, should it wake up.
		c := &claim{im: im, i: i, lease: i.LeaseUntil}
		if err := c.extend(ctx, im.Store.Writer); err != nil {
			if errors.Is(err, errLost) {
				continue // it lives, or another process sweeps it
			}
			return err
		}
		if err := c.remove(ctx); err != nil && !errors.Is(err, errLost) {
			return err
		}
	}
	return nil
}

// claim is an import that is being removed by one process, under its lease.
type claim struct {
	im    *Importer
	i     *db.FactImport
	lease int64
}

func (c *claim) extend(ctx context.Context, tx execer) error {
	until := max(c.im.until(), c.lease)
	err := exactly(ctx, tx, 1, `update fact_imports set lease_until = $1 where id = $2 and state = 'WRITING' and lease_until = $3`,
		until, c.i.ID.String(), c.lease)
	if err == nil {
		c.lease = until
	}
	return err
}

// remove deletes the facts, then the import.
func (c *claim) remove(ctx context.Context) error {
	d, ok := vocab.LookupDataset(c.i.Dataset)
	if !ok {
		return fmt.Errorf("facts: import of the unknown dataset %q", c.i.Dataset)
	}
	for start := ""; ; {
		// The starts that the import wrote are not recorded; the key leads from
		// one of the account to the next.
		err := c.im.Store.Reader.QueryRowContext(ctx, `select time_period_start from `+d.Table+`
where account_id = $1 and time_period_start > $2 order by time_period_start limit 1`, c.i.AccountID, start).Scan(&start)
		if errors.Is(err, sql.ErrNoRows) {
			break
		}
		if err != nil {
			return err
		}
		if err := c.im.erase(ctx, erasure{dataset: d, account: c.i.AccountID, start: start, number: c.i.Number, hold: c.extend}); err != nil {
			return err
		}
	}
	return exactly(ctx, c.im.Store.Writer, 1, `delete from fact_imports where id = $1 and state = 'WRITING' and lease_until = $2`,
		c.i.ID.String(), c.lease)
}

// erasure names an import's rows of one start, or those of some of its slices.
type erasure struct {
	dataset *vocab.Dataset
	account int
	start   string
	number  int
	slices  []int                               // nil = all
	hold    func(context.Context, execer) error // begins every transaction
	tell    func(rows int)                      // after each; nil = nobody
}

// erase deletes rows in short transactions.
func (im *Importer) erase(ctx context.Context, e erasure) error {
	portion := batchSQLite
	if im.Store.Postgres() {
		portion = batchPostgres
	}
	where := " from " + e.dataset.Table + " where account_id = $1 and time_period_start = $2 and import_no = $3 and line > $4"
	if e.slices != nil {
		where += " and slice in (" + integers(e.slices) + ")"
	}
	next := fmt.Sprintf("select max(line) from (select line%s order by line limit %d) as portion", where, portion)
	for after := int64(-1); ; {
		tx, err := im.Store.Writer.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		var last sql.NullInt64
		var rows int64
		err = func() error {
			defer tx.Rollback() // without effect after Commit
			if err := e.hold(ctx, tx); err != nil {
				return err
			}
			if err := tx.QueryRowContext(ctx, next, e.account, e.start, e.number, after).Scan(&last); err != nil {
				return err
			}
			if last.Valid {
				res, err := tx.ExecContext(ctx, "delete"+where+" and line <= $5", e.account, e.start, e.number, after, last.Int64)
				if err != nil {
					return err
				}
				if rows, err = res.RowsAffected(); err != nil {
					return err
				}
			}
			return tx.Commit()
		}()
		if err != nil || !last.Valid {
			return err
		}
		after = last.Int64
		if e.tell != nil {
			e.tell(int(rows))
		}
	}
}

// abandon removes what an import that failed has written, as far as possible
// within a minute; a sweep does the rest.
func (w *writer) abandon(ctx context.Context) error {
	w.wait() // an error of it is not the first
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	for _, s := range w.shares {
		i := &db.FactImport{ID: s.id, AccountID: s.account, Number: s.number, Dataset: w.layout.dataset.Name}
		c := &claim{im: w.im, i: i, lease: w.lease}
		if err := c.remove(ctx); err != nil && !errors.Is(err, errLost) {
			return fmt.Errorf("remove an import that failed: %w", err)
		}
	}
	return nil
}

func (im *Importer) sweepRetired(ctx context.Context) error {
	retired, err := im.Store.FactSlice.Query().
		Where(factslice.RetiredLT(im.Now().Add(-im.Grace).UnixMilli())).All(ctx)
	if err != nil || len(retired) == 0 {
		return err
	}
	pinned, err := im.pinned(ctx)
	if err != nil {
		return err
	}
	retired = slices.DeleteFunc(retired, func(s *db.FactSlice) bool { return pinned[sliceKey{s.AccountID, s.ImportNo, s.Slice}] })
	for _, group := range together(retired) {
		if err := im.removeSlices(ctx, group, nil); err != nil && !errors.Is(err, errLost) {
			return err
		}
	}
	return im.removeEmptied(ctx)
}

// removeEmptied deletes imports none of whose facts are left.
func (im *Importer) removeEmptied(ctx context.Context) error {
	// An import goes with the last slice of its file: until then its number of
	// rows tells that some of the file was replaced.
	_, err := im.Store.Writer.ExecContext(ctx, `delete from fact_imports where state = 'DONE' and not exists (
select 1 from fact_imports f join fact_slices s on s.account_id = f.account_id and s.import_no = f.number
where f.file_id = fact_imports.file_id)`)
	return err
}

// removeSlices deletes the rows of slices of one import and start, then the slices.
func (im *Importer) removeSlices(ctx context.Context, group []*db.FactSlice, tell func(rows int)) error {
	first := group[0]
	d, ok := vocab.LookupDataset(first.Dataset)
	if !ok {
		return fmt.Errorf("facts: slice of the unknown dataset %q", first.Dataset)
	}
	e := erasure{dataset: d, account: first.AccountID, start: first.PeriodStart, number: first.ImportNo, tell: tell}
	for _, s := range group {
		e.slices = append(e.slices, s.Slice)
	}
	text := fmt.Sprintf(`update fact_slices set retired = retired
where account_id = $1 and import_no = $2 and retired is not null and slice in (%s)`, integers(e.slices))
	e.hold = func(ctx context.Context, tx execer) error {
		return exactly(ctx, tx, len(group), text, e.account, e.number)
	}
	if err := im.erase(ctx, e); err != nil {
		return err
	}
	return im.forget(ctx, group)
}

type sliceKey struct{ account, number, slice int }

// pinned are the slices that unfinished executions still have to read.
func (im *Importer) pinned(ctx context.Context) (map[sliceKey]bool, error) {
	running, err := im.Store.Execution.Query().Where(execution.State(vocab.InProgress)).All(ctx)
	if err != nil {
		return nil, err
	}
	pinned := map[sliceKey]bool{}
	for _, e := range running {
		for _, p := range e.Pins {
			for _, s := range p.Slices {
				pinned[sliceKey{e.AccountID, p.Import, s}] = true
			}
		}
	}
	return pinned, nil
}
