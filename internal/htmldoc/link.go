package htmldoc

import (
	"net/url"
	"strings"

	"golang.org/x/net/html/atom"
)

// Bounds of the links of a page.
const (
	maxLinks = 10_000
	maxURL   = 2048
	maxLabel = 300
)

// Link is a link to another page.
type Link struct {
	URL  string // absolute, http or https, without fragment
	Text string // what the link says, "" for a picture
	Main bool   // the link stands in the main content
}

// base is what relative links of a page are relative to; nil when unknown.
func (h *head) base(pageURL string) *url.URL {
	base, err := url.Parse(pageURL)
	if err != nil || base.Host == "" {
		base = nil
	}
	if h.href == "" {
		return base
	}
	named, err := url.Parse(strings.TrimSpace(h.href))
	switch {
	case err != nil:
		return base
	case base != nil:
		return base.ResolveReference(named)
	case named.Host != "":
		return named
	}
	return nil
}

// absolute resolves a reference to an http or https URL without fragment, in
// the form that names a page always alike: host in lower case, no default port,
// no empty path. It is "" when there is none.
func absolute(base *url.URL, ref string) string {
	ref = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' || r == '\t' {
			return -1
		}
		return r
	}, strings.TrimSpace(ref))
	if ref == "" || ref[0] == '#' || len(ref) > maxURL {
		return ""
	}
	u, err := url.Parse(ref)
	if err != nil {
		return ""
	}
	if base != nil {
		u = base.ResolveReference(u)
	}
	u.Scheme = strings.ToLower(u.Scheme)
	if u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil {
		return ""
	}
	u.Host = strings.ToLower(u.Host)
	if port := u.Port(); u.Scheme == "http" && port == "80" || u.Scheme == "https" && port == "443" {
		u.Host = strings.TrimSuffix(u.Host, ":"+port)
	}
	u.Host = strings.TrimSuffix(u.Host, ":")
	if u.Path == "" {
		u.Path = "/"
	}
	u.Fragment, u.RawFragment = "", ""
	if s := u.String(); len(s) <= maxURL {
		return s
	}
	return ""
}

// links finds the links and frames below n.
func (n *node) links(base *url.URL, main []run) (links []Link) {
	inMain := make(map[*node]bool)
	for _, r := range main {
		for _, a := range r.anchors {
			inMain[a] = true
		}
	}
	n.all(func(e *node) bool {
		ref := ""
		switch e.tag {
		case atom.A, atom.Area:
			ref = e.attr("href")
		case atom.Frame:
			ref = e.attr("src")
		}
		if ref == "" {
			return true
		}
		if u := absolute(base, ref); u != "" {
			links = append(links, Link{u, e.label(), inMain[e]})
		}
		return len(links) < maxLinks
	})
	return links
}

// label is the text of a link on one line.
func (n *node) label() string {
	var f flow
	n.all(func(c *node) bool {
		if c.text != "" && !c.parent.is(hidden) {
			f.write(&node{text: cut(c.text, maxLabel)})
		} else if c.is(block) || c.tag == atom.Br {
			f.space = true
		}
		return len(f.text) < maxLabel
	})
	return line(string(f.text))
}
