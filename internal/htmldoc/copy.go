package htmldoc

import (
	"regexp"
	"strings"

	"golang.org/x/net/html/atom"
)

// Format is how a text is written.
type Format string

// The formats of a draft's copy.
const (
	HTML     Format = "html"
	Markdown Format = "markdown"
	Plain    Format = "plain"
)

// Copy reads the body of a draft, which is HTML, Markdown or plain text, and
// says which. All of its text counts, only what HTML hides does not. Addresses
// that are written out count as links.
func Copy(body string) (Content, Format) {
	body = strings.ToValidUTF8(body, "\ufffd")
	format := formatOf(body)
	var c Content
	switch format {
	case HTML:
		root, _ := tree(body)
		c.Blocks = blocks(root.runs())
	case Markdown:
		c.Blocks = markdown(body)
	default:
		c.Blocks = plain(body)
	}
	for i := range c.Blocks {
		c.Blocks[i].linkAddresses()
	}
	return c, format
}

func blocks(runs []run) []Block {
	all := make([]Block, len(runs))
	for i := range runs {
		all[i] = runs[i].Block
	}
	return all
}

// Signs of Markdown: at the beginning of a line, and inside one.
var (
	markdownLine = regexp.MustCompile("(?m)^ {0,3}(#{1,6}[ \t]+\\S|[-*+][ \t]+\\S|[0-9]{1,3}[.)][ \t]+\\S|>[ \t]?\\S|```|~~~|={3,}[ \t]*$|-{3,}[ \t]*$|\\|?[ \t]*:?-{3,}:?[ \t]*\\|)")
	markdownHead = regexp.MustCompile("(?m)^ {0,3}#{1,6}[ \t]+\\S")
	markdownText = regexp.MustCompile(`\[[^\]\n]{1,200}\]\([^)\s]{1,500}[^)\n]{0,100}\)|\*\*[^*\s][^*\n]{0,200}\*\*|__[^_\s][^_\n]{0,200}__`)
)

// formatOf tells the formats apart. HTML elements that begin a block make it
// HTML, unless there are headings in the way of Markdown, which may hold HTML.
func formatOf(s string) Format {
	block, inline := marks(s)
	switch {
	case block && !markdownHead.MatchString(s):
		return HTML
	case block || markdownLine.MatchString(s) || markdownText.MatchString(s):
		return Markdown
	case inline:
		return HTML
	}
	return Plain
}

// marks reports whether s has tags of blocks, and of other elements of HTML.
func marks(s string) (blocks, inline bool) {
	for !blocks {
		i := strings.IndexByte(s, '<')
		if i < 0 {
			break
		}
		s = s[i+1:]
		name := strings.TrimPrefix(s[:min(len(s), 12)], "/")
		if end := strings.IndexAny(name, " \t\r\n/>"); end > 0 {
			tag := atom.Lookup([]byte(strings.ToLower(name[:end])))
			_, known := traits[tag]
			blocks = is(tag, block)
			inline = inline || known || isInline(tag)
		}
	}
	return blocks, inline
}

func isInline(tag atom.Atom) bool {
	switch tag {
	case atom.A, atom.Abbr, atom.B, atom.Cite, atom.Code, atom.Del, atom.Em, atom.Font, atom.I, atom.Ins, atom.Kbd,
		atom.Mark, atom.Q, atom.S, atom.Small, atom.Span, atom.Strong, atom.Sub, atom.Sup, atom.Time, atom.U:
		return true
	}
	return false
}

// linkAddresses adds the addresses that are written out in a block to its links.
func (b *Block) linkAddresses() {
	if !strings.Contains(b.Text, "://") && !strings.Contains(b.Text, "www.") {
		return
	}
	links, k := []Span(nil), 0
	for _, m := range address.FindAllStringIndex(b.Text, -1) {
		for k < len(b.Links) && b.Links[k].End <= m[0] {
			links = append(links, b.Links[k])
			k++
		}
		if k == len(b.Links) || b.Links[k].Start >= m[1] {
			links = append(links, Span{m[0], m[1], b.Text[m[0]:m[1]]})
		}
	}
	b.Links = append(links, b.Links[k:]...)
}

var address = regexp.MustCompile(`(?i)\b(?:https?://|www\.)[^\s<>"']*[^\s<>"'.,;:!?()\[\]]`)
