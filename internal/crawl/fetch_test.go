package crawl

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
)

// site is a server on loopback and a fetcher that may reach it.
type site struct {
	*httptest.Server
	url     string
	fetcher *Fetcher
}

func serve(t *testing.T, handler http.HandlerFunc) *site {
	t.Helper()
	s := &site{Server: httptest.NewServer(handler)}
	s.url = s.Server.URL
	t.Cleanup(s.Server.Close)
	u, _ := url.Parse(s.url)
	allow, err := ParseAllow("127.0.0.0/8:" + u.Port() + "-" + u.Port())
	if err != nil {
		t.Fatal(err)
	}
	s.fetcher = New(allow)
	s.fetcher.Delay = 0
	t.Cleanup(s.fetcher.Close)
	return s
}

// pages serves pages by path. A host without a robots.txt in it has none.
func pages(t *testing.T, all map[string]http.HandlerFunc) *site {
	t.Helper()
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		if h := all[r.URL.Path]; h != nil {
			h(w, r)
			return
		}
		http.NotFound(w, r)
	})
}

func (s *site) get(t *testing.T, path string) (*Response, error) {
	t.Helper()
	return s.fetcher.Fetch(t.Context(), Request{URL: s.url + path})
}

// wantReason holds an error to a reason and a sentence that names no address
// but the host of the site.
func wantReason(t *testing.T, err error, want Reason) *Failure {
	t.Helper()
	var f *Failure
	if !errors.As(err, &f) || f.Reason != want {
		t.Errorf("%v, want %s", err, want)
		return &Failure{}
	}
	text := err.Error()
	if !strings.HasSuffix(text, ".") || strings.Contains(text, "dial") || strings.Contains(text, "://") || strings.Contains(strings.ReplaceAll(text, "127.0.0.1 ", ""), "127.0.") {
		t.Errorf("no sentence for users: %q", text)
	}
	return f
}

func text(s string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(w, s)
	}
}

func TestFetch(t *testing.T) {
	t.Parallel()
	var got http.Header
	s := pages(t, map[string]http.HandlerFunc{
		"/a": func(w http.ResponseWriter, r *http.Request) {
			got = r.Header
			h := w.Header()
			h.Set("Content-Type", "text/html; charset=shift_jis")
			h.Set("ETag", `"1"`)
			h.Set("Last-Modified", "Mon, 02 Feb 2026 10:00:00 GMT")
			h.Set("Set-Cookie", "a=b")
			h.Add("X-Robots-Tag", "otherbot: nofollow")
			h.Add("X-Robots-Tag", "NOINDEX")
			io.WriteString(w, "\x89p")
		},
	})
	r, err := s.get(t, "/a?b=c#d")
	if err != nil {
		t.Fatal(err)
	}
	if r.URL != s.url+"/a?b=c" || r.Status != 200 || r.ContentType != "text/html; charset=shift_jis" || string(r.Body) != "\x89p" ||
		r.ETag != `"1"` || r.LastModified != "Mon, 02 Feb 2026 10:00:00 GMT" || !r.NoIndex || r.NotModified {
		t.Errorf("%+v", r)
	}
	if got.Get("User-Agent") != "Mozilla/5.0 (compatible; ContentGraph/1.0)" || got.Get("Accept-Encoding") != "gzip, br, deflate" || got.Get("If-None-Match") != "" {
		t.Errorf("%v", got)
	}
	if _, err := s.get(t, "/a"); err != nil || got.Get("Cookie") != "" || got.Get("Referer") != "" {
		t.Errorf("%v, %v", got, err)
	}
}

func TestConditional(t *testing.T) {
	t.Parallel()
	s := pages(t, map[string]http.HandlerFunc{
		"/moved": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/a", http.StatusFound) },
		"/a": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("ETag", `"2"`)
			if r.Header.Get("If-None-Match") == `"2"` || r.Header.Get("If-Modified-Since") == "Mon, 02 Feb 2026 10:00:00 GMT" {
				w.WriteHeader(http.StatusNotModified)
				return
			}
			text("new")(w, r)
		},
		"/liar": func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusNotModified) },
	})
	for _, r := range []Request{{ETag: `"2"`}, {LastModified: "Mon, 02 Feb 2026 10:00:00 GMT"}, {ETag: `"1"`}, {}} {
		for _, path := range []string{"/a", "/moved"} {
			r.URL = s.url + path
			got, err := s.fetcher.Fetch(t.Context(), r)
			same := r.ETag == `"2"` || r.LastModified != ""
			if err != nil || got.NotModified != same || (len(got.Body) == 0) != same || got.ETag != `"2"` || got.URL != s.url+"/a" {
				t.Errorf("%+v: %+v, %v", r, got, err)
			}
		}
	}
	_, err := s.get(t, "/liar")
	if f := wantReason(t, err, Status); f.Status != 304 {
		t.Errorf("%+v", f)
	}
}

func pack(t *testing.T, encoding string, b []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	var w io.WriteCloser
	switch encoding {
	case "gzip":
		w = gzip.NewWriter(&out)
	case "br":
		w = brotli.NewWriterLevel(&out, 5)
	case "zlib":
		w = zlib.NewWriter(&out)
	default:
		w, _ = flate.NewWriter(&out, 6)
	}
	if _, err := w.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestEncodings(t *testing.T) {
	t.Parallel()
	page := []byte("<p>" + strings.Repeat("Hello there. ", 1000))
	full := bytes.Repeat([]byte("a"), maxBody)
	over := append(full[:len(full):len(full)], 'b')
	bomb := make([]byte, 12<<20)
	type answer struct {
		encoding string
		body     []byte
		want     Reason // "" for the page itself
		length   int
	}
	tests := map[string]answer{
		"/plain":       {"", page, "", len(page)},
		"/identity":    {"identity", page, "", len(page)},
		"/gzip":        {"gzip", pack(t, "gzip", page), "", len(page)},
		"/GZIP":        {"X-GZIP", pack(t, "gzip", page), "", len(page)},
		"/br":          {"br", pack(t, "br", page), "", len(page)},
		"/zlib":        {"deflate", pack(t, "zlib", page), "", len(page)},
		"/deflate":     {"deflate", pack(t, "flate", page), "", len(page)},
		"/twice":       {"gzip, br", pack(t, "br", pack(t, "gzip", page)), "", len(page)},
		"/empty":       {"gzip", nil, "", 0},
		"/full":        {"", full, "", maxBody},
		"/full-gzip":   {"gzip", pack(t, "gzip", full), "", maxBody},
		"/over":        {"", over, TooLarge, 0},
		"/over-gzip":   {"gzip", pack(t, "gzip", over), TooLarge, 0},
		"/bomb-gzip":   {"gzip", pack(t, "gzip", bomb), TooLarge, 0},
		"/bomb-br":     {"br", pack(t, "br", bomb), TooLarge, 0},
		"/bomb-zlib":   {"deflate", pack(t, "zlib", bomb), TooLarge, 0},
		"/bomb-twice":  {"gzip, gzip", pack(t, "gzip", pack(t, "gzip", bomb)), TooLarge, 0},
		"/thrice":      {"gzip, gzip, gzip", pack(t, "gzip", page), Broken, 0},
		"/unknown":     {"x-none", page, Broken, 0},
		"/not-gzip":    {"gzip", page, Broken, 0},
		"/not-br":      {"br", page, Broken, 0},
		"/not-zlib":    {"deflate", page, Broken, 0},
		"/broken-gzip": {"gzip", pack(t, "gzip", page)[:50], Broken, 0},
		"/broken-br":   {"br", pack(t, "br", page)[:20], Broken, 0},
	}
	members := bytes.Repeat(pack(t, "gzip", nil), 300_000) // 7 MB that decode to nothing
	tests["/members"] = answer{"gzip", members, TooLarge, 0}
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		a, ok := tests[strings.TrimSuffix(r.URL.Path, "/stream")]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		if a.encoding != "" {
			w.Header().Set("Content-Encoding", a.encoding)
		}
		if strings.HasSuffix(r.URL.Path, "/stream") { // no Content-Length
			w.(http.Flusher).Flush()
		}
		w.Write(a.body)
	})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for path, a := range tests {
		for _, suffix := range []string{"", "/stream"} {
			got, err := s.get(t, path+suffix)
			switch {
			case a.want != "":
				wantReason(t, err, a.want)
			case err != nil:
				t.Errorf("%s: %v", path+suffix, err)
			case len(got.Body) != a.length:
				t.Errorf("%s: %d bytes, want %d", path+suffix, len(got.Body), a.length)
			}
		}
	}
	runtime.ReadMemStats(&after)
	t.Logf("%d MiB for %d pages", (after.TotalAlloc-before.TotalAlloc)>>20, 2*len(tests))
}

func TestContentTypes(t *testing.T) {
	t.Parallel()
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header()["Content-Type"] = nil
		if kind := r.URL.Query().Get("t"); kind != "" {
			w.Header().Set("Content-Type", kind)
		}
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		io.WriteString(w, r.URL.Query().Get("b"))
	})
	for kind, good := range map[string]bool{"text/html": true, "TEXT/HTML;charset=utf-8": true, "application/xhtml+xml": true, "text/plain": true, "text/xml": true,
		"application/xml": true, "text/html; charset": true, "application/pdf": false, "image/svg+xml": false, "application/json": false,
		"application/octet-stream": false, "text/css": false, "video/mp4": false, "nonsense": false} {
		_, err := s.get(t, "/?b=x&t="+url.QueryEscape(kind))
		if good && err != nil {
			t.Errorf("%s: %v", kind, err)
		} else if !good {
			wantReason(t, err, NotText)
		}
	}
	for body, good := range map[string]bool{"<html>": true, "plain": true, "": true, "%PDF-1.4": false, "\x89PNG\r\n\x1a\n": false, "\x00\x01\x02": false} {
		_, err := s.get(t, "/?b="+url.QueryEscape(body))
		if good && err != nil {
			t.Errorf("%q: %v", body, err)
		} else if !good {
			wantReason(t, err, NotText)
		}
	}
}

func TestRedirects(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		var n int
		switch path := r.URL.Path; {
		case path == "/robots.txt":
			io.WriteString(w, "User-agent: *\nDisallow: /private")
		case path == "/loop":
			asked.Add(1)
			http.Redirect(w, r, "/loop", http.StatusMovedPermanently)
		case path == "/private/to":
			text("not for us")(w, r)
		case path == "/to-private":
			http.Redirect(w, r, "/private/to", http.StatusFound)
		case path == "/none":
			w.WriteHeader(http.StatusFound)
		case path == "/multiple":
			w.Header().Set("Location", "/0")
			w.WriteHeader(http.StatusMultipleChoices)
		default:
			fmt.Sscanf(path, "/%d", &n)
			if n == 0 {
				text("end")(w, r)
				return
			}
			codes := []int{301, 302, 303, 307, 308}
			w.Header().Set("Location", fmt.Sprintf("%d#x", n-1))
			w.WriteHeader(codes[n%len(codes)])
		}
	})
	r, err := s.get(t, "/5")
	if err != nil || r.URL != s.url+"/0" || string(r.Body) != "end" {
		t.Errorf("%+v, %v", r, err)
	}
	_, err = s.get(t, "/6")
	wantReason(t, err, Redirects)
	_, err = s.get(t, "/loop")
	wantReason(t, err, Redirects)
	if asked.Load() != maxRedirects+1 {
		t.Errorf("%d requests in a loop", asked.Load())
	}
	_, err = s.get(t, "/to-private")
	wantReason(t, err, Robots)
	for _, path := range []string{"/none", "/multiple"} {
		_, err = s.get(t, path)
		wantReason(t, err, Status)
	}
}

func TestStatus(t *testing.T) {
	t.Parallel()
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		code := 404
		fmt.Sscanf(r.URL.Path, "/%d", &code)
		if code == 503 {
			w.Header().Set("Retry-After", "120")
		}
		if code == 429 {
			w.Header().Set("Retry-After", "Mon, 02 Feb 2026 10:00:00 GMT")
		}
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(code)
	})
	for code, wait := range map[int]time.Duration{400: 0, 401: 0, 403: 0, 404: 0, 410: 0, 429: 0, 500: 0, 503: 2 * time.Minute} {
		_, err := s.get(t, fmt.Sprint("/", code))
		if f := wantReason(t, err, Status); f.Status != code || f.RetryAfter != wait {
			t.Errorf("%d: %+v", code, f)
		}
	}
	for _, code := range []int{200, 203, 204} {
		if r, err := s.get(t, fmt.Sprint("/", code)); err != nil || r.Status != code {
			t.Errorf("%d: %+v, %v", code, r, err)
		}
	}
}

func TestBroken(t *testing.T) {
	t.Parallel()
	stop := make(chan struct{})
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt":
			http.NotFound(w, r)
		case "/silent":
			<-stop
		case "/drip":
			for {
				select {
				case <-stop:
					return
				case <-time.After(5 * time.Millisecond):
					io.WriteString(w, "a ")
					w.(http.Flusher).Flush()
				}
			}
		case "/short":
			w.Header().Set("Content-Length", "100")
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, "only this")
		case "/headers":
			for i := range 3000 {
				w.Header().Set(fmt.Sprint("X-", i), strings.Repeat("a", 100))
			}
		case "/gone":
			c, _, _ := w.(http.Hijacker).Hijack()
			c.Close()
		case "/nonsense":
			c, _, _ := w.(http.Hijacker).Hijack()
			io.WriteString(c, "SSH-2.0-x\r\n")
			c.Close()
		}
	})
	s.fetcher.limit = 300 * time.Millisecond
	for path, want := range map[string]Reason{"/silent": Timeout, "/drip": Timeout, "/short": Broken, "/headers": Broken, "/gone": Broken, "/nonsense": Broken} {
		start := time.Now()
		_, err := s.get(t, path)
		wantReason(t, err, want)
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%s took %v", path, took)
		}
	}

	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	s.fetcher.limit = maxTime
	if _, err := s.fetcher.Fetch(ctx, Request{URL: s.url + "/silent"}); !errors.Is(err, context.Canceled) {
		t.Errorf("after the caller left: %v", err)
	}

	s.fetcher.Resolver = zone{}.resolver()
	_, err := s.fetcher.Fetch(t.Context(), Request{URL: "http://nowhere.example/"})
	wantReason(t, err, NoHost)
	s.fetcher.Resolver = nil
	close(stop)
	s.Server.Close()
	_, err = s.get(t, "/")
	wantReason(t, err, Broken)
}

func TestInsecure(t *testing.T) {
	t.Parallel()
	s := httptest.NewUnstartedServer(text("secret"))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	defer s.Close()
	plain := serve(t, text("no TLS"))
	for _, at := range []string{s.URL, strings.Replace(plain.url, "http:", "https:", 1)} {
		u, _ := url.Parse(at)
		allow, _ := ParseAllow("127.0.0.0/8:" + u.Port() + "-" + u.Port())
		f := New(allow)
		_, err := f.Fetch(t.Context(), Request{URL: at})
		wantReason(t, err, Insecure)
		f.Close()
	}
}

// TestNoProxy holds that the environment names no proxy, behind which the guard
// would not see where a connection goes. It sets the environment, so it runs alone.
func TestNoProxy(t *testing.T) {
	proxy := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("the proxy is asked") })
	s := serve(t, text("direct"))
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY"} {
		t.Setenv(name, proxy.url)
	}
	s.fetcher.Resolver = zone{"shop.example": {"127.0.0.1"}}.resolver()
	if r, err := s.fetcher.Fetch(t.Context(), Request{URL: strings.Replace(s.url, "127.0.0.1", "shop.example", 1)}); err != nil || string(r.Body) != "direct" {
		t.Errorf("%v, %v", r, err)
	}
}

func TestNoIndex(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string]bool{"noindex": true, "NOINDEX, nofollow": true, "none": true, "googlebot: noindex": true, "a, none": true,
		"": false, "all": false, "max-image-preview: none": false, "max-snippet:-1, nofollow": false, "unavailable_after: 25 Jun 2030 15:00:00 PST": false,
		"max-image-preview:none, noindex": true} {
		if noIndex(tag) != want {
			t.Errorf("%q: %v", tag, !want)
		}
	}
}
