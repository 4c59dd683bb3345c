package extract

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// cursor reads the data of a record and of the records CONTINUE after it.
type cursor struct {
	b        block
	pos, end int // in b, of the record at hand
}

// cursor begins with the data of the record at a place.
func (w *book) cursor(at int) *cursor {
	return &cursor{b: w.b, pos: at + 4, end: min(at+4+w.b.u16(at+2), len(w.b))}
}

// more goes on to the next record where this one has ended; false at the end.
func (c *cursor) more() bool {
	for c.pos >= c.end {
		if c.end+4 > len(c.b) || c.b.u16(c.end) != recContinue {
			return false
		}
		n := c.b.u16(c.end + 2)
		c.pos = c.end + 4
		c.end = min(c.pos+n, len(c.b))
	}
	return true
}

func (c *cursor) skip(n int) {
	for n > 0 && c.more() {
		k := min(n, c.end-c.pos)
		c.pos += k
		n -= k
	}
}

func (c *cursor) u8() int {
	if !c.more() {
		return 0
	}
	c.pos++
	return int(c.b[c.pos-1])
}

func (c *cursor) u16() int { return c.u8() | c.u8()<<8 }
func (c *cursor) u32() int { return c.u16() | c.u16()<<16 }

// text reads a string whose length is a number of so many bytes: in version 8
// flags and characters, before that bytes in the charset of the book.
func (w *book) text(c *cursor, size int) string {
	n := c.u8()
	if size == 2 {
		n |= c.u8() << 8
	}
	if w.version < 8 {
		var b []byte
		for n > 0 && c.more() {
			k := min(n, c.end-c.pos)
			b = append(b, c.b[c.pos:c.pos+k]...)
			c.pos += k
			n -= k
		}
		return decode(w.charset, b)
	}
	const wide, phonetic, rich = 1, 4, 8
	flags, runs, extra := c.u8(), 0, 0
	if flags&rich != 0 {
		runs = c.u16()
	}
	if flags&phonetic != 0 {
		extra = c.u32()
	}
	s := c.characters(n, flags&wide != 0)
	c.skip(4*runs + extra)
	return s
}

// characters reads n characters of one or two bytes. Where they go on in
// another record, that begins by saying anew which.
func (c *cursor) characters(n int, wide bool) string {
	var b strings.Builder
	for n > 0 {
		if c.pos >= c.end {
			if !c.more() {
				break
			}
			wide = c.u8()&1 != 0
			continue
		}
		if !wide {
			k := min(n, c.end-c.pos)
			latin1(&b, c.b[c.pos:c.pos+k])
			c.pos += k
			n -= k
			continue
		}
		k := min(n, (c.end-c.pos)/2)
		if k == 0 {
			c.pos = c.end // half a character: nothing can be meant by it
			continue
		}
		unicode16(&b, c.b[c.pos:c.pos+2*k])
		c.pos += 2 * k
		n -= k
	}
	return b.String()
}

func latin1(b *strings.Builder, p block) {
	b.Grow(len(p))
	for _, c := range p {
		b.WriteRune(rune(c))
	}
}

func unicode16(b *strings.Builder, p block) {
	b.Grow(len(p) / 2)
	for i := 0; i < len(p); i += 2 {
		r := rune(p.u16(i))
		if utf16.IsSurrogate(r) {
			pair := utf16.DecodeRune(r, rune(p.u16(i+2)))
			if pair != utf8.RuneError {
				i += 2
			}
			r = pair
		}
		b.WriteRune(r)
	}
}

// pageText is what a header or footer says: without the codes for fonts and
// sizes, page numbers, dates and names. A part that is a page number with a
// word or two, as in "Page 1 of 2", says nothing.
func pageText(s string) string {
	var parts []string
	var b strings.Builder
	numbered := false
	end := func() {
		part := strings.TrimSpace(b.String())
		if part != "" && !(numbered && len(strings.Fields(part)) < 3) {
			parts = append(parts, part)
		}
		b.Reset()
		numbered = false
	}
	for i := 0; i < len(s); i++ {
		if s[i] != '&' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch c := s[i]; {
		case c == '&':
			b.WriteByte('&')
		case c == 'L' || c == 'C' || c == 'R':
			end()
		case c == 'P' || c == 'N':
			numbered = true
		case c == '"':
			if n := strings.IndexByte(s[i+1:], '"'); n >= 0 {
				i += n + 1
			}
		case c >= '0' && c <= '9':
			for i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '9' {
				i++
			}
		}
	}
	end()
	return strings.Join(parts, " ")
}
