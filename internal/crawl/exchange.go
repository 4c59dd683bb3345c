package crawl

import (
	"context"
	"net/http"
	"net/url"
	"time"
)

// statusFailure is the failure of an answer that is none.
func statusFailure(resp *http.Response) *Failure {
	f := &Failure{Reason: Status, Host: resp.Request.URL.Hostname(), Status: resp.StatusCode}
	if wait, err := time.ParseDuration(resp.Header.Get("Retry-After") + "s"); err == nil && wait > 0 {
		f.RetryAfter = min(wait, 24*time.Hour)
	}
	return f
}

// follow sends requests from start along redirects, each in the turn of its
// host and checked like the first, until an answer that read takes. It returns
// the address of the answer.
func (f *Fetcher) follow(ctx context.Context, start *url.URL, left time.Duration,
	prepare func(*http.Request), read func(*http.Response) error) (*url.URL, error) {
	u := start
	for range maxRedirects + 1 {
		next, err := f.hop(ctx, u, &left, prepare, read)
		if next == nil || err != nil {
			return u, err
		}
		u = next
	}
	return nil, &Failure{Reason: Redirects, Host: start.Hostname()}
}

// hop sends one request; next is where it is redirected to, or nil.
func (f *Fetcher) hop(ctx context.Context, u *url.URL, left *time.Duration,
	prepare func(*http.Request), read func(*http.Response) error) (next *url.URL, err error) {
	giveBack, err := f.turns.take(ctx, u.Hostname())
	if err != nil {
		return nil, err
	}
	pause := f.Delay
	defer func() { giveBack(pause) }()

	start := time.Now()
	timed, cancel := context.WithTimeout(ctx, *left)
	defer cancel()
	defer func() { *left = max(*left-time.Since(start), time.Millisecond) }()
	rule, err := f.rule(timed, u)
	if err != nil {
		return nil, failed(ctx, u.Hostname(), err)
	}
	pause = max(pause, rule.pause)
	if err := rule.check(u); err != nil {
		return nil, err
	}
	to, err := f.send(timed, u, prepare, read)
	if err != nil {
		return nil, failed(ctx, u.Hostname(), err)
	}
	if to == nil {
		return nil, nil
	}
	next, failure := f.guard.clean(to)
	if failure != nil {
		failure.Host = u.Hostname() // where it leads is not for users
		return nil, failure
	}
	return next, nil
}

// send sends one request as it is; to is where it is redirected to, or nil.
func (f *Fetcher) send(ctx context.Context, u *url.URL, prepare func(*http.Request), read func(*http.Response) error) (to *url.URL, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, &Failure{Reason: BadURL, Host: u.Hostname(), cause: err}
	}
	req.Header.Set("User-Agent", "Mozilla/5.0 (compatible; "+f.Product+"/1.0)")
	req.Header.Set("Accept-Encoding", accepted)
	prepare(req)
	resp, err := f.client.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	switch resp.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		if to, err := resp.Location(); err == nil {
			return to, nil
		}
		return nil, statusFailure(resp)
	}
	return nil, read(resp)
}
