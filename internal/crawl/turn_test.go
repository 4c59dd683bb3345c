package crawl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestPauses runs in a bubble with a clock of its own.
func TestPauses(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		turns := turns{now: time.Now, hosts: make(map[string]*turn)}
		start := time.Now()
		var wg sync.WaitGroup
		var mu sync.Mutex
		began := map[string][]time.Duration{}
		for i := range 6 {
			host := []string{"a.example", "b.example"}[i%2]
			wg.Go(func() {
				giveBack, err := turns.take(t.Context(), host)
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				began[host] = append(began[host], time.Since(start))
				mu.Unlock()
				time.Sleep(100 * time.Millisecond)
				giveBack(time.Second)
			})
		}
		wg.Wait()
		for host, times := range began {
			if got := fmt.Sprint(times); got != "[0s 1.1s 2.2s]" {
				t.Errorf("%s: requests began after %s", host, got)
			}
		}
	})
}

func TestLeavingTheQueue(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		turns := turns{now: time.Now, hosts: make(map[string]*turn)}
		giveBack, err := turns.take(t.Context(), "a.example")
		if err != nil {
			t.Fatal(err)
		}
		wait := func(limit time.Duration) error {
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			back, err := turns.take(ctx, "a.example")
			if err == nil {
				back(0)
			}
			return err
		}
		if err := wait(time.Second); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("while a request is under way: %v", err)
		}
		giveBack(10 * time.Second)
		if err := wait(time.Second); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("in the pause: %v", err)
		}
		if err := wait(20 * time.Second); err != nil {
			t.Errorf("after the pause: %v", err)
		}
		if users := turns.hosts["a.example"].users; users != 0 {
			t.Errorf("%d users are left", users)
		}
	})
}

func TestIdleHostsAreForgotten(t *testing.T) {
	t.Parallel()
	now := time.Now()
	turns := turns{now: func() time.Time { return now }, hosts: make(map[string]*turn)}
	kept, err := turns.take(t.Context(), "busy.example")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 * maxIdle {
		giveBack, err := turns.take(t.Context(), fmt.Sprint(i, ".example"))
		if err != nil {
			t.Fatal(err)
		}
		giveBack(time.Second)
		now = now.Add(time.Millisecond)
	}
	if n := len(turns.hosts); n > 2*maxIdle+1 || turns.hosts["busy.example"] == nil {
		t.Errorf("%d hosts", n)
	}
	kept(0)
}

// TestOneAtATime fetches many pages of two hosts at once.
func TestOneAtATime(t *testing.T) {
	t.Parallel()
	var now, most [2]atomic.Int32
	hosts := []string{"a.example", "b.example"}
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		i := strings.IndexByte("ab", r.Host[0])
		most[i].Store(max(most[i].Load(), now[i].Add(1)))
		time.Sleep(5 * time.Millisecond)
		now[i].Add(-1)
		w.Header().Set("Content-Type", "text/plain")
		io.WriteString(w, r.URL.Path)
	})
	s.fetcher.Resolver = zone{"a.example": {"127.0.0.1"}, "b.example": {"127.0.0.1"}}.resolver()
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			path := fmt.Sprint("/", i)
			r, err := s.fetcher.Fetch(t.Context(), Request{URL: strings.Replace(s.url, "127.0.0.1", hosts[i%2], 1) + path})
			if err != nil || string(r.Body) != path {
				t.Errorf("%s: %v", path, err)
			}
		})
	}
	wg.Wait()
	if most[0].Load() != 1 || most[1].Load() != 1 {
		t.Errorf("%d and %d requests at a time", most[0].Load(), most[1].Load())
	}
}
