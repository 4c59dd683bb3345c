package crawl

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/jimsmart/grobotstxt"
)

// rule is what the robots.txt of a host says to the fetcher.
type rule struct {
	lines    []line
	pause    time.Duration // between two requests
	failure  *Failure      // why no page may be fetched
	sitemaps []string
	until    time.Time
}

// line allows or disallows the paths that match a pattern.
type line struct {
	allow   bool
	pattern string
}

// check is nil when a page may be fetched. The longest pattern that matches
// decides, and of two as long the one that allows.
func (r *rule) check(u *url.URL) error {
	if r.failure != nil {
		return r.failure
	}
	path, allow, disallow := u.RequestURI(), 0, 0
	for _, l := range r.lines {
		switch n := len(l.pattern); {
		case l.allow && n > allow && matches(path, l.pattern):
			allow = n
		case !l.allow && n > disallow && matches(path, l.pattern):
			disallow = n
		}
	}
	if disallow > allow && path != "/robots.txt" {
		return &Failure{Reason: Robots, Host: u.Hostname()}
	}
	return nil
}

// matches reports whether a pattern is that of a path. Patterns without
// wildcards are most, and quicker without the library.
func matches(path, pattern string) bool {
	if strings.ContainsAny(pattern, "*$") {
		return grobotstxt.Matches(path, pattern)
	}
	return strings.HasPrefix(path, pattern)
}

// size is about the memory that a rule takes.
func (r *rule) size() int {
	n := 500
	for _, l := range r.lines {
		n += 24 + len(l.pattern)
	}
	for _, s := range r.sitemaps {
		n += 16 + len(s)
	}
	return n
}

// errRobots says that a robots.txt cannot be used.
var errRobots = errors.New("crawl: robots.txt is too complex")

// read takes from a robots.txt what is for a product: the groups that name it,
// else the groups for everybody.
func (r *rule) read(text, product string) (err error) {
	defer func() {
		if v := recover(); v != nil { // the parser has panics for what it holds impossible
			err = fmt.Errorf("%w: %v", errRobots, v)
		}
	}()
	g := groups{product: product, sitemaps: &r.sitemaps}
	grobotstxt.Parse(text, &g)
	chosen := &g.all
	if g.named {
		chosen = &g.own
	}
	wild := 0
	for _, l := range chosen.lines {
		if strings.Contains(l.pattern, "*") {
			wild += len(l.pattern)
		}
	}
	if wild > maxWild {
		return errRobots
	}
	r.lines, r.pause = chosen.lines, min(chosen.pause, maxPause)
	return nil
}

// groups is told the fields of a robots.txt, and sorts them as grobotstxt's own
// matcher does.
type groups struct {
	product  string
	own, all group
	named    bool   // some group names the product
	ours     *group // that the group being read counts to, nil for those of others
	ruled    bool   // the group being read has rules: a user agent begins a new one
	sitemaps *[]string
}

type group struct {
	lines []line
	pause time.Duration
}

func (g *groups) HandleRobotsStart() {}
func (g *groups) HandleRobotsEnd()   {}

func (g *groups) HandleUserAgent(_ int, agent string) {
	if g.ruled {
		g.ours, g.ruled = nil, false
	}
	name, _, _ := strings.Cut(agent, "/") // a version is no part of the name
	name, _, _ = strings.Cut(name, " ")
	switch {
	case strings.EqualFold(name, g.product):
		g.ours, g.named = &g.own, true
	case name == "*" && g.ours == nil:
		g.ours = &g.all
	}
}

func (g *groups) HandleAllow(_ int, path string) {
	g.add(true, path)
	if i := strings.LastIndexByte(path, '/'); i >= 0 && strings.HasPrefix(path[i:], "/index.htm") {
		g.add(true, path[:i+1]+"$") // the usual name of a folder's page
	}
}

func (g *groups) HandleDisallow(_ int, path string) { g.add(false, path) }

func (g *groups) add(allow bool, path string) {
	g.ruled = true
	if g.ours != nil && path != "" {
		g.ours.lines = append(g.ours.lines, line{allow, path})
	}
}

func (g *groups) HandleSitemap(_ int, at string) {
	if len(*g.sitemaps) < 100 && len(at) <= maxURL {
		*g.sitemaps = append(*g.sitemaps, at)
	}
}

func (g *groups) HandleUnknownAction(_ int, action, value string) {
	seconds, err := strconv.ParseFloat(value, 64)
	if g.ours != nil && strings.EqualFold(action, "crawl-delay") && err == nil && seconds >= 0 && seconds <= 3600 {
		g.ours.pause = time.Duration(seconds * float64(time.Second))
	}
}
