package knowledge

import (
	"slices"
	"sync"

	"github.com/google/uuid"
)

// news tells those who wait in this process that a source has changed. Changes
// by other processes are found by looking now and then.
type news struct {
	mu      sync.Mutex
	waiting map[uuid.UUID][]chan struct{}
}

// follow is a channel that is told of each change of a source, several at once
// perhaps, until stop.
func (n *news) follow(id uuid.UUID) (changed <-chan struct{}, stop func()) {
	c := make(chan struct{}, 1)
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.waiting == nil {
		n.waiting = map[uuid.UUID][]chan struct{}{}
	}
	n.waiting[id] = append(n.waiting[id], c)
	return c, func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.waiting[id] = slices.DeleteFunc(n.waiting[id], func(w chan struct{}) bool { return w == c })
		if len(n.waiting[id]) == 0 {
			delete(n.waiting, id)
		}
	}
}

// tell tells of a change that is committed.
func (n *news) tell(id uuid.UUID) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, c := range n.waiting[id] {
		select {
		case c <- struct{}{}:
		default:
		}
	}
}
