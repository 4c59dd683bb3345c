package facts

import (
	"context"
	"fmt"
	"time"
)

// partition makes the partition of the week of a period, if it is missing. Any
// number of processes may do so at once, and one may have died half way: what
// counts is that the partition is attached in the end.
func (w *writer) partition(ctx context.Context, start string) error {
	sunday, next := week(start)
	table := w.layout.dataset.Table
	part := table + "_" + sunday.Format("20060102")
	var last error
	for try := range 10 {
		var attached bool
		err := w.im.Store.Writer.QueryRowContext(ctx, `select exists (select 1 from pg_inherits
where inhparent = to_regclass($1) and inhrelid = to_regclass($2))`, table, part).Scan(&attached)
		if err != nil || attached {
			return err
		}
		if try > 0 {
			time.Sleep(time.Duration(try) * 10 * time.Millisecond)
		}
		if _, last = w.im.Store.Writer.ExecContext(ctx, "create table if not exists "+part+" (like "+table+" including all)"); last != nil {
			continue
		}
		_, last = w.im.Store.Writer.ExecContext(ctx, "alter table "+table+" attach partition "+part+
			" for values from ('"+sunday.Format(time.DateOnly)+"') to ('"+next.Format(time.DateOnly)+"')")
	}
	return fmt.Errorf("attach partition %s: %w", part, last)
}
