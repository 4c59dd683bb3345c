package htmldoc

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/atom"
)

// run is a block, the element it stands in and its links.
type run struct {
	Block
	at      *node
	anchors []*node
}

// flow collects the runs of a tree.
type flow struct {
	runs    []run
	text    []byte
	links   []Span
	anchors []*node // the elements of links
	at      *node   // where the text began
	space   bool    // a blank is due before the next letter
	link    *node   // the link that text is in
	pre     int     // depth of elements that keep their line breaks
}

// runs reads all text below n that a reader would see.
func (n *node) runs() []run {
	var f flow
	f.walk(n)
	f.flush()
	return f.runs
}

func (f *flow) walk(n *node) {
	if n.tag == 0 && n.text != "" {
		f.write(n)
		return
	}
	switch {
	case n.tag == atom.Br:
		f.lineBreak()
		return
	case n.is(hidden) || n.unseen():
		return
	}
	outer, own := f.link, n.is(block) || n.tag == atom.Button
	if own {
		f.flush()
	}
	keeps := n.tag == atom.Pre || n.tag == atom.Listing || n.tag == atom.Xmp || n.tag == atom.Plaintext
	if keeps {
		f.pre++
	}
	if href := n.attr("href"); n.tag == atom.A && href != "" {
		if href[0] == '#' && n.sign() {
			return
		}
		f.link = n
	}
	for c := n.first; c != nil; c = c.next {
		f.walk(c)
	}
	f.link = outer
	if own {
		f.flush()
	}
	if keeps {
		f.pre--
	}
}

// sign reports whether a link says nothing but the number of a footnote or the
// sign that leads to a heading.
func (n *node) sign() bool {
	text := n.label()
	return len(text) < 8 && strings.Trim(text, "[]()0123456789¶#§↑↩^*†‡🔗") == ""
}

// unseen reports whether an element says of itself that it is not shown.
func (n *node) unseen() bool {
	if len(n.attrs) == 0 {
		return false
	}
	if n.has("hidden") && n.attr("hidden") != "until-found" || strings.EqualFold(n.attr("aria-hidden"), "true") {
		return true
	}
	style := n.attr("style")
	if style == "" {
		return false
	}
	style = strings.ToLower(strings.Join(strings.Fields(style), ""))
	return strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden")
}

// write adds text with its blanks folded.
func (f *flow) write(n *node) {
	start := -1
	for i := 0; i < len(n.text); {
		c := n.text[i]
		size := 1
		if c >= utf8.RuneSelf {
			var r rune
			r, size = utf8.DecodeRuneInString(n.text[i:])
			switch {
			case r == '\u00ad' || r == '\u200b' || r == '\ufeff': // break hints inside words
				i += size
				continue
			case unicode.IsSpace(r):
				c = ' '
			}
		}
		switch {
		case c == '\n' && f.pre > 0:
			f.lineBreak()
		case c <= ' ': // control characters are no text either
			f.space = true
		default:
			if len(f.text) == 0 {
				f.at = n.parent
			} else if f.space && f.text[len(f.text)-1] != '\n' {
				f.text = append(f.text, ' ')
			}
			f.space = false
			if start < 0 {
				start = len(f.text)
			}
			f.text = append(f.text, n.text[i:i+size]...)
		}
		i += size
	}
	if f.link != nil && start >= 0 {
		f.linked(start)
	}
}

// linked marks the text from start on as part of the open link.
func (f *flow) linked(start int) {
	url, end := f.link.attr("href"), len(f.text)
	if f.text[end-1] == '\n' {
		end--
	}
	if k := len(f.links) - 1; k >= 0 && f.links[k].URL == url && f.links[k].End >= start-1 {
		f.links[k].End = end
		return
	}
	f.links = append(f.links, Span{start, end, url})
	f.anchors = append(f.anchors, f.link)
}

// lineBreak begins a new line, and after an empty line a new block.
func (f *flow) lineBreak() {
	f.space = false
	switch n := len(f.text); {
	case n == 0:
	case f.text[n-1] == '\n' && f.pre == 0:
		f.flush()
	case f.text[n-1] != '\n':
		f.text = append(f.text, '\n')
	}
}

// flush ends the block.
func (f *flow) flush() {
	f.space = false
	text := strings.TrimSuffix(string(f.text), "\n")
	if text == "" {
		return
	}
	r := run{Block: Block{Text: text, Links: f.links}, at: f.at, anchors: f.anchors}
	r.Kind, r.Level = f.kind()
	if r.Kind == Heading {
		r.Text = strings.ReplaceAll(text, "\n", " ")
	}
	f.runs = append(f.runs, r)
	f.text, f.links, f.anchors, f.at = f.text[:0], nil, nil, nil
}

// kind is what the nearest telling element makes of the text.
func (f *flow) kind() (Kind, int) {
	for n := f.at; n != nil; n = n.parent {
		switch n.tag {
		case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
			return Heading, int(n.tag.String()[1] - '0')
		case atom.Pre, atom.Listing, atom.Xmp, atom.Plaintext:
			return Code, 0
		case atom.Li, atom.Dt, atom.Dd:
			return Item, 0
		case atom.Td, atom.Th:
			return Cell, 0
		case atom.P, atom.Blockquote, atom.Article, atom.Section, atom.Main:
			return Paragraph, 0
		}
	}
	return Paragraph, 0
}
