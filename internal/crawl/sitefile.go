package crawl

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/html"
)

// parse reads the content of a sitemap, whose relative addresses belong to base.
func (s *siteReader) parse(content io.Reader, base *url.URL) error {
	b := bufio.NewReader(content)
	if head, _ := b.Peek(2); string(head) == "\x1f\x8b" {
		unpacked, err := gzip.NewReader(b)
		if err != nil {
			return err
		}
		b = bufio.NewReader(&bounded{unpacked, maxSitemap})
	}
	head, err := b.Peek(512)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if !strings.Contains(string(head), "<") {
		return s.parseText(b, base)
	}
	return s.parseXML(b, base)
}

func (s *siteReader) parseText(r io.Reader, base *url.URL) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	for n := 0; n < maxEntries && lines.Scan(); n++ {
		if !s.entry(lines.Text(), "", base) {
			return errEnough
		}
	}
	return lines.Err()
}

// parseXML reads XML with a tokenizer for HTML, which forgives what sitemaps
// often get wrong, expands nothing but character references, and keeps no more
// than one token.
func (s *siteReader) parseXML(r io.Reader, base *url.URL) error {
	z := html.NewTokenizer(r)
	z.SetMaxBuf(maxLine)
	z.AllowCDATA(true)
	var prefix, inside, loc, modified string
	for n := 0; n < maxEntries; {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			if errors.Is(z.Err(), io.EOF) {
				return nil
			}
			return z.Err()
		case html.StartTagToken:
			tag, _ := z.TagName()
			name := string(tag)
			p, local, prefixed := strings.Cut(name, ":")
			if !prefixed {
				p, local = "", name
			}
			switch local {
			case "urlset", "sitemapindex":
				prefix = p
			case "url", "sitemap":
				loc, modified = "", ""
			}
			inside = ""
			if p == prefix {
				inside = local
			}
		case html.TextToken:
			switch inside {
			case "loc":
				loc += string(z.Text())
			case "lastmod":
				modified += string(z.Text())
			}
		case html.EndTagToken:
			inside = ""
			tag, _ := z.TagName()
			_, local, prefixed := strings.Cut(string(tag), ":")
			if !prefixed {
				local = string(tag)
			}
			if loc == "" {
				continue
			}
			switch local {
			case "url":
				n++
				if !s.entry(loc, modified, base) {
					return errEnough
				}
				loc = ""
			case "sitemap":
				n++
				s.file(loc, base)
				loc = ""
			}
		}
	}
	return nil
}

// file remembers a sitemap to read later.
func (s *siteReader) file(loc string, base *url.URL) {
	at, failure := s.resolve(loc, base)
	if failure == nil && !s.seen[at] && len(s.files) < maxSitemaps {
		s.seen[at] = true
		s.files = append(s.files, at)
	}
}

// entry passes on a page; it is false when there are enough.
func (s *siteReader) entry(loc, modified string, base *url.URL) bool {
	at, err := s.resolve(loc, base)
	if err != nil {
		return true
	}
	return s.each(Entry{at, moment(modified)})
}

func (s *siteReader) resolve(loc string, base *url.URL) (string, error) {
	loc = strings.TrimSpace(loc)
	if loc == "" || len(loc) > maxURL {
		return "", fmt.Errorf("no address")
	}
	u, err := base.Parse(loc)
	if err != nil {
		return "", err
	}
	u, failure := s.fetcher.guard.clean(u)
	if failure != nil {
		return "", failure
	}
	return u.String(), nil
}

// moment reads a date of a sitemap, which is a W3C date and time.
func moment(s string) time.Time {
	s = strings.TrimSpace(s)
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02 15:04:05", time.DateOnly, "2006-01", "2006"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}
