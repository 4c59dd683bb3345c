package extract

// Formats of characters and paragraphs lie in pages of 512 bytes, each a list
// of stretches of the stream with the properties ("sprm") of each ([MS-DOC]
// 2.9.33 ChpxFkp, 2.9.175 PapxFkp). Only those matter that decide what a reader
// of the document sees.
const (
	docPage = 512

	sprmDeleted   = 0x0800 // by a tracked change
	sprmHidden    = 0x083C
	sprmSymbol    = 0x6A09 // a glyph of a symbol font stands here, not the character
	sprmRowEnd    = 0x2417
	sprmInnerEnd  = 0x244C // of a row in a table in a table
	sprmTableRow  = 0xD608
	sprmTabChange = 0xC615
)

// findFormats finds what is not to be seen and where table rows end.
func (d *doc) findFormats() {
	d.pages(docCharacters, func(page block, from, to, run, runs int) {
		at := 2 * page.u8(4*(runs+1)+run)
		if at == 0 {
			return
		}
		sprms(page.at(at+1, page.u8(at)), func(id int, value block) {
			switch id {
			case sprmDeleted, sprmHidden:
				if value.u8(0)&1 != 0 { // 1, or 0x81: the opposite of the style, which is to be seen
					d.dropped.add(from, to)
				}
			case sprmSymbol:
				d.dropped.add(from, to)
			}
		})
	})
	d.pages(docParagraphs, func(page block, from, to, run, runs int) {
		at := 2 * page.u8(4*(runs+1)+13*run)
		if at == 0 {
			return
		}
		size := 2*page.u8(at) - 1
		if size < 0 {
			at++
			size = 2 * page.u8(at)
		}
		const style = 2
		sprms(page.at(at+1+style, size-style), func(id int, value block) {
			if (id == sprmRowEnd || id == sprmInnerEnd) && value.u8(0) != 0 {
				d.rowEnds.add(from, to)
			}
		})
	})
	d.dropped.build()
	d.rowEnds.build()
}

// pages gives every stretch of the pages that a table names.
func (d *doc) pages(table int, fn func(page block, from, to, run, runs int)) {
	b := d.part(table)
	n := (len(b) - 4) / 8
	for i := range min(n, len(d.word)/docPage) { // no page is named twice
		page := d.word.at(b.u32(4*(n+1)+4*i)&0x3FFFFF*docPage, docPage)
		runs := page.u8(docPage - 1)
		for run := range runs {
			fn(page, page.u32(4*run), page.u32(4*run+4), run, runs)
		}
	}
}

// sprms gives the properties of a list. How long a value is follows from its id.
func sprms(b block, fn func(id int, value block)) {
	for i := 0; i+2 < len(b); {
		id := b.u16(i)
		i += 2
		size := 1
		switch id >> 13 {
		case 2, 4, 5:
			size = 2
		case 3:
			size = 4
		case 7:
			size = 3
		case 6:
			switch size = 1 + b.u8(i); {
			case id == sprmTableRow:
				size = 1 + b.u16(i)
			case id == sprmTabChange && size == 256:
				return // longer than any page
			}
		}
		fn(id, b.at(i, size))
		i += size
	}
}
