package auth

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/pgtest"
	"github.com/contentgraph/contentgraph/internal/store"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// each runs a test over both databases.
func each(t *testing.T, f func(t *testing.T, h *house)) {
	t.Parallel()
	pgtest.Both(t, func(t *testing.T, url string) { f(t, newHouse(t, url)) })
}

// house is an installation with accounts 1 to 4, on a clock that tests move.
type house struct {
	*Authenticator
	admin  *Admin
	clock  *clock
	folder string
	op     context.Context // the operator's
}

func newHouse(t *testing.T, url string) *house {
	t.Helper()
	h := &house{clock: newClock(), folder: t.TempDir(), op: store.System(t.Context())}
	s, err := store.Open(t.Context(), url, h.folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	h.Authenticator = h.replica(t, s)
	h.admin = NewAdmin(h.Authenticator)
	h.admin.Now = h.clock.now
	for id := range 4 {
		must(h.admin.CreateAccount(h.op, nil, id+1, "account"))(t)
	}
	return h
}

// replica is another process over the same database.
func (h *house) replica(t *testing.T, s *store.Store) *Authenticator {
	t.Helper()
	a := must(Open(t.Context(), s, "", h.folder))(t)
	t.Cleanup(a.Close)
	a.Now = h.clock.now
	return a
}

func (h *house) user(t *testing.T, name string, accounts []int, scopes ...string) *User {
	t.Helper()
	return must(h.admin.CreateUser(h.op, nil, name, accounts, scopes))(t)
}

func (h *house) token(t *testing.T, u *User, expires *time.Time) (string, *db.Credential) {
	t.Helper()
	token, c, err := h.admin.CreateToken(h.op, nil, u.ID, expires)
	if err != nil {
		t.Fatal(err)
	}
	return token, c
}

func (h *house) key(t *testing.T, u *User) (apiKey, secret string) {
	t.Helper()
	apiKey, secret, _, err := h.admin.CreateKey(h.op, nil, u.ID)
	if err != nil {
		t.Fatal(err)
	}
	return apiKey, secret
}

// principal is a user as a request of theirs has it.
func (u *User) principal() *Principal {
	p := &Principal{UserID: u.ID, Name: u.Name, Scopes: u.Scopes, Accounts: map[int]bool{}}
	for _, id := range u.Accounts {
		p.Accounts[id] = true
	}
	return p
}

type clock struct {
	mu sync.Mutex
	t  time.Time
}

func newClock() *clock { return &clock{t: time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)} }

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.t
}

func (c *clock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = c.t.Add(d)
}

func must[T any](v T, err error) func(t *testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// refused checks that err is a fault of the code whose message holds text.
func refused(t *testing.T, err error, code fault.Code, text string) {
	t.Helper()
	if err == nil {
		t.Errorf("allowed, want %s", code)
		return
	}
	if e := fault.Of(err); e.Code != code || !strings.Contains(e.Message, text) {
		t.Errorf("got %s %q (%v), want %s with %q", e.Code, e.Message, err, code, text)
	}
}
