package facts

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lib/pq"

	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// A partition goes in three steps, after each of which a process may die; the
// next run goes on where it ended.
//
//	sealed    it takes no more rows, and none that it has will be read
//	detached  queries do not know it any more
//	dropped   its space is returned
//
// Only then the slices go, and with them the numbers of imports: a number that
// is used again never meets rows of old.

// seal is the name of the constraint that keeps rows out of a partition. It is
// not validated, so that the rows that are there do not matter.
const seal = "pruned"

// lockTimeout bounds how long others wait behind one that waits for a lock.
const lockTimeout = time.Second

func setLockTimeout(scope string) string {
	return fmt.Sprintf("set %s lock_timeout = %d", scope, lockTimeout.Milliseconds())
}

// patiently does again what could not get its locks in time, or what another
// process was quicker to do: each step looks first at what is left to do.
func patiently(ctx context.Context, what string, fn func() error) error {
	const tries = 20
	for try := 1; ; try++ {
		err := fn()
		// A lock, another partition's detach, a deadlock; the partition or its seal.
		if !is(err, "55P03", "55000", "40P01", "42P01", "42710") {
			return err
		}
		if try == tries {
			return fault.New(fault.Unavailable, "%s are in use, perhaps by a backup or a long import; nothing is lost: prune again later", what).Because(err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Duration(try) * 50 * time.Millisecond):
		}
	}
}

// is reports an error of PostgreSQL with one of these codes.
func is(err error, codes ...string) bool {
	var e *pq.Error
	return errors.As(err, &e) && slices.Contains(codes, string(e.Code))
}

// partitionOf is the table of the week that begins on a Sunday.
func partitionOf(d *vocab.Dataset, sunday string) string {
	return d.Table + "_" + strings.ReplaceAll(sunday, "-", "")
}

// partitions are the Sundays of the weeks that have a partition, attached or sealed.
func (im *Importer) partitions(ctx context.Context, d *vocab.Dataset) ([]string, error) {
	if !im.Store.Postgres() {
		return nil, nil
	}
	rows, err := im.Store.Reader.QueryContext(ctx, `select right(relname, 8) from pg_class c
where relname ~ ('^' || $1 || '_[0-9]{8}$') and relnamespace = (select relnamespace from pg_class where oid = to_regclass($1))
and (exists (select 1 from pg_inherits where inhparent = to_regclass($1) and inhrelid = c.oid)
	or exists (select 1 from pg_constraint where conrelid = c.oid and conname = $2))`, d.Table, seal)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		if day, err := time.Parse("20060102", name); err == nil {
			list = append(list, day.Format(time.DateOnly))
		}
	}
	return list, rows.Err()
}

// dropWeek drops the partition of a week and answers the bytes that it took, or
// false when something of it has to stay.
func (im *Importer) dropWeek(ctx context.Context, d *vocab.Dataset, w *pruneWeek) (dropped bool, bytes int64, err error) {
	part := partitionOf(d, w.sunday)
	conn, err := im.Store.Writer.Conn(ctx)
	if err != nil {
		return false, 0, err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, setLockTimeout("session")); err != nil {
		return false, 0, err
	}
	defer conn.ExecContext(context.WithoutCancel(ctx), "reset lock_timeout")

	steps := []func() error{
		func() (err error) { dropped, err = im.sealWeek(ctx, conn, d, w); return err },
		func() error { return detach(ctx, conn, d.Table, part) },
		func() error {
			return conn.QueryRowContext(ctx, "select coalesce(pg_total_relation_size(to_regclass($1)), 0)", part).Scan(&bytes)
		},
		func() error { _, err := conn.ExecContext(ctx, "drop table if exists "+part); return err },
	}
	for _, step := range steps {
		if err := patiently(ctx, fmt.Sprintf("the %s of the week of %s", strings.ReplaceAll(d.Name, "_", " "), w.sunday), step); err != nil || !dropped {
			return false, 0, err
		}
	}
	return true, bytes, nil
}

// sealWeek closes a partition to new rows, unless a row of it is to stay: one of
// a slice that is not among those that go, or of an import that is still being
// written. While it looks, nobody can write to the partition.
func (im *Importer) sealWeek(ctx context.Context, conn *sql.Conn, d *vocab.Dataset, w *pruneWeek) (bool, error) {
	part := partitionOf(d, w.sunday)
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return false, err
	}
	defer tx.Rollback() // without effect after Commit
	var exists, sealed bool
	if err := tx.QueryRowContext(ctx, `select to_regclass($1) is not null, exists (
select 1 from pg_constraint where conrelid = to_regclass($1) and conname = $2)`, part, seal).Scan(&exists, &sealed); err != nil || !exists || sealed {
		return err == nil, err
	}
	// It locks the partition for itself alone.
	if _, err := tx.ExecContext(ctx, "alter table "+part+" add constraint "+seal+" check (false) not valid"); err != nil {
		return false, err
	}
	// In this order: an import that becomes current between the two is seen by one.
	for _, stays := range []struct {
		text string
		of   any
	}{
		{`select 1 from fact_imports i, generate_series($2::date, $3::date - 1, '1 day') as day
where i.state = 'WRITING' and i.dataset = $1 and exists (select 1 from ` + part + `
	where account_id = i.account_id and time_period_start = to_char(day, 'YYYY-MM-DD') and import_no = i.number and line > $4)`, -1},
		{`select 1 from fact_slices
where dataset = $1 and period_start >= $2 and period_start < $3 and id <> all($4::uuid[])`, pq.Array(idsOf(w.free))},
	} {
		var found bool
		if err := tx.QueryRowContext(ctx, "select exists ("+stays.text+")", d.Name, w.sunday, w.next, stays.of).Scan(&found); err != nil || found {
			return false, err
		}
	}
	return true, tx.Commit()
}

// detach detaches a partition next to queries, or completes what another process
// began. Where that cannot be, such as beside a default partition, it waits until
// nobody uses the table.
func detach(ctx context.Context, conn *sql.Conn, table, part string) error {
	var pending bool
	err := conn.QueryRowContext(ctx, `select inhdetachpending from pg_inherits
where inhparent = to_regclass($1) and inhrelid = to_regclass($2)`, table, part).Scan(&pending)
	if err != nil {
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	}
	text := "alter table " + table + " detach partition " + part
	if pending {
		_, err = conn.ExecContext(ctx, text+" finalize")
		return err
	}
	_, err = conn.ExecContext(ctx, text+" concurrently")
	if is(err, "0A000", "55000") {
		_, err = conn.ExecContext(ctx, text)
	}
	return err
}
