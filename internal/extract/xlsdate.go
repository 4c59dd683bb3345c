package extract

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"
	"github.com/xuri/nfp"
)

// lastDay is the 31st of December 9999, the last day that Excel shows.
const lastDay = 2958465

// addDate adds a code of a date.
func (s *section) addDate(t nfp.Token) {
	if !s.date { // an E of a number
		s.items = append(s.items, item{'e', "E"})
		return
	}
	code := strings.ToLower(t.TValue)
	kind := code[0]
	switch {
	case strings.ContainsRune(code, '/'):
		kind = 'a'
	case t.TType == nfp.TokenTypeElapsedDateTimes:
		kind -= 'a' - 'A'
		if kind == 'M' {
			kind = 'N' // M are minutes within the hour
		}
	}
	s.names = s.names || len(code) > 2 && (kind == 'm' || kind == 'd') || kind == 'g' || kind == 'a' && len(code) > 5
	s.items = append(s.items, item{kind, code})
}

// findMinutes finds which m are minutes: those after hours or before seconds.
func (s *section) findMinutes() {
	last := -1 // the code before
	for i, it := range s.items {
		switch it.kind {
		case 't', '.', ',', 'f':
			continue
		case 'm':
			if last >= 0 && len(it.text) < 3 && (s.items[last].kind == 'h' || s.items[last].kind == 'H') {
				s.items[i].kind = 'M'
			}
		case 's', 'S':
			if last >= 0 && s.items[last].kind == 'm' && len(s.items[last].text) < 3 {
				s.items[last].kind = 'M'
			}
		}
		last = i
	}
}

// date is a number of days as a date or time.
func (f *formats) date(s *section, v float64) string {
	if v < 0 || v > lastDay+1 {
		return general(v)
	}
	if english := s.language == 0 || s.language&0x3FF == 0x09; s.names && !english {
		if t, ok := f.abroad.show(s, v, f.date1904); ok {
			return t
		}
	}
	places, noon := 0, false
	for _, it := range s.items {
		switch it.kind {
		case 'f':
			places = min(len(it.text), 3)
		case 'a':
			noon = true
		}
	}
	unit := math.Pow(10, float64(places))
	ticks := math.Round(v * 86400 * unit) // of the smallest part that is shown
	seconds := int(ticks / unit)
	m := moment{part: int(ticks) % int(unit), places: places, seconds: seconds, noon: noon}
	m.year, m.month, m.day, m.weekday = calendar(seconds/86400, f.date1904)
	var b strings.Builder
	for _, it := range s.items {
		b.WriteString(m.show(it))
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// calendar is a day of Excel's. Its year 1900 has a 29th of February, so that
// day 60 is none, and begins with a day 0.
func calendar(day int, date1904 bool) (year, month, dayOfMonth int, weekday time.Weekday) {
	first := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case date1904:
		first = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case day == 0:
		return 1900, 1, 0, time.Saturday
	case day == 60:
		return 1900, 2, 29, time.Wednesday
	case day < 60:
		first = first.AddDate(0, 0, 1)
	}
	t := first.AddDate(0, 0, day)
	weekday = t.Weekday()
	if !date1904 && day < 60 {
		weekday = (weekday + 6) % 7 // so that the days of the week follow each other
	}
	return t.Year(), int(t.Month()), t.Day(), weekday
}

// moment is what a date shows.
type moment struct {
	year, month, day int
	weekday          time.Weekday
	seconds          int // since day 0
	part, places     int // of a second, in so many digits
	noon             bool
}

func (m *moment) show(it item) string {
	hour := m.seconds / 3600 % 24
	two := func(n int) string { return pad(n, min(len(it.text), 2)) }
	switch it.kind {
	case 't', '.', ',':
		return it.text
	case 'f':
		return "." + pad(m.part, m.places)
	case 'y':
		if len(it.text) < 3 {
			return pad(m.year%100, 2)
		}
		return pad(m.year, 4)
	case 'e':
		return pad(m.year, 4)
	case 'b': // of the Buddhist era
		return pad(m.year+543, 4)
	case 'm':
		switch name := time.Month(m.month).String(); len(it.text) {
		case 1, 2:
			return two(m.month)
		case 3:
			return name[:3]
		case 5:
			return name[:1]
		default:
			return name
		}
	case 'd':
		switch name := m.weekday.String(); len(it.text) {
		case 1, 2:
			return two(m.day)
		case 3:
			return name[:3]
		default:
			return name
		}
	case 'h':
		if m.noon {
			return two((hour+11)%12 + 1)
		}
		return two(hour)
	case 'M':
		return two(m.seconds / 60 % 60)
	case 's':
		return two(m.seconds % 60)
	case 'H':
		return pad(m.seconds/3600, len(it.text))
	case 'N':
		return pad(m.seconds/60, len(it.text))
	case 'S':
		return pad(m.seconds, len(it.text))
	case 'a':
		name := "AM"
		if hour >= 12 {
			name = "PM"
		}
		if it.text == "a/p" {
			return name[:1]
		}
		return name
	}
	return ""
}

// pad is a number with at least so many digits.
func pad(n, digits int) string {
	s := strconv.Itoa(n)
	return strings.Repeat("0", max(digits-len(s), 0)) + s
}

// abroad shows dates with names in other languages than English. It borrows
// them from a workbook of the library for the younger format, which takes some
// 40 microseconds a date: after maxAbroad parts of dates, names are English.
type abroad struct {
	file  *excelize.File
	style map[string]int
	known map[dateAbroad]string
	parts int // shown so far
}

type dateAbroad struct {
	code string
	v    float64
}

const maxAbroad = 100_000

func (a *abroad) show(s *section, v float64, date1904 bool) (t string, ok bool) {
	defer func() {
		if recover() != nil {
			t, ok = "", false
		}
	}()
	code, key := s.code, dateAbroad{s.code, v}
	if t, ok := a.known[key]; ok || a.parts > maxAbroad {
		return t, ok
	}
	a.parts += len(s.items)
	const sheet, cell = "Sheet1", "A1"
	if a.file == nil {
		a.file, a.style, a.known = excelize.NewFile(), map[string]int{}, map[dateAbroad]string{}
		if a.file.SetWorkbookProps(&excelize.WorkbookPropsOptions{Date1904: &date1904}) != nil {
			return "", false
		}
	}
	style, ok := a.style[code]
	if !ok {
		var err error
		if style, err = a.file.NewStyle(&excelize.Style{CustomNumFmt: &code}); err != nil {
			return "", false
		}
		a.style[code] = style
	}
	if a.file.SetCellFloat(sheet, cell, v, -1, 64) != nil || a.file.SetCellStyle(sheet, cell, cell, style) != nil {
		return "", false
	}
	t, err := a.file.GetCellValue(sheet, cell)
	if err != nil {
		return "", false
	}
	a.known[key] = t
	return t, true
}
