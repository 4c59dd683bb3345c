package extract

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxHeading = 120      // characters of a line that may be a heading
	lineHyphen = "\uFFFE" // how PDFium writes a hyphen at the end of a line, whose parts it joins
)

// pdfText collects the lines of a file. What is a heading shows only when the
// usual size of its letters is known, so the lines wait with their marks.
type pdfText struct {
	lines   strings.Builder // each ended by \n
	marks   []pdfMark       // one a line
	letters map[pdfMark]int // how many letters have a size and face
}

// pdfMark is how a line looks: its size in quarters of a point, and flags.
type pdfMark uint16

const (
	markSize    pdfMark = 1<<13 - 1
	markBold    pdfMark = 1 << 13
	markSpace   pdfMark = 1 << 14 // there is more space above it than between other lines
	markNewPage pdfMark = 1 << 15 // it is the first line of a page
)

func (m pdfMark) size() float32 { return float32(m&markSize) / 4 }

// full reports that there is more text than will be kept.
func (t *pdfText) full() bool { return t.lines.Len() > maxText }

// empty reports that no page had a line.
func (t *pdfText) empty() bool { return len(t.marks) == 0 }

// add adds the lines of a page and what is laid over it.
func (t *pdfText) add(p pdfPage) {
	if t.letters == nil {
		t.letters = map[pdfMark]int{}
	}
	pitch := linePitch(p.lines)
	for i, l := range p.lines {
		m := pdfMark(min(max(l.size, 0)*4, float32(markSize)))
		if l.bold {
			m |= markBold
		}
		if m != 0 {
			t.letters[m] += len(l.text)
		}
		switch {
		case i == 0:
			m |= markNewPage
		case pitch > 0 && p.lines[i-1].end.bottom-l.start.bottom > pitch*1.4:
			m |= markSpace
		}
		t.line(l.text, m)
	}
	for _, s := range p.values {
		m := markSpace
		for l := range strings.FieldsFuncSeq(s, isBreak) {
			t.line(l, m)
			m = 0
		}
	}
}

// line adds a line, which is one whatever a font calls its glyphs.
func (t *pdfText) line(s string, m pdfMark) {
	if strings.ContainsFunc(s, isBreak) {
		s = strings.Join(strings.FieldsFunc(s, isBreak), " ")
	}
	t.lines.WriteString(s)
	t.lines.WriteByte('\n')
	t.marks = append(t.marks, m)
}

func isBreak(r rune) bool { return r == '\n' || isLineEnd(r) }

// linePitch is the usual distance of the lines of a page, 0 when unknown.
func linePitch(lines []pdfLine) float32 {
	var all []float32
	for i := 1; i < len(lines); i++ {
		if d := lines[i-1].end.bottom - lines[i].start.bottom; d > 0 && lines[i-1].size > 0 && lines[i].size > 0 {
			all = append(all, d)
		}
	}
	if len(all) < 3 {
		return 0
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// layout is the text: headings and paragraphs apart from each other by empty
// lines, and words whole.
func (t *pdfText) layout() string {
	var body pdfMark // the look of most letters
	for m, n := range t.letters {
		if n > t.letters[body] || n == t.letters[body] && m < body {
			body = m
		}
	}
	var b strings.Builder
	b.Grow(t.lines.Len() + t.lines.Len()/16)
	var above pdfLook
	i := 0
	for s := range strings.Lines(t.lines.String()) {
		line := pdfLook{text: strings.TrimSpace(s), pdfMark: t.marks[i]}
		line.heading = line.isHeading(body)
		if i > 0 && line.apart(above) {
			b.WriteByte('\n')
		}
		b.WriteString(line.text)
		b.WriteByte('\n')
		above = line
		i++
	}
	return joinHyphens(b.String())
}

// pdfLook is a line with its mark.
type pdfLook struct {
	text string
	pdfMark
	heading bool
}

// isHeading reports whether a line is one, where body is the look of the text:
// it is short, and larger or bolder.
func (l pdfLook) isHeading(body pdfMark) bool {
	switch {
	case l.size() == 0 || body.size() == 0 || utf8.RuneCountInString(l.text) > maxHeading,
		!strings.ContainsFunc(l.text, unicode.IsLetter):
		return false
	case l.size() > body.size()*1.14:
		return true
	}
	return l.pdfMark&markBold > body&markBold && l.size() > body.size()*0.9 && !strings.HasSuffix(l.text, ".")
}

// apart reports whether an empty line belongs between a line and the one above.
func (l pdfLook) apart(above pdfLook) bool {
	const face = markSize | markBold
	switch {
	case l.heading || above.heading:
		return l.heading != above.heading || l.pdfMark&face != above.pdfMark&face
	case l.pdfMark&markNewPage != 0: // unless a sentence goes on
		first, _ := utf8.DecodeRuneInString(l.text)
		return !unicode.IsLower(first) || strings.HasSuffix(above.text, ".")
	}
	return l.pdfMark&markSpace != 0
}

// isGarbled reports whether s is no text in any language. unmapped says that
// the fonts do not tell which characters most of its glyphs are; they may be
// right all the same.
func isGarbled(s string, unmapped bool) bool {
	var seen, odd, letters, latin, lower, vowels int
	for _, r := range s {
		switch {
		case unicode.IsSpace(r) || string(r) == lineHyphen:
			continue
		case r == utf8.RuneError || !unicode.IsGraphic(r) && !unicode.Is(unicode.Cf, r):
			odd++
		case unicode.IsLetter(r) || unicode.IsMark(r):
			letters++
		}
		seen++
		if unicode.Is(unicode.Latin, r) {
			latin++
			if unicode.IsLower(r) {
				lower++
			}
			if strings.ContainsRune("aeiouyAEIOUY", r) {
				vowels++
			}
		}
	}
	const enough = 20 // letters to judge by
	switch {
	case odd*10 > seen*3:
		return true
	case !unmapped || seen < enough:
		return false
	case letters*2 < seen:
		return true
	}
	return latin > enough && latin*2 > letters && (lower*3 < latin || vowels*5 < latin)
}
