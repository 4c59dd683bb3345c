package facts

import (
	"context"
	"fmt"
	"time"

	"github.com/contentgraph/contentgraph/internal/fault"
)

// errPruned says that the import writes to a week that is being pruned.
var errPruned = fault.New(fault.Conflict, "facts of such old weeks are being pruned just now, or a prune was stopped half way; "+
	"nothing is imported; let the prune end, then try again")

// partition makes the partition of the week of a period, if it is missing. Any
// number of processes may do so at once, and one may have died half way: what
// counts is that the partition is attached in the end.
func (w *writer) partition(ctx context.Context, start string) error {
	sunday, next := week(start)
	table := w.layout.dataset.Table
	part := partitionOf(w.layout.dataset, sunday.Format(time.DateOnly))
	var last error
	for try := range 10 {
		var attached, sealed bool
		err := w.im.Store.Writer.QueryRowContext(ctx, `select exists (select 1 from pg_inherits
where inhparent = to_regclass($1) and inhrelid = to_regclass($2)), exists (
select 1 from pg_constraint where conrelid = to_regclass($2) and conname = $3)`, table, part, seal).Scan(&attached, &sealed)
		if err != nil || attached && !sealed {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Duration(try) * 10 * time.Millisecond):
		}
		if last = errPruned; sealed {
			continue
		}
		if _, last = w.im.Store.Writer.ExecContext(ctx, "create table if not exists "+part+" (like "+table+" including all)"); last != nil {
			continue
		}
		_, last = w.im.Store.Writer.ExecContext(ctx, "alter table "+table+" attach partition "+part+
			" for values from ('"+sunday.Format(time.DateOnly)+"') to ('"+next.Format(time.DateOnly)+"')")
		if last == nil {
			return nil
		}
	}
	return fmt.Errorf("partition %s: %w", part, last)
}
