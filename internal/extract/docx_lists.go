package extract

import (
	"encoding/xml"
	"strconv"
	"strings"
)

// numbering is what the properties of a paragraph say of its number.
type numbering struct{ style, id, level string }

// lists number the paragraphs of a document as Word does: the paragraphs hold a
// reference to a list and a level, the list holds how its numbers look.
type lists struct {
	lists  map[string]*list // by numId
	styles map[string]styled
}

// styled is the numbering that a paragraph style brings.
type styled struct {
	numbering
	base string // the style it is made from
}

// list is one list; several may share the counters of one definition.
type list struct {
	*definition
	starts [levels]*int // where this list begins anew
	begun  bool
}

// definition is an abstract list.
type definition struct {
	levels [levels]level
	counts [levels]*int // the last numbers, nil where none was given since the level above moved on
}

const levels = 9

// level is the look of the numbers of a level.
type level struct {
	format, text, style string
	start               int
}

// The most that is kept: lists and styles, bytes of the pattern of a number.
const (
	maxLists = 1 << 16
	maxLabel = 64
)

// readLists reads the lists of a document; what is damaged numbers nothing.
func readLists(a *archive, relations []relation) *lists {
	l := &lists{lists: map[string]*list{}, styles: map[string]styled{}}
	for _, name := range related(relations, "numbering") {
		l.readNumbering(a, name)
	}
	for _, name := range related(relations, "styles") {
		l.readStyles(a, name)
	}
	return l
}

func (l *lists) readNumbering(a *archive, name string) {
	definitions := map[string]*definition{}
	def, at, num := &definition{}, 0, (*list)(nil)
	a.elements(name, func(e xml.StartElement) {
		value := attribute(e, "val")
		switch e.Name.Local {
		case "abstractNum":
			def, num = &definition{}, nil
			if len(definitions) < maxLists {
				definitions[attribute(e, "abstractNumId")] = def
			}
		case "lvl":
			at = levelOf(attribute(e, "ilvl"))
			if num != nil { // a level of its own: its look replaces the shared one
				def = &definition{levels: num.levels}
				num.definition = def
			}
			def.levels[at] = level{start: 1}
		case "start":
			def.levels[at].start = number(value)
		case "numFmt":
			def.levels[at].format = value
		case "lvlText":
			if len(value) <= maxLabel {
				def.levels[at].text = value
			}
		case "pStyle":
			def.levels[at].style = value
		case "num":
			num = &list{definition: &definition{}}
			if len(l.lists) < maxLists {
				l.lists[attribute(e, "numId")] = num
			}
		case "abstractNumId":
			if known := definitions[value]; known != nil && num != nil {
				num.definition = known
			}
		case "lvlOverride":
			at = levelOf(attribute(e, "ilvl"))
		case "startOverride":
			if num != nil {
				n := number(value)
				num.starts[at] = &n
			}
		}
	})
}

func (l *lists) readStyles(a *archive, name string) {
	id := ""
	a.elements(name, func(e xml.StartElement) {
		if e.Name.Local == "style" {
			id = attribute(e, "styleId")
		}
		s, value := l.styles[id], attribute(e, "val")
		switch e.Name.Local {
		case "basedOn":
			s.base = value
		case "numId":
			s.id = value
		case "ilvl":
			s.level = value
		default:
			return
		}
		if len(l.styles) < maxLists {
			l.styles[id] = s
		}
	})
}

// label is the number of the next paragraph with a blank after it, "" when it
// has none.
func (l *lists) label(n numbering) string {
	style := n.style
	for hops := 0; n.id == "" && style != "" && hops < 16; hops++ {
		s := l.styles[style]
		if n.id = s.id; n.level == "" {
			n.level = s.level
		}
		style = s.base
	}
	list := l.lists[n.id]
	if list == nil {
		return ""
	}
	at := levelOf(n.level)
	if n.level == "" && n.style != "" {
		for i, v := range list.levels {
			if v.style == n.style {
				at = i
			}
		}
	}
	return list.next(at)
}

// next counts a paragraph of a level.
func (l *list) next(at int) string {
	if !l.begun {
		l.begun = true
		for i, start := range l.starts {
			if start != nil {
				clear(l.counts[i:])
				before := *start - 1
				l.counts[i] = &before
			}
		}
	}
	for i := range at + 1 {
		switch {
		case l.counts[i] == nil: // also of a level above that had no paragraph yet
			start := l.levels[i].start
			l.counts[i] = &start
		case i == at:
			*l.counts[i]++
		}
	}
	clear(l.counts[at+1:])
	v := l.levels[at]
	if v.format == "bullet" {
		return "• "
	}
	text := v.text
	for i := range levels {
		if n := l.counts[i]; n != nil {
			text = strings.ReplaceAll(text, "%"+strconv.Itoa(i+1), ordinal(*n, l.levels[i].format))
		}
	}
	if text == "" {
		return ""
	}
	return text + " "
}

// ordinal writes a number in a format of Word, those it does not know in digits.
func ordinal(n int, format string) string {
	switch format {
	case "none":
		return ""
	case "lowerLetter":
		return strings.ToLower(alphabetic(n))
	case "upperLetter":
		return alphabetic(n)
	case "lowerRoman":
		return strings.ToLower(roman(n))
	case "upperRoman":
		return roman(n)
	case "decimalZero":
		if n < 10 {
			return "0" + strconv.Itoa(n)
		}
	}
	return strconv.Itoa(n)
}

// alphabetic is A to Z, then AA to ZZ, as Word counts.
func alphabetic(n int) string {
	if n < 1 || n > 26*16 {
		return strconv.Itoa(n)
	}
	return strings.Repeat(string(rune('A'+(n-1)%26)), (n-1)/26+1)
}

// roman is a number in Roman digits.
func roman(n int) string {
	if n < 1 || n > 3999 {
		return strconv.Itoa(n)
	}
	values := []int{1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1}
	signs := []string{"M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"}
	var b strings.Builder
	for i, v := range values {
		for ; n >= v; n -= v {
			b.WriteString(signs[i])
		}
	}
	return b.String()
}

// levelOf and number read numbers that are in range, else the first level and 0.
func levelOf(s string) int {
	if n := number(s); n < levels {
		return n
	}
	return 0
}

func number(s string) int {
	if n, err := strconv.Atoi(s); err == nil && n >= 0 && n < 1<<20 {
		return n
	}
	return 0
}
