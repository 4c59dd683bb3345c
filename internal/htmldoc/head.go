package htmldoc

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/atom"
)

// head is what a document says about itself.
type head struct {
	title, description, canonical, href string
	language                            string
	noIndex, noFollow                   bool
	frames                              *node // the noframes element of a document of frames
}

// head reads the elements that usually stand in the head, wherever they are.
func (n *node) head() head {
	h := head{language: strings.TrimSpace(n.attr("lang"))}
	var framed bool
	var shared struct{ title, description, locale, language string }
	n.all(func(e *node) bool {
		switch e.tag {
		case atom.Title:
			if h.title == "" && e.parent.tag != atom.Svg {
				h.title = line(e.content())
			}
		case atom.Base:
			first(&h.href, e.attr("href"))
		case atom.Link:
			if h.canonical == "" && hasWord(e.attr("rel"), "canonical") {
				h.canonical = e.attr("href")
			}
		case atom.Frameset:
			framed = true
		case atom.Noframes:
			if h.frames == nil {
				h.frames = e
			}
		case atom.Meta:
			value := e.attr("content")
			for _, key := range []string{"name", "property", "http-equiv"} {
				switch strings.ToLower(e.attr(key)) {
				case "description":
					first(&h.description, line(value))
				case "og:title", "twitter:title":
					first(&shared.title, line(value))
				case "og:description", "twitter:description":
					first(&shared.description, line(value))
				case "og:locale":
					first(&shared.locale, value)
				case "content-language":
					first(&shared.language, value)
				case "robots", "googlebot":
					h.robots(value)
				}
			}
		}
		return true
	})
	first(&h.title, shared.title)
	first(&h.description, shared.description)
	first(&h.language, shared.language)
	first(&h.language, shared.locale)
	if !framed {
		h.frames = nil
	}
	return h
}

// robots reads what a page asks of search engines.
func (h *head) robots(content string) {
	for rule := range strings.SplitSeq(content, ",") {
		if strings.Contains(rule, ":") { // max-image-preview: none
			continue
		}
		none := hasWord(rule, "none")
		h.noIndex = h.noIndex || none || hasWord(rule, "noindex")
		h.noFollow = h.noFollow || none || hasWord(rule, "nofollow")
	}
}

// first sets s when it is empty.
func first(s *string, value string) {
	if *s == "" {
		*s = value
	}
}

// hasWord reports whether a list separated by blanks has a word, in any case.
func hasWord(list, word string) bool {
	for _, w := range strings.Fields(list) {
		if strings.EqualFold(w, word) {
			return true
		}
	}
	return false
}

// maxLine is the size in bytes at which titles and descriptions are cut.
const maxLine = 2000

// line folds the blanks of a text that stands on one line.
func line(s string) string {
	f := flow{}
	f.write(&node{text: s})
	return cut(string(f.text), maxLine)
}

// cut is the first part of a string, of at most n bytes and whole characters.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
