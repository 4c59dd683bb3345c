package dataquery

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// scanner reads the text of a chunk, which is JSON arrays of strings without
// blanks, joined by commas. It copies nothing.
type scanner struct {
	text   []byte
	at     int
	escape int // the first backslash at or behind at; the length of the text when there is none
	// escaped says that the last value holds JSON escapes.
	escaped bool
	bad     bool // the text is not what it should be
}

func newScanner(text []byte) scanner {
	s := scanner{text: text}
	s.seek(0)
	return s
}

// seek finds the first backslash from a place on.
func (s *scanner) seek(from int) {
	s.escape = len(s.text)
	if n := bytes.IndexByte(s.text[from:], '\\'); n >= 0 {
		s.escape = from + n
	}
}

// row goes to the first value of the next row; false at the end, and when bad.
func (s *scanner) row() bool {
	if s.bad || s.at == len(s.text) {
		return false
	}
	if s.at > 0 {
		s.expect(',')
	}
	s.expect('[')
	return !s.bad
}

// value is the next value of the row, without its quotes and with its escapes.
// It is followed by end: a comma, or a bracket behind the last one.
func (s *scanner) value(end byte) []byte {
	s.expect('"')
	if s.bad {
		return nil
	}
	start := s.at
	n := bytes.IndexByte(s.text[start:], '"')
	if n < 0 {
		s.bad = true
		return nil
	}
	stop := start + n
	if s.escaped = s.escape < stop; s.escaped {
		if stop = s.closing(); stop < 0 {
			s.bad = true
			return nil
		}
	}
	s.at = stop + 1
	s.expect(end)
	return s.text[start:stop]
}

func (s *scanner) expect(c byte) {
	if s.at >= len(s.text) || s.text[s.at] != c {
		s.bad = true
		return
	}
	s.at++
}

// closing finds the quote that closes the value of the next escape.
func (s *scanner) closing() int {
	for i := s.escape; i < len(s.text); i++ {
		switch s.text[i] {
		case '\\':
			i++
		case '"':
			s.seek(i)
			return i
		}
	}
	return -1
}

// unescape appends what a value with JSON escapes stands for.
func unescape(dst, value []byte) []byte {
	for {
		n := bytes.IndexByte(value, '\\')
		if n < 0 || n+1 == len(value) {
			return append(dst, value...)
		}
		dst = append(dst, value[:n]...)
		c := value[n+1]
		value = value[n+2:]
		switch c {
		case 'b':
			c = '\b'
		case 'f':
			c = '\f'
		case 'n':
			c = '\n'
		case 'r':
			c = '\r'
		case 't':
			c = '\t'
		case 'u':
			r, size := rune16(value)
			if rest, ok := bytes.CutPrefix(value[size:], []byte(`\u`)); ok && utf16.IsSurrogate(r) {
				if low, more := rune16(rest); utf16.DecodeRune(r, low) != utf8.RuneError {
					r, size = utf16.DecodeRune(r, low), size+2+more
				}
			}
			dst = utf8.AppendRune(dst, r)
			value = value[size:]
			continue
		}
		dst = append(dst, c) // of itself: quote, backslash and slash
	}
}

// rune16 reads four hexadecimal digits, and answers how many bytes it took.
func rune16(text []byte) (rune, int) {
	if len(text) < 4 {
		return utf8.RuneError, len(text)
	}
	n, err := strconv.ParseUint(string(text[:4]), 16, 16)
	if err != nil {
		return utf8.RuneError, 4
	}
	return rune(n), 4
}
