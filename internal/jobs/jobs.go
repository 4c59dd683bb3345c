// Package jobs runs background work from one table, in any number of processes.
//
//	QUEUED --claim--> RUNNING --Finish--> (gone)
//	  ^                  |--error------> QUEUED, later, until attempts are used up
//	  |                  |--lease ends-> claimed again by any process
//	  |                  `--for good---> DISCARDED, and the resource says why
//	  `---- Enqueue, in the caller's transaction; Cancel takes it out
//
// A worker holds a job by a lease that its heartbeat extends; every write that
// it makes goes through Lease.Tx, which fails once the lease is lost. So a job
// may be started more than once, but only one attempt can write at a time. The
// package knows no kind of job and no resource.
package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/internal/store"
)

// Handler does the work of one kind. Kinds do not wait for each other: each has
// workers of its own.
type Handler struct {
	// Workers is how many jobs of the kind this process runs at a time; 0 takes
	// the queue's number.
	Workers int
	// Run does the work. It may be called again after a crash or an error.
	Run func(ctx context.Context, l *Lease) error
	// Discard tells the resource, in the transaction that discards the job,
	// why the work is given up.
	Discard func(ctx context.Context, tx *db.Client, l *Lease, cause error) error
}

// maxInterruptions is how often the process of a job may die before the job is
// taken to be the reason.
const maxInterruptions = 50

// Queue is the job table and the workers of this process.
type Queue struct {
	Workers int           // jobs of a kind at a time in this process; default 2
	Lease   time.Duration // how long a silent worker keeps a job; default 15 s
	Poll    time.Duration // how often other processes' jobs are looked for; default 1 s
	Look    time.Duration // how often a worker looks whether its job was cancelled; default 1 s
	Backoff time.Duration // wait after the first failed attempt, doubled after each; default 1 s

	store    *store.Store
	owner    string
	handlers map[string]Handler
	wake     map[string]chan struct{} // by kind
	stop     context.CancelFunc
	running  sync.WaitGroup
}

// New makes a queue without workers; Start starts them.
func New(s *store.Store) *Queue {
	return &Queue{
		Workers: 2, Lease: 15 * time.Second, Poll: time.Second, Look: time.Second, Backoff: time.Second,
		store: s, owner: uuid.NewString(), handlers: map[string]Handler{}, wake: map[string]chan struct{}{},
	}
}

// Handle registers the handler of a kind. Call it before Start.
func (q *Queue) Handle(kind string, h Handler) {
	q.handlers[kind], q.wake[kind] = h, make(chan struct{}, 1)
}

// Enqueue adds a job in the caller's transaction: it exists if that commits.
// Call Wake afterwards to have it started at once.
func (q *Queue) Enqueue(ctx context.Context, tx *db.Client, kind string, account int, args any) (uuid.UUID, error) {
	text, err := json.Marshal(args)
	if err != nil {
		return uuid.Nil, err
	}
	turn, err := nextTurn(ctx, tx, kind, account)
	if err != nil {
		return uuid.Nil, err
	}
	j, err := tx.Job.Create().SetKind(kind).SetAccountID(account).SetArgs(text).SetTurn(turn).
		SetCreated(time.Now().UnixMilli()).Save(ctx)
	if err != nil {
		return uuid.Nil, err
	}
	return j.ID, nil
}

// nextTurn is start-time fair queueing (Goyal, Vin and Cheng, 1996) for jobs of
// equal weight: behind the account's own, and at least level with the job that
// is at work now, so that a newcomer waits for one job of each account and not
// for all that were queued before.
func nextTurn(ctx context.Context, tx *db.Client, kind string, account int) (turn int64, err error) {
	rows, err := tx.QueryContext(ctx, `select
coalesce((select max(turn) from jobs where account_id = $1 and state in ('QUEUED', 'RUNNING') and kind = $2), 0),
coalesce((select min(turn) from jobs where state in ('QUEUED', 'RUNNING') and kind = $2), 0)`, account, kind)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	var own, now int64
	for rows.Next() {
		if err := rows.Scan(&own, &now); err != nil {
			return 0, err
		}
	}
	return max(own, now) + 1, rows.Err()
}

// Wake lets an idle worker of this process look for work of the kind now.
func (q *Queue) Wake(kind string) {
	select {
	case q.wake[kind] <- struct{}{}:
	default:
	}
}

// Start starts the workers; Stop ends them. A second Start is without effect.
func (q *Queue) Start() {
	if q.stop != nil {
		return
	}
	ctx, cancel := context.WithCancel(store.System(context.Background()))
	q.stop = cancel
	for kind, h := range q.handlers {
		if h.Workers == 0 {
			h.Workers = q.Workers
		}
		for range h.Workers {
			q.running.Go(func() { q.work(ctx, kind) })
		}
	}
}

// Stop interrupts the workers, which hand their jobs back, and waits for them.
func (q *Queue) Stop() {
	if q.stop != nil {
		q.stop()
		q.running.Wait()
	}
}

func (q *Queue) work(ctx context.Context, kind string) {
	for ctx.Err() == nil {
		l, err := q.claim(ctx, kind)
		switch {
		case l != nil:
			q.Wake(kind) // there may be more
			q.attempt(ctx, l)
			continue
		case err != nil && ctx.Err() == nil:
			slog.ErrorContext(ctx, "jobs: claim failed", "error", err)
		}
		select {
		case <-ctx.Done():
		case <-q.wake[kind]:
		case <-time.After(jitter(q.Poll)):
		}
	}
}

// attempt runs one claimed job to its end: done, handed back, retried or discarded.
func (q *Queue) attempt(ctx context.Context, l *Lease) {
	work, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	beating := make(chan struct{})
	go func() { defer close(beating); l.beat(work, cancel) }()

	err := q.run(work, l)
	cancel(nil)
	<-beating

	// The outcome is written even while the process stops.
	end, done := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer done()
	if lost := context.Cause(work); errors.Is(lost, ErrLost) || errors.Is(err, ErrLost) {
		return // someone else's now, or cancelled
	}
	switch {
	case err == nil:
		err = l.Finish(end, func(*db.Client) error { return nil })
	case ctx.Err() != nil:
		err = l.release(end, 0, "attempt = attempt - 1", "")
	default:
		err = l.fail(end, err)
	}
	if err != nil && !errors.Is(err, ErrLost) {
		slog.ErrorContext(end, "jobs: outcome not written", "job", l.ID, "kind", l.Kind, "error", err)
	}
}

// run turns a panic of a handler into an error.
func (q *Queue) run(ctx context.Context, l *Lease) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = Permanent(fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
		}
	}()
	if err := ctx.Err(); err != nil {
		return err
	}
	if l.Attempt-l.failures > maxInterruptions {
		return Permanent(errors.New("the work was interrupted too often"))
	}
	return q.handlers[l.Kind].Run(ctx, l)
}

// Permanent marks an error that another attempt would meet again.
func Permanent(err error) error { return permanent{err} }

type permanent struct{ error }

func (p permanent) Unwrap() error { return p.error }
