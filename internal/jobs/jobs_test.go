package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/job"
	"github.com/contentgraph/contentgraph/internal/jobs"
	"github.com/contentgraph/contentgraph/internal/pgtest"
	"github.com/contentgraph/contentgraph/internal/store"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// both runs a test on each database; the factory opens another process's view of it.
func both(t *testing.T, test func(t *testing.T, open func() *store.Store)) {
	pgtest.Both(t, func(t *testing.T, url string) {
		folder := t.TempDir()
		test(t, func() *store.Store {
			s, err := store.Open(context.Background(), url, folder)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { s.Close() })
			return s
		})
	})
}

// queue is a fast one, stopped at the end of the test.
func queue(t *testing.T, s *store.Store, h jobs.Handler) *jobs.Queue {
	q := jobs.New(s)
	q.Poll, q.Lease, q.Backoff = 20*time.Millisecond, 800*time.Millisecond, 10*time.Millisecond
	q.Handle("test", h)
	t.Cleanup(q.Stop)
	return q
}

func enqueue(t *testing.T, s *store.Store, q *jobs.Queue, args any) uuid.UUID {
	t.Helper()
	return enqueueFor(t, s, q, 1, args)
}

func enqueueFor(t *testing.T, s *store.Store, q *jobs.Queue, account int, args any) uuid.UUID {
	t.Helper()
	var id uuid.UUID
	if err := s.Tx(context.Background(), func(tx *db.Client) (err error) {
		id, err = q.Enqueue(context.Background(), tx, "test", account, args)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	q.Wake("test")
	return id
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatalf("%s did not happen", what)
}

func left(t *testing.T, s *store.Store) int {
	t.Helper()
	n, err := s.Job.Query().Count(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestEnqueueBelongsToTheTransaction(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, open func() *store.Store) {
		s := open()
		var ran atomic.Int32
		q := queue(t, s, jobs.Handler{Run: func(_ context.Context, l *jobs.Lease) error {
			if string(l.Args) != `"kept"` || l.Account != 1 || l.Attempt != 1 {
				t.Errorf("ran %s of account %d, attempt %d", l.Args, l.Account, l.Attempt)
			}
			ran.Add(1)
			return nil
		}})
		q.Start()
		rolledBack := errors.New("no")
		if err := s.Tx(context.Background(), func(tx *db.Client) error {
			if _, err := q.Enqueue(context.Background(), tx, "test", 1, "lost"); err != nil {
				return err
			}
			return rolledBack
		}); !errors.Is(err, rolledBack) {
			t.Fatal(err)
		}
		enqueue(t, s, q, "kept")
		eventually(t, "the job", func() bool { return ran.Load() == 1 && left(t, s) == 0 })
	})
}

func TestRetryThenDiscard(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, open func() *store.Store) {
		s := open()
		var tries, discarded atomic.Int32
		q := queue(t, s, jobs.Handler{
			Run: func(_ context.Context, l *jobs.Lease) error {
				tries.Add(1)
				switch string(l.Args) {
				case `"panic"`:
					panic("oh")
				case `"permanent"`:
					return jobs.Permanent(errors.New("never"))
				}
				if l.Attempt < 3 && string(l.Args) == `"third"` {
					return errors.New("not yet")
				}
				if string(l.Args) == `"third"` {
					return nil
				}
				return errors.New("always")
			},
			Discard: func(_ context.Context, _ *db.Client, _ *jobs.Lease, cause error) error {
				discarded.Add(1)
				return nil
			},
		})
		q.Start()
		for _, c := range []struct {
			args             string
			tries, discarded int32
		}{{"third", 3, 0}, {"always", 5, 1}, {"permanent", 1, 1}, {"panic", 1, 1}} {
			tries.Store(0)
			discarded.Store(0)
			id := enqueue(t, s, q, c.args)
			eventually(t, c.args, func() bool {
				j, err := s.Job.Get(context.Background(), id)
				return db.IsNotFound(err) || err == nil && j.State == job.StateDISCARDED
			})
			if tries.Load() != c.tries || discarded.Load() != c.discarded {
				t.Errorf("%s: %d tries and %d discards, want %d and %d", c.args, tries.Load(), discarded.Load(), c.tries, c.discarded)
			}
		}
	})
}

// TestTakenOverAndFenced lets a lease run out while its worker is stuck: another
// process does the job, and the first can write no more.
func TestTakenOverAndFenced(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, open func() *store.Store) {
		a, b := open(), open()
		stuck, release := make(chan *jobs.Lease, 1), make(chan struct{})
		defer close(release)
		first := queue(t, a, jobs.Handler{Run: func(_ context.Context, l *jobs.Lease) error {
			stuck <- l
			<-release
			return nil
		}})
		first.Workers, first.Lease = 1, time.Hour // its heart does not beat within the test
		first.Start()
		id := enqueue(t, a, first, "x")
		l := <-stuck
		if _, err := a.Writer.Exec(`update jobs set lease_until = 1 where id = $1`, id.String()); err != nil {
			t.Fatal(err)
		}
		var attempt atomic.Int32
		second := queue(t, b, jobs.Handler{Run: func(_ context.Context, l *jobs.Lease) error {
			attempt.Store(int32(l.Attempt))
			return nil
		}})
		second.Start()
		eventually(t, "the second attempt", func() bool { return attempt.Load() == 2 && left(t, b) == 0 })
		if err := l.Tx(context.Background(), func(*db.Client) error { return nil }); !errors.Is(err, jobs.ErrLost) {
			t.Errorf("the first worker could still write: %v", err)
		}

	})
}

func TestHeartbeatKeepsAndCancelStops(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, open func() *store.Store) {
		s := open()
		started, ended := make(chan struct{}, 2), make(chan error, 2)
		q := queue(t, s, jobs.Handler{Run: func(ctx context.Context, l *jobs.Lease) error {
			started <- struct{}{}
			<-ctx.Done()
			ended <- context.Cause(ctx)
			return ctx.Err()
		}})
		q.Start()
		id := enqueue(t, s, q, "x")
		<-started
		time.Sleep(2 * q.Lease)
		select {
		case <-started:
			t.Fatal("a beating job was taken over")
		default:
		}
		if err := s.Tx(context.Background(), func(tx *db.Client) error { return q.Cancel(context.Background(), tx, id) }); err != nil {
			t.Fatal(err)
		}
		if err := <-ended; !errors.Is(err, jobs.ErrLost) {
			t.Errorf("ended by %v", err)
		}
	})
}

// TestCancelledSoon: a worker with a long lease is interrupted within two
// seconds, and its job is not run again.
func TestCancelledSoon(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, open func() *store.Store) {
		s := open()
		started, ended := make(chan struct{}), make(chan error, 1)
		q := queue(t, s, jobs.Handler{Run: func(ctx context.Context, l *jobs.Lease) error {
			close(started)
			<-ctx.Done()
			ended <- context.Cause(ctx)
			return ctx.Err()
		}})
		q.Lease = time.Hour
		q.Start()
		id := enqueue(t, s, q, "x")
		<-started
		if err := s.Tx(context.Background(), func(tx *db.Client) error { return q.Cancel(context.Background(), tx, id) }); err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-ended:
			if !errors.Is(err, jobs.ErrLost) {
				t.Errorf("ended by %v", err)
			}
		case <-time.After(2 * time.Second):
			t.Error("the job runs on")
		}
	})
}

func TestStopHandsBack(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, open func() *store.Store) {
		s := open()
		started := make(chan struct{})
		q := queue(t, s, jobs.Handler{Run: func(ctx context.Context, _ *jobs.Lease) error {
			close(started)
			<-ctx.Done()
			return ctx.Err()
		}})
		q.Start()
		id := enqueue(t, s, q, "x")
		<-started
		q.Stop()
		j, err := s.Job.Get(context.Background(), id)
		if err != nil || j.State != job.StateQUEUED || j.Attempt != 0 {
			t.Fatalf("%+v %v", j, err)
		}
	})
}

// TestEachJobOnce has four processes share 200 jobs.
func TestEachJobOnce(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, open func() *store.Store) {
		var mu sync.Mutex
		ran := map[string]int{}
		s := open()
		var q *jobs.Queue
		for range 4 {
			q = queue(t, open(), jobs.Handler{Run: func(ctx context.Context, l *jobs.Lease) error {
				return l.Finish(ctx, func(*db.Client) error {
					mu.Lock()
					defer mu.Unlock()
					ran[string(l.Args)]++
					return nil
				})
			}})
			q.Start()
		}
		for i := range 200 {
			enqueue(t, s, q, fmt.Sprint(i))
		}
		eventually(t, "all jobs", func() bool { return left(t, s) == 0 })
		if len(ran) != 200 {
			t.Fatalf("%d of 200 jobs ran", len(ran))
		}
		for args, n := range ran {
			if n != 1 {
				t.Errorf("job %s ran %d times", args, n)
			}
		}
	})
}

// TestTurns: with one worker and 100 jobs of one account, the job that another
// account adds next is among the next two, and so on in turns.
func TestTurns(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, open func() *store.Store) {
		s := open()
		next, ran := make(chan struct{}), make(chan int, 200)
		q := queue(t, s, jobs.Handler{Run: func(ctx context.Context, l *jobs.Lease) error {
			ran <- l.Account
			select {
			case <-next:
			case <-ctx.Done():
			}
			return ctx.Err()
		}})
		q.Workers, q.Lease = 1, time.Minute
		for i := range 100 {
			enqueueFor(t, s, q, 1, i)
		}
		q.Start()
		turns := func(n int) (order []int) {
			for range n {
				next <- struct{}{}
				order = append(order, <-ran)
			}
			return order
		}
		<-ran
		turns(20) // some of the first account's are done
		for i := range 3 {
			enqueueFor(t, s, q, 2, i)
		}
		if order := turns(2); !slices.Contains(order, 2) {
			t.Errorf("the newcomer is not among the next two: %v", order)
		}
		enqueueFor(t, s, q, 3, 0)
		order := turns(8)
		for account, want := range map[int]int{2: 2, 3: 1} {
			if n := len(order) - len(slices.DeleteFunc(slices.Clone(order), func(a int) bool { return a == account })); n != want {
				t.Errorf("account %d has %d turns of %v, want %d", account, n, order, want)
			}
		}
	})
}

// TestClaimFails: a worker whose database is gone neither runs anything nor spins.
func TestClaimFails(t *testing.T) {
	t.Parallel()
	s, err := store.Open(context.Background(), "", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var ran atomic.Int32
	q := queue(t, s, jobs.Handler{Run: func(context.Context, *jobs.Lease) error { ran.Add(1); return nil }})
	s.Close()
	q.Start()
	time.Sleep(5 * q.Poll)
	q.Stop()
	if ran.Load() != 0 {
		t.Errorf("%d empty jobs ran", ran.Load())
	}
}

// TestInterruptions: a job whose processes die is run again, often, but not for
// ever.
func TestInterruptions(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, open func() *store.Store) {
		s := open()
		var ran, discarded atomic.Int32
		q := queue(t, s, jobs.Handler{
			Run:     func(context.Context, *jobs.Lease) error { ran.Add(1); return nil },
			Discard: func(context.Context, *db.Client, *jobs.Lease, error) error { discarded.Add(1); return nil },
		})
		for _, claims := range []int{30, 50} {
			id := enqueue(t, s, q, "x")
			s.Job.UpdateOneID(id).SetAttempt(claims).SetState(job.StateRUNNING).SetLeaseUntil(1).SetOwner("dead").ExecX(context.Background())
		}
		q.Start()
		eventually(t, "both ends", func() bool { return ran.Load() == 1 && discarded.Load() == 1 })
	})
}
