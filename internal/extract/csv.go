package extract

import (
	"context"
	"io"
	"strings"
)

// readCSV reads tables with any of the usual delimiters. Cells are separated by
// tabs and rows by line ends; quotes go, and line ends within a cell become
// blanks.
func readCSV(ctx context.Context, in *io.SectionReader, out *text) error {
	s, err := readText(in, out)
	if err != nil {
		return err
	}
	delimiter := byte(0)
	if first, rest, _ := strings.Cut(s, "\n"); len(first) < 8 && strings.HasPrefix(first, "sep=") { // a hint for Excel
		s, delimiter = rest, first[4]
	} else {
		delimiter = findDelimiter(s[:min(len(s), sampleSize)])
	}
	r := &rows{rest: s, delimiter: delimiter}
	for n := 0; r.rest != ""; n++ {
		if n%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := writeRow(out, r); err != nil {
			return err
		}
	}
	return nil
}

// writeRow writes the next row.
func writeRow(out *text, r *rows) error {
	for gap := 0; ; gap++ {
		cell, last := r.next()
		if cell = oneLine(cell); cell != "" {
			if err := out.Write(strings.Repeat("\t", min(gap, maxOwedTabs)) + cell); err != nil {
				return err
			}
			gap = 0
		}
		if last {
			return out.Write("\n")
		}
	}
}

// rows cuts a table into cells, without taking more memory than the table. It
// follows RFC 4180; quotes elsewhere than around a cell are text.
type rows struct {
	rest      string
	delimiter byte // 0 = every line is one cell
	broken    bool // the cell began with a quote that does not end it
}

// maxQuoted is how long a quoted cell may be: after that its quote is taken for
// a sign of the text, since otherwise one lost quote would swallow all rows.
const maxQuoted = 64 << 10

// next is the next cell; last says that it ends its row.
func (r *rows) next() (cell string, last bool) {
	if r.broken = strings.HasPrefix(r.rest, `"`); r.broken {
		if cell, size := quoted(r.rest, r.delimiter); size > 0 {
			r.broken = false
			return cell, r.skip(size)
		}
	}
	size := 0
	for size < len(r.rest) && r.rest[size] != '\n' && r.rest[size] != '\r' && (r.rest[size] != r.delimiter || r.delimiter == 0) {
		size++
	}
	cell = r.rest[:size]
	return cell, r.skip(size)
}

// skip goes past a cell and the delimiter or line end after it.
func (r *rows) skip(size int) (last bool) {
	r.rest = r.rest[size:]
	switch {
	case r.rest == "":
		return true
	case strings.HasPrefix(r.rest, "\r\n"):
		r.rest = r.rest[2:]
		return true
	}
	last = r.rest[0] != r.delimiter
	r.rest = r.rest[1:]
	return last
}

// quoted is the cell in quotes at the start of s and its length there, 0 when
// the quotes are not those of a cell.
func quoted(s string, delimiter byte) (cell string, size int) {
	for end := 1; end < min(len(s), maxQuoted); end++ {
		if s[end] != '"' {
			continue
		}
		rest := s[end+1:]
		switch {
		case rest == "", rest[0] == '\n', rest[0] == '\r', rest[0] == delimiter && delimiter != 0:
			return strings.ReplaceAll(s[1:end], `""`, `"`), end + 1
		case rest[0] == '"':
			end++
		default: // looking further would take quadratic time on hostile files
			return "", 0
		}
	}
	return "", 0
}

// findDelimiter is the sign that cuts the rows into the same number of cells
// most often; 0 when none does.
func findDelimiter(s string) byte {
	const most = 200 // rows that are looked at
	best, bestScore := byte(0), 0.0
	for _, delimiter := range []byte{',', ';', '\t', '|'} {
		widths, n := map[int]int{}, 0
		for r := (&rows{rest: s, delimiter: delimiter}); r.rest != "" && n < most; n++ {
			width, broken := 1, false
			for _, last := r.next(); !last; _, last = r.next() {
				width++
				broken = broken || r.broken
			}
			if !broken {
				widths[width]++
			}
		}
		for width, count := range widths {
			// Wide rows are less likely to be alike by chance than narrow ones.
			if score := float64(count) / float64(n) * (1 + 0.1*float64(min(width, 10))); width > 1 && score > bestScore {
				best, bestScore = delimiter, score
			}
		}
	}
	return best
}
