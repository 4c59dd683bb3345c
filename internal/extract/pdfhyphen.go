package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// joinHyphens resolves the hyphens at line ends: some belong to the word
// ("self-regulating"), some only to the line ("exam-ple"). What the rest of the
// text has decides. Without any sign the hyphen stays.
func joinHyphens(s string) string {
	parts := strings.Split(s, lineHyphen)
	if len(parts) == 1 {
		return s
	}
	words := map[string]int{}
	for i := range parts[1:] {
		left, right := hyphenSides(parts[i], parts[i+1])
		for _, w := range []string{left + right, left + "-" + right, left, right, left + "-"} {
			words[w] = 0
		}
	}
	countWords(s, words)
	var b strings.Builder
	b.Grow(len(s))
	for i := range parts[1:] {
		b.WriteString(parts[i])
		if !isSoft(parts[i], parts[i+1], words) {
			b.WriteByte('-')
		}
	}
	b.WriteString(parts[len(parts)-1])
	return b.String()
}

// isSoft reports whether the hyphen between two parts belongs to the line only.
// words are how often words occur elsewhere.
func isSoft(before, after string, words map[string]int) bool {
	left, right := hyphenSides(before, after)
	last, _ := utf8.DecodeLastRuneInString(before)
	first, _ := utf8.DecodeRuneInString(after)
	whole, hyphened := words[left+right], words[left+"-"+right]
	switch {
	case left == "" || right == "" || unicode.IsUpper(last) != unicode.IsUpper(first):
		return false
	case whole > 0 || hyphened > 0:
		return whole > hyphened
	case strings.Contains(left, "-") || unicode.IsUpper(last):
		return false
	}
	return words[left+"-"] == 0 && (words[left] == 0 || words[right] == 0) // no two words
}

// hyphenSides are the pieces of words around a hyphen, in lower case.
func hyphenSides(before, after string) (left, right string) {
	const most = 64 // bytes of a word
	before, after = before[max(len(before)-most, 0):], after[:min(len(after), most)]
	inWord := func(r rune) bool { return isWordRune(r) || r == '-' }
	left = before[strings.LastIndexFunc(before, func(r rune) bool { return !inWord(r) })+1:]
	left = strings.TrimLeftFunc(left, func(r rune) bool { return !isWordRune(r) })
	if end := strings.IndexFunc(after, func(r rune) bool { return !isWordRune(r) }); end >= 0 {
		after = after[:end]
	}
	return strings.ToLower(left), strings.ToLower(after)
}

func isWordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsMark(r)
}

// countWords counts those words that are asked for, with hyphens, their parts,
// and first parts ("self-").
func countWords(s string, words map[string]int) {
	hyphen, _ := utf8.DecodeRuneInString(lineHyphen)
	count := func(w string) {
		if _, asked := words[w]; asked {
			words[w]++
		}
	}
	for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return !isWordRune(r) && r != '-' && r != hyphen }) {
		if strings.ContainsRune(w, hyphen) {
			continue // the question itself
		}
		w = strings.ToLower(strings.Trim(w, "-"))
		count(w)
		if first, _, found := strings.Cut(w, "-"); found {
			count(first + "-")
			for part := range strings.SplitSeq(w, "-") {
				count(part)
			}
		}
	}
}
