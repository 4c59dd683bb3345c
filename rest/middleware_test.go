package rest

import (
	"compress/gzip"
	"flag"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
)

var update = flag.Bool("update", false, "write the golden files")

// TestRoutes keeps a list that shows every change of the interface in a diff.
func TestRoutes(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for _, r := range Routes() {
		text.WriteString(r.Method + strings.Repeat(" ", 8-len(r.Method)) + r.Path + "\n")
	}
	const golden = "testdata/routes.txt"
	if *update {
		check(t, os.WriteFile(golden, []byte(text.String()), 0o644))
	}
	want, err := os.ReadFile(golden)
	check(t, err)
	if text.String() != string(want) {
		t.Errorf("the routes are not those of %s; -update writes it:\n%s", golden, text.String())
	}
}

func TestRequestIDs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for id, kept := range map[string]bool{
		"a": true, "!~{}": true, strings.Repeat("x", 128): true, strings.Repeat("x", 129): false, "a b": false, "ä": false, "a\tb": false,
	} {
		for _, s := range []scenario{
			{call: "GET /healthz", status: 200},
			{call: "GET /nothing", status: 404},
			{call: "GET " + drafts, status: 401},
			{call: "GET " + drafts, as: writer, status: 200},
			{call: "GET /v4/accounts/102/drafts", as: writer, status: 403},
			{call: "POST /data-api/v1/keyword_rankings", status: 401},
		} {
			s.headers = map[string]string{requestID: id}
			a := w.do(t, s)
			got := a.Header.Get(requestID)
			if kept != (got == id) || len(got) > 128 {
				t.Errorf("%s with %q: the id is %q", s.call, id, got)
			}
			if strings.Contains(s.call, "data-api") && !strings.Contains(a.body, `"requestId":"`+got+`"`) {
				t.Errorf("%s: the body lacks the id %s: %s", s.call, got, a.body)
			}
		}
	}
}

func TestAccessLog(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.do(t, scenario{call: "GET " + drafts + "/{draft}?x=private&" + w.users[writer].signed(), headers: map[string]string{requestID: "r1"}, status: 200})
	w.do(t, scenario{call: "GET /v4/nothing?x=private", headers: map[string]string{requestID: "r2"}, status: 401})
	for _, want := range []string{
		`msg=request method=GET route=/v4/accounts/{accountId}/drafts/{draftId} status=200 ms=`, "request=r1 user=1\n", "status=401", "request=r2 user=0\n",
	} {
		if !strings.Contains(w.log.String(), want) {
			t.Errorf("the log lacks %s:\n%s", want, w.log)
		}
	}
	for _, secret := range []string{"private", "sig=", w.users[writer].apiKey} {
		if strings.Contains(w.log.String(), secret) {
			t.Errorf("the log has %s:\n%s", secret, w.log)
		}
	}
}

func TestCompression(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	plain := w.do(t, scenario{call: "GET /openapi.yaml", status: 200, sends: map[string]string{"Content-Encoding": "", "Vary": "Accept-Encoding"}}).body
	for accept, want := range map[string]string{
		"gzip": "gzip", "zstd": "zstd", "gzip, zstd, br": "zstd", "gzip;q=1, zstd;q=0.5": "gzip", "gzip;q=0": "", "identity": "", "deflate": "", "br": "",
	} {
		a, _ := w.send(t, scenario{call: "GET /openapi.yaml", headers: map[string]string{"Accept-Encoding": accept}})
		if got := a.Header.Get("Content-Encoding"); got != want {
			t.Errorf("Accept-Encoding %s: Content-Encoding %q", accept, got)
			continue
		}
		var reader io.Reader = strings.NewReader(a.body)
		var err error
		switch want {
		case "gzip":
			reader, err = gzip.NewReader(reader)
		case "zstd":
			reader, err = zstd.NewReader(reader)
		}
		check(t, err)
		if text, err := io.ReadAll(reader); err != nil || string(text) != plain {
			t.Errorf("Accept-Encoding %s: %d bytes of %d, %v", accept, len(text), len(plain), err)
		}
	}
	for _, call := range []string{"GET /healthz", "HEAD /openapi.yaml", "GET " + drafts} { // small, or no body at all
		if a, _ := w.send(t, scenario{call: call, as: writer, headers: map[string]string{"Accept-Encoding": "gzip"}}); a.Header.Get("Content-Encoding") != "" {
			t.Errorf("%s is compressed", call)
		}
	}
}

func TestCORS(t *testing.T) {
	t.Parallel()
	origin := func(o string) map[string]string {
		return map[string]string{"Origin": o, "Access-Control-Request-Method": "PATCH", "Access-Control-Request-Headers": "authorization, if-match, content-type"}
	}
	allowed := func(o string) map[string]string { return map[string]string{"Access-Control-Allow-Origin": o} }
	const ours, theirs = "https://app.example.com", "https://evil.example.com"

	off := newWorld(t)
	off.run(t, []scenario{
		{call: "OPTIONS " + drafts, headers: origin(ours), status: 401, sends: allowed("")},
		{call: "GET " + drafts, as: writer, headers: origin(ours), status: 200, sends: allowed("")},
	})
	on := newWorld(t, func(o *Options) { o.CORSOrigins = []string{ours} })
	on.run(t, []scenario{
		{call: "OPTIONS " + drafts, headers: origin(ours), status: 200, sends: map[string]string{
			"Access-Control-Allow-Origin": ours, "Access-Control-Allow-Methods": "PATCH", "Access-Control-Allow-Headers": "Authorization, If-Match, Content-Type",
			"Access-Control-Allow-Credentials": ""}},
		{call: "OPTIONS " + drafts, headers: origin(theirs), status: 200, sends: allowed("")},
		{call: "GET " + drafts, as: writer, headers: origin(ours), status: 200, sends: allowed(ours)},
		{call: "GET " + drafts, headers: origin(ours), status: 401, sends: allowed(ours)},
		{call: "GET " + drafts, as: writer, headers: origin(theirs), status: 200, sends: allowed("")},
		{call: "OPTIONS " + drafts, as: writer, status: 405},
	})
}

// TestPlayground proves that a handler for a page and its files is reached, and
// that a handler can take the connection over, as WebSockets do.
func TestPlayground(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(o *Options) {
		o.Playground = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, "page "+r.URL.Path)
		})
		o.GraphQL = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			hijacker, ok := w.(http.Hijacker)
			if !ok {
				t.Error("the connection cannot be taken over")
				return
			}
			conn, _, err := hijacker.Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\ntaken")
			conn.Close()
		})
	})
	w.run(t, []scenario{
		{call: "GET /playground", status: 200, has: []string{"page /playground"}},
	})
	for call, want := range map[string]string{"GET /playground/assets/x.js": "page /playground/assets/x.js", "GET /graphql": "taken"} {
		if a, _ := w.send(t, scenario{call: call}); a.body != want {
			t.Errorf("%s: %s", call, a.body)
		}
	}
}

// TestEvents proves that events reach a client at once, as they are.
func TestEvents(t *testing.T) {
	t.Parallel()
	read := make(chan struct{})
	w := newWorld(t, func(o *Options) {
		o.GraphQL = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			control := http.NewResponseController(w)
			if err := control.SetWriteDeadline(time.Now().Add(time.Minute)); err != nil {
				t.Error(err)
			}
			io.WriteString(w, strings.Repeat(":\n", 1000))
			if err := control.Flush(); err != nil {
				t.Error(err)
			}
			<-read
		})
	})
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.URL+"/graphql", nil)
	check(t, err)
	r.Header.Set("Accept-Encoding", "gzip, zstd")
	res, err := http.DefaultTransport.RoundTrip(r)
	check(t, err)
	defer res.Body.Close()
	defer close(read)
	if coding := res.Header.Get("Content-Encoding"); coding != "" {
		t.Fatal("packed:", coding)
	}
	if _, err := io.ReadFull(res.Body, make([]byte, 2000)); err != nil {
		t.Error(err)
	}
}
