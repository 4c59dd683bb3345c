package insight

import (
	"context"
	"reflect"
	"sync"
	"time"

	"github.com/google/uuid"
)

// listeners are told within the process that a draft's insights changed.
type listeners struct {
	sync.Mutex
	of map[uuid.UUID]map[chan struct{}]bool
}

func (l *listeners) add(draft uuid.UUID) (changed chan struct{}, remove func()) {
	l.Lock()
	defer l.Unlock()
	changed = make(chan struct{}, 1)
	if l.of == nil {
		l.of = map[uuid.UUID]map[chan struct{}]bool{}
	}
	if l.of[draft] == nil {
		l.of[draft] = map[chan struct{}]bool{}
	}
	l.of[draft][changed] = true
	return changed, func() {
		l.Lock()
		defer l.Unlock()
		if delete(l.of[draft], changed); len(l.of[draft]) == 0 {
			delete(l.of, draft)
		}
	}
}

func (l *listeners) tell(draft uuid.UUID) {
	l.Lock()
	defer l.Unlock()
	for c := range l.of[draft] {
		select {
		case c <- struct{}{}:
		default:
		}
	}
}

// Updates sends the insights of a draft, then again at each change, until none
// is being made or ctx ends. Fault: NotFound for the draft.
func (s *Service) Updates(ctx context.Context, draft uuid.UUID) (<-chan []*Insight, error) {
	changed, remove := s.heard.add(draft)
	last, err := s.List(ctx, draft, nil)
	if err != nil {
		remove()
		return nil, err
	}
	out := make(chan []*Insight)
	go func() {
		defer remove()
		defer close(out)
		for first := true; ; first = false {
			now, err := s.List(ctx, draft, nil)
			if err != nil {
				return
			}
			if first || !reflect.DeepEqual(now, last) {
				select {
				case out <- now:
				case <-ctx.Done():
					return
				}
			}
			if last = now; done(now) {
				return
			}
			select { // other processes are heard by looking
			case <-changed:
			case <-time.After(s.Watch):
			case <-ctx.Done():
				return
			}
		}
	}()
	return out, nil
}

func done(list []*Insight) bool {
	for _, i := range list {
		if i.Status == nil {
			return false
		}
	}
	return true
}
