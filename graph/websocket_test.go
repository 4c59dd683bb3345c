package graph

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/contentgraph/contentgraph/internal/auth"
	"github.com/contentgraph/contentgraph/internal/store"
)

// client is one end of a WebSocket, in a test.
type client struct {
	*websocket.Conn
	t *testing.T
}

// dial opens a WebSocket; header is name, value, ...
func (b *bench) dial(t *testing.T, protocol string, header ...string) *client {
	t.Helper()
	o := &websocket.DialOptions{HTTPHeader: http.Header{}}
	if protocol != "" {
		o.Subprotocols = []string{protocol}
	}
	for i := 0; i < len(header); i += 2 {
		o.HTTPHeader.Set(header[i], header[i+1])
	}
	conn, _, err := websocket.Dial(t.Context(), b.URL, o)
	must(t, err)
	conn.SetReadLimit(1 << 20)
	t.Cleanup(func() { conn.CloseNow() })
	return &client{conn, t}
}

// known opens a WebSocket and makes itself known.
func (b *bench) known(t *testing.T) *client {
	t.Helper()
	c := b.dial(t, subprotocol)
	c.says(fmt.Sprintf(`{"type":"connection_init","payload":{"authorization":"Bearer %s","more":[1]}}`, b.our))
	c.hears(`{"type":"connection_ack"}`)
	return c
}

func (c *client) says(text string) {
	c.t.Helper()
	must(c.t, c.Write(c.t.Context(), websocket.MessageText, []byte(text)))
}

// asks subscribes.
func (c *client) asks(id, document string) {
	c.t.Helper()
	c.says(fmt.Sprintf(`{"id":"%s","type":"subscribe","payload":%s}`, id, query(document)))
}

// next is the next message, or why there is none.
func (c *client) next() (string, error) {
	ctx, cancel := context.WithTimeout(c.t.Context(), 10*time.Second)
	defer cancel()
	_, text, err := c.Read(ctx)
	return string(text), err
}

// hears demands messages, in order; … stands for any text.
func (c *client) hears(want ...string) {
	c.t.Helper()
	for _, w := range want {
		got, err := c.next()
		before, after, _ := strings.Cut(w, "…")
		if err != nil || !strings.HasPrefix(got, before) || !strings.HasSuffix(got, after) {
			c.t.Fatalf("heard %s (%v), want %s", got, err, w)
		}
	}
}

// ends demands the end of the connection.
func (c *client) ends(code websocket.StatusCode, reason string) {
	c.t.Helper()
	got, err := c.next()
	if websocket.CloseStatus(err) != code || !strings.Contains(err.Error(), reason) {
		c.t.Errorf("ended with %s (%v), want %d %s", got, err, code, reason)
	}
}

// TestWebSocketRules breaks each rule of the sub-protocol.
func TestWebSocketRules(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{MaxBody: 40_000}, quick)
	key, secret, _, err := b.admin.CreateKey(store.System(t.Context()), nil, b.us.ID)
	must(t, err)
	initial := func(payload string) string { return `{"type":"connection_init","payload":` + payload + `}` }
	known := initial(`{"authorization":"bearer ` + b.our + `"}`)
	const ack = `{"type":"connection_ack"}`
	idle := `{"id":"a","type":"subscribe","payload":` + query("subscription { ticks(n: 0) }") + `}`
	for name, c := range map[string]struct {
		header []string
		says   []string
		hears  []string
		code   websocket.StatusCode // 0 = stays open
		reason string
	}{
		"token":                {says: []string{known}, hears: []string{ack}},
		"signature":            {says: []string{initial(fmt.Sprintf(`{"apiKey":"%s","sig":"%s"}`, key, auth.Sign(key, secret, time.Now())))}, hears: []string{ack}},
		"token of the request": {header: []string{"Authorization", "Bearer " + b.our}, says: []string{`{"type":"connection_init"}`}, hears: []string{ack}},
		"payload decides": {header: []string{"Authorization", "Bearer " + b.our}, says: []string{initial(`{"authorization":"Bearer cg_x"}`)},
			code: 4403, reason: "token"},
		"no credentials":      {says: []string{`{"type":"connection_init"}`}, code: 4403, reason: "connection_init needs"},
		"wrong signature":     {says: []string{initial(`{"apiKey":"` + key + `","sig":"x"}`)}, code: 4403},
		"half a signature":    {says: []string{initial(`{"apiKey":"` + key + `"}`)}, code: 4403, reason: "sig is missing"},
		"odd payload":         {says: []string{initial(`{"authorization":5}`)}, code: 4400},
		"too early":           {says: []string{idle}, code: 4401, reason: "Unauthorized"},
		"twice":               {says: []string{known, known}, hears: []string{ack}, code: 4429, reason: "Too many initialisation requests"},
		"no JSON":             {says: []string{`hello`}, code: 4400, reason: "Invalid message"},
		"no UTF-8":            {says: []string{"{\"type\":\"ping\xff\"}"}, code: 4400},
		"a list":              {says: []string{`[]`}, code: 4400},
		"no such type":        {says: []string{`{"type":"start"}`}, code: 4400, reason: "unknown type"},
		"no id":               {says: []string{known, `{"type":"subscribe","payload":{"query":"{x}"}}`}, hears: []string{ack}, code: 4400, reason: "id"},
		"long id":             {says: []string{known, `{"id":"` + strings.Repeat("x", 129) + `","type":"subscribe"}`}, hears: []string{ack}, code: 4400},
		"no payload":          {says: []string{known, `{"id":"a","type":"subscribe"}`}, hears: []string{ack}, code: 4400, reason: "payload"},
		"no query":            {says: []string{known, `{"id":"a","type":"subscribe","payload":{}}`}, hears: []string{ack}, code: 4400, reason: "query"},
		"same id":             {says: []string{known, idle, idle}, hears: []string{ack}, code: 4409, reason: "Subscriber for a already exists"},
		"ping":                {says: []string{`{"type":"ping"}`, `{"type":"ping","payload":{"a":[1]}}`, `{"type":"pong"}`}, hears: []string{`{"type":"pong"}`, `{"type":"pong","payload":{"a":[1]}}`}},
		"unknown complete":    {says: []string{`{"id":"z","type":"complete"}`}},
		"large for strangers": {says: []string{`{"type":"ping","payload":"` + strings.Repeat("x", 17000) + `"}`}, code: 1009},
		"large":               {hears: []string{ack}, says: []string{known, `{"type":"ping","payload":"` + strings.Repeat("x", 40_000) + `"}`}, code: 1009},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn := b.dial(t, subprotocol, c.header...)
			for i, text := range c.says {
				if conn.says(text); i < len(c.hears) {
					conn.hears(c.hears[i])
				}
			}
			if c.code != 0 {
				conn.ends(c.code, c.reason)
			} else {
				conn.says(`{"type":"ping","payload":"still there"}`)
				conn.hears(`{"type":"pong","payload":"still there"}`)
			}
		})
	}
	b.dial(t, "graphql-ws").ends(4406, "Subprotocol not acceptable")
	b.dial(t, "").ends(4406, "")
	binary := b.known(t)
	must(t, binary.Write(t.Context(), websocket.MessageBinary, []byte(`{"type":"ping"}`)))
	binary.ends(4400, "text frame")
}

func TestWebSocketInitTimeout(t *testing.T) {
	t.Parallel()
	p := quick
	p.initial = 20 * time.Millisecond
	b := newBench(t, Options{}, p)
	b.dial(t, subprotocol, "Authorization", "Bearer "+b.our).ends(4408, "Connection initialisation timeout")
}

// TestWebSocketOperations runs operations of every kind and end.
func TestWebSocketOperations(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{}, quick)
	c := b.known(t)
	for range 3 { // the id is free again at once
		c.asks("a", `subscription { n: ticks(n: 2) }`)
		c.hears(`{"type":"next","id":"a","payload":{"data":{"n":1}}}`, `{"type":"next","id":"a","payload":{"data":{"n":2}}}`, `{"type":"complete","id":"a"}`)
	}
	c.asks("q\\u0022", `{ echo(text: "ü") }`)
	c.hears(`{"type":"next","id":"q\"","payload":{"data":{"echo":"ü"}}}`, `{"type":"complete","id":"q\""}`)
	c.asks("m", `mutation { set }`)
	c.hears(`{"type":"next","id":"m","payload":{"data":{"set":"done"}}}`, `{"type":"complete","id":"m"}`)
	for _, wrong := range []string{`{`, `{ nothing }`, `{` + strings.Repeat(` a: echo(text: "")`, 1001) + `}`, `mutation { upload(file: "x") { y } }`} {
		c.asks("e", wrong)
		c.hears(`{"type":"error","id":"e","payload":[{"message":…"extensions":{"code":"INVALID_REQUEST"}}]}`)
	}
	c.asks("p", `subscription { panics }`)
	c.hears(`{"type":"error","id":"p","payload":[{"message":"internal error","extensions":{"code":"INTERNAL_ERROR"}}]}`)
	c.asks("big", fmt.Sprintf(`{ echo(text: "%s") }`, strings.Repeat("x", 200_000))) // of several pieces
	c.hears(`{"type":"next","id":"big","payload":{"data":{"echo":"xxxxx…xxxxxx"}}}`, `{"type":"complete","id":"big"}`)

	// Without a reply to the end that the client itself asks for.
	began, ended := b.toy.began.Load(), b.toy.ended.Load()
	for i := range int32(3) {
		c.asks("idle", `subscription { ticks(n: 0) }`)
		eventually(t, "the start", func() bool { return b.toy.began.Load() == began+i+1 })
		c.says(`{"id":"idle","type":"complete"}`)
		eventually(t, "the end", func() bool { return b.toy.ended.Load() == ended+i+1 })
	}
	c.says(`{"type":"ping"}`)
	c.hears(`{"type":"pong"}`)

	// All end with the connection.
	for i := range 3 {
		c.asks(fmt.Sprint("idle", i), `subscription { ticks(n: 0) }`)
	}
	c.asks("wait", `{ wait }`)
	eventually(t, "the starts", func() bool { return b.toy.began.Load() == began+6 })
	c.CloseNow()
	eventually(t, "the ends", func() bool { return b.toy.ended.Load() == began+6 })
}

func TestWebSocketHandshake(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{Origins: []string{"https://app.example.com", "https://*.Example.org"}}, quick)
	for _, c := range []struct {
		name, value string
		status      int
		text        string
	}{
		{"X-None", "", 101, ""},
		{"Origin", b.URL, 101, ""},
		{"Origin", "https://app.example.com", 101, ""},
		{"Origin", "https://a.b.example.org", 101, ""},
		{"Origin", "https://example.org", 403, "FORBIDDEN"},
		{"Origin", "http://app.example.com", 403, "FORBIDDEN"},
		{"Origin", "https://app.example.com.evil.net", 403, "FORBIDDEN"},
		{"Origin", "null", 403, "FORBIDDEN"},
		{"Origin", "%", 403, "FORBIDDEN"},
		{"Authorization", "Bearer cg_wrong", 401, "UNAUTHORIZED"},
		{"Sec-WebSocket-Version", "8", 400, "must be 13"},
		{"Sec-WebSocket-Key", "short", 400, "handshake"},
		{"Connection", "close", 400, "handshake"},
	} {
		r := b.request(t, http.MethodGet, "/", "", "Upgrade", "websocket", "Connection", "keep-alive, Upgrade", "Sec-WebSocket-Version", "13",
			"Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Protocol", "x, "+subprotocol, c.name, c.value)
		res, err := http.DefaultTransport.RoundTrip(r)
		must(t, err)
		text := make([]byte, 200)
		if res.StatusCode != 101 {
			res.Body.Read(text)
		} else if res.Header.Get("Sec-WebSocket-Protocol") != subprotocol {
			t.Error(res.Header)
		}
		res.Body.Close()
		if res.StatusCode != c.status || !strings.Contains(string(text), c.text) {
			t.Errorf("%s %s: %d %s", c.name, c.value, res.StatusCode, bytes.Trim(text, "\x00"))
		}
	}
}

func TestWebSocketLimits(t *testing.T) {
	t.Parallel()
	limit, used := metered(60)
	b := newBench(t, Options{MaxBody: 100_000, MaxStreams: 2, Limit: limit}, quick)
	c := b.known(t)
	for i := range maxOperations {
		c.asks(fmt.Sprint(i), `subscription { ticks(n: 0) }`)
	}
	c.asks("more", `{ wait }`)
	c.hears(`{"type":"error","id":"more","payload":[{"message":"a connection may have 50 operations at a time",…"RATE_LIMITED"}}]}`)
	c.says(`{"id":"7","type":"complete"}`)
	eventually(t, "room", func() bool { return b.toy.ended.Load() == 1 })
	padding := strings.Repeat(" ", 98_500)
	c.asks("large", `subscription { ticks(n: 0) }`+padding)
	c.hears(`{"type":"error","id":"large","payload":[{"message":"the operations of a connection must have at most 100000 bytes together",…"PAYLOAD_TOO_LARGE"}}]}`)

	// Each start counts as a request, whatever its kind.
	eventually(t, "starts", func() bool { return b.toy.began.Load() == maxOperations })
	if used.Load() != maxOperations {
		t.Error("counted:", used.Load())
	}
	two := b.known(t)
	for range 10 {
		two.asks("t", `{ echo(text: "x") }`)
		two.hears(`{"type":"next"…`, `{"type":"complete"…`)
	}
	two.asks("t", `subscription { ticks(n: 1) }`)
	two.hears(`{"type":"error","id":"t","payload":[{"message":"wait","extensions":{"code":"RATE_LIMITED","retryAfter":7}}]}`)

	// Two streams are a user's share, whichever way he comes.
	three := b.dial(t, subprotocol)
	three.says(`{"type":"connection_init","payload":{"authorization":"Bearer ` + b.our + `"}}`)
	three.ends(websocket.StatusTryAgainLater, "more than 2 streams")
	status, text := b.fetch(t, b.request(t, "POST", "/", query(`{ echo(text: "") }`), "Accept", mediaEvents))
	if status != 429 || !strings.Contains(text, "RATE_LIMITED") {
		t.Error(status, text)
	}
	two.Close(1000, "")
	eventually(t, "room for a stream", func() bool {
		status, _ := b.fetch(t, b.request(t, "POST", "/", query(`{ echo(text: "") }`), "Accept", mediaEvents))
		return status == 200
	})
}

// TestSlowReader: what a client does not read must not pile up.
func TestSlowReader(t *testing.T) {
	t.Parallel()
	p := quick
	p.patience, p.grace = 3*time.Second, 10*time.Second
	b := newBench(t, Options{}, p)
	c := b.known(t)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	c.asks("a", `subscription { flood(size: 100000) }`)
	eventually(t, "the end", func() bool { return b.toy.ended.Load() == 1 })
	if runtime.ReadMemStats(&after); after.HeapAlloc > before.HeapAlloc+50<<20 {
		t.Errorf("the heap grew by %d MiB", (after.HeapAlloc-before.HeapAlloc)>>20)
	}
	for { // what was on its way, then the reason
		if _, err := c.next(); err != nil {
			if websocket.CloseStatus(err) != websocket.StatusTryAgainLater {
				t.Error(err)
			}
			break
		}
	}

	// One that reads again in time misses nothing.
	c = b.known(t)
	c.asks("a", `subscription { ticks(n: 20000) }`)
	time.Sleep(300 * time.Millisecond)
	for n := 1; n <= 20000; n++ {
		c.hears(fmt.Sprintf(`{"type":"next","id":"a","payload":{"data":{"ticks":%d}}}`, n))
	}
	c.hears(`{"type":"complete","id":"a"}`)
}

// TestSignsOfLife: a client that answers pings stays, any other is cut off.
func TestSignsOfLife(t *testing.T) {
	t.Parallel()
	p := quick
	p.beat = 300 * time.Millisecond
	b := newBench(t, Options{}, p)
	dead, alive := b.known(t), b.known(t)
	dead.asks("a", `subscription { ticks(n: 0) }`)
	ctx, cancel := context.WithTimeout(t.Context(), 700*time.Millisecond)
	defer cancel()
	if _, text, err := alive.Read(ctx); ctx.Err() == nil {
		t.Errorf("the one that answers: %s %v", text, err)
	}
	eventually(t, "the end", func() bool { return b.toy.ended.Load() == 1 })
}
