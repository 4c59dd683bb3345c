package auth

import (
	"context"
	"log/slog"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/store"
)

const (
	// sharedWait is how long a request waits for the common count.
	sharedWait = 2 * time.Second
	// windowsKept is how many minutes counts stay in the database.
	windowsKept = 10
)

// Limiter counts the requests of each credential in the current minute: over all
// replicas when they share PostgreSQL, else in this process. While the database
// does not answer, each replica counts for itself; nobody is refused for that.
type Limiter struct {
	Now    func() time.Time
	Limits Limits

	store *store.Store // nil = count in this process
	clock string       // SQL of the time of the common count

	mu      sync.Mutex
	minute  int64 // of Now, when windows was last tidied
	windows map[windowKey]*allowed
	failing atomic.Bool // the database, when it was last asked
}

type windowKey struct {
	credential uuid.UUID
	class      Class
}

// allowed is what this process may let pass in one minute without asking.
type allowed struct {
	mu     sync.Mutex // held while the database is asked
	ends   time.Time  // of the minute, by this process's clock
	left   int
	common int  // besides, what is left for all replicas
	whole  bool // nothing more is to be had in this minute
}

// NewLimiter makes a limiter that shares its counts with the other replicas on
// the same PostgreSQL. Without a store, or with SQLite, it counts by itself.
func NewLimiter(l Limits, s *store.Store) *Limiter {
	if s != nil && !s.Postgres() {
		s = nil
	}
	return &Limiter{Now: time.Now, Limits: l, store: s, clock: "clock_timestamp()"}
}

// Take counts a request and answers what is left, or RateLimited with the
// seconds until the credential's next minute.
func (l *Limiter) Take(p *Principal, c Class) (Allowance, error) {
	limit := l.Limits[c]
	if limit == 0 || p == nil {
		return Allowance{}, nil
	}
	now := l.Now()
	w := l.window(windowKey{p.Credential, c}, now)
	w.mu.Lock()
	defer w.mu.Unlock()
	if !now.Before(w.ends) {
		w.ends, w.left, w.common, w.whole = time.Time{}, 0, 0, false
	}
	if w.left == 0 && !w.whole {
		l.refill(w, p.Credential, c, now)
	}
	a := Allowance{Class: c, Limit: limit, Reset: max(1, int(math.Ceil(w.ends.Sub(now).Seconds())))}
	if w.left == 0 {
		return a, fault.New(fault.RateLimited, "the %s limit of %d requests a minute is used up; try again in %d s", c, limit, a.Reset).After(a.Reset)
	}
	w.left--
	a.Left = w.left + w.common
	return a, nil
}

// window finds the window of a key. Once a minute those that are over are forgotten.
func (l *Limiter) window(k windowKey, now time.Time) *allowed {
	l.mu.Lock()
	defer l.mu.Unlock()
	if minute := now.Unix() / 60; minute != l.minute || l.windows == nil {
		old := l.windows
		l.minute, l.windows = minute, map[windowKey]*allowed{}
		for k, w := range old {
			if !w.mu.TryLock() { // in use
				l.windows[k] = w
				continue
			}
			if now.Before(w.ends) {
				l.windows[k] = w
			}
			w.mu.Unlock()
		}
	}
	w := l.windows[k]
	if w == nil {
		w = &allowed{}
		l.windows[k] = w
	}
	return w
}

// refill takes a portion out of the common allowance, or all of one's own.
func (l *Limiter) refill(w *allowed, credential uuid.UUID, c Class, now time.Time) {
	limit := l.Limits[c]
	if l.store != nil {
		portion := l.Limits.portion(c)
		used, rest, err := l.share(credential, c, portion)
		if err == nil {
			w.left = max(0, portion-max(0, used-limit))
			w.common = max(0, limit-used)
			w.ends, w.whole = now.Add(rest), w.left < portion
			return
		}
	}
	if w.ends.IsZero() {
		w.ends = now.Truncate(time.Minute).Add(time.Minute)
	}
	w.left, w.common, w.whole = limit, 0, true
}

// share counts n requests for all replicas, in the minute of the database's
// clock, and answers the count and how long the minute lasts. It counts for good
// even when the client does not wait for it.
func (l *Limiter) share(credential uuid.UUID, c Class, n int) (used int, rest time.Duration, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), sharedWait)
	defer cancel()
	var ms int64
	err = l.store.Writer.QueryRowContext(ctx, `insert into rate_windows (id, credential_id, class, minute, used)
values ($1, $2, $3, floor(extract(epoch from `+l.clock+`) / 60), $4)
on conflict (credential_id, class, minute) do update set used = rate_windows.used + excluded.used
returning used, ((minute + 1) * 60000 - extract(epoch from `+l.clock+`) * 1000)::bigint`,
		uuid.New(), credential, string(c), n).Scan(&used, &ms)
	if failing := err != nil; l.failing.Swap(failing) != failing {
		if failing {
			slog.Error("requests are counted by each process alone, since the database does not answer", "error", err)
		} else {
			slog.Info("requests are counted for all processes again")
		}
	}
	return used, time.Duration(ms) * time.Millisecond, err
}

// Sweep deletes the counts of minutes that are over.
func (l *Limiter) Sweep(ctx context.Context) error {
	if l.store == nil {
		return nil
	}
	_, err := l.store.Writer.ExecContext(ctx, `delete from rate_windows
where minute < floor(extract(epoch from `+l.clock+`) / 60) - $1`, windowsKept)
	return err
}
