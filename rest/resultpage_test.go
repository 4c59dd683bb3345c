package rest

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// rowsOf is the bytes of the results array of an envelope.
func rowsOf(t *testing.T, body string) string {
	t.Helper()
	rows, _, found := strings.Cut(strings.TrimPrefix(body, pageHead), `,"schema":[`)
	if !found {
		t.Fatalf("no page: %.300s", body)
	}
	return rows
}

func digestOf(rows string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(rows))) }

// TestPageCodings: whatever coding a client takes, the page is the same; gzip
// is spliced, with its length, and nothing is compressed twice.
func TestPageCodings(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.rankings(t, 101, 150)
	full := w.submitted(t, async, writer, `{`+week+`}`)
	empty := w.submitted(t, async, writer, `{'account_id':101,'start_date':'2025-11-09','end_date':'2025-11-15'}`)
	for _, id := range []string{full, empty} {
		poll := scenario{call: async, signed: writer, body: `{'executionId':'` + id + `'}`, status: 200, headers: map[string]string{requestID: "r1", "Accept-Encoding": "identity"}}
		w.finished(t, async, writer, poll.body)
		plain := w.do(t, poll)
		if got, want := plain.Header.Get(rowsDigest), "sha-256="+digestOf(rowsOf(t, plain.body)); got != want || plain.Header.Get("Content-Encoding") != "" {
			t.Errorf("plain: %s, want %s; %s", got, want, plain.Header.Get("Content-Encoding"))
		}
		for accept, want := range map[string]string{
			"gzip": "gzip", "GZIP": "gzip", "gzip, deflate, br, zstd": "gzip", "br;q=1.0, gzip;q=0.001": "gzip", "*": "gzip", "x-gzip": "gzip",
			"zstd;q=0.5, gzip;q=0.5": "gzip", "deflate , gzip ; q=1": "gzip", "gzip;q=0": "", "gzip;q=0.0, *": "", "*;q=0": "", "br": "", "deflate": "",
			"gzip;q=x": "", "gzip;q=NaN": "", "zstd": "zstd", "gzip;q=0, zstd": "zstd", "gzip;q=0.5, zstd;q=0.8": "zstd",
		} {
			s := poll
			s.headers = map[string]string{requestID: "r1", "Accept-Encoding": accept}
			a, _ := w.send(t, s)
			h := a.Header
			if got := h.Get("Content-Encoding"); got != want || a.StatusCode != 200 || h.Get(rowsDigest) != plain.Header.Get(rowsDigest) || strings.Join(h.Values("Vary"), ",") != "Accept-Encoding" {
				t.Errorf("Accept-Encoding %s: %d, Content-Encoding %q, Vary %q", accept, a.StatusCode, got, h.Values("Vary"))
				continue
			}
			if length := h.Get("Content-Length"); want == "gzip" && length != strconv.Itoa(len(a.body)) {
				t.Errorf("Accept-Encoding %s: Content-Length %q of %d bytes", accept, length, len(a.body))
			}
			if got := decoded(t, want, a.body); got != plain.body {
				t.Errorf("Accept-Encoding %s: %.200s\nis not\n%.200s", accept, got, plain.body)
			}
			if want == "gzip" && id == full && len(a.body) > len(plain.body)/5 {
				t.Errorf("%d bytes of %d", len(a.body), len(plain.body))
			}
		}
		if curl, err := exec.LookPath("curl"); err == nil {
			u := w.users[writer]
			out, err := exec.Command(curl, "-sS", "--compressed", "-H", "Accept-Encoding: gzip", "-H", "X-API-GATEWAY-KEY: "+u.apiKey, "-H", requestID+": r1",
				"-H", "Content-Type: application/json", "-d", `{"executionId":"`+id+`"}`, w.URL+"/data-api/v1/async/keyword_rankings?"+u.signed()).CombinedOutput()
			if err != nil || string(out) != plain.body {
				t.Errorf("curl: %v, %.200s", err, out)
			}
		}
	}
}

// decoded is a body without its coding, which must be all that it holds.
func decoded(t *testing.T, coding, body string) string {
	t.Helper()
	in := strings.NewReader(body)
	var out io.Reader = in
	switch coding {
	case "gzip":
		z, err := gzip.NewReader(in)
		check(t, err)
		z.Multistream(false)
		out = z
	case "zstd":
		z, err := zstd.NewReader(in)
		check(t, err)
		defer z.Close()
		out = z
	}
	var text bytes.Buffer
	_, err := text.ReadFrom(out)
	check(t, err)
	if in.Len() > 0 {
		t.Errorf("%d bytes follow", in.Len())
	}
	return text.String()
}

// TestBrowsersSeeTheDigest: a page of another origin may read it.
func TestBrowsersSeeTheDigest(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(o *Options) { o.CORSOrigins = []string{"https://app.example.com"} })
	a, _ := w.send(t, scenario{call: "GET /healthz", headers: map[string]string{"Origin": "https://app.example.com", "Accept-Encoding": "gzip"}})
	if got := a.Header.Get("Access-Control-Expose-Headers"); !strings.Contains(got, rowsDigest) {
		t.Error(got)
	}
}
