package auth

import (
	"context"
	"crypto/md5"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/ent/db/credential"
	"github.com/contentgraph/contentgraph/ent/db/grant"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

func TestBearer(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		ann := h.user(t, "ann", []int{1, 2}, vocab.ScopeContentRead, vocab.ScopeData)
		token, c := h.token(t, ann, nil)
		for range 2 { // from the database, from the cache
			p := must(h.Bearer(t.Context(), token))(t)
			if p.UserID != ann.ID || p.Name != "ann" || !p.Accounts[1] || !p.Accounts[2] || len(p.Accounts) != 2 ||
				!p.HasScope(vocab.ScopeData) || p.HasScope(vocab.ScopeAdmin) || p.Credential != c.ID || p.APIKey != "" {
				t.Errorf("%+v", p)
			}
		}
		unknown := must(newToken(strings.NewReader(strings.Repeat("x", 128))))(t)
		for _, bad := range []string{unknown, unknown, token[:42] + "!", "", c.ID.String(), "\x00"} {
			_, err := h.Bearer(t.Context(), bad)
			refused(t, err, fault.CodeUnauthorized, "Bearer token")
		}
	})
}

func TestSigned(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		ann := h.user(t, "ann", []int{1}, vocab.ScopeData)
		apiKey, secret := h.key(t, ann)
		p := must(h.Signed(t.Context(), apiKey, Sign(apiKey, secret, h.clock.now())))(t)
		if p.UserID != ann.ID || p.APIKey != apiKey {
			t.Errorf("%+v", p)
		}
		_, wrongSecret := h.Signed(t.Context(), apiKey, Sign(apiKey, "wrong", h.clock.now()))
		other := keyPrefix + strings.Repeat("0", keyRandom)
		_, unknownKey := h.Signed(t.Context(), other, Sign(other, secret, h.clock.now()))
		if wrongSecret.Error() != unknownKey.Error() {
			t.Error("the answer tells which keys exist")
		}
		for _, err := range []error{wrongSecret, unknownKey,
			second(h.Signed(t.Context(), "\x00\xff", "")), second(h.Signed(t.Context(), strings.ToUpper(apiKey), "x"))} {
			refused(t, err, fault.CodeInvalidSignature, "signature")
		}
		h.clock.add(301 * time.Second)
		_, err := h.Signed(t.Context(), apiKey, Sign(apiKey, secret, h.clock.now().Add(-301*time.Second)))
		refused(t, err, fault.CodeInvalidSignature, "5 minutes")
	})
}

// Callers who meet at a cold cache share one window, too.
func TestSignedSharesAWindow(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		apiKey, secret := h.key(t, h.user(t, "ann", []int{1}, vocab.ScopeData))
		c := h.store.Credential.Query().Where(credential.APIKey(apiKey)).OnlyX(t.Context())
		var computed atomic.Int64
		w := must(h.windowOf(c))(t)
		w.digest = func(prefix []byte, s int64) [md5.Size]byte { computed.Add(1); return signatureDigest(prefix, s) }
		var callers sync.WaitGroup
		for i := range 8 {
			callers.Go(func() {
				for j := range 25 {
					if _, err := h.Signed(t.Context(), apiKey, fmt.Sprintf("%032x", i*100+j)); err == nil {
						t.Error("a made-up signature is accepted")
					}
				}
				if _, err := h.Signed(t.Context(), apiKey, Sign(apiKey, secret, h.clock.now())); err != nil {
					t.Error(err)
				}
			})
		}
		callers.Wait()
		h.clock.add(loginAge) // the login is read anew, the window stays
		must(h.Signed(t.Context(), apiKey, Sign(apiKey, secret, h.clock.now())))(t)
		if n := computed.Load(); n != signatureSeconds+5 {
			t.Errorf("%d digests computed", n)
		}
	})
}

// What changes in the database holds on every replica within five seconds.
func TestChangesHoldSoon(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		replica := h.replica(t, h.store)
		ann := h.user(t, "ann", []int{1, 2}, vocab.ScopeData)
		token, c := h.token(t, ann, nil)
		apiKey, secret := h.key(t, ann)
		signed := func() (*Principal, error) {
			return replica.Signed(t.Context(), apiKey, Sign(apiKey, secret, h.clock.now()))
		}
		bearer := func() (*Principal, error) { return replica.Bearer(t.Context(), token) }
		byToken, byKey := must(bearer())(t), must(signed())(t)
		must(replica.Renew(t.Context(), byToken))(t)

		h.store.Grant.Delete().Where(grant.UserID(ann.ID), grant.AccountID(2)).ExecX(t.Context())
		h.clock.add(loginAge)
		for _, p := range []*Principal{must(bearer())(t), must(signed())(t), must(replica.Renew(t.Context(), byToken))(t)} {
			if p.Accounts[2] || !p.Accounts[1] {
				t.Errorf("a withdrawn grant still holds: %v", p.Accounts)
			}
		}
		h.store.Account.DeleteOneID(1).ExecX(t.Context())
		h.clock.add(loginAge)
		if p := must(bearer())(t); len(p.Accounts) != 0 {
			t.Errorf("grants of no account: %v", p.Accounts)
		}
		must(h.admin.Revoke(h.op, nil, c.ID, credential.KindTOKEN))(t)
		must(h.admin.Revoke(h.op, nil, byKey.Credential, credential.KindKEY))(t)
		h.clock.add(loginAge)
		refused(t, second(bearer()), fault.CodeUnauthorized, "revoked")
		refused(t, second(signed()), fault.CodeInvalidSignature, "revoked")
		refused(t, second(replica.Renew(t.Context(), byToken)), fault.CodeUnauthorized, "revoked")
	})
}

func TestUserWithoutRow(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		ann := h.user(t, "ann", []int{1}, vocab.ScopeData)
		token, _ := h.token(t, ann, nil)
		h.store.User.DeleteOneID(ann.ID).ExecX(t.Context())
		refused(t, second(h.Bearer(t.Context(), token)), fault.CodeUnauthorized, "")
	})
}

func TestExpiryIsExact(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		end := h.clock.now().Add(2 * time.Second)
		token, _ := h.token(t, h.user(t, "ann", []int{1}, vocab.ScopeData), &end)
		p := must(h.Bearer(t.Context(), token))(t)
		h.clock.add(2*time.Second - time.Millisecond)
		must(h.Bearer(t.Context(), token))(t)
		h.clock.add(time.Millisecond)
		refused(t, second(h.Bearer(t.Context(), token)), fault.CodeUnauthorized, "expired")
		refused(t, second(h.Renew(t.Context(), p)), fault.CodeUnauthorized, "expired")
	})
}

func TestCancelledRequestIsNoBadCredential(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		token, _ := h.token(t, h.user(t, "ann", []int{1}, vocab.ScopeData), nil)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := h.Bearer(ctx, token); fault.Of(err).Kind != fault.Canceled {
			t.Errorf("%v", err)
		}
		must(h.Bearer(t.Context(), token))(t)
	})
}

func TestLastUse(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		token, c := h.token(t, h.user(t, "ann", []int{1}, vocab.ScopeData), nil)
		// A replica of its own for every use: closing it flushes, and none knows
		// what the others wrote but from the database.
		use := func() time.Time {
			t.Helper()
			a := h.replica(t, h.store)
			must(a.Bearer(t.Context(), token))(t)
			a.Close()
			return *h.store.Credential.GetX(t.Context(), c.ID).LastUsed
		}
		start := h.clock.now()
		if at := use(); !at.Equal(start) {
			t.Errorf("first use recorded as %s", at)
		}
		h.clock.add(59 * time.Second)
		if at := use(); !at.Equal(start) {
			t.Errorf("recorded again within a minute: %s", at)
		}
		h.clock.add(time.Second)
		if at := use(); !at.Equal(start.Add(time.Minute)) {
			t.Errorf("not recorded after a minute: %s", at)
		}
		h.clock.add(-time.Hour)
		if at := use(); !at.Equal(start.Add(time.Minute)) {
			t.Errorf("a last use went back to %s", at)
		}
	})
}

func TestCloseTwice(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		token, _ := h.token(t, h.user(t, "ann", []int{1}, vocab.ScopeData), nil)
		h.Close()
		h.Close()
		must(h.Bearer(t.Context(), token))(t) // without effect on the record, but no panic
	})
}

func TestKeyIsTheSameOnReplicas(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		if string(h.Key("page tokens")) != string(h.replica(t, h.store).Key("page tokens")) {
			t.Error("replicas disagree")
		}
		if string(h.Key("page tokens")) == string(h.Key("links")) {
			t.Error("purposes share a key")
		}
	})
}

func TestCacheIsBounded(t *testing.T) {
	t.Parallel()
	c := newCache[int](10)
	for i := range 1000 {
		c.put(fmt.Sprint(i), i)
		if _, ok := c.get("0"); !ok {
			t.Fatal("what is asked for all the time was forgotten")
		}
		if n := len(c.young) + len(c.old); n > 20 {
			t.Fatalf("%d entries", n)
		}
	}
	if _, ok := c.get("500"); ok {
		t.Error("nothing was forgotten")
	}
	if v := c.keep("0", 7); v != 0 {
		t.Errorf("keep replaced the value with %d", v)
	}
}

// A request never waits for the record, and a use that was dropped is tried again.
func TestFullUsageQueue(t *testing.T) {
	t.Parallel()
	u := &usage{queue: make(chan use, 1)} // that nobody empties
	var first, other lastUse
	u.note(&first, uuid.New(), time.Now())
	u.note(&other, uuid.New(), time.Now())
	if !first.queued.Load() || other.queued.Load() || len(u.queue) != 1 {
		t.Error("a dropped use counts as recorded")
	}
}
