package jobs

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/job"
	"github.com/contentgraph/contentgraph/internal/store"
)

// ErrLost says that the job is no longer this worker's: its lease ran out and
// another took it, or it was cancelled.
var ErrLost = errors.New("jobs: lease lost")

// Lease is one attempt at a job, held by this process.
type Lease struct {
	ID      uuid.UUID
	Kind    string
	Account int
	Args    json.RawMessage
	Attempt int // from 1

	failures, max int // attempts that ended in an error, and how many may
	queue         *Queue
	done          atomic.Bool
}

// now is the database's clock in Unix milliseconds: machines' clocks differ.
func (q *Queue) now() string {
	if q.store.Postgres() {
		return "(extract(epoch from clock_timestamp()) * 1000)::bigint"
	}
	return "cast(unixepoch('subsec') * 1000 as integer)"
}

// claim takes the job of the kind whose turn it is, be it new or of a worker
// that fell silent.
func (q *Queue) claim(ctx context.Context, kind string) (*Lease, error) {
	lock := ""
	if q.store.Postgres() {
		lock = "for update skip locked"
	}
	query := fmt.Sprintf(`update jobs set state = 'RUNNING', owner = $1, attempt = attempt + 1, lease_until = %[1]s + $2
where id = (select id from jobs
  where kind = $3 and (state = 'QUEUED' and run_at <= %[1]s or state = 'RUNNING' and lease_until < %[1]s)
  order by turn, created, id limit 1 %[2]s)
returning id, kind, account_id, args, attempt, failures, max_attempts`, q.now(), lock)
	l := &Lease{queue: q}
	var args []byte
	// A cancelled statement may still have claimed, for nobody to know: so it is
	// not cancelled, and attempt hands back what a stopping process has claimed.
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), q.Lease)
	defer done()
	err := q.store.Writer.QueryRowContext(ctx, query, q.owner, q.Lease.Milliseconds(), kind).
		Scan(&l.ID, &l.Kind, &l.Account, &args, &l.Attempt, &l.failures, &l.max)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, nil
	case err != nil:
		return nil, err
	}
	l.Args = args
	return l, nil
}

// Tx runs fn in a transaction that holds the lease and extends it; the
// transaction fails with ErrLost when the lease is gone.
func (l *Lease) Tx(ctx context.Context, fn func(tx *db.Client) error) error {
	return l.queue.store.Tx(ctx, func(tx *db.Client) error {
		if err := l.hold(ctx, tx, fmt.Sprintf("lease_until = %s + %d", l.queue.now(), l.queue.Lease.Milliseconds())); err != nil {
			return err
		}
		return fn(tx)
	})
}

// Finish is the last Tx of a job: with it the job is done.
func (l *Lease) Finish(ctx context.Context, fn func(tx *db.Client) error) error {
	if l.done.Load() {
		return nil
	}
	err := l.queue.store.Tx(ctx, func(tx *db.Client) error {
		if err := l.hold(ctx, tx, "state = 'DONE'"); err != nil {
			return err
		}
		if err := tx.Job.DeleteOneID(l.ID).Exec(ctx); err != nil {
			return err
		}
		return fn(tx)
	})
	l.done.Store(err == nil)
	return err
}

// hold changes the job's row if it is still this attempt's.
func (l *Lease) hold(ctx context.Context, tx *db.Client, set string) error {
	res, err := tx.ExecContext(ctx, `update jobs set `+set+
		` where id = $1 and owner = $2 and attempt = $3 and state = 'RUNNING'`, l.ID.String(), l.queue.owner, l.Attempt)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, ErrLost)
	}
	return nil
}

// held reports, as ErrLost, that the job is not this attempt's any more.
func (l *Lease) held(ctx context.Context) error {
	var n int
	err := l.queue.store.Reader.QueryRowContext(ctx, `select count(*) from jobs
where id = $1 and owner = $2 and attempt = $3 and state = 'RUNNING'`, l.ID.String(), l.queue.owner, l.Attempt).Scan(&n)
	if err == nil && n == 0 {
		err = ErrLost
	}
	return err
}

// beat extends the lease until ctx ends, and ends it when the lease is lost. It
// looks for that more often than it writes, so that a cancelled job stops soon.
func (l *Lease) beat(ctx context.Context, lost context.CancelCauseFunc) {
	extend := l.queue.Lease / 4
	look := min(extend, l.queue.Look)
	tick := time.NewTicker(look)
	defer tick.Stop()
	for n := time.Duration(1); ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		var err error
		if n%(extend/look) == 0 {
			err = l.Tx(ctx, func(*db.Client) error { return nil })
		} else {
			err = l.held(ctx)
		}
		if errors.Is(err, ErrLost) && !l.done.Load() {
			lost(ErrLost)
			return
		}
	}
}

// release hands the job back, to be run after wait; set counts it.
func (l *Lease) release(ctx context.Context, wait time.Duration, set, cause string) error {
	return l.queue.store.Tx(ctx, func(tx *db.Client) error {
		if err := l.hold(ctx, tx, fmt.Sprintf("state = 'QUEUED', run_at = %s + %d, %s",
			l.queue.now(), wait.Milliseconds(), set)); err != nil {
			return err
		}
		return tx.Job.UpdateOneID(l.ID).SetError(cause).Exec(ctx)
	})
}

// fail plans another attempt or, when there is none to be made, discards the
// job and lets its resource say so.
func (l *Lease) fail(ctx context.Context, cause error) error {
	slog.WarnContext(ctx, "jobs: attempt failed", "job", l.ID, "kind", l.Kind, "attempt", l.Attempt, "error", cause)
	if !errors.As(cause, new(permanent)) && l.failures+1 < l.max {
		return l.release(ctx, l.queue.Backoff<<l.failures, "failures = failures + 1", cause.Error())
	}
	return l.queue.store.Tx(ctx, func(tx *db.Client) error {
		if err := l.hold(ctx, tx, "state = 'DISCARDED'"); err != nil {
			return err
		}
		if err := tx.Job.UpdateOneID(l.ID).SetError(cause.Error()).Exec(ctx); err != nil {
			return err
		}
		if discard := l.queue.handlers[l.Kind].Discard; discard != nil {
			return discard(ctx, tx, l, cause)
		}
		return nil
	})
}

// Cancel takes a job out of the queue in the caller's transaction; a worker
// that runs it is interrupted within Look and can write no more.
func (q *Queue) Cancel(ctx context.Context, tx *db.Client, id uuid.UUID) error {
	return tx.Job.Update().Where(job.ID(id), job.StateIn(job.StateQUEUED, job.StateRUNNING)).
		SetState(job.StateCANCELLED).Exec(ctx)
}

// Sweep removes the lines of discarded and cancelled jobs older than a month.
func (q *Queue) Sweep(ctx context.Context) error {
	_, err := q.store.Job.Delete().Where(
		job.StateIn(job.StateDONE, job.StateDISCARDED, job.StateCANCELLED),
		job.CreatedLT(time.Now().Add(-30*24*time.Hour).UnixMilli()),
	).Exec(store.System(ctx))
	return err
}

func jitter(d time.Duration) time.Duration {
	return d/2 + rand.N(d)
}
