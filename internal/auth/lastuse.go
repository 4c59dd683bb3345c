package auth

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/ent/db/credential"
	"github.com/contentgraph/contentgraph/internal/store"
)

const (
	usageEvery  = time.Minute     // how exact last uses are
	usageQueue  = 256             // uses that wait to be written; more are dropped
	usageGrace  = 5 * time.Second // how long close may take
	usageWindow = 2 * time.Second // how long one write may take
)

// lastUse is what a login knows of its credential's recorded last use.
type lastUse struct {
	written *time.Time // in the database, when the login was read
	queued  atomic.Bool
}

// usage records when credentials were used, off the request path and at most
// once a minute each, whatever the number of replicas.
type usage struct {
	store *store.Store
	queue chan use
	quit  chan struct{}
	done  chan struct{}
	once  sync.Once
}

type use struct {
	credential uuid.UUID
	at         time.Time
}

func startUsage(s *store.Store) *usage {
	u := &usage{store: s, queue: make(chan use, usageQueue), quit: make(chan struct{}), done: make(chan struct{})}
	go u.run()
	return u
}

// note never waits: a use that finds the queue full is recorded next time.
func (u *usage) note(l *lastUse, id uuid.UUID, now time.Time) {
	if l.written != nil && now.Sub(*l.written) < usageEvery || l.queued.Swap(true) {
		return
	}
	select {
	case u.queue <- use{id, now}:
	default:
		l.queued.Store(false)
	}
}

func (u *usage) run() {
	defer close(u.done)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for {
		select {
		case n := <-u.queue:
			u.write(ctx, n)
			continue
		case <-u.quit:
		}
		break
	}
	defer time.AfterFunc(usageGrace, cancel).Stop()
	for {
		select {
		case n := <-u.queue:
			u.write(ctx, n)
		default:
			return
		}
	}
}

// write leaves a newer or hardly older time alone: another replica's.
func (u *usage) write(ctx context.Context, n use) {
	ctx, cancel := context.WithTimeout(ctx, usageWindow)
	defer cancel()
	at := n.at.UTC().Truncate(time.Millisecond)
	err := u.store.Credential.Update().Where(
		credential.ID(n.credential),
		credential.Or(credential.LastUsedIsNil(), credential.LastUsedLTE(at.Add(-usageEvery))),
	).SetLastUsed(at).Exec(ctx)
	if err != nil {
		slog.WarnContext(ctx, "auth: last use not recorded", "credential", n.credential, "error", err)
	}
}

func (u *usage) close() {
	u.once.Do(func() { close(u.quit) })
	<-u.done
}
