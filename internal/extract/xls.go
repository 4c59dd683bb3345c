package extract

import (
	"context"
	"fmt"
	"io"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
)

// book is a workbook of Excel 2 to 2003: a stream of records, each two bytes of
// id, two of length and that many of data ([MS-XLS], and OpenOffice's
// documentation of the older formats). A record that is too long goes on in
// records CONTINUE.
type book struct {
	b       block
	version int // of the format: 2, 3, 4, 5 or 8
	charset encoding.Encoding
	names   map[int]string // of the sheets, by the place of their first record
	strings []string       // of the whole book, to which cells refer
	formats formats
	sheet   *sheet // that is being read, nil between sheets
	named   string // the sheet that comes next, in books of version 4
	torn    bool
	out     *text
	ctx     context.Context
	steps   int
}

// The ids of records. Those with several are told apart by version.
const (
	recBOF2, recBOF3, recBOF4, recBOF5 = 0x0009, 0x0209, 0x0409, 0x0809

	recEOF         = 0x000A
	recHeader      = 0x0014
	recFooter      = 0x0015
	recNote        = 0x001C
	recFormat3     = 0x001E
	recFormat      = 0x041E
	recDateMode    = 0x0022
	recFilePass    = 0x002F
	recContinue    = 0x003C
	recCodePage    = 0x0042
	recSheet       = 0x0085
	recCountry     = 0x008C
	recSheet4      = 0x008F
	recXF          = 0x00E0
	recXF3         = 0x0243
	recXF4         = 0x0443
	recStrings     = 0x00FC
	recText        = 0x01B6
	recSeriesText  = 0x100D
	maxBookNesting = 16 // charts in sheets in books
)

// What a stretch of records from BOF to EOF is.
const (
	partSheet  = 0x0010
	partMacros = 0x0040
)

// readXLS writes of every sheet the cells as a person sees them, a row as a
// line, then comments and other text on the sheet; headers and footers are asides.
func readXLS(ctx context.Context, in *io.SectionReader, out *text) error {
	w := &book{out: out, ctx: ctx, charset: charmap.Windows1252, names: map[int]string{}}
	head := make(block, 8)
	if _, err := in.ReadAt(head, 0); err != nil && err != io.EOF {
		return err
	}
	if head.u16(0) == recBOF5 || head.u16(0)&^0x0600 == recBOF2 { // no container around it
		w.b = make(block, min(in.Size(), maxStream))
		if _, err := in.ReadAt(w.b, 0); err != nil && err != io.EOF {
			return err
		}
	} else {
		c, err := openOLE(in)
		if err != nil {
			return err
		}
		if w.b, w.torn, err = c.stream("Workbook", "Book"); err != nil {
			return err
		}
	}
	sheets, err := w.read()
	switch {
	case err != nil:
		return err
	case sheets == 0:
		return unreadable(reasonDamaged)
	case w.torn:
		out.Reason = reasonPartly
	}
	return nil
}

// record is the record at a place: its id, its data and the place after it. Its
// data is nil where the stream ends before.
func (w *book) record(at int) (id int, data block, next int) {
	n := w.b.u16(at + 2)
	if at+4 > len(w.b) {
		return 0, nil, at
	}
	return w.b.u16(at), w.b.at(at+4, n), at + 4 + n
}

// read goes through all records once and says how many sheets there were.
func (w *book) read() (sheets int, err error) {
	var parts []int // kinds of the open ones
	for at := 0; at < len(w.b); {
		if err := w.tick(); err != nil {
			return sheets, err
		}
		id, data, next := w.record(at)
		outside := len(parts) == 0 && !isBOF(id) // behind a part there may be anything
		if outside && at == 0 || outside && data == nil {
			break
		}
		if data == nil || len(parts) > maxBookNesting {
			w.torn = true
			break
		}
		if outside {
			at = next
			continue
		}
		switch {
		case isBOF(id):
			kind := data.u16(2)
			parts = append(parts, kind)
			if w.setVersion(id, data); w.sheet == nil && (kind == partSheet || kind == partMacros) {
				w.sheet = &sheet{name: w.names[at], depth: len(parts)}
				if w.named != "" {
					w.sheet.name, w.named = w.named, ""
				}
				sheets++
			}
		case id == recEOF:
			if w.sheet != nil && w.sheet.depth == len(parts) {
				if err := w.write(); err != nil {
					return sheets, err
				}
			}
			parts = parts[:len(parts)-1]
		case id == recFilePass:
			return 0, unreadable(reasonPassword)
		case w.sheet != nil && w.sheet.depth < len(parts):
			if id == recSeriesText { // a title in a chart; its cells repeat those of a sheet
				w.sheet.notes = append(w.sheet.notes, uint32(at))
			}
		default:
			w.global(id, data, at)
			if w.sheet != nil {
				w.sheet.add(w, id, data, at)
			}
		}
		at = next
	}
	if len(parts) > 0 {
		w.torn = true
	}
	return sheets, w.write()
}

func isBOF(id int) bool {
	return id == recBOF5 || id == recBOF4 || id == recBOF3 || id == recBOF2
}

func (w *book) setVersion(id int, data block) {
	const excel97 = 0x0600
	switch {
	case id == recBOF5 && data.u16(0) == excel97:
		w.version = 8
	case id == recBOF5:
		w.version = 5
	default:
		w.version = 2 + id>>9
	}
}

// global reads what holds for the whole book.
func (w *book) global(id int, data block, at int) {
	c := w.cursor(at)
	switch id {
	case recCodePage:
		if w.version < 8 {
			w.charset = codePage(data.u16(0))
		}
	case recDateMode:
		w.formats.date1904 = data.u16(0) == 1
	case recCountry:
		w.formats.country = data.u16(2)
	case recSheet:
		c.skip(6)
		w.names[data.u32(0)] = w.text(c, 1)
	case recSheet4:
		c.skip(4)
		w.named = w.text(c, 1)
	case recFormat3, recFormat:
		w.addFormat(data, c)
	case recXF:
		w.formats.cells = append(w.formats.cells, uint16(data.u16(2)))
	case recXF3, recXF4:
		w.formats.cells = append(w.formats.cells, uint16(data.u8(1)))
	case recStrings:
		if w.strings == nil {
			w.readStrings(c, data)
		}
	}
}

// addFormat adds a number format. Before version 5 they count from 0 and none
// is built in.
func (w *book) addFormat(data block, c *cursor) {
	switch {
	case w.version == 8:
		c.skip(2)
		w.formats.set(data.u16(0), w.text(c, 2))
	case w.version == 5:
		c.skip(2)
		w.formats.set(data.u16(0), w.text(c, 1))
	case w.version == 4:
		c.skip(2)
		w.formats.set(len(w.formats.codes), w.text(c, 1))
	default:
		w.formats.set(len(w.formats.codes), w.text(c, 1))
	}
}

// readStrings reads the table of strings. No cell can refer to more of them
// than the stream has room for.
func (w *book) readStrings(c *cursor, data block) {
	n := min(data.u32(4), len(w.b)/8)
	w.strings = make([]string, 0, n)
	c.skip(8)
	for range n {
		if w.tick() != nil || !c.more() {
			return
		}
		w.strings = append(w.strings, w.text(c, 2))
	}
}

// tick looks at the clock now and then.
func (w *book) tick() error {
	if w.steps++; w.steps%checkEvery != 0 {
		return nil
	}
	if err := w.ctx.Err(); err != nil {
		return fmt.Errorf("extract: reading a workbook: %w", err)
	}
	return nil
}
