package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Syllables counts the syllables of a word by the letters of its language; 0
// where the language has no counter. A number is one syllable, letters without
// a vowel are spelled out (HTML has four).
func Syllables(lang, word string) int {
	l := languageOf(lang)
	a := l.analyser()
	defer l.release(a)
	n, _ := a.syllables(word)
	return n
}

// syllables also tells whether a word is written in the script of the language;
// numbers are in any.
func (a *analyser) syllables(word string) (n int, own bool) {
	r, _ := utf8.DecodeRuneInString(word)
	switch {
	case a.lang.syllables == nil:
		return 0, true
	case !unicode.IsLetter(r):
		return 1, true
	case len(word) > longestWord:
		return 1, false
	}
	x := a.look(word)
	if !x.counted {
		x.syllables, x.counted = a.countSyllables(word), true
	}
	return x.syllables, a.lang.inScript(r)
}

func (a *analyser) countSyllables(word string) int {
	w := a.lang.fold(word, true)
	if n, ok := a.rules.syllables[w]; ok {
		return n
	}
	if isDotted(w) { // U.S
		return strings.Count(w, ".") + 1
	}
	if n := a.lang.syllables(a.rules, w); n > 0 || a.lang.code == "ru" {
		return n
	}
	if letters := utf8.RuneCountInString(w); letters > 1 && letters <= 6 && w != word && strings.ToUpper(word) == word {
		return letters
	}
	return 1
}

// nuclei counts the vowel groups of a word: at each vowel the longest group of
// the list that fits is one syllable, else the vowel alone is. A u between q
// and a vowel is none.
func nuclei(w, vowels string, groups []string) (n int) {
	for i := 0; i < len(w); {
		if strings.HasPrefix(w[i:], "qu") && len(w) > i+2 {
			i += 2
			continue
		}
		size := 0
		for _, g := range groups {
			if len(g) > size && strings.HasPrefix(w[i:], g) {
				size = len(g)
			}
		}
		if size > 0 {
			n++
			i += size
			continue
		}
		r, step := utf8.DecodeRuneInString(w[i:])
		if strings.ContainsRune(vowels, r) {
			n++
		}
		i += step
	}
	return n
}

var germanGroups = strings.Fields("aa ee oo ai ei au äu eu ie ay ey oy ui you")

// germanSyllables: double vowels and diphthongs are one syllable, other vowels
// one each. A y before a vowel is a consonant.
func germanSyllables(_ *rules, w string) int {
	if len(w) > 1 && w[0] == 'y' && strings.ContainsRune("aeou", rune(w[1])) {
		w = w[1:]
	}
	n := nuclei(w, "aeiouyäöüéèêáàóôâ", germanGroups)
	for _, prefix := range [...]string{"geirr", "beinhalt", "geehr", "beend", "beerdig", "geerb", "geeign"} {
		if strings.Contains(w, prefix) && (prefix == "beinhalt" || strings.HasPrefix(prefix[1:], "ee")) {
			n++
			break
		}
	}
	return n
}

var dutchGroups = strings.Fields("aa ee oo uu ie eu oe ui ei ij ou au aai ooi oei eeu ieu auw ouw oo ai")

// dutchSyllables: as German, with the Dutch diphthongs; a trema parts vowels.
func dutchSyllables(_ *rules, w string) int {
	return nuclei(w, "aeiouyäëïöüéèêáàó", dutchGroups)
}

// russianSyllables: every vowel letter is one. Words without any (в, к, с) join the
// next word.
func russianSyllables(_ *rules, w string) int {
	return nuclei(w, "аеёиоуыэюяіїє", nil)
}

// romanceSyllables serves Spanish, Italian and Portuguese: a weak vowel (i, u)
// forms one syllable with its neighbour unless it bears an accent; two strong
// vowels are two syllables, and so are those around a weak one. The u of que,
// gue and gui is silent.
func romanceSyllables(_ *rules, w string) (n int) {
	letters := []rune(w)
	kind := make([]vowel, len(letters)+2) // two of no kind before the first letter
	for i := range letters {
		k := romanceVowel(letters, i)
		kind[i+2] = k
		before, between := kind[i], kind[i+1]
		switch {
		case k == noVowel:
		case between == noVowel, between == stressedVowel, k == stressedVowel && between == strongVowel:
			n++
		case k == strongVowel && between == strongVowel:
			if letters[i-1] != 'ã' && letters[i-1] != 'õ' { // mãe, põe
				n++
			}
		case k == strongVowel && (before == strongVowel || letters[i] == 'ã' || letters[i] == 'õ'): // ideia, avião
			n++
		}
	}
	return n
}

type vowel uint8

const (
	noVowel vowel = iota
	weakVowel
	strongVowel
	stressedVowel // a weak one with an accent
)

func romanceVowel(letters []rune, i int) vowel {
	const strong, weak, stressed = "aeoáàâéèêóòôãõ", "iuüyïìù", "íú"
	next := ' '
	if i+1 < len(letters) {
		next = letters[i+1]
	}
	switch r := letters[i]; {
	case r == 'u' && i > 0 && (letters[i-1] == 'q' || letters[i-1] == 'g' && strings.ContainsRune("eiéíêè", next)):
		return noVowel
	case r == 'y' && strings.ContainsRune(strong+"u", next):
		return noVowel
	case strings.ContainsRune(strong, r):
		return strongVowel
	case strings.ContainsRune(weak, r):
		return weakVowel
	case strings.ContainsRune(stressed, r):
		return stressedVowel
	}
	return noVowel
}
