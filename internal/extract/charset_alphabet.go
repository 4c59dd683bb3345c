package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gogs/chardet"
)

// guessScript takes the charset in which text of a script with small and big
// letters or without reads best.
func guessScript(b []byte) (best legacy, ok bool) {
	bestScore := 0.5
	for _, script := range scripts {
		for _, c := range script.charsets {
			if score := script.score(decodeAs(b, "", c.encoding)); score > bestScore {
				best, bestScore, ok = c, score, true
			}
		}
	}
	return best, ok
}

// score is what a character beyond ASCII is worth on average: up to 3 for the
// most common letter of the script; less than nothing for a big letter after a
// small one, for letters of other scripts, for signs within words, and for
// words that nobody can speak.
func (p script) score(s string) float64 {
	var score float64
	var last rune
	n, consonants := 0, 0
	for _, r := range s {
		if r >= utf8.RuneSelf {
			n++
			score += p.worth(r, last)
			if consonants++; strings.ContainsRune(p.vowels, unicode.ToLower(r)) || !unicode.IsLetter(r) {
				consonants = 0
			}
			if p.vowels != "" && consonants > 3 {
				score -= 1.5
			}
		} else if isASCIILetter(r) && unicode.Is(p.table, last) {
			score--
		} else {
			consonants = 0
		}
		if strings.ContainsRune(finals, last) { // at the end of a word, or not
			if unicode.IsLetter(r) {
				score -= 3
			} else {
				score += 1.5
			}
		}
		last = r
	}
	return score / float64(max(1, n))
}

func (p script) worth(r, last rune) float64 {
	rank, known := p.ranks[unicode.ToLower(r)]
	switch {
	case r == utf8.RuneError, r < 0xA0:
		return -4
	case known && unicode.IsUpper(r) && unicode.IsLower(last):
		return -2
	case known:
		worth := 3 - 2.5*float64(rank)/float64(len(p.ranks))
		if unicode.IsUpper(r) && unicode.IsUpper(last) {
			worth -= 0.4
		}
		return worth
	case unicode.IsLetter(r):
		return -1.5
	case unicode.IsMark(r), !unicode.IsLetter(last), strings.ContainsRune(punctuation, r):
		return 0
	}
	return -2
}

// guessLatin takes the charset in which some language has all the letters
// beyond ASCII. Where several do, the statistics of letters decide.
func guessLatin(b []byte) legacy {
	bestScore, hint := -1e9, hintLatin(b)
	var best legacy
	for i, c := range latinCharsets {
		score := latinScore(decodeAs(b, "", c.encoding)) - 0.001*float64(i)
		if i == 0 {
			score += 0.1 // the most usual one by far
		}
		if c.name == hint {
			score += 0.1
		}
		if score > bestScore {
			best, bestScore = c, score
		}
	}
	if best.name == "windows-1252" && !hasC1(b) {
		best.name = "iso-8859-1"
	}
	return best
}

// hintLatin is the charset that letter statistics suggest.
func hintLatin(b []byte) string {
	found, err := chardet.NewTextDetector().DetectBest(b)
	if err != nil {
		return ""
	}
	switch name := strings.ToLower(found.Charset); name {
	case "iso-8859-1":
		return "windows-1252"
	case "iso-8859-9":
		return "windows-1254"
	default:
		return name
	}
}

// latinScore is the share of characters beyond ASCII that are right: letters
// that the fittest language has, and signs outside of words. Signs and big
// letters within words, and controls, count against the charset.
func latinScore(s string) float64 {
	var hits [len(alphabets)]int
	var all, signs, against int
	var last rune
	for i, r := range s {
		if r >= utf8.RuneSelf {
			all++
			next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
			inside := unicode.IsLetter(last) && unicode.IsLetter(next)
			switch lower := unicode.ToLower(r); {
			case r == utf8.RuneError, r < 0xA0:
				against += 3
			case unicode.IsLetter(r) && !strings.ContainsRune("ªº", r):
				for k, alphabet := range alphabets {
					if strings.ContainsRune(alphabet, lower) {
						hits[k]++
					}
				}
				if unicode.IsUpper(r) && (unicode.IsLower(last) || inside && unicode.IsLower(next)) {
					against++
				}
			case inside && !strings.ContainsRune("’·\u00AD", r):
				against += 2
			case strings.ContainsRune(punctuation, r):
				signs++
			default:
				against++
			}
		}
		last = r
	}
	best := 0
	for _, n := range hits {
		best = max(best, n)
	}
	return float64(best+signs-against) / float64(max(1, all))
}

func hasC1(b []byte) bool {
	for _, c := range b {
		if c >= 0x80 && c < 0xA0 {
			return true
		}
	}
	return false
}
