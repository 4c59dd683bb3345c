package auth

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/pgtest"
	"github.com/contentgraph/contentgraph/internal/store"
)

// replicas are limiters on one database whose clock stands.
func replicas(t *testing.T, url string, limits Limits, n int) (s *store.Store, list []*Limiter) {
	t.Helper()
	s = must(store.Open(t.Context(), url, t.TempDir()))(t)
	t.Cleanup(func() { s.Close() })
	for range n {
		l := NewLimiter(limits, s)
		l.Now = newClock().now
		l.at("2026-11-20 10:00:45Z")
		list = append(list, l)
	}
	return s, list
}

// at sets the database's clock.
func (l *Limiter) at(clock string) { l.clock = "timestamptz '" + clock + "'" }

// TestLimiter goes through one process's requests, in order.
func TestLimiter(t *testing.T) {
	t.Parallel()
	for name, url := range map[string]func(*testing.T) string{
		"alone":    nil,
		"sqlite":   func(*testing.T) string { return "" },
		"postgres": func(t *testing.T) string { return pgtest.New(t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			limits := Limits{Submit: 2, Poll: 1}
			l := NewLimiter(limits, nil)
			if url != nil {
				_, list := replicas(t, url(t), limits, 1)
				l = list[0]
			}
			now := time.Date(2026, 11, 20, 10, 0, 45, 0, time.UTC)
			l.Now = func() time.Time { return now }
			a, b := &Principal{Credential: uuid.New()}, &Principal{Credential: uuid.New()}
			take := func(i int, who *Principal, class Class, want string, wait int) {
				t.Helper()
				left, err := l.Take(who, class)
				if got := fmt.Sprint(left.Left, " of ", left.Limit, ", ", left.Reset); got != want {
					t.Errorf("request %d: %s, want %s", i, got, want)
				}
				if (wait == 0) != (err == nil) || err != nil && (!fault.Is(err, fault.RateLimited) || fault.Of(err).RetryAfter != wait) {
					t.Errorf("request %d: %v, want a wait of %d s", i, err, wait)
				}
			}
			for i, c := range []struct {
				who   *Principal
				class Class
				want  string
				wait  int
			}{
				{a, Submit, "1 of 2, 15", 0}, {a, Submit, "0 of 2, 15", 0}, {a, Submit, "0 of 2, 15", 15}, {b, Submit, "1 of 2, 15", 0},
				{a, Poll, "0 of 1, 15", 0}, {a, Poll, "0 of 1, 15", 15}, {a, Content, "0 of 0, 0", 0}, {a, Content, "0 of 0, 0", 0}, {nil, Submit, "0 of 0, 0", 0},
			} {
				take(i, c.who, c.class, c.want, c.wait)
			}
			now = now.Add(14500 * time.Millisecond)
			take(10, a, Submit, "0 of 2, 1", 1)
			now = now.Add(500 * time.Millisecond)
			l.at("2026-11-20 10:01:00Z")
			take(11, a, Submit, "1 of 2, 60", 0)
			if len(l.windows) != 1 {
				t.Errorf("%d windows are kept", len(l.windows))
			}
		})
	}
}

// TestReplicas: whatever happens at once, submissions are exact, and of the
// other classes no more pass than allowed and no more are lost than a portion
// for each replica.
func TestReplicas(t *testing.T) {
	t.Parallel()
	limits := Limits{Submit: 40, Poll: 400, Content: 10}
	s, list := replicas(t, pgtest.New(t), limits, 3)
	p := &Principal{Credential: uuid.New()}
	for class, least := range map[Class]int{Submit: 40, Poll: 400 - 2*20, Content: 10} {
		var passed atomic.Int64
		var wg sync.WaitGroup
		for _, l := range list {
			for range 4 {
				wg.Go(func() {
					for range limits[class]/4 + 1 {
						if _, err := l.Take(p, class); err == nil {
							passed.Add(1)
						}
					}
				})
			}
		}
		wg.Wait()
		if n := int(passed.Load()); n < least || n > limits[class] {
			t.Errorf("%s: %d requests passed, want %d to %d", class, n, least, limits[class])
		}
	}
	if _, err := list[0].Take(&Principal{Credential: uuid.New()}, Submit); err != nil {
		t.Errorf("another credential: %v", err)
	}

	// A refusal is remembered, so that a flood does not reach the database.
	var before, after int
	count := `select sum(used) from rate_windows where class = 'submit'`
	s.Reader.QueryRow(count).Scan(&before)
	for range 50 {
		if _, err := list[0].Take(p, Submit); err == nil {
			t.Fatal("a request passed")
		}
	}
	if s.Reader.QueryRow(count).Scan(&after); before == 0 || after != before {
		t.Errorf("refused requests were counted: %d, then %d", before, after)
	}

	for _, c := range []struct {
		clock string
		left  int
	}{{"2026-11-20 10:10:59Z", 4}, {"2026-11-20 10:11:00Z", 0}} {
		list[1].at(c.clock)
		var n int
		if err := errors.Join(list[1].Sweep(t.Context()), s.Reader.QueryRow(`select count(*) from rate_windows`).Scan(&n)); err != nil || n != c.left {
			t.Errorf("at %s %d counts are left, want %d; %v", c.clock, n, c.left, err)
		}
	}
}

// TestClocks: the minute is the database's, whatever a replica's clock says.
func TestClocks(t *testing.T) {
	t.Parallel()
	_, list := replicas(t, pgtest.New(t), Limits{Submit: 1}, 2)
	behind := list[1].Now().Add(-7*time.Minute + 30*time.Second)
	list[1].Now = func() time.Time { return behind }
	p := &Principal{Credential: uuid.New()}
	if a, err := list[0].Take(p, Submit); err != nil || a.Reset != 15 {
		t.Fatal(a, err)
	}
	if a, err := list[1].Take(p, Submit); err == nil || a.Reset != 15 {
		t.Error(a, err)
	}
	list[1].at("2026-11-20 10:01:00Z")
	behind = behind.Add(15 * time.Second)
	if a, err := list[1].Take(p, Submit); err != nil || a.Reset != 60 {
		t.Error(a, err)
	}
}

// TestWithoutDatabase: who cannot ask the others counts alone.
func TestWithoutDatabase(t *testing.T) {
	t.Parallel()
	s, list := replicas(t, pgtest.New(t), Limits{Submit: 2, Poll: 40}, 1)
	l, p := list[0], &Principal{Credential: uuid.New()}
	if _, err := l.Take(p, Submit); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Writer.Exec(`alter table rate_windows rename to elsewhere`); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if a, err := l.Take(p, Submit); (err == nil) != (i < 2) || a.Reset != 15 {
			t.Errorf("request %d: %+v, %v", i, a, err)
		}
	}
	if a, err := l.Take(p, Poll); err != nil || a.Left != 39 || a.Reset != 60 {
		t.Errorf("%+v, %v", a, err)
	}
	if !l.failing.Load() {
		t.Error("nothing is logged")
	}
	if _, err := s.Writer.Exec(`alter table elsewhere rename to rate_windows`); err != nil {
		t.Fatal(err)
	}
	if a, err := l.Take(&Principal{Credential: uuid.New()}, Submit); err != nil || a.Left != 1 || l.failing.Load() {
		t.Errorf("%+v, %v", a, err)
	}
}
