package facts

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/factslice"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// PruneOptions say what to prune.
type PruneOptions struct {
	// Before is a day, yyyy-MM-dd, not after today: facts whose period ends
	// earlier go.
	Before string
	// DryRun changes nothing and reports what would go.
	DryRun bool
	// Progress is told how many rows are removed so far.
	Progress func(done, total int)
}

// Pruned says what went of one dataset.
type Pruned struct {
	Dataset    string `json:"dataset"`
	Rows       int    `json:"rows"`
	Slices     int    `json:"slices"`
	Weeks      int    `json:"weeks"`      // of which any rows went
	Partitions int    `json:"partitions"` // weeks that were dropped as a whole (PostgreSQL)
	// Bytes were given back to the file system by partitions, or on SQLite to
	// the file, where later imports use them.
	Bytes int64 `json:"bytes"`
	// KeptRows and KeptSlices are out of sight, but unfinished executions still
	// read them; a sweep removes them afterwards.
	KeptRows   int `json:"keptRows"`
	KeptSlices int `json:"keptSlices"`
}

// Prune removes the facts of all accounts whose period ended before a day. They
// are out of sight at one moment, before the first row goes. Whole weeks go by
// dropping their partition on PostgreSQL, everything else in short transactions.
// What was done is reported beside an error, too; calling it again goes on.
func (im *Importer) Prune(ctx context.Context, o PruneOptions) ([]Pruned, error) {
	day, ok := date(o.Before)
	if !ok {
		return nil, fault.BadField("before", "must be a date that exists, as yyyy-MM-dd")
	}
	if day.After(im.Now().UTC()) {
		return nil, fault.BadField("before", "must not be after today")
	}
	ctx = store.System(ctx)
	if !o.DryRun {
		if err := im.sweepKilled(ctx); err != nil {
			return nil, err
		}
		if err := im.retireBefore(ctx, o.Before); err != nil {
			return nil, err
		}
	}
	pinned, err := im.pinned(ctx)
	if err != nil {
		return nil, err
	}
	p := &prune{im: im, options: o}
	for _, d := range vocab.Datasets {
		if err := p.plan(ctx, d, pinned); err != nil {
			return nil, err
		}
	}
	if !o.DryRun {
		err = p.run(ctx)
	}
	var reports []Pruned
	for _, d := range p.datasets {
		reports = append(reports, d.report)
	}
	return reports, err
}

// retireBefore takes the slices out of sight. On PostgreSQL it waits until no
// transaction is left that has read slices: whoever pins one has done so for all
// to see, and nobody pins one from then on. SQLite has a single writer anyway.
func (im *Importer) retireBefore(ctx context.Context, before string) error {
	return patiently(ctx, "the facts", func() error {
		return im.Store.Tx(ctx, func(tx *db.Client) error {
			if im.Store.Postgres() {
				for _, text := range []string{setLockTimeout("local"), "lock table fact_slices in access exclusive mode"} {
					if _, err := tx.ExecContext(ctx, text); err != nil {
						return err
					}
				}
			}
			return tx.FactSlice.Update().Where(factslice.PeriodEndLT(before), factslice.RetiredIsNil()).
				SetRetired(im.Now().UnixMilli()).Exec(ctx)
		})
	})
}

// prune is one run over all datasets.
type prune struct {
	im          *Importer
	options     PruneOptions
	datasets    []*pruneDataset
	done, total int
}

type pruneDataset struct {
	*vocab.Dataset
	weeks  []*pruneWeek // in order
	report Pruned
}

// pruneWeek is a week, Sunday to Saturday, by the start of periods.
type pruneWeek struct {
	sunday, next string
	whole        bool // nothing of it stays: it may be dropped
	free         []*db.FactSlice
}

// plan finds what goes of a dataset, and reports it as if it was done.
func (p *prune) plan(ctx context.Context, d *vocab.Dataset, pinned map[sliceKey]bool) error {
	due := p.im.Store.FactSlice.Query().Where(factslice.Dataset(d.Name), factslice.PeriodEndLT(p.options.Before))
	if !p.options.DryRun {
		due.Where(factslice.RetiredNotNil()) // what was imported since the retiring stays
	}
	all, err := due.All(ctx)
	if err != nil {
		return err
	}
	out := &pruneDataset{Dataset: d, report: Pruned{Dataset: d.Name}}
	p.datasets = append(p.datasets, out)
	weeks := map[string]*pruneWeek{}
	at := func(start string) *pruneWeek {
		sunday, next := week(start)
		w := &pruneWeek{sunday: sunday.Format(time.DateOnly), next: next.Format(time.DateOnly)}
		if known := weeks[w.sunday]; known != nil {
			return known
		}
		weeks[w.sunday] = w
		w.whole = p.im.Store.Postgres() && w.next <= p.options.Before
		return w
	}
	for _, s := range all {
		w := at(s.PeriodStart)
		if pinned[sliceKey{s.AccountID, s.ImportNo, s.Slice}] {
			w.whole = false
			out.report.KeptSlices++
			out.report.KeptRows += s.Rows
			continue
		}
		w.free = append(w.free, s)
		out.report.Slices++
		out.report.Rows += s.Rows
	}
	// Partitions may be empty, or left behind by a run that was stopped.
	partitions, err := p.im.partitions(ctx, d)
	if err != nil {
		return err
	}
	for _, sunday := range partitions {
		if _, next := week(sunday); next.Format(time.DateOnly) <= p.options.Before {
			at(sunday)
		}
	}
	for _, sunday := range slices.Sorted(maps.Keys(weeks)) {
		w := weeks[sunday]
		out.weeks = append(out.weeks, w)
		if w.whole && slices.Contains(partitions, sunday) {
			out.report.Partitions++
		}
		if len(w.free) > 0 {
			out.report.Weeks++
		}
	}
	p.total += out.report.Rows
	return nil
}

// run removes what is planned, and counts again what really went.
func (p *prune) run(ctx context.Context) error {
	for _, d := range p.datasets {
		d.report = Pruned{Dataset: d.Name, KeptRows: d.report.KeptRows, KeptSlices: d.report.KeptSlices}
	}
	for _, d := range p.datasets {
		unused, err := p.im.unusedBytes(ctx)
		if err != nil {
			return err
		}
		for _, w := range d.weeks {
			if err := p.week(ctx, d, w); err != nil {
				return err
			}
		}
		now, err := p.im.unusedBytes(ctx)
		if err != nil {
			return err
		}
		d.report.Bytes += max(0, now-unused)
	}
	return p.im.removeEmptied(ctx)
}

func (p *prune) week(ctx context.Context, d *pruneDataset, w *pruneWeek) error {
	dropped := false
	if w.whole {
		var bytes int64
		var err error
		if dropped, bytes, err = p.im.dropWeek(ctx, d.Dataset, w); err != nil {
			return err
		}
		d.report.Bytes += bytes
	}
	switch {
	case dropped:
		d.report.Partitions++
		if err := p.im.forget(ctx, w.free); err != nil {
			return err
		}
		p.tell(rowsOf(w.free))
		d.gone(w.free)
	default:
		for _, group := range together(w.free) {
			switch err := p.im.removeSlices(ctx, group, p.tell); {
			case errors.Is(err, errLost): // a sweep is at it
			case err != nil:
				return err
			default:
				d.gone(group)
			}
		}
	}
	if len(w.free) > 0 {
		d.report.Weeks++
	}
	return nil
}

func (d *pruneDataset) gone(slices []*db.FactSlice) {
	d.report.Slices += len(slices)
	d.report.Rows += rowsOf(slices)
}

func (p *prune) tell(rows int) {
	p.done += rows
	if p.options.Progress != nil {
		p.options.Progress(min(p.done, p.total), p.total)
	}
}

func rowsOf(list []*db.FactSlice) (n int) {
	for _, s := range list {
		n += s.Rows
	}
	return n
}

// together groups slices whose rows lie together: those of one import and start.
func together(list []*db.FactSlice) (groups [][]*db.FactSlice) {
	const most = 1000 // a statement has a bounded number of arguments
	order := func(a, b *db.FactSlice) int {
		return cmp.Or(cmp.Compare(a.Dataset, b.Dataset), cmp.Compare(a.AccountID, b.AccountID),
			cmp.Compare(a.PeriodStart, b.PeriodStart), cmp.Compare(a.ImportNo, b.ImportNo))
	}
	list = slices.SortedStableFunc(slices.Values(list), order)
	for _, s := range list {
		last := len(groups) - 1
		if last < 0 || order(groups[last][0], s) != 0 || len(groups[last]) == most {
			groups = append(groups, nil)
			last++
		}
		groups[last] = append(groups[last], s)
	}
	return groups
}

// forget deletes slices whose rows are gone.
func (im *Importer) forget(ctx context.Context, list []*db.FactSlice) error {
	for chunk := range slices.Chunk(list, 1000) {
		if _, err := im.Store.FactSlice.Delete().Where(factslice.IDIn(idsOf(chunk)...)).Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}

func idsOf(list []*db.FactSlice) []uuid.UUID {
	ids := []uuid.UUID{}
	for _, s := range list {
		ids = append(ids, s.ID)
	}
	return ids
}

// unusedBytes is what SQLite's file holds for later use; on PostgreSQL, 0.
func (im *Importer) unusedBytes(ctx context.Context) (int64, error) {
	if im.Store.Postgres() {
		return 0, nil
	}
	var pages, size int64
	err := errors.Join(im.Store.Reader.QueryRowContext(ctx, `pragma freelist_count`).Scan(&pages),
		im.Store.Reader.QueryRowContext(ctx, `pragma page_size`).Scan(&size))
	return pages * size, err
}
