package store

import (
	"context"
	"testing"
	"time"

	"github.com/contentgraph/contentgraph/ent/db"
)

// TestYield: a bulk writer of one process stands back while another process is
// in a transaction or waits for one, but not for ever.
func TestYield(t *testing.T) {
	t.Parallel()
	ctx, folder := context.Background(), t.TempDir()
	serving, importing := open(t, folder), open(t, folder)

	inside, leave, left := make(chan bool), make(chan bool), make(chan error)
	go func() {
		left <- serving.Tx(System(ctx), func(*db.Client) error {
			inside <- true
			<-leave
			return nil
		})
	}()
	<-inside
	began := time.Now()
	importing.Yield(ctx)
	if waited := time.Since(began); waited < maxYield {
		t.Errorf("yielded for %v while the other writes, want %v", waited, maxYield)
	}
	yielded := make(chan bool)
	go func() { importing.Yield(ctx); close(yielded) }()
	close(leave)
	<-yielded
	if err := <-left; err != nil {
		t.Error(err)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	importing.Yield(ended) // nobody waits, or it is over: returns
}

func open(t *testing.T, folder string) *Store {
	t.Helper()
	s, err := Open(context.Background(), "", folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}
