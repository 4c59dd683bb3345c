package graph

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/contentgraph/contentgraph/internal/auth"
	"github.com/contentgraph/contentgraph/internal/fault"
)

// pace is how long the parts of a stream take.
type pace struct {
	renew    time.Duration // between two looks at the credentials of all streams
	beat     time.Duration // between two signs of life
	initial  time.Duration // for a WebSocket's first message
	patience time.Duration // with a client that does not read
	grace    time.Duration // for the goodbye of a WebSocket
}

var usualPace = pace{renew: time.Second, beat: 15 * time.Second, initial: 10 * time.Second, patience: 10 * time.Second, grace: 2 * time.Second}

// piece is how much of a message a client must take within the patience.
const piece = 32 << 10

// errStopping ends streams of a service that stops.
var errStopping = fault.New(fault.Unavailable, "the service is stopping; connect again").After(1)

// streams are the open streams: answers in events and WebSockets. They outlive
// the request that authenticated, so somebody must look after their credentials.
type streams struct {
	renew func(context.Context, *auth.Principal) (*auth.Principal, error)
	most  int // of one holder
	every time.Duration

	mu       sync.Mutex
	open     map[*stream]struct{}
	held     map[string]int // streams by holder
	watching bool
	stopped  bool
	running  sync.WaitGroup
}

// stream is an open one. Its context ends with the reason.
type stream struct {
	ctx context.Context
	end context.CancelCauseFunc
	all *streams
	// Both under the mutex of all.
	holder    string // the user, or else the address
	principal *auth.Principal
}

func newStreams(renew func(context.Context, *auth.Principal) (*auth.Principal, error), most int, every time.Duration) *streams {
	return &streams{renew: renew, most: most, every: every, open: map[*stream]struct{}{}, held: map[string]int{}}
}

// start opens a stream of a user or, without one, of an address. Close it.
func (a *streams) start(ctx context.Context, address string, p *auth.Principal) (*stream, error) {
	s := &stream{all: a, holder: "address " + address}
	s.ctx, s.end = context.WithCancelCause(ctx)
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.stopped {
		return nil, errStopping
	}
	a.held[s.holder]++
	if err := s.belong(p); err != nil {
		a.release(s.holder)
		return nil, err
	}
	a.open[s] = struct{}{}
	a.running.Add(1)
	if !a.watching {
		a.watching = true
		go a.watch()
	}
	return s, nil
}

// become makes a stream that of a user, who has authenticated on it.
func (s *stream) become(p *auth.Principal) error {
	s.all.mu.Lock()
	defer s.all.mu.Unlock()
	return s.belong(p)
}

// belong counts a stream, which its holder has already, for a user instead.
func (s *stream) belong(p *auth.Principal) error {
	holder := s.holder
	if p != nil {
		holder = fmt.Sprint("user ", p.UserID)
	}
	s.all.held[holder]++
	s.all.release(s.holder)
	s.holder, s.principal = holder, p
	if s.all.held[holder] > s.all.most {
		return fault.New(fault.RateLimited, "more than %d streams are open: close some", s.all.most)
	}
	return nil
}

func (a *streams) release(holder string) {
	if a.held[holder]--; a.held[holder] == 0 {
		delete(a.held, holder)
	}
}

// close forgets a stream that is over.
func (s *stream) close() {
	s.end(nil)
	s.all.mu.Lock()
	defer s.all.mu.Unlock()
	s.all.release(s.holder)
	delete(s.all.open, s)
	s.all.running.Done()
}

// stop ends all streams and waits for them.
func (a *streams) stop() {
	a.mu.Lock()
	a.stopped = true
	for s := range a.open {
		s.end(errStopping)
	}
	a.mu.Unlock()
	a.running.Wait()
}

// watch ends the streams whose credentials are revoked or allow something else
// than they did, as long as there are streams.
func (a *streams) watch() {
	tick := time.NewTicker(a.every)
	defer tick.Stop()
	for range tick.C {
		all, ok := a.byCredential()
		if !ok {
			return
		}
		for _, users := range all {
			if err := a.check(users); err != nil { // nothing is known yet
				slog.Error("credentials of streams not checked", "error", err)
				break
			}
		}
	}
}

// users are streams with whom they began for.
type users map[*stream]*auth.Principal

// byCredential are the streams of users, unless there are no streams at all.
func (a *streams) byCredential() (map[uuid.UUID]users, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	all := map[uuid.UUID]users{}
	for s := range a.open {
		if p := s.principal; p != nil {
			if all[p.Credential] == nil {
				all[p.Credential] = users{}
			}
			all[p.Credential][s] = p
		}
	}
	a.watching = len(a.open) > 0
	return all, a.watching
}

// check ends the streams of one credential that must end.
func (a *streams) check(of users) error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	var now *auth.Principal
	var err error
	for s, p := range of {
		if now == nil && err == nil {
			now, err = a.renew(ctx, p)
		}
		switch {
		case fault.Is(err, fault.Unauthenticated):
			s.end(err)
		case err != nil:
			return err
		case !maps.Equal(p.Accounts, now.Accounts) || !slices.Equal(p.Scopes, now.Scopes):
			s.end(fault.New(fault.Forbidden, "the user's rights have changed; connect again"))
		}
	}
	return nil
}

// perform runs an operation and gives each answer away, until give refuses one.
// What panics outside of resolvers becomes the last answer.
func perform(ctx context.Context, exec graphql.GraphExecutor, op *graphql.OperationContext, give func(*graphql.Response) bool) {
	defer func() {
		if cause := recover(); cause != nil {
			give(&graphql.Response{Errors: gqlerror.List{present(ctx, recovered(ctx, cause))}})
		}
	}()
	answer, ctx := exec.DispatchOperation(ctx, op)
	for a := answer(ctx); a != nil && give(a); a = answer(ctx) {
	}
}
