package insight

import (
	"strings"

	"github.com/contentgraph/contentgraph/internal/htmldoc"
	"github.com/contentgraph/contentgraph/internal/text"
)

// place is a part of a page or copy that phrases are looked for in.
type place int

const (
	inTitle place = iota
	inMeta
	inHeading1
	inHeading2
	inHeading3
	inBody
	anywhere
	places
)

// textOf is a part of a page or copy, a block a line.
func textOf(p place, title, meta string, c *htmldoc.Content) string {
	switch p {
	case inTitle:
		return title
	case inMeta:
		return meta
	case inHeading1, inHeading2, inHeading3:
		return strings.Join(c.Headings(int(p-inHeading1)+1), "\n")
	case inBody:
		var b strings.Builder
		for i := range c.Blocks {
			if c.Blocks[i].Kind != htmldoc.Heading {
				b.WriteString(c.Blocks[i].Text)
				b.WriteByte('\n')
			}
		}
		return b.String()
	}
	return title + "\n" + meta + "\n" + c.Text()
}

// Copy is a text that is checked, prepared once for all kinds. It is not safe
// for concurrent use.
type Copy struct {
	Language string // of the topic, else the text's own

	title, meta string
	content     htmldoc.Content
	docs        [places]*text.Document
	sections    []*text.Document
}

// newCopy prepares a text. Without a language it is taken for what it is
// written in.
func newCopy(p parts, language string) *Copy {
	c := &Copy{Language: language, title: p.title, meta: p.meta}
	c.content, _ = htmldoc.Copy(p.body)
	if language == "" {
		c.Language, _ = text.Detect(textOf(anywhere, c.title, c.meta, &c.content))
	}
	return c
}

// in is a part of the copy; the title stands in for a missing h1.
func (c *Copy) in(p place) *text.Document {
	if c.docs[p] == nil {
		s := textOf(p, c.title, c.meta, &c.content)
		if p == inHeading1 && s == "" {
			s = c.title
		}
		c.docs[p] = text.Prepare(c.Language, s)
	}
	return c.docs[p]
}

// parts are the sections of the copy, each with its heading.
func (c *Copy) bySection() []*text.Document {
	if c.sections == nil {
		c.sections = []*text.Document{}
		for _, s := range c.content.Sections() {
			c.sections = append(c.sections, text.Prepare(c.Language, s.Heading+"\n"+s.Text))
		}
	}
	return c.sections
}

// head is what the copy says about itself: its title and greater headings.
func (c *Copy) head() string {
	return strings.Join(append(append([]string{c.title}, c.content.Headings(1)...), c.content.Headings(2)...), "\n")
}

// languageFrom is the language in which guidance was made.
func languageFrom(list []*Insight) string {
	for _, i := range list {
		if i.Language != "" {
			return i.Language
		}
	}
	return ""
}
