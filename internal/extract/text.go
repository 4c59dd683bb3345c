package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// asideShare is the part of a text that its asides may be at most: one word in
// asideShare. Headers, footers and sheet names say little, and in a short file
// they would outweigh what it says.
const asideShare = 50

// Aside keeps s for the end of the text. Asides are what stands beside the text
// of a file, such as page headers; each is written once, and only those that
// are small beside the text.
func (t *text) Aside(s string) {
	const most = 64 // different headers of one file
	s = oneLine(s)
	if s == "" || len(t.asides) == most {
		return
	}
	for _, seen := range t.asides {
		if seen == s {
			return
		}
	}
	t.asides = append(t.asides, s)
}

// Sheet names the sheet whose text follows. Like an aside, the name is written
// only where it is small beside what it names.
func (t *text) Sheet(name string) {
	if name = oneLine(name); name != "" && len(t.sheets) < maxSheets {
		t.sheets = append(t.sheets, sheetName{t.b.Len(), name})
	}
}

// sheetName is a name for the text from an offset on.
type sheetName struct {
	at   int
	name string
}

const maxSheets = 4096

// named is the text with the names of its sheets.
func (t *text) named() string {
	all := t.b.String()
	var b strings.Builder
	at, any := 0, false
	for i, s := range t.sheets {
		end := len(all)
		if i+1 < len(t.sheets) {
			end = t.sheets[i+1].at
		}
		if (len(s.name)+1)*asideShare <= end-s.at {
			b.WriteString(all[at:s.at] + "\n" + s.name + "\n")
			at, any = s.at, true
		}
	}
	if !any {
		return all
	}
	return b.String() + all[at:]
}

// finish cleans the text and closes the result.
func (t *text) finish() Result {
	room := t.b.Len() / asideShare
	for _, s := range t.asides {
		if room -= len(s) + 1; room < 0 || t.Write("\n"+s) != nil {
			break
		}
	}
	t.Text = clean(t.named())
	if len(t.Text) > maxText { // NFC can lengthen a text
		t.Text, t.Cut = strings.ToValidUTF8(t.Text[:maxText], ""), true
	}
	if t.Text == "" && t.Reason == "" {
		t.Reason = reasonEmpty
	}
	return t.Result
}

// clean makes s fit for people and for search: valid UTF-8 in NFC, without
// control and invisible formatting characters, with ligatures and presentation
// forms as letters, lines ended by \n and without trailing blanks, at most two
// empty lines in a row, none at the start and no line end at the end. Letters
// stay in their logical order, whichever way they are read.
func clean(s string) string {
	return tidy(norm.NFC.String(letters(s)))
}

// letters replaces and drops single characters.
func letters(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	var last rune
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '\n' && last == '\r': // the second half of a line end
		case r == '\n' || r == '\t':
			b.WriteByte(byte(r))
		case r == utf8.RuneError && n == 1: // no character
		case isLineEnd(r):
			b.WriteByte('\n')
		case isInvisible(r):
		case r != ideographicSpace && unicode.Is(unicode.Zs, r):
			b.WriteByte(' ')
		case isPresentation(r):
			b.WriteString(norm.NFKC.String(s[i : i+n]))
		default:
			b.WriteString(s[i : i+n])
		}
		last = r
		i += n
	}
	return b.String()
}

const ideographicSpace = '\u3000' // is layout: paragraphs begin with it

// isLineEnd reports the characters other than \n that end a line.
func isLineEnd(r rune) bool {
	switch r {
	case '\r', '\v', '\f', 0x85, 0x2028, 0x2029:
		return true
	}
	return false
}

// isInvisible reports characters that nobody sees: controls, soft hyphens, byte
// order marks, annotations, characters that turn the direction of what follows,
// placeholders of objects, and tags, in which text can hide from its readers.
// Joiners stay, since Persian, Indic scripts and emoji need them.
func isInvisible(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7F && r < 0xA0, r == 0xAD, r == 0xFEFF, r == 0x200B, r == 0x2060:
		return true
	case r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069: // embeddings, overrides, isolates
		return true
	case r >= 0xFFF9 && r <= 0xFFFC, r >= 0xFDD0 && r <= 0xFDEF, r&0xFFFE == 0xFFFE:
		return true
	}
	return r >= 0xE0000 && r <= 0xE007F
}

// isPresentation reports characters that stand for other letters in print:
// Latin and Armenian ligatures and the forms of Arabic and Hebrew letters.
func isPresentation(r rune) bool {
	switch {
	case r < 0xFB00:
		return false
	case r <= 0xFB4F, r >= 0xFB50 && r <= 0xFDCF:
		return true
	}
	return r >= 0xFE70 && r <= 0xFEFC
}

// tidy drops blanks at the ends of lines and empty lines that say nothing.
func tidy(s string) string {
	const most = 2 // empty lines in a row
	var b strings.Builder
	b.Grow(len(s))
	empty := 0
	for line := range strings.Lines(s) {
		line = strings.TrimRight(line, " \t\n\u3000")
		if line == "" {
			empty++
			continue
		}
		if b.Len() > 0 {
			b.WriteString("\n\n\n"[:1+min(empty, most)])
		}
		empty = 0
		b.WriteString(line)
	}
	return b.String()
}

// oneLine is s with every run of blanks and line ends as one blank, and none at
// its ends. It takes no more memory than s, unlike strings.Fields.
func oneLine(s string) string {
	var b strings.Builder
	gap := false
	for _, r := range s {
		if unicode.IsSpace(r) {
			gap = true
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte(' ')
		}
		gap = false
		b.WriteRune(r)
	}
	return b.String()
}
