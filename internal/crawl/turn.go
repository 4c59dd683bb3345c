package crawl

import (
	"context"
	"sync"
	"time"
)

// turns let one request at a time go to a host, with a pause in between.
type turns struct {
	now   func() time.Time
	mu    sync.Mutex
	hosts map[string]*turn
}

type turn struct {
	busy  chan struct{} // holds one element while a request is under way
	users int           // requests that wait or are under way
	next  time.Time     // when the next request may begin
}

// maxIdle is the number of hosts that are remembered before idle ones are forgotten.
const maxIdle = 1000

// take waits for the turn of a host, or for the end of the context. The caller
// gives the turn back with the pause after which the next one may begin.
func (t *turns) take(ctx context.Context, host string) (giveBack func(pause time.Duration), err error) {
	t.mu.Lock()
	h := t.hosts[host]
	if h == nil {
		t.forget()
		h = &turn{busy: make(chan struct{}, 1)}
		t.hosts[host] = h
	}
	h.users++
	t.mu.Unlock()
	leave := func() {
		t.mu.Lock()
		h.users--
		t.mu.Unlock()
	}
	select {
	case h.busy <- struct{}{}:
	case <-ctx.Done():
		leave()
		return nil, ctx.Err()
	}
	t.mu.Lock()
	wait := h.next.Sub(t.now())
	t.mu.Unlock()
	if wait > 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			<-h.busy
			leave()
			return nil, ctx.Err()
		}
	}
	return func(pause time.Duration) {
		t.mu.Lock()
		h.next = t.now().Add(pause)
		t.mu.Unlock()
		<-h.busy
		leave()
	}, nil
}

// forget drops hosts that nobody uses and whose pause is over.
func (t *turns) forget() {
	if len(t.hosts) < maxIdle {
		return
	}
	now := t.now()
	for name, h := range t.hosts {
		if h.users == 0 && h.next.Before(now) {
			delete(t.hosts, name)
		}
	}
}
