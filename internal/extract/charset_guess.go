package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
)

// legacy is a charset of one or several bytes a character.
type legacy struct {
	name     string
	encoding encoding.Encoding
}

// guessCharset finds the charset of text that is not Unicode. Each candidate
// decodes the text, and the one in which it reads best is taken: characters
// that are common in a language, and no signs within words.
func guessCharset(b []byte) legacy {
	if c, ok := guessEastAsian(b); ok {
		return c
	}
	if isOtherScript(b) {
		if isThai(b) {
			return thai(b)
		}
		if c, ok := guessScript(b); ok {
			return c
		}
	}
	return guessLatin(b)
}

// isOtherScript reports that bytes beyond ASCII form words of their own, and
// are not letters within words of ASCII letters.
func isOtherScript(b []byte) bool {
	high, runs, touching := 0, 0, 0
	last := byte(' ')
	for i, c := range b {
		if c >= 0x80 {
			high++
			if last < 0x80 {
				runs++
			}
			if isASCIILetter(rune(last)) || i+1 < len(b) && isASCIILetter(rune(b[i+1])) {
				touching++
			}
		}
		last = c
	}
	return high >= 2*runs && touching*2 <= runs
}

// guessEastAsian takes the charset whose characters are the most common ones of
// its language. Broken characters rule a charset out.
func guessEastAsian(b []byte) (best legacy, ok bool) {
	bestScore := 0.4
	for _, c := range eastAsian {
		if score := c.score(decodeAs(b, "", c.encoding)); score > bestScore {
			best, bestScore, ok = c.legacy, score, true
		}
	}
	return best, ok
}

// score is what a wide character of s is worth on average: 3 when it is among
// the most common ones, 1 when it is in daily use, less than nothing otherwise
// or when it touches ASCII letters on both sides, as the accented letters of
// Latin text do.
func (c eastAsianCharset) score(s string) float64 {
	var score float64
	wide, broken := 0, 0
	last := ' '
	for _, r := range s {
		if r < utf8.RuneSelf {
			if isASCIILetter(r) && last >= utf8.RuneSelf {
				score -= 0.6
			}
			last = r
			continue
		}
		wide++
		switch {
		case r == utf8.RuneError:
			broken++
		case strings.ContainsRune(c.common, r), unicode.In(r, unicode.Hiragana, unicode.Katakana) && r < 0xFF00 && c.kana:
			score += 3
		case unicode.Is(unicode.Hangul, r):
			score++
		case r >= 0xFF61 && r <= 0xFF9F: // half-width Katakana: any byte of other charsets
			score--
		case r >= 0x3000 && r < 0x3040, r >= 0xFF01 && r <= 0xFF60: // punctuation and wide ASCII
			score++
		case unicode.Is(unicode.Han, r):
			score += c.rank(r)
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			score++
		default:
			score -= 0.5
		}
		if isASCIILetter(last) {
			score -= 0.6
		}
		last = r
	}
	if wide == 0 || broken*100 > wide || score < 3 { // one sign in daily use proves nothing
		return -1
	}
	return score / float64(wide)
}

// rank is the worth of a Chinese character: the charsets have those in daily
// use in a first level, by sound or strokes, and the others after it.
func (c eastAsianCharset) rank(r rune) float64 {
	b, err := c.encoding.NewEncoder().Bytes([]byte(string(r)))
	if err != nil || len(b) != 2 {
		return -1.5
	}
	if code := uint16(b[0])<<8 | uint16(b[1]); code >= c.first && code <= c.last && (c.trail == 0 || b[1] >= c.trail) {
		return 1
	}
	return -1
}

func isASCIILetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

// isThai reports the order of Thai letters: vowels and tones above and below
// stand after a consonant, others before one.
func isThai(b []byte) bool {
	marks, right, letters := 0, 0, 0
	for i, c := range b {
		switch {
		case c < 0x80, c == 0xA0, c >= 0x80 && c < 0xA0:
			continue
		case c >= 0xDB && c <= 0xDE, c >= 0xFC:
			return false // no characters
		}
		letters++
		switch {
		case c == 0xD1, c >= 0xD4 && c <= 0xDA, c >= 0xE7 && c <= 0xEE:
			marks++
			if i > 0 && (b[i-1] >= 0xA1 && b[i-1] <= 0xCE || b[i-1] == 0xD1 || b[i-1] >= 0xD4 && b[i-1] <= 0xDA || b[i-1] >= 0xE7 && b[i-1] <= 0xEE) {
				right++
			}
		case c >= 0xE0 && c <= 0xE4:
			marks++
			if i+1 == len(b) || b[i+1] >= 0xA1 && b[i+1] <= 0xCE {
				right++
			}
		}
	}
	return marks*10 > letters && right*100 >= marks*95
}

func thai(b []byte) legacy {
	for _, c := range b {
		if c >= 0x80 && c < 0xA1 {
			return legacy{"windows-874", charmap.Windows874}
		}
	}
	return legacy{"tis-620", charmap.Windows874}
}
