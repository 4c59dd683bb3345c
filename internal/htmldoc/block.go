package htmldoc

import "strings"

// Kind says what a block is in its document.
type Kind string

// The kinds of blocks.
const (
	Paragraph Kind = "paragraph"
	Heading   Kind = "heading"
	Item      Kind = "item" // of a list, or a term or its description
	Cell      Kind = "cell" // of a table
	Code      Kind = "code"
)

// Block is a piece of text that stands on lines of its own. Blanks are folded;
// a line break inside a block is \n.
type Block struct {
	Kind  Kind
	Level int // 1 to 6 of a heading, else 0
	Text  string
	Links []Span // in the order of Text
}

// Span is the part [Start, End) of a block's text, in bytes, that is a link.
type Span struct {
	Start, End int
	URL        string // as written
}

// linked is the number of bytes inside links.
func (b *Block) linked() (n int) {
	for _, s := range b.Links {
		n += s.End - s.Start
	}
	return n
}

// Section is a heading and what follows it up to the next one.
type Section struct {
	Level   int // of the heading; 0 for what comes before the first
	Heading string
	Text    string // the blocks below the heading, one a line
}

// Content is a text in blocks.
type Content struct {
	Blocks []Block // in order
}

// Text is all text, a block a line.
func (c *Content) Text() string { return join(c.Blocks) }

// Headings are the headings of a level (1 to 6), in order.
func (c *Content) Headings(level int) (texts []string) {
	for i := range c.Blocks {
		if b := &c.Blocks[i]; b.Kind == Heading && b.Level == level {
			texts = append(texts, b.Text)
		}
	}
	return texts
}

// Sections are the headings, each with what follows it.
func (c *Content) Sections() (all []Section) {
	for i := 0; i < len(c.Blocks); {
		var s Section
		if b := &c.Blocks[i]; b.Kind == Heading {
			s.Level, s.Heading = b.Level, b.Text
			i++
		}
		from := i
		for i < len(c.Blocks) && c.Blocks[i].Kind != Heading {
			i++
		}
		s.Text = join(c.Blocks[from:i])
		all = append(all, s)
	}
	return all
}

func join(blocks []Block) string {
	n := 0
	for i := range blocks {
		n += len(blocks[i].Text) + 1
	}
	var b strings.Builder
	b.Grow(n)
	for i := range blocks {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(blocks[i].Text)
	}
	return b.String()
}
