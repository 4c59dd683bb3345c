package extract

import "strings"

// flow lays text out: paragraphs as lines, the cells of a table row in one line
// with tabs between, text boxes after the paragraph that they hang on.
type flow struct {
	write  func(string) error
	lines  int    // line ends owed to the text before
	tabs   int    // borders of cells owed
	cells  int    // cells within each other around here
	inCell bool   // the cell has text
	label  string // of a list, before the first text of its paragraph

	boxed   *strings.Builder   // where a text box is kept, nil for the text itself
	pending []*strings.Builder // boxes that hang on this paragraph
}

// newBox is the flow of a text box.
func newBox() *flow {
	b := &strings.Builder{}
	return &flow{boxed: b, write: func(s string) error {
		if b.Len()+len(s) > maxText {
			return errFull
		}
		b.WriteString(s)
		return nil
	}}
}

// add adds text to the paragraph.
func (f *flow) add(s string) error {
	if s == "" {
		return nil
	}
	before := strings.Repeat("\n", f.lines) + strings.Repeat("\t", f.tabs) + f.label
	f.lines, f.tabs, f.label, f.inCell = 0, 0, "", true
	if before != "" {
		if err := f.write(before); err != nil {
			return err
		}
	}
	return f.write(s)
}

// The most that is owed: a gap of three lines, a row of empty cells.
const (
	maxOwedLines = 3
	maxOwedTabs  = 16
)

// end ends a line.
func (f *flow) end() {
	switch {
	case f.cells == 0:
		f.lines = min(f.lines+1, maxOwedLines)
	case f.inCell:
		f.lines = 1
	}
}

// cell ends a cell of a table.
func (f *flow) cell() {
	if f.inCell {
		f.lines = 0
	}
	f.cells, f.inCell = max(0, f.cells-1), false
	f.tabs = min(f.tabs+1, maxOwedTabs)
}

// row ends a row of a table.
func (f *flow) row() { f.tabs, f.lines, f.inCell = 0, max(f.lines, 1), false }

// maxBoxes is how many text boxes may be within each other.
const maxBoxes = 16

// box hangs a text box that has ended on the paragraph.
func (f *flow) box(box *flow) {
	if box.boxed.Len() > 0 {
		f.pending = append(f.pending, box.boxed)
	}
}

// boxes adds the text boxes of the paragraph that ended.
func (f *flow) boxes() error {
	boxes := f.pending
	f.pending = nil
	for _, b := range boxes {
		if err := f.add(b.String()); err != nil {
			return err
		}
		f.end()
	}
	return nil
}
