package crawl

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"syscall"
	"time"
)

// Bounds of a fetch.
const (
	maxRedirects = 5
	maxBody      = 5 << 20          // bytes of a page, as sent and decoded
	maxTime      = 15 * time.Second // for a page, without the waiting for the turn of its host
	maxPause     = 10 * time.Second // that a robots.txt may ask for between two requests
)

// Fetcher fetches pages. Its methods may be called at the same time from
// several goroutines. Fields are set before the first call.
type Fetcher struct {
	// Product is the name that robots.txt knows the fetcher by.
	Product string
	// Delay is the pause between two requests to a host; robots.txt may ask for more.
	Delay time.Duration
	// Resolver looks up hosts; nil is the system's.
	Resolver *net.Resolver
	// Now is the clock of pauses and of what is remembered of robots.txt.
	Now func() time.Time

	guard  guard
	limit  time.Duration // of a page
	client *http.Transport
	turns  turns
	rules  rules
}

// New makes a fetcher that reaches the public internet on ports 80 and 443, and
// the given networks.
func New(allow Allow) *Fetcher {
	f := &Fetcher{
		Product: "ContentGraph",
		Delay:   500 * time.Millisecond,
		Now:     time.Now,
		guard:   guard{allow: allow, ports: []uint16{80, 443}},
		limit:   maxTime,
		rules:   rules{known: make(map[string]*rule)},
	}
	f.turns = turns{now: func() time.Time { return f.Now() }, hosts: make(map[string]*turn)}
	f.client = &http.Transport{
		Proxy:                  nil, // a proxy would hide from the guard where a connection goes
		DialContext:            f.dial,
		DisableCompression:     true, // done here, with bounds
		ForceAttemptHTTP2:      true,
		MaxIdleConns:           100,
		MaxIdleConnsPerHost:    1,
		IdleConnTimeout:        30 * time.Second,
		TLSHandshakeTimeout:    10 * time.Second,
		MaxResponseHeaderBytes: 128 << 10,
	}
	return f
}

// Close ends idle connections.
func (f *Fetcher) Close() { f.client.CloseIdleConnections() }

// dial connects when the guard permits the very address that is connected to:
// whatever a name resolves to, at whatever time, is judged here.
func (f *Fetcher) dial(ctx context.Context, network, address string) (net.Conn, error) {
	d := net.Dialer{
		Timeout:  10 * time.Second,
		Resolver: f.Resolver,
		ControlContext: func(_ context.Context, network, address string, _ syscall.RawConn) error {
			to, err := netip.ParseAddrPort(address)
			if err != nil || network != "tcp4" && network != "tcp6" || !f.guard.permits(to) {
				return errRefused
			}
			return nil
		},
	}
	return d.DialContext(ctx, network, address)
}

// Request is what to fetch. The validators of an earlier response of the same
// page make the answer NotModified when nothing has changed.
type Request struct {
	URL          string
	ETag         string
	LastModified string
}

// Response is a page as it was sent.
type Response struct {
	URL          string // after redirects
	Status       int    // 2xx, or 304 when NotModified
	NotModified  bool   // what was fetched earlier is current; there is no body
	NoIndex      bool   // the X-Robots-Tag header asks not to list the page
	ContentType  string
	Body         []byte // decoded, at most 5 MiB, in the charset that the page is written in
	ETag         string
	LastModified string
}

// Fetch fetches a page. It waits for the turn of the host, follows up to five
// redirects and gives the page 15 seconds besides the waiting. Errors are of
// type *Failure, or that of the context.
func (f *Fetcher) Fetch(ctx context.Context, r Request) (*Response, error) {
	start, failure := f.guard.parse(r.URL)
	if failure != nil {
		return nil, failure
	}
	got := &Response{}
	final, err := f.follow(ctx, start, f.limit, func(req *http.Request) {
		req.Header.Set("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,text/plain;q=0.8")
		if r.ETag != "" {
			req.Header.Set("If-None-Match", r.ETag)
		}
		if r.LastModified != "" {
			req.Header.Set("If-Modified-Since", r.LastModified)
		}
	}, func(resp *http.Response) error { return got.read(resp, r) })
	if err != nil {
		return nil, err
	}
	got.URL = final.String()
	return got, nil
}

// read takes a page from an answer.
func (got *Response) read(resp *http.Response, r Request) error {
	h, host := resp.Header, resp.Request.URL.Hostname()
	*got = Response{Status: resp.StatusCode, ContentType: h.Get("Content-Type"), ETag: h.Get("ETag"), LastModified: h.Get("Last-Modified")}
	for _, tag := range h.Values("X-Robots-Tag") {
		got.NoIndex = got.NoIndex || noIndex(tag)
	}
	if resp.StatusCode == http.StatusNotModified && r.ETag+r.LastModified != "" {
		got.NotModified = true
		return nil
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return statusFailure(resp)
	}
	if got.ContentType != "" && !readable(got.ContentType, nil) {
		return &Failure{Reason: NotText, Host: host}
	}
	content, err := body(resp, maxBody)
	if err == nil {
		got.Body, err = io.ReadAll(content)
	}
	switch {
	case errors.Is(err, errTooLarge):
		return &Failure{Reason: TooLarge, Host: host, cause: err}
	case err != nil:
		return err
	case !readable(got.ContentType, got.Body):
		return &Failure{Reason: NotText, Host: host}
	}
	return nil
}

// noIndex reports whether an X-Robots-Tag asks not to list the page, be it for
// one robot ("googlebot: noindex") or all.
func noIndex(tag string) bool {
	for part := range strings.SplitSeq(strings.ToLower(tag), ",") {
		name, value, named := strings.Cut(part, ":")
		if !named {
			value = name
		} else if strings.HasPrefix(strings.TrimSpace(name), "max-") { // max-image-preview: none
			continue
		}
		if value = strings.TrimSpace(value); value == "noindex" || value == "none" {
			return true
		}
	}
	return false
}
