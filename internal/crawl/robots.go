package crawl

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// Bounds of robots.txt (RFC 9309 wants at least 500 KiB to be read).
const (
	maxRobots     = 500 << 10
	maxRobotsTime = 10 * time.Second
	maxWild       = 32 << 10 // bytes of paths with wildcards, whose matching is slow
	maxRules      = 16 << 20 // bytes that are remembered of all hosts
	rulesLast     = time.Hour
	failuresLast  = time.Minute
)

// rules remember robots.txt of hosts.
type rules struct {
	mu    sync.Mutex
	known map[string]*rule // by scheme, host and port
	size  int              // bytes of them
}

// rule finds the rule for an address, in the turn of its host.
func (f *Fetcher) rule(ctx context.Context, u *url.URL) (*rule, error) {
	origin := u.Scheme + "://" + u.Host
	if r := f.rules.get(origin, f.Now()); r != nil {
		return r, nil
	}
	r, err := f.readRobots(ctx, u)
	if err != nil {
		return nil, err
	}
	f.rules.put(origin, r, f.Now())
	return r, nil
}

func (s *rules) get(origin string, now time.Time) *rule {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r := s.known[origin]; r != nil && now.Before(r.until) {
		return r
	}
	return nil
}

// put remembers a rule, and forgets others when there are too many: first the
// ones that are out of date, then any.
func (s *rules) put(origin string, r *rule, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	drop := func(origin string) {
		if old := s.known[origin]; old != nil {
			s.size -= old.size()
			delete(s.known, origin)
		}
	}
	drop(origin)
	s.known[origin] = r
	s.size += r.size()
	for _, all := range []bool{false, true} {
		for o, old := range s.known {
			if s.size <= maxRules {
				return
			}
			if o != origin && (all || !now.Before(old.until)) {
				drop(o)
			}
		}
	}
}

// readRobots fetches robots.txt. As RFC 9309 says, a host that has none (4xx)
// allows all, and one that fails (5xx) allows nothing. A host that cannot be
// reached is a rule too, so that its next pages do not wait for it again.
func (f *Fetcher) readRobots(ctx context.Context, u *url.URL) (*rule, error) {
	r := &rule{until: f.Now().Add(rulesLast)}
	timed, cancel := context.WithTimeout(ctx, maxRobotsTime)
	defer cancel()
	err := f.sendRobots(timed, &url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/robots.txt"}, r)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		errors.As(failed(ctx, u.Hostname(), err), &r.failure)
		r.until = f.Now().Add(failuresLast)
		return r, nil
	}
	return r, nil
}

// sendRobots asks for a robots.txt and follows its redirects, in the turn of the
// host that is asked first.
func (f *Fetcher) sendRobots(ctx context.Context, at *url.URL, r *rule) error {
	host := at.Hostname()
	read := func(resp *http.Response) error {
		switch code := resp.StatusCode; {
		case code >= 500 || code == http.StatusTooManyRequests:
			return &Failure{Reason: Robots, Host: host, Status: code}
		case code < 200 || code > 299:
			return nil
		}
		content, err := body(resp, 10*maxRobots)
		if err != nil {
			return err
		}
		b, err := io.ReadAll(io.LimitReader(content, maxRobots))
		if err == nil {
			err = r.read(strings.TrimPrefix(string(b), "\ufeff"), f.Product)
		}
		return err
	}
	for hop := range maxRedirects + 1 {
		to, err := f.send(ctx, at, func(*http.Request) {}, read)
		if to != nil && err == nil {
			next, failure := f.guard.clean(to)
			if failure == nil {
				at = next
				continue
			}
			err = failure
			hop++
		}
		if err != nil && hop > 0 || errors.Is(err, errRobots) {
			return &Failure{Reason: Robots, Host: host, cause: err}
		}
		return err
	}
	return nil // redirected for ever: as if there were none
}
