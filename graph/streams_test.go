package graph

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/contentgraph/contentgraph/internal/auth"
	"github.com/contentgraph/contentgraph/internal/store"
)

// TestRevocation: streams end with their credentials and with the rights that
// they began with.
func TestRevocation(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		revoke func(t *testing.T, b *bench)
		code   string
	}{
		"token": {code: "UNAUTHORIZED", revoke: func(t *testing.T, b *bench) {
			_, err := b.admin.Revoke(store.System(t.Context()), nil, b.principal(t, b.our).Credential, "TOKEN")
			must(t, err)
		}},
		"rights": {code: "FORBIDDEN", revoke: func(t *testing.T, b *bench) {
			must(t, b.User.UpdateOneID(b.us.ID).SetScopes([]string{"data"}).Exec(store.System(t.Context())))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, Options{}, quick)
			var later atomic.Int64
			b.auth.Now = func() time.Time { return time.Now().Add(time.Duration(later.Load())) }
			socket := b.known(t)
			socket.asks("a", `subscription { ticks(n: 0) }`)
			lines, _ := b.stream(t, `subscription { ticks(n: 0) }`)
			other := b.dial(t, subprotocol)
			other.says(`{"type":"connection_init","payload":{"authorization":"Bearer ` + b.their + `"}}`)
			other.hears(`{"type":"connection_ack"}`)
			eventually(t, "the starts", func() bool { return b.toy.began.Load() == 2 })

			c.revoke(t, b)
			later.Store(int64(5 * time.Second)) // when other replicas know
			socket.ends(4403, "")
			if text := lines() + lines() + lines() + lines() + lines() + lines() + lines(); !strings.HasPrefix(text, `:event: nextdata: {"errors"`) ||
				!strings.Contains(text, c.code) || !strings.HasSuffix(text, "}"+strings.ReplaceAll(complete, "\n", "")) {
				t.Error(text)
			}
			eventually(t, "the ends", func() bool { return b.toy.ended.Load() == 2 })
			other.says(`{"type":"ping"}`)
			other.hears(`{"type":"pong"}`)
		})
	}
}

// TestStop: streams are ended, not completed, and no new ones begin.
func TestStop(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{}, quick)
	socket, early := b.known(t), b.dial(t, subprotocol)
	socket.asks("a", `subscription { ticks(n: 0) }`)
	lines, _ := b.stream(t, `subscription { ticks(n: 0) }`)
	eventually(t, "the starts", func() bool { return b.toy.began.Load() == 2 })
	closed := make(chan time.Duration)
	go func() {
		began := time.Now()
		b.handler.Close()
		closed <- time.Since(began)
	}()
	socket.ends(websocket.StatusGoingAway, "connect again")
	early.ends(websocket.StatusGoingAway, "connect again")
	if text := lines() + lines() + lines(); text != ":the end" {
		t.Error(text)
	}
	if took := <-closed; took > 30*time.Second {
		t.Error("closing took", took)
	}
	if b.toy.ended.Load() != 2 {
		t.Error("ended:", b.toy.ended.Load())
	}
	if status, text := b.fetch(t, b.request(t, "POST", "/", query(`{ echo(text: "") }`), "Accept", mediaEvents)); status != 503 {
		t.Error(status, text)
	}
	if status, text := b.fetch(t, b.request(t, "POST", "/", query(`{ echo(text: "") }`))); status != 200 {
		t.Error("a request without a stream:", status, text)
	}
	if _, _, err := websocket.Dial(t.Context(), b.URL, &websocket.DialOptions{Subprotocols: []string{subprotocol}}); err == nil || !strings.Contains(err.Error(), "503") {
		t.Error(err)
	}
}

// TestStopDoesNotWait for clients that do not answer.
func TestStopDoesNotWait(t *testing.T) {
	t.Parallel()
	p := quick
	p.grace = 200 * time.Millisecond
	b := newBench(t, Options{}, p)
	b.known(t) // and never read again
	b.known(t).asks("a", `subscription { flood(size: 100000) }`)
	b.stream(t, `subscription { flood(size: 100000) }`)
	eventually(t, "the starts", func() bool { return b.toy.began.Load() == 2 })
	time.Sleep(100 * time.Millisecond) // until nothing moves any more
	began := time.Now()
	b.handler.Close()
	if took := time.Since(began); took > 30*time.Second {
		t.Error("closing took", took)
	}
}

// TestStreamsCount: what is counted for a holder is given back, by whichever
// way a stream ends.
func TestStreamsCount(t *testing.T) {
	t.Parallel()
	known := func(user int) *auth.Principal { return &auth.Principal{UserID: user} }
	all := newStreams(nil, 2, time.Hour)
	begin := func(p *auth.Principal) (*stream, error) { return all.start(t.Context(), "::1", p) }
	var open []*stream
	for _, p := range []*auth.Principal{nil, known(1), nil, known(1)} {
		s, err := begin(p)
		must(t, err)
		open = append(open, s)
	}
	for _, p := range []*auth.Principal{nil, known(1)} {
		if _, err := begin(p); err == nil || !strings.Contains(err.Error(), "more than 2") {
			t.Error(err)
		}
	}
	if err := open[0].become(known(1)); err == nil {
		t.Error("a third one of the user")
	}
	must(t, open[2].become(known(2)))
	for _, s := range open {
		s.end(errors.New("first"))
		s.close()
	}
	if len(all.held) != 0 || len(all.open) != 0 {
		t.Error(all.held, all.open)
	}
	all.stop()
	if _, err := begin(nil); err != errStopping {
		t.Error(err)
	}
}
