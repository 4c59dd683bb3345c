package extract

import (
	"context"
	"io"

	"golang.org/x/text/encoding"
)

// doc is a document of Word 6 to 2003. Its text lies in pieces all over the
// stream; positions in the text are counted in characters ("cp"), positions in
// the stream in bytes ("fc"). Source of all layouts: [MS-DOC], and for Word 6
// and 95 its forerunner, which has the same tables at other places.
type doc struct {
	word, table block // the text, and what describes it
	old         bool  // Word 6 or 95: one stream for both, 8-bit text only
	counts, pairs,
	pairCount int // of the file information block: where its numbers and tables are
	charset encoding.Encoding // of 8-bit text
	pieces  []piece
	dropped ranges // text that is hidden or marked as deleted
	rowEnds ranges // the marks at the end of table rows
	torn    bool   // something is missing
	left    int    // characters that may still be read
}

// The sub-documents in the order in which they follow each other in the text.
const (
	docMain = iota
	docFootnotes
	docHeaders
	docMacros
	docComments
	docEndnotes
	docBoxes
	docHeaderBoxes
	docParts
)

// The tables of the file information block that are read, by number.
const (
	docCharacters = 12 // pages of character formats
	docParagraphs = 13 // pages of paragraph formats
	docFonts      = 15
	docPieces     = 33
)

// readDOC writes the body, then text boxes, notes and comments; headers and
// footers, of which each section has its own and mostly the same, are asides.
func readDOC(ctx context.Context, in *io.SectionReader, out *text) error {
	d, err := openDOC(in)
	if err != nil {
		return err
	}
	if d.torn {
		out.Reason = reasonPartly
	}
	var starts [docParts + 1]int
	end := d.end()
	for i := range docParts {
		starts[i+1] = min(starts[i]+d.word.u32(d.counts+4*i), end)
	}
	if starts[docParts] == 0 {
		starts[docMain+1] = end // the counts are lost, the pieces are not
	}
	for _, part := range []int{docMain, docBoxes, docFootnotes, docEndnotes, docComments, docHeaders, docHeaderBoxes} {
		s := &story{doc: d, out: out, aside: part == docHeaders || part == docHeaderBoxes}
		if err := s.read(ctx, starts[part], starts[part+1]); err != nil {
			return err
		}
	}
	return nil
}

// openDOC reads all but the text.
func openDOC(in *io.SectionReader) (*doc, error) {
	c, err := openOLE(in)
	if err != nil {
		return nil, err
	}
	d := &doc{left: 2 * maxText}
	if d.word, d.torn, err = c.stream("WordDocument"); err != nil {
		return nil, err
	}
	const encrypted, secondTable = 0x0100, 0x0200
	version, flags := d.word.u16(2), d.word.u16(10)
	if version == 0 {
		return nil, unreadable(reasonDamaged)
	}
	if flags&encrypted != 0 {
		return nil, unreadable(reasonPassword)
	}
	if d.old = version < 0xC0; d.old {
		d.table, d.counts, d.pairs, d.pairCount = d.word, 0x34, 0x58, docPieces+1
	} else {
		names := []string{"0Table", "1Table"}
		if flags&secondTable != 0 {
			names[0], names[1] = names[1], names[0]
		}
		torn := false
		if d.table, torn, err = c.stream(names...); err != nil {
			return nil, err
		}
		d.torn = d.torn || torn
		words := 0x20 // then so many 16-bit, 32-bit numbers and tables
		numbers := words + 2 + 2*d.word.u16(words)
		d.counts = numbers + 2 + 4*3
		tables := numbers + 2 + 4*d.word.u16(numbers)
		d.pairs, d.pairCount = tables+2, d.word.u16(tables)
	}
	d.findPieces()
	if len(d.pieces) == 0 {
		return nil, unreadable(reasonDamaged)
	}
	d.charset = d.findCharset()
	if !d.old {
		d.findFormats()
	}
	return d, nil
}

// part is table i of the file information block, nil when the file has none.
func (d *doc) part(i int) block {
	if i >= d.pairCount {
		return nil
	}
	return d.table.at(d.word.u32(d.pairs+8*i), d.word.u32(d.pairs+8*i+4))
}

// findCharset decides how 8-bit text is to be read. Word 97 has Western text
// alone in 8 bits, and older files tell a language; but the language is that of
// the program, and other programs wrote what they liked. So where most letters
// would be accented ones, the fonts decide.
func (d *doc) findCharset() encoding.Encoding {
	const macintosh = 0x0100
	byLanguage := languagePage(d.word.u16(6))
	if d.old && d.word.u16(0x14) == macintosh {
		return codePage(10000)
	}
	if d.old && byLanguage != 1252 {
		return codePage(byLanguage)
	}
	if !d.mostlyAccented() {
		return codePage(1252)
	}
	if byLanguage != 1252 {
		return codePage(byLanguage)
	}
	fonts, at := d.part(docFonts), 4
	if d.old {
		at = 2
	}
	for ; at+4 < len(fonts); at += 1 + fonts.u8(at) {
		if page := fontPages[fonts.u8(at+4)]; page != 0 {
			return codePage(page)
		}
	}
	return codePage(1252)
}

// mostlyAccented says whether over a third of the 8-bit letters are not ASCII.
func (d *doc) mostlyAccented() bool {
	plain, accented := 0, 0
	for _, p := range d.pieces {
		if p.wide {
			continue
		}
		for _, c := range d.word[p.fc : p.fc+min(p.n, 1<<16)] {
			switch {
			case c >= 0xC0:
				accented++
			case c|0x20 >= 'a' && c|0x20 <= 'z':
				plain++
			}
		}
		if plain+accented > 1<<16 {
			break
		}
	}
	return accented > 8 && 2*accented > plain
}
