package text

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
)

// Words walks over the words of a text by the Unicode word rules (UAX 29):
// pieces that hold a letter or a digit. Contractions, numbers and names with a
// dot inside are one word (don't, 3.50, node.js), parts of a hyphenated word
// are several. Scripts without word borders give a word a letter.
func Words(s string) iter.Seq[Span] {
	return func(yield func(Span) bool) {
		s := mended(s)
		it := words.FromString(s)
		for it.Next() {
			start, end := it.Start(), it.End()
			w := strings.TrimLeftFunc(s[start:end], unicode.IsSpace) // a mark may stand on a blank
			start = end - len(w)
			switch {
			case w == "" || !wordLike(w):
			case borderless(w):
				if !letters(s, start, end, yield) {
					return
				}
			default:
				if !yield(Span{start, end}) {
					return
				}
			}
		}
	}
}

// mended puts a zero byte for every byte that is not UTF-8, so that places stay
// the same: the library may take half a letter together with what is around it.
func mended(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	b := []byte(s)
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			b[i] = 0
		}
		i += n
	}
	return string(b)
}

// letters yields a piece of a script without word borders letter by letter;
// marks stay with their letter.
func letters(s string, start, end int, yield func(Span) bool) bool {
	for i := start; i < end; {
		_, n := utf8.DecodeRuneInString(s[i:end])
		next := i + n
		for next < end {
			r, n := utf8.DecodeRuneInString(s[next:end])
			if !unicode.Is(unicode.M, r) {
				break
			}
			next += n
		}
		if wordLike(s[i:next]) && !yield(Span{i, next}) {
			return false
		}
		i = next
	}
	return true
}

func wordLike(w string) bool {
	if c := w[0]; c < utf8.RuneSelf {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' {
			return true
		}
		if len(w) == 1 {
			return false
		}
	}
	return strings.ContainsFunc(w, isWordRune)
}

// borderless tells a word of a script that is written without spaces.
func borderless(w string) bool {
	if w[0] < 0xE0 { // all of them start at U+0E00
		return false
	}
	r, _ := utf8.DecodeRuneInString(w)
	return borderlessRune(r)
}

func borderlessRune(r rune) bool {
	switch {
	case r < 0xE00:
		return false
	case r < 0x1100: // Thai, Lao, Tibetan, Myanmar
		return unicode.In(r, unicode.Thai, unicode.Lao, unicode.Myanmar)
	case r >= 0x3041 && r <= 0x30FF, r >= 0x31F0 && r <= 0x31FF: // kana
		return true
	case r >= 0x3400 && r <= 0x9FFF, r >= 0xF900 && r <= 0xFAFF, r >= 0x20000 && r <= 0x3FFFF, r == 0x3005, r == 0x3007:
		return true // Han
	case r >= 0xFF66 && r <= 0xFF9F: // narrow kana
		return true
	}
	return unicode.Is(unicode.Khmer, r)
}

// Unit says what a length counts.
type Unit string

// The units of a length.
const (
	WordUnit      Unit = "words"
	CharacterUnit Unit = "characters"
)

// Count is the length of a text: its words by the Unicode rules (see Words). In
// a text that is written mostly without word borders (Chinese, Japanese, Thai)
// the letters of such scripts are what is counted, together with the words of
// other scripts between them, and the unit is characters.
func Count(s string) (int, Unit) {
	total, single := 0, 0
	for w := range Words(s) {
		total++
		if borderless(s[w.Start:w.End]) {
			single++
		}
	}
	if single*2 > total {
		return total, CharacterUnit
	}
	return total, WordUnit
}
