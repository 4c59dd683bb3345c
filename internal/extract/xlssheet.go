package extract

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// sheet is what is known of a sheet before it is written: where its cells are.
type sheet struct {
	name  string
	depth int // of the stretch of records it is
	cells []cell
	loose bool     // the cells are not in their order
	notes []uint32 // places of records with other text
}

// cell is a record with one or more cells of a row.
type cell struct {
	key uint32 // row and column of the first, 16 bits each
	at  uint32 // its place
}

// The records of cells.
const (
	recInteger2                           = 0x0002
	recNumber2, recNumber                 = 0x0003, 0x0203
	recLabel2, recLabel                   = 0x0004, 0x0204
	recBool2, recBool                     = 0x0005, 0x0205
	recFormula, recFormula3, recFormula4  = 0x0006, 0x0206, 0x0406
	recFormulaText2, recFormulaText       = 0x0007, 0x0207
	recRK3, recRK                         = 0x007E, 0x027E
	recManyRK, recRichLabel, recSharedTxt = 0x00BD, 0x00D6, 0x00FD
)

// add takes note of a record of the sheet.
func (s *sheet) add(w *book, id int, data block, at int) {
	switch id {
	case recInteger2, recNumber2, recNumber, recLabel2, recLabel, recBool2, recBool, recFormula, recFormula3,
		recFormula4, recRK3, recRK, recManyRK, recRichLabel, recSharedTxt:
		key := uint32(data.u16(0))<<16 | uint32(data.u16(2))
		if n := len(s.cells); n > 0 && key < s.cells[n-1].key {
			s.loose = true
		}
		s.cells = append(s.cells, cell{key, uint32(at)})
	case recNote, recText, recSeriesText:
		s.notes = append(s.notes, uint32(at))
	case recHeader, recFooter:
		if len(data) > 0 {
			size := 1
			if w.version == 8 {
				size = 2
			}
			w.out.Aside(pageText(w.text(w.cursor(at), size)))
		}
	}
}

// write writes the sheet that has ended: its rows, then its notes.
func (w *book) write() error {
	s := w.sheet
	if w.sheet = nil; s == nil || len(s.cells)+len(s.notes) == 0 {
		return nil
	}
	if s.loose {
		slices.SortStableFunc(s.cells, func(a, b cell) int { return cmp.Compare(a.key, b.key) })
	}
	if err := w.out.Write("\n"); err != nil {
		return err
	}
	w.out.Sheet(s.name)
	row, col := -1, 0
	put := func(r, c int, t string) error {
		if t = oneLine(t); t == "" {
			return nil
		}
		gap, end := max(c-col, 1), ""
		if r != row {
			gap = c
			if row >= 0 {
				end = "\n"
			}
		}
		row, col = r, c
		return w.out.Write(end + strings.Repeat("\t", min(gap, maxOwedTabs)) + t)
	}
	for _, c := range s.cells {
		if err := w.tick(); err != nil {
			return err
		}
		if err := w.cell(c, put); err != nil {
			return err
		}
	}
	before := "\n\n" // an empty line before the first one
	for _, at := range s.notes {
		if t := oneLine(w.note(int(at))); t != "" {
			if err := w.out.Write(before + t); err != nil {
				return err
			}
			before = "\n"
		}
	}
	return w.out.Write("\n")
}

// cell gives the text of the cells of a record as a person sees them.
func (w *book) cell(c cell, put func(row, col int, t string) error) error {
	id, data, next := w.record(int(c.at))
	row, col := int(c.key>>16), int(c.key&0xFFFF)
	if id == recManyRK {
		for i := 4; i+6 <= len(data)-2; i += 6 {
			if err := put(row, col, w.formats.cell(rk(data.u32(i+2)), data.u16(i))); err != nil {
				return err
			}
			col++
		}
		return nil
	}
	const value, value2 = 6, 7 // offsets of what the cell holds
	show := func(v float64) string { return w.formats.cell(v, data.u16(4)) }
	at := value
	if w.version == 2 {
		at = value2
		show = func(v float64) string { return w.formats.number(v, data.u8(5)&0x3F) }
	}
	t := ""
	switch id {
	case recInteger2:
		t = show(float64(data.u16(at)))
	case recNumber2, recNumber:
		t = show(float(data.at(at, 8)))
	case recRK3, recRK:
		t = show(rk(data.u32(at)))
	case recBool2, recBool:
		t = truth(data.u8(at), data.u8(at+1) != 0)
	case recSharedTxt:
		if i := data.u32(at); i < len(w.strings) {
			t = w.strings[i]
		}
	case recLabel2, recLabel, recRichLabel:
		from, size := w.cursor(int(c.at)), 2
		if from.skip(at); w.version == 2 {
			size = 1
		}
		t = w.text(from, size)
	default: // a formula: what it came to
		result := data.at(at, 8)
		if result.u16(6) != 0xFFFF {
			t = show(float(result))
			break
		}
		switch result.u8(0) {
		case 0:
			t = w.formulaText(next)
		case 1, 2:
			t = truth(result.u8(2), result.u8(0) == 2)
		}
	}
	return put(row, col, t)
}

// formulaText is the text a formula came to, in one of the next records.
func (w *book) formulaText(at int) string {
	for range 4 {
		id, data, next := w.record(at)
		switch {
		case data == nil:
			return ""
		case id == recFormulaText2:
			return w.text(w.cursor(at), 1)
		case id == recFormulaText:
			return w.text(w.cursor(at), 2)
		}
		at = next
	}
	return ""
}

// note is the text of a comment, a text box or a title in a chart.
func (w *book) note(at int) string {
	id, data, _ := w.record(at)
	c := w.cursor(at)
	switch id {
	case recSeriesText:
		c.skip(2)
		return w.text(c, 1)
	case recText:
		n := data.u16(10)
		c.skip(len(data))
		return c.characters(n, false)
	}
	if w.version == 8 { // its text is in a record of its own
		return ""
	}
	c.skip(6)
	return decode(w.charset, c.b[c.pos:c.end])
}

func float(b block) float64 {
	return math.Float64frombits(uint64(b.u32(0)) | uint64(b.u32(4))<<32)
}

// rk is a number in 32 bits: the upper half of a float or an integer, maybe by 100.
func rk(v int) float64 {
	const hundredth, integer = 1, 2
	f := math.Float64frombits(uint64(v&^3) << 32)
	if v&integer != 0 {
		f = float64(int32(v) >> 2)
	}
	if v&hundredth != 0 {
		f /= 100
	}
	return f
}

var cellErrors = map[int]string{0x00: "#NULL!", 0x07: "#DIV/0!", 0x0F: "#VALUE!", 0x17: "#REF!", 0x1D: "#NAME?", 0x24: "#NUM!", 0x2A: "#N/A"}

// truth is a truth value or an error.
func truth(v int, isError bool) string {
	switch {
	case isError:
		return cellErrors[v]
	case v != 0:
		return "TRUE"
	}
	return "FALSE"
}
