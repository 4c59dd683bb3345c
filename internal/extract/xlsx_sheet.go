package extract

import (
	"encoding/xml"
	"strconv"
	"strings"
)

// sheetReader writes one sheet.
type sheetReader struct {
	*workbook
	text cellText

	column  int    // of the cell, from 1
	written int    // the last column of the row that was written, 0 = none
	kind    string // of the cell's value
	style   int    // of the cell
}

// addSheet adds the rows of a sheet; its headers and footers are asides.
func (w *workbook) addSheet(part string) error {
	r := &sheetReader{workbook: w}
	return w.archive.walk(w.ctx, part, walker{r.start, r.end, r.text.chars})
}

func (r *sheetReader) start(e xml.StartElement) (skip bool, err error) {
	switch name := e.Name.Local; name {
	case "row":
		r.column, r.written = 0, 0
	case "c":
		r.text.Reset()
		r.kind = attribute(e, "t")
		r.style = number(attribute(e, "s"))
		if r.column++; attribute(e, "r") != "" {
			r.column = columnOf(attribute(e, "r"))
		}
	case "extLst":
		return true, nil
	default:
		if isPageText(name) {
			r.text.Reset()
			r.text.within = true
		}
	}
	return r.text.start(e.Name.Local), nil
}

func (r *sheetReader) end(name string) error {
	r.text.end(name)
	switch {
	case name == "c":
		return r.write(r.value())
	case name == "row" && r.written > 0:
		return r.out.Write("\n")
	case isPageText(name):
		r.text.within = false
		r.out.Aside(pageText(r.text.String()))
	}
	return nil
}

// isPageText reports headers and footers.
func isPageText(name string) bool {
	switch name {
	case "oddHeader", "oddFooter", "evenHeader", "evenFooter", "firstHeader", "firstFooter":
		return true
	}
	return false
}

// write writes a cell behind those before it in its row.
func (r *sheetReader) write(s string) error {
	if s == "" {
		return nil
	}
	gap := max(r.column-r.written, 1)
	if r.written == 0 {
		gap = r.column - 1
	}
	r.written = max(r.column, 1)
	return r.out.Write(strings.Repeat("\t", min(max(gap, 0), maxOwedTabs)) + s)
}

// value is what the cell shows.
func (r *sheetReader) value() string {
	s := r.text.show()
	switch r.kind {
	case "s":
		if i, err := strconv.Atoi(s); err == nil && i >= 0 && i < len(r.shared) {
			return r.shared[i]
		}
		return ""
	case "b":
		if s != "" {
			return strings.ToUpper(strconv.FormatBool(s == "1"))
		}
	case "", "n":
		if v, err := strconv.ParseFloat(s, 64); err == nil {
			return r.formats.cell(v, r.style)
		}
	}
	return s
}

// columnOf is the number of the column of a cell such as "AB12", 0 when it is
// none.
func columnOf(cell string) int {
	n := 0
	for _, c := range strings.ToUpper(cell) {
		if c < 'A' || c > 'Z' || n > 1<<14 {
			break
		}
		n = n*26 + int(c-'A') + 1
	}
	return n
}
