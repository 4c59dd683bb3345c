package graph

import (
	"bufio"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/contentgraph/contentgraph/internal/auth"
	"github.com/contentgraph/contentgraph/internal/store"
)

// inOneGo are the events of a stream that ends by itself.
func inOneGo(events ...string) string { return ":\n\n" + strings.Join(events, "\n\n") }

const complete = "event: complete\ndata:"

// TestEvents asks for events, and for what has none.
func TestEvents(t *testing.T) {
	t.Parallel()
	limit, used := metered(1000)
	b := newBench(t, Options{Limit: limit, Origins: []string{"https://app.example.com"}}, quick)
	key, secret, _, err := b.admin.CreateKey(store.System(t.Context()), nil, b.us.ID)
	must(t, err)
	signed := "&apiKey=" + key + "&sig=" + auth.Sign(key, secret, time.Now())
	const ticks = `subscription { ticks(n: 2) }`
	two := inOneGo("event: next\ndata: {\"data\":{\"ticks\":1}}", "event: next\ndata: {\"data\":{\"ticks\":2}}", complete)
	const all = "application/graphql-response+json, application/json, text/event-stream, multipart/mixed" // some clients, always
	for _, c := range []struct {
		method, document, accept, more string
		status                         int
		text                           string // the whole when it starts a stream, else part of it
	}{
		{"POST", ticks, mediaEvents, "", 200, two},
		{"GET", ticks, mediaEvents, "", 200, two},
		{"GET", ticks, mediaEvents, "&anonymous" + signed, 200, two},
		{"POST", ticks, all, "", 200, two},
		{"POST", `{ echo(text: "a\nb") }`, mediaEvents, "", 200, inOneGo(`event: next`+"\n"+`data: {"data":{"echo":"a\nb"}}`, complete)},
		{"GET", `{ echo(text: "x") }`, mediaEvents + ";q=0.9", "", 200, inOneGo(`event: next`+"\n"+`data: {"data":{"echo":"x"}}`, complete)},
		{"POST", `mutation { set }`, mediaEvents, "", 200, inOneGo(`event: next`+"\n"+`data: {"data":{"set":"done"}}`, complete)},
		{"POST", `{ echo(text: "x") }`, all, "", 200, `{"data":{"echo":"x"}}`},
		{"GET", `mutation { set }`, mediaEvents, "", 405, `METHOD_NOT_ALLOWED`},
		{"POST", ticks, mediaJSON, "", 400, `Accept: text/event-stream`},
		{"POST", ticks, "*/*", "", 400, `Accept: text/event-stream`},
		{"GET", ticks, "", "", 400, `Accept: text/event-stream`},
		{"POST", `{`, all, "", 400, `INVALID_REQUEST`},
		{"POST", ``, mediaEvents, "", 400, `INVALID_REQUEST`},
		{"POST", ticks, mediaEvents, "&apiKey=x&sig=y&anonymous", 401, `INVALID_SIGNATURE`},
	} {
		r := b.request(t, c.method, "/?x"+c.more, query(c.document), "Accept", c.accept)
		if c.method == "GET" {
			r = b.request(t, c.method, "/?query="+url.QueryEscape(c.document)+c.more, "", "Accept", c.accept)
		}
		if strings.Contains(c.more, "anonymous") {
			r.Header.Del("Authorization")
		}
		status, text := b.fetch(t, r)
		if whole := strings.HasPrefix(c.text, ":"); status != c.status || whole && text != c.text || !whole && !strings.Contains(text, c.text) {
			t.Errorf("%s %s %s: %d %q", c.method, c.document, c.accept, status, text)
		}
	}
	if used.Load() != 8 {
		t.Error("counted:", used.Load())
	}

	// What is wrong is an event, too.
	for document, want := range map[string]string{
		`{ nothing }`:             "INVALID_REQUEST",
		`subscription { panics }`: "INTERNAL_ERROR",
		`{`:                       "INVALID_REQUEST",
	} {
		status, text := b.fetch(t, b.request(t, "POST", "/", query(document), "Accept", mediaEvents))
		if status != 200 || !strings.HasPrefix(text, ":\n\nevent: next\ndata: {\"errors\":[{") || !strings.Contains(text, want) || !strings.HasSuffix(text, "\n\n"+complete) {
			t.Errorf("%s: %d %q", document, status, text)
		}
	}
	r := b.request(t, "POST", "/", query(ticks), "Accept", mediaEvents)
	r.Header.Del("Authorization")
	if _, text := b.fetch(t, r); !strings.Contains(text, "MISSING_CREDENTIALS") || strings.Contains(text, `"ticks":1`) {
		t.Error(text)
	}
	res, err := http.DefaultClient.Do(b.request(t, "HEAD", "/?query="+url.QueryEscape(ticks), "", "Accept", mediaEvents))
	if err != nil || res.StatusCode != 400 {
		t.Error(res, err)
	}
}

// stream opens one and reads its lines.
func (b *bench) stream(t *testing.T, document string) (lines func() string, stop func()) {
	t.Helper()
	res, err := http.DefaultClient.Do(b.request(t, "POST", "/", query(document), "Accept", mediaEvents))
	must(t, err)
	t.Cleanup(func() { res.Body.Close() })
	if res.StatusCode != 200 || res.Header.Get("Content-Type") != mediaEvents {
		t.Error(res.Status, res.Header)
	}
	text := bufio.NewScanner(res.Body)
	return func() string {
		if !text.Scan() {
			return "the end"
		}
		return text.Text()
	}, func() { res.Body.Close() }
}

// TestEventsGoOn: a stream shows signs of life, outlasts the time that the
// server has for requests, and ends with the client.
func TestEventsGoOn(t *testing.T) {
	t.Parallel()
	p := quick
	p.beat = 50 * time.Millisecond
	b := newBench(t, Options{}, p)
	b.Server.Close()
	b.Server = httptest.NewUnstartedServer(b.handler)
	b.Server.Config.ReadTimeout = 200 * time.Millisecond
	b.Server.Start()
	lines, stop := b.stream(t, `subscription { ticks(n: 0) }`)
	for range 8 {
		if line, empty := lines(), lines(); line != ":" || empty != "" {
			t.Fatalf("%q %q", line, empty)
		}
	}
	if b.toy.ended.Load() != 0 {
		t.Error("it has ended")
	}
	stop()
	eventually(t, "the end", func() bool { return b.toy.ended.Load() == 1 })

	// The connection is good for more requests afterwards.
	for range 3 {
		if _, text := b.fetch(t, b.request(t, "POST", "/", query(`subscription { ticks(n: 1) }`), "Accept", mediaEvents)); !strings.HasSuffix(text, complete) {
			t.Error(text)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// TestEventsUnread: a client that does not read is given up.
func TestEventsUnread(t *testing.T) {
	t.Parallel()
	p := quick
	p.patience = 200 * time.Millisecond
	b := newBench(t, Options{}, p)
	b.stream(t, `subscription { flood(size: 100000) }`)
	eventually(t, "the end", func() bool { return b.toy.ended.Load() == 1 })
}
