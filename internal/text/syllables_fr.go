package text

import "strings"

const frenchVowels = "aeiouyàâäéèêëîïôöùûüœæ"

// frenchSyllables counts groups of vowels. The last e is mute, with its s or the
// nt of verbs; é, è, ë, ï and ü part vowels unless a glide stands before them
// (pitié), and so do i and u behind two consonants (ouvrier).
func frenchSyllables(_ *rules, w string) int {
	w = muteEnd(w)
	letters := []rune(w)
	n := 0
	for i := 0; i < len(letters); i++ {
		if !isFrenchVowel(letters, i) {
			continue
		}
		n++
		from := i
		for i+1 < len(letters) && isFrenchVowel(letters, i+1) && !partsFrench(letters, from, i+1) {
			i++
		}
	}
	return n
}

// muteEnd takes the mute ending off a word of more than one syllable.
func muteEnd(w string) string {
	for _, end := range [...]string{"ent", "es", "e"} {
		stem, ok := strings.CutSuffix(w, end)
		if !ok || !strings.ContainsAny(stem, "aeiouyàâéèêëîïôùûœ") {
			continue
		}
		if end == "ent" && (strings.HasSuffix(stem, "m") || strings.HasSuffix(stem, "i") && !strings.HasSuffix(stem, "ai") && !strings.HasSuffix(stem, "oi")) {
			continue // moment, client
		}
		if strings.HasSuffix(stem, "qu") || strings.HasSuffix(stem, "gu") {
			stem = stem[:len(stem)-1]
			if !strings.ContainsAny(stem, "aeiouyàâéèêëîïôùûœ") {
				return stem + "e"
			}
		}
		return stem
	}
	return w
}

func isFrenchVowel(letters []rune, i int) bool {
	if letters[i] == 'u' && i > 0 && i+1 < len(letters) && (letters[i-1] == 'q' || letters[i-1] == 'g' && strings.ContainsRune("eiéèêy", letters[i+1])) {
		return false
	}
	if letters[i] == 'y' && i == 0 && len(letters) > 1 {
		return !strings.ContainsRune(frenchVowels, letters[1])
	}
	return strings.ContainsRune(frenchVowels, letters[i])
}

// partsFrench reports whether the vowel at i starts a syllable of its own, in a
// group of vowels that starts at from.
func partsFrench(letters []rune, from, i int) bool {
	before := letters[i-1]
	glide := before == 'i' || before == 'y' || before == 'u'
	cluster := from >= 2 && i-from == 1 && strings.ContainsRune("lr", letters[from-1]) && strings.ContainsRune("bcdfgptv", letters[from-2])
	switch {
	case strings.ContainsRune("éèêëïöü", before) && before != 'ê' && before != 'è':
		return true // réel, Noël
	case glide && before != 'u':
		return cluster // ouvrier, but pitié
	case before == 'u' && from < i-1: // doué, jouer
		return strings.ContainsRune("éèêaoe", letters[i]) && letters[i-2] == 'o'
	case before == 'u':
		return cluster && letters[i] != 'i' || strings.ContainsRune("éèa", letters[i]) // cruel, nuage
	case strings.ContainsRune("éèêëïü", letters[i]):
		return true // poésie, naïf
	case before == 'a' && letters[i] == 'o', before == 'o' && letters[i] == 'a': // chaos
		return true
	}
	return false
}
