package facts

import (
	"context"
	"errors"
	"maps"
	"slices"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/account"
	"github.com/contentgraph/contentgraph/ent/db/factimport"
	"github.com/contentgraph/contentgraph/ent/db/factslice"
	"github.com/contentgraph/contentgraph/internal/fault"
)

// errUnchanged says that the same bytes are current already.
var errUnchanged = errors.New("facts: unchanged")

// publish makes what was written current, in one short transaction.
func (r *run) publish(ctx context.Context) error {
	lease := r.out.lease
	for try := 0; ; try++ {
		err := r.im.Store.Tx(ctx, func(tx *db.Client) error {
			r.out.lease = lease
			return r.becomeCurrent(ctx, tx)
		})
		if err != nil {
			r.out.lease = lease
		}
		// Another import may make the same account or rank source just now.
		if !db.IsConstraintError(err) || try == 5 {
			return err
		}
	}
}

func (r *run) becomeCurrent(ctx context.Context, tx *db.Client) error {
	accounts := slices.Sorted(maps.Keys(r.out.shares))
	if err := r.names.create(ctx, tx, r.im.Now()); err != nil {
		return err
	}
	if err := r.im.lock(ctx, tx, accounts); err != nil {
		return err
	}
	same, err := r.same(ctx, tx)
	if err != nil {
		return err
	}
	if same.current != nil {
		return errCurrent
	}
	if err := r.out.hold(ctx, tx, "state = 'DONE', ", r.out.until()); err != nil {
		return err
	}
	r.report.Replaced = 0
	for _, a := range accounts {
		s := r.out.shares[a]
		if r.options.Replace {
			if err := r.retire(ctx, tx, a, s.number, slices.Collect(maps.Keys(s.slices))); err != nil {
				return err
			}
		}
		if err := tx.FactImport.UpdateOneID(s.id).SetRows(s.rows).Exec(ctx); err != nil {
			return err
		}
		if err := r.insertSlices(ctx, tx, s); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) insertSlices(ctx context.Context, tx *db.Client, s *share) error {
	var rows []*db.FactSliceCreate
	for p, sl := range s.slices {
		rows = append(rows, tx.FactSlice.Create().SetAccountID(s.account).SetDataset(r.layout.dataset.Name).
			SetImportNo(s.number).SetSlice(sl.number).SetWebPropertyID(p.property).SetFrequency(p.frequency).
			SetPeriodStart(p.start).SetPeriodEnd(p.end).SetRows(sl.rows))
	}
	for chunk := range slices.Chunk(rows, 1000) { // a statement has a bounded number of arguments
		if err := tx.FactSlice.CreateBulk(chunk...).Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}

// lock keeps other imports from becoming current in these accounts until the
// transaction ends. SQLite has a single writer anyway.
func (im *Importer) lock(ctx context.Context, tx *db.Client, accounts []int) error {
	if !im.Store.Postgres() {
		return nil
	}
	_, err := tx.Account.Query().Where(account.IDIn(accounts...)).Order(account.ByID()).ForUpdate().All(ctx)
	return err
}

// retire ends the slices of these periods that other imports have current.
func (r *run) retire(ctx context.Context, tx *db.Client, account, number int, periods []period) error {
	covered := map[period]bool{}
	first, last := periods[0].start, periods[0].start
	for _, p := range periods {
		covered[p] = true
		first, last = min(first, p.start), max(last, p.start)
	}
	current, err := tx.FactSlice.Query().Where(
		factslice.AccountID(account), factslice.Dataset(r.layout.dataset.Name), factslice.RetiredIsNil(),
		factslice.ImportNoNEQ(number), factslice.PeriodStartGTE(first), factslice.PeriodStartLTE(last),
	).All(ctx)
	if err != nil {
		return err
	}
	var ids []uuid.UUID
	for _, s := range current {
		if covered[periodOf(s)] {
			ids = append(ids, s.ID)
		}
	}
	r.report.Replaced += len(ids)
	for chunk := range slices.Chunk(ids, 1000) {
		if err := tx.FactSlice.Update().Where(factslice.IDIn(chunk...)).SetRetired(r.im.Now().UnixMilli()).Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}

func periodOf(s *db.FactSlice) period {
	return period{s.WebPropertyID, s.Frequency, s.PeriodStart, s.PeriodEnd}
}

// earlier is what is left of imports of the same bytes.
type earlier struct {
	current []*db.FactImport // of a file all of whose slices are current
	partly  bool             // else: some slices of a file are
}

// same looks for imports of the same bytes.
func (r *run) same(ctx context.Context, c *db.Client) (earlier, error) {
	imports, err := c.FactImport.Query().Where(
		factimport.Dataset(r.layout.dataset.Name), factimport.Digest(r.digest), factimport.StateEQ(factimport.StateDONE),
	).Order(factimport.ByAccountID()).All(ctx)
	if err != nil {
		return earlier{}, err
	}
	files := map[uuid.UUID][]*db.FactImport{}
	rows, currentRows := map[uuid.UUID]int{}, map[uuid.UUID]int{}
	for _, i := range imports {
		parts, err := c.FactSlice.Query().Where(factslice.AccountID(i.AccountID), factslice.ImportNo(i.Number), factslice.RetiredIsNil()).
			Select(factslice.FieldRows).Ints(ctx)
		if err != nil {
			return earlier{}, err
		}
		files[i.FileID] = append(files[i.FileID], i)
		rows[i.FileID] += i.Rows
		for _, n := range parts {
			currentRows[i.FileID] += n
		}
	}
	var e earlier
	for id, file := range files {
		switch currentRows[id] {
		case rows[id]:
			return earlier{current: file}, nil
		case 0:
		default:
			e.partly = true
		}
	}
	return e, nil
}

// unless answers errUnchanged when the same bytes are current already; with
// Replace they become the only current ones.
func (r *run) unless(ctx context.Context) error {
	var found []*db.FactImport
	err := r.im.Store.Tx(ctx, func(tx *db.Client) error {
		same, err := r.same(ctx, tx)
		if err != nil {
			return err
		}
		found = same.current
		switch {
		case same.partly && !r.options.Replace:
			return fault.New(fault.Invalid, "%s was imported before and some of its periods were replaced or pruned since; "+
				"import it with --replace to make all of it current again", r.name)
		case found != nil && r.options.Replace:
			return r.replaceBy(ctx, tx, found)
		}
		return nil
	})
	if err != nil || found == nil {
		return err
	}
	r.report.Unchanged, r.report.FileID = true, found[0].FileID
	for _, i := range found {
		r.report.Accounts = append(r.report.Accounts, i.AccountID)
	}
	return errUnchanged
}

// replaceBy makes imports that are current the only current ones of their slices.
func (r *run) replaceBy(ctx context.Context, tx *db.Client, imports []*db.FactImport) error {
	var accounts []int
	for _, i := range imports {
		accounts = append(accounts, i.AccountID)
	}
	if err := r.im.lock(ctx, tx, accounts); err != nil {
		return err
	}
	r.report.Replaced = 0
	for _, i := range imports {
		own, err := tx.FactSlice.Query().Where(factslice.AccountID(i.AccountID), factslice.ImportNo(i.Number), factslice.RetiredIsNil()).All(ctx)
		if err != nil {
			return err
		}
		var periods []period
		rows := 0
		for _, s := range own {
			periods = append(periods, periodOf(s))
			rows += s.Rows
		}
		if rows != i.Rows {
			return fault.New(fault.Conflict, "%s was replaced by another import just now; try again", r.name)
		}
		if err := r.retire(ctx, tx, i.AccountID, i.Number, periods); err != nil {
			return err
		}
	}
	return nil
}

// newest orders imports by number, the highest first.
var newest = factimport.ByNumber(sql.OrderDesc())
