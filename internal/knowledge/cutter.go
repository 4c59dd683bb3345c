package knowledge

import (
	"runtime"
	"strings"
	"unicode/utf8"

	"github.com/contentgraph/contentgraph/internal/text"
)

// cutter makes passages of the pieces of a text, which it is given in order.
type cutter struct {
	text, language string
	passages       []passage

	// The passage that is being made: its bytes, its size, 0 before it begins,
	// its heading, and whether it holds nothing but headings so far.
	from, to int
	words    int
	heading  string
	titles   bool

	latest string // heading that was met

	bytes, characters int // how far characters are counted
}

// title adds a line that is a heading.
func (c *cutter) title(from, to int, line string) {
	c.endIf(little)
	c.latest = strings.TrimSpace(strings.Trim(line, "#"))
	if c.words == 0 || c.titles {
		c.heading, c.titles = c.latest, true
	}
	c.add(from, to, size(line))
}

// sentences adds the sentences of a line.
func (c *cutter) sentences(from, to int) {
	line := c.text[from:to]
	spans := text.Sentences(c.language, line)
	for i, at := 0, 0; at < len(line); i++ {
		end := len(line) // with what is behind the last one, or all of a line without any
		if i < len(spans)-1 {
			end = spans[i].End
		}
		c.sentence(from+at, from+end)
		at = end
	}
}

// sentence adds a sentence, in parts if it is too long.
func (c *cutter) sentence(from, to int) {
	for from < to {
		end, words := to, size(c.text[from:to])
		if words > most {
			end, words = from+leading(c.text[from:to], most), most
		}
		if c.words+words > most {
			c.endIf(1)
		}
		if c.words == 0 {
			c.heading = c.latest
		}
		c.titles = false
		c.add(from, end, words)
		from = end
	}
}

func (c *cutter) add(from, to, words int) {
	if c.words == 0 {
		c.from = from
	}
	c.to = to
	c.words += words
}

// endIf ends the passage if it has so many words.
func (c *cutter) endIf(words int) {
	if c.words < words {
		return
	}
	c.words, c.titles = 0, false
	whole := c.text[c.from:c.to]
	body := strings.TrimSpace(whole)
	if body == "" {
		return
	}
	from := c.from + strings.Index(whole, body)
	c.characters += utf8.RuneCountInString(c.text[c.bytes:from])
	n := utf8.RuneCountInString(body)
	c.passages = append(c.passages, passage{c.characters, c.characters + n, c.heading, body})
	c.bytes, c.characters = from+len(body), c.characters+n
	runtime.Gosched() // requests go first
}
