package extract

import (
	"context"
	"strings"
)

// story turns the characters of a sub-document into lines.
type story struct {
	doc   *doc
	out   *text
	aside bool // of page headers and the like
	line  strings.Builder
	last  rune // the character before

	// Fields (links, page numbers, tables of contents) hold a code and the
	// result that readers see. Each open one is true once its result began.
	fields []bool
	codes  int    // open fields whose result did not begin
	code   []rune // what those hide; it is text where their end is missing
}

// The marks of a text.
const (
	markCell, markTab, markLine, markPage = 0x07, 0x09, 0x0B, 0x0C
	markParagraph, markColumn             = 0x0D, 0x0E
	markField, markResult, markFieldEnd   = 0x13, 0x14, 0x15
	markHyphen                            = 0x1E           // that does not break
	firstSymbol, lastSymbol               = 0xF000, 0xF0FF // glyphs of symbol fonts
	maxLine                               = 32 << 10       // bytes
	checkEvery                            = 1 << 16        // characters
)

// read writes an empty line and the text between two cps.
func (s *story) read(ctx context.Context, from, to int) error {
	if to > from && !s.aside {
		if err := s.out.Line(""); err != nil {
			return err
		}
	}
	n := 0
	for fc, r := range s.doc.characters(from, to) {
		if n++; n%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if fc >= 0 && s.doc.dropped.has(fc) {
			continue
		}
		if err := s.character(fc, r); err != nil {
			return err
		}
	}
	if s.codes > 0 {
		for _, r := range s.code {
			if err := s.show(-1, r); err != nil {
				return err
			}
		}
	}
	if s.line.Len() > 0 {
		if err := s.end(); err != nil {
			return err
		}
	}
	if s.doc.left <= 0 {
		return errFull
	}
	return nil
}

// character follows the fields.
func (s *story) character(fc int, r rune) error {
	top := len(s.fields) - 1
	switch {
	case r == markField:
		s.fields = append(s.fields, false)
		s.codes++
	case r == markResult && top >= 0 && !s.fields[top]:
		s.fields[top] = true
		s.codes--
	case r == markFieldEnd && top >= 0:
		if !s.fields[top] {
			s.codes--
		}
		s.fields = s.fields[:top]
	case s.codes > 0:
		s.code = append(s.code, r)
		return nil
	default:
		return s.show(fc, r)
	}
	if s.codes == 0 {
		s.code = s.code[:0]
	}
	return nil
}

// show adds a character that is to be seen.
func (s *story) show(fc int, r rune) error {
	last := s.last
	s.last = r
	switch {
	case r == markCell:
		// Without formats, a mark after a mark is taken for the end of a row.
		if fc >= 0 && s.doc.rowEnds.has(fc) || len(s.doc.rowEnds.list) == 0 && last == markCell {
			return s.end()
		}
		r = '\t'
	case r == markParagraph, r == markLine, r == markPage, r == markColumn:
		return s.end()
	case r == markHyphen:
		r = '-'
	case r < ' ' && r != markTab, r >= firstSymbol && r <= lastSymbol:
		return nil
	}
	s.line.WriteRune(r)
	if s.line.Len() < maxLine {
		return nil
	}
	if s.aside {
		return s.end()
	}
	line := s.line.String()
	s.line.Reset()
	return s.out.Write(line)
}

// end ends a line.
func (s *story) end() error {
	line := s.line.String()
	s.line.Reset()
	if s.aside {
		s.out.Aside(line)
		return nil
	}
	return s.out.Line(line)
}
