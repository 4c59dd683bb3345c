package knowledge

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/contentgraph/contentgraph/internal/text"
)

// passage is a piece of a text that can be found and quoted.
type passage struct {
	start, end int    // in characters
	heading    string // the nearest above or at its start, "" without
	text       string
}

// The size of passages, in words: one ends with its paragraph after enough of
// them, and before a sentence that would make them more than most. A heading
// begins a new one unless there is little before it.
const (
	little = 40
	enough = 120
	most   = 180

	longWord   = 16  // bytes of a word, beyond which it counts as several
	maxHeading = 100 // characters
)

// split cuts a text of a language into passages. Each begins and ends with a
// sentence or a line, unless that is too long; together they hold all but blanks.
func split(language, s string) []passage {
	c := &cutter{text: s, language: language}
	open := true // the line before ended what it says
	for at := 0; at < len(s); {
		end := len(s)
		if i := strings.IndexByte(s[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		switch line := strings.TrimSpace(s[at:end]); {
		case line == "":
			c.endIf(enough)
			open = true
		case open && isHeading(line, s[end:]):
			c.title(at, end, line)
		default:
			c.sentences(at, end)
			if open = ended(line); open {
				c.endIf(enough)
			}
		}
		at = end
	}
	c.endIf(1)
	return c.passages
}

// isHeading reports a short line that names what comes next: marked as in
// Markdown, or not ended as a sentence is and followed by something longer.
func isHeading(line, rest string) bool {
	if len(line) > 4*maxHeading || utf8.RuneCountInString(line) > maxHeading {
		return false
	}
	title := strings.TrimLeft(line, "#")
	if marks := len(line) - len(title); marks > 0 && marks <= 6 && strings.HasPrefix(title, " ") {
		return true
	}
	if !strings.ContainsFunc(line, unicode.IsLetter) { // the number of a page
		return false
	}
	if last, _ := utf8.DecodeLastRuneInString(line); ended(line) || strings.ContainsAny(line, "\t|") || strings.ContainsRune(",;-–—", last) {
		return false
	}
	next, _, _ := strings.Cut(strings.TrimLeftFunc(rest, unicode.IsSpace), "\n")
	return len(next) > len(line)+len(line)/2
}

// ended reports a line whose last sentence ends with it.
func ended(line string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(line, "\"'”’»)]"))
	return strings.ContainsRune(".!?:…。！？؟।", last)
}

// size is the length of a piece of text in words. Of scripts that are written
// without blanks, two letters are taken for a word. A piece that is longer than
// any passage is not counted.
func size(s string) int {
	if n := len(s) / longWord; n > most {
		return n
	}
	n, unit := text.Count(s)
	if unit == text.CharacterUnit {
		n = (n + 1) / 2
	}
	return max(n, len(s)/longWord, 1)
}

// leading is the length in bytes of about the first n words of a piece.
func leading(s string, n int) int {
	cut := min(n*longWord, len(s))
	for cut < len(s) && !utf8.RuneStart(s[cut]) {
		cut--
	}
	s = s[:cut] // no word further on is looked at
	if _, unit := text.Count(s); unit == text.CharacterUnit {
		n *= 2
	}
	last := 0 // beginning of a word
	for w := range text.Words(s) {
		if last = w.Start; n == 0 {
			break
		}
		n--
	}
	if last > 0 {
		return last
	}
	return len(s)
}
