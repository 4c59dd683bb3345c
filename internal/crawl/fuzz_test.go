package crawl

import (
	"bytes"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/jimsmart/grobotstxt"
)

// FuzzURL holds that an address that is taken keeps its form when it is read
// again, and never names an address that is not public.
func FuzzURL(f *testing.F) {
	for _, s := range []string{"http://a.example/b?c#d", "https://bücher.example:443", "http://127.0.0.1", "http://[::1]:80/", "http://0x7f.1/", "http://a@b/", "http://１.1.1.1/", "//a", "http://a.example./%2e"} {
		f.Add(s)
	}
	g := guard{ports: []uint16{80, 443}}
	f.Fuzz(func(t *testing.T, s string) {
		u, failure := g.parse(s)
		if failure != nil {
			if failure.Error() == "" {
				t.Error("no sentence")
			}
			return
		}
		again, failure := g.parse(u.String())
		if failure != nil && len(u.String()) <= maxURL {
			t.Fatalf("%q is taken as %q, which is not", s, u)
		}
		if failure == nil && again.String() != u.String() {
			t.Errorf("%q is %q, then %q", s, u, again)
		}
		if ip, err := netip.ParseAddr(u.Hostname()); err == nil && !public(ip) {
			t.Errorf("%q leads to %s", s, ip)
		}
		if u.User != nil || u.Fragment != "" || u.Scheme != "http" && u.Scheme != "https" {
			t.Errorf("%q: %q", s, u)
		}
	})
}

// FuzzRobots holds the reading of robots.txt to the answers of the library's own matcher.
func FuzzRobots(f *testing.F) {
	f.Add("User-agent: *\nDisallow: /a*b$\nCrawl-delay: 1\nSitemap: /s\n", "/ab")
	f.Add("user-agent:contentgraph\nallow:/\ndisallow:/x?y", "/x?y")
	f.Fuzz(func(t *testing.T, robots, path string) {
		if len(robots) > 20_000 {
			return
		}
		var r rule
		if err := r.read(robots, "ContentGraph"); err != nil {
			t.Fatal(err)
		}
		if r.pause < 0 || r.pause > maxPause {
			t.Errorf("pause %v", r.pause)
		}
		g := guard{ports: []uint16{80}}
		u, failure := g.parse("http://a.example/" + path)
		if failure != nil || u.Path == "/robots.txt" {
			return
		}
		if want := grobotstxt.AgentAllowed(robots, "ContentGraph", u.String()); (r.check(u) == nil) != want {
			t.Errorf("%q in %q is allowed: %v, but not here", path, robots, want)
		}
	})
}

func FuzzSitemap(f *testing.F) {
	f.Add([]byte(`<?xml version="1.0"?><urlset><url><loc>/a</loc><lastmod>2026-02-01</lastmod></url></urlset>`))
	f.Add([]byte(index("/a", "/b")))
	f.Add([]byte("/a\n/b"))
	f.Add([]byte("\x1f\x8b\x08\x00"))
	fetcher := New(nil)
	f.Fuzz(func(t *testing.T, b []byte) {
		s := siteReader{fetcher: fetcher, seen: make(map[string]bool)}
		s.each = func(e Entry) bool {
			if _, failure := fetcher.guard.parse(e.URL); failure != nil && len(e.URL) <= maxURL {
				t.Errorf("%q: %v", e.URL, failure)
			}
			return true
		}
		_ = s.parse(bytes.NewReader(b), &url.URL{Scheme: "https", Host: "a.example", Path: "/sitemap.xml"})
		for _, file := range s.files {
			if !strings.HasPrefix(file, "http") {
				t.Errorf("%q", file)
			}
		}
	})
}
