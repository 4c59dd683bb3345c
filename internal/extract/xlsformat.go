package extract

import (
	"math"
	"strconv"
	"strings"
)

// formats are the number formats of a workbook. They show numbers, which are
// also dates, as a person sees them.
type formats struct {
	codes    map[int]string
	cells    []uint16 // the format of each cell format ("XF")
	date1904 bool     // days count from 1904
	country  int      // of the computer that wrote the book, as in a telephone number; 0 is unknown
	parsed   map[int][]section
	abroad   abroad
}

// The limits of Excel: bytes of a format code, formats of a book.
const (
	maxFormat  = 255 * 3
	maxFormats = 4000
)

func (f *formats) set(i int, code string) {
	if f.codes == nil {
		f.codes = map[int]string{}
	}
	f.codes[i] = code
}

// cell is a number in a cell of that cell format.
func (f *formats) cell(v float64, xf int) string {
	if xf < len(f.cells) {
		return f.number(v, int(f.cells[xf]))
	}
	return general(v)
}

// number is a number in a format.
func (f *formats) number(v float64, format int) string {
	if format == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return general(v)
	}
	sections, ok := f.parsed[format]
	if !ok && len(f.parsed) < maxFormats {
		if f.parsed == nil {
			f.parsed = map[int][]section{}
		}
		sections = parseFormat(f.code(format))
		f.parsed[format] = sections
	}
	i := choose(sections, v)
	if i < 0 {
		return general(v)
	}
	s := &sections[i]
	if s.date {
		return f.date(s, v)
	}
	t := s.number(math.Abs(v))
	signed := i != 1 || s.test+sections[0].test != "" // the second section is for negative numbers
	if v < 0 && signed && !strings.HasPrefix(s.test, "<") && strings.ContainsAny(t, "123456789") {
		t = "-" + t
	}
	return strings.Join(strings.Fields(t), " ")
}

// code is the code of a format, from the file or built into Excel.
func (f *formats) code(format int) string {
	code, ok := f.codes[format]
	if !ok {
		code = f.builtIn(format)
	}
	if len(code) > maxFormat {
		return ""
	}
	return code
}

// builtIn are the formats that files need not hold, as in Excel in American
// English. The short date is that of whoever reads the file: outside of America
// and in the dates of East Asia it is given so that day and month cannot be
// mixed up.
func (f *formats) builtIn(format int) string {
	const america, date = 1, "yyyy-mm-dd"
	short := date
	if f.country <= america {
		short = "m/d/yyyy"
	}
	codes := []string{"General", "0", "0.00", "#,##0", "#,##0.00", `"$"#,##0_);("$"#,##0)`, `"$"#,##0_);("$"#,##0)`,
		`"$"#,##0.00_);("$"#,##0.00)`, `"$"#,##0.00_);("$"#,##0.00)`, "0%", "0.00%", "0.00E+00", "# ?/?", "# ??/??",
		short, "d-mmm-yy", "d-mmm", "mmm-yy", "h:mm AM/PM", "h:mm:ss AM/PM", "h:mm", "h:mm:ss", short + " h:mm"}
	switch {
	case format < len(codes):
		return codes[format]
	case format == 37 || format == 38:
		return "#,##0_);(#,##0)"
	case format == 39 || format == 40:
		return "#,##0.00_);(#,##0.00)"
	case format >= 41 && format <= 44:
		zeros, currency := []string{"", ".00"}[(format-41)/2], []string{"", `"$"`}[(format-41)%2]
		return currency + "#,##0" + zeros + ";(" + currency + "#,##0" + zeros + ");" + currency + `"-"`
	case format == 45:
		return "mm:ss"
	case format == 46:
		return "[h]:mm:ss"
	case format == 47:
		return "mm:ss.0"
	case format == 48:
		return "##0.0E+0"
	case format >= 32 && format <= 35, format == 55, format == 56:
		return "h:mm:ss"
	case format >= 27 && format <= 36, format >= 50 && format <= 58:
		return date
	}
	return ""
}

// general is a number as Excel shows it in a cell without a format: with ten
// digits or in eleven characters, whole numbers with all they have.
func general(v float64) string {
	const digits, width, whole = 10, 11, 1e15
	a := math.Abs(v)
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return ""
	case a < whole && v == math.Trunc(v):
		return strconv.FormatFloat(v+0, 'f', 0, 64) // + 0 takes the sign off a zero
	case a < 1e-4:
		t := trimZeros(strconv.FormatFloat(a, 'f', digits+2, 64))
		if len(t) > width || t == "0" {
			break
		}
		if v < 0 {
			t = "-" + t
		}
		return t
	case a < 1e11:
		before := len(strconv.FormatFloat(math.Trunc(a), 'f', 0, 64))
		return trimZeros(strconv.FormatFloat(v, 'f', max(digits-before, 0), 64))
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'E', 5, 64), "E")
	return trimZeros(mantissa) + "E" + exponent
}

func trimZeros(s string) string {
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}
