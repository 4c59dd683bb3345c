package extract

import (
	"slices"
	"strconv"
	"strings"

	"github.com/xuri/nfp"
)

// section is one of up to three parts of a format: without conditions for
// positive numbers, negative ones and zero.
type section struct {
	code  string // the whole format
	items []item
	test  string // "<", ">=" and so on; "" for none
	bound float64

	date, names bool // names of months, days or eras are in it
	language    int  // of the names; 0 is that of the reader

	whole, fraction, exponent int // digits that there is room for
	zeros                     int // digits of the exponent that are always shown
	thousands                 bool
	shift                     int // powers of ten by which the number is shown
	ratio                     int // index in items of the stroke of a fraction, 0 for none
}

// item is a part of a format. A digit is '0', '#' or '?'; then there are '.',
// 'E', '/' (of a fraction, text is its fixed lower half), 'G' for the whole
// number without format, 't' for text, and in dates the letter of the code, M for
// minutes, f for parts of a second, and capitals for time that has passed.
type item struct {
	kind byte
	text string
}

// parseFormat is nil for a code that cannot be understood, or that shows
// numbers as if it were not there.
func parseFormat(code string) (sections []section) {
	defer func() {
		if recover() != nil {
			sections = nil
		}
	}()
	parser := nfp.NumberFormatParser()
	for _, parsed := range parser.Parse(code) {
		if parsed.Type == nfp.TokenSectionText && slices.ContainsFunc(parsed.Items, func(t nfp.Token) bool { return t.TType == nfp.TokenTypeTextPlaceHolder }) {
			continue // for text alone
		}
		s := section{code: code, date: slices.ContainsFunc(parsed.Items, isDate)}
		for i, t := range parsed.Items {
			s.add(t, parsed.Items[:i])
		}
		if s.date {
			s.findMinutes()
		} else {
			s.measure()
		}
		sections = append(sections, s)
	}
	return sections
}

// isDate says whether a token makes a section a date; E is of a number, too.
func isDate(t nfp.Token) bool {
	return t.TType == nfp.TokenTypeElapsedDateTimes || t.TType == nfp.TokenTypeDateTimes && !strings.EqualFold(t.TValue, "E")
}

// add adds a token; before are those in front of it.
func (s *section) add(t nfp.Token, before []nfp.Token) {
	text := func(v string) { s.items = append(s.items, item{'t', v}) }
	switch t.TType {
	case nfp.TokenTypeZeroPlaceHolder, nfp.TokenTypeHashPlaceHolder, nfp.TokenTypeDigitalPlaceHolder:
		if n := len(s.items); s.date && n > 0 && s.items[n-1].kind == '.' {
			s.items[n-1] = item{'f', t.TValue}
			return
		}
		for _, c := range t.TValue {
			if s.date || !strings.ContainsRune("0#?", c) {
				text(string(c))
			} else {
				s.items = append(s.items, item{kind: byte(c)})
			}
		}
	case nfp.TokenTypeDecimalPoint:
		if t.TValue != "." {
			text(t.TValue)
		} else {
			s.items = append(s.items, item{'.', "."})
		}
	case nfp.TokenTypeThousandsSeparator:
		s.items = append(s.items, item{',', ","})
	case nfp.TokenTypePercent:
		s.shift += 2 * len(t.TValue)
		text(t.TValue)
	case nfp.TokenTypeExponential:
		s.items = append(s.items, item{'E', t.TValue[1:]})
	case nfp.TokenTypeFraction:
		s.ratio = len(s.items)
		s.items = append(s.items, item{kind: '/'})
	case nfp.TokenTypeDenominator:
		s.items[s.ratio].text = t.TValue
	case nfp.TokenTypeGeneral, nfp.TokenTypeTextPlaceHolder:
		s.items = append(s.items, item{kind: 'G'})
	case nfp.TokenTypeAlignment:
		text(" ")
	case nfp.TokenTypeRepeatsChar:
		if t.TValue == " " {
			text(" ")
		}
	case nfp.TokenTypeCurrencyLanguage:
		s.addLanguage(t.TValue)
	case nfp.TokenTypeCondition:
		if len(t.Parts) == 2 {
			s.test = t.Parts[0].Token.TValue
			s.bound, _ = strconv.ParseFloat(t.Parts[1].Token.TValue, 64)
		}
	case nfp.TokenTypeDateTimes, nfp.TokenTypeElapsedDateTimes:
		s.addDate(t)
	case nfp.TokenTypeLiteral:
		n := len(s.items)
		switch {
		case t.TValue == "," && n > 0 && s.items[n-1].kind == ',' && before[len(before)-1].TType == nfp.TokenTypeThousandsSeparator:
			s.items = append(s.items, item{',', ","}) // the parser knows one of them alone
		case strings.HasPrefix(t.TValue, "-") && n > 0 && s.items[n-1] == item{'e', "E"} && !s.date:
			s.items[n-1] = item{'E', "-"} // the parser takes it for a year
			text(t.TValue[1:])
		default:
			text(t.TValue)
		}
	}
}

// addLanguage adds the currency of "[$€-407]" and keeps its language.
func (s *section) addLanguage(tag string) {
	tag = strings.TrimSuffix(strings.TrimPrefix(tag, "[$"), "]")
	currency, language, _ := strings.Cut(tag, "-")
	if currency != "" {
		s.items = append(s.items, item{'t', currency})
	}
	id, err := strconv.ParseUint(language, 16, 32)
	if id &= 0xFFFF; err == nil && id != 0xF400 && id != 0xF800 { // the reader's own time, date
		s.language = int(id)
	}
}

// choose is the section that shows a number, -1 for none.
func choose(sections []section, v float64) int {
	n := min(len(sections), 3)
	conditions := slices.ContainsFunc(sections[:n], func(s section) bool { return s.test != "" })
	for i := range n {
		s := &sections[i]
		var holds bool
		switch s.test {
		case "<":
			holds = v < s.bound
		case "<=":
			holds = v <= s.bound
		case ">":
			holds = v > s.bound
		case ">=":
			holds = v >= s.bound
		case "=":
			holds = v == s.bound
		case "<>":
			holds = v != s.bound
		default:
			switch {
			case i == n-1 || n == 2 && i == 0 && v >= 0:
				holds = true
			case i == 0:
				holds = v > 0 && n > 1
			case i == 1:
				holds = v < 0 || conditions && n == 2
			}
		}
		if holds {
			return i
		}
	}
	return -1
}
