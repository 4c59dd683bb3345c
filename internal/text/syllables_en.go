package text

import "strings"

// englishSyllables counts groups of vowels, takes off silent e at the end of a
// word or of its first part, and parts vowels that belong to two syllables. What
// goes against these rules is in the rule table.
func englishSyllables(r *rules, w string) int {
	w, more := uncontract(w)
	if n, ok := r.syllables[strings.TrimSuffix(w, "s")]; ok && more == 0 {
		return n
	}
	for _, first := range englishFirstParts {
		if rest, ok := strings.CutPrefix(w, first); ok && len(rest) > 2 && !isEnglishVowel(rest[0]) && strings.ContainsAny(rest, "aeiouy") {
			before, ok := r.syllables[first]
			if !ok {
				before = englishGroups(first)
			}
			return before + englishGroups(rest) + more
		}
	}
	return max(englishGroups(w), 1) + more
}

// uncontract takes off 's, n't and the like, with the syllables they add.
func uncontract(w string) (base string, more int) {
	base, end, found := strings.Cut(w, "'")
	if !found {
		return w, 0
	}
	switch end {
	case "t": // didn't
		base = strings.TrimSuffix(base, "n")
		if base != "" && !isEnglishVowel(base[len(base)-1]) {
			more = 1
		}
	case "ve":
		if base != "" && !isEnglishVowel(base[len(base)-1]) {
			more = 1
		}
	case "s":
		if hissing(base) {
			more = 1
		}
	}
	return base, more
}

// englishFirstParts keep their e silent before the next part of a compound.
var englishFirstParts = strings.Fields("some every guide ware home time life fire more fore like side base face line there where here house " +
	"horse white name store game bike wire shoe wine nine five cheese stone stove price space grape safe wide code page case love care date rate")

func isEnglishVowel(c byte) bool { return strings.IndexByte("aeiouy", c) >= 0 }

func englishGroups(w string) int {
	n := 0
	for i := 0; i < len(w); i++ {
		if isEnglishVowel(w[i]) && (i == 0 || !isEnglishVowel(w[i-1])) && !(w[i] == 'y' && i == 0 && len(w) > 1 && isEnglishVowel(w[1])) {
			n++
		} else if w[i] >= 0xC3 && i+1 < len(w) && w[i+1] >= 0xA0 { // é of café
			n++
		}
	}
	if n > 0 && w[0] == 'y' && len(w) > 1 && isEnglishVowel(w[1]) {
		n++ // the group behind a consonant y
	}
	return n - silentEnd(w) - silentInside(w) + parted(w)
}

// silentEnd counts the silent e of make, makes and baked.
func silentEnd(w string) int {
	stem, end := w, ""
	for _, e := range [...]string{"es", "ed", "e"} {
		if s, ok := strings.CutSuffix(w, e); ok {
			stem, end = s, e
			break
		}
	}
	if strings.HasSuffix(stem, "gu") || strings.HasSuffix(stem, "qu") { // league, unique
		if strings.ContainsAny(stem[:len(stem)-2], "aeiouy") {
			return 1
		}
		return 0
	}
	if end == "" || stem == "" || isEnglishVowel(stem[len(stem)-1]) || !strings.ContainsAny(stem, "aeiouy") {
		return 0
	}
	last := stem[len(stem)-1]
	if liquid := (last == 'l' || last == 'r') && len(stem) > 1; liquid {
		before := stem[len(stem)-2]
		spoken := !isEnglishVowel(before) && before != last && (last == 'l' || strings.IndexByte("tbcgd", before) >= 0)
		if spoken { // table, handled, centre
			return 0
		}
	}
	if end == "ed" && (last == 't' || last == 'd') || end == "es" && hissing(stem) {
		return 0
	}
	return 1
}

// hissing reports whether a plural adds a syllable.
func hissing(stem string) bool {
	for _, end := range [...]string{"s", "x", "z", "c", "g", "ch", "sh", "ce", "ge", "se", "ze"} {
		if strings.HasSuffix(stem, end) {
			return true
		}
	}
	return false
}

// silentInside counts the e before a suffix: lately, careful, movement.
func silentInside(w string) int {
	for _, suffix := range [...]string{"ly", "ful", "fully", "less", "lessly", "ness", "ment", "ments", "some", "hood", "ship", "work", "wear", "ware"} {
		stem, ok := strings.CutSuffix(w, suffix)
		if !ok || len(stem) < 3 || stem[len(stem)-1] != 'e' || !strings.ContainsAny(stem[:len(stem)-1], "aeiouy") {
			continue
		}
		return silentEnd(stem)
	}
	return 0
}

// splits are letters within one group of vowels that are two syllables.
var splits = strings.Fields("eing ying oing ^crea idea area theat nuclea linea ^reali ^react ^rearr ^reass ^reaff ^reapp ^reallo ^reen ^reelec ^reeva " +
	"^reins ^reint ^reinv ^reinf ^reimb ^reissu ^reorg ^reope ^reocc ^reord ^reuni ^preem ^preex ^preapp ^preord ^preocc ^cooper ^coord ^coinc ^coex ^coed " +
	"neous geo leo theo neon stereo rodeo video uity uitous fluid ruin intuit uine duo uou poem poet ao microo iet uel uen " +
	"iu ciat tiat io$ ios$ iot iol iod ioneer ious rior ^dia ^tria ^via ^gia ^pia ^lia ^bia ^iam iano ianc")

func parted(w string) (n int) {
	for _, s := range splits {
		at := 0
		if s[0] == '^' {
			if strings.HasPrefix(w, s[1:]) {
				n++
			}
			continue
		}
		if end, ok := strings.CutSuffix(s, "$"); ok {
			if strings.HasSuffix(w, end) {
				n++
			}
			continue
		}
		if at = strings.Index(w, s); at >= 0 && !glides(w, at, s) {
			n++
		}
	}
	return n + partedI(w) + partedUA(w) + syllabicM(w)
}

// glides lists where the letters of a split are one syllable after all.
func glides(w string, at int, s string) bool {
	before := byte(' ')
	if at > 0 {
		before = w[at-1]
	}
	switch s {
	case "ious":
		return strings.IndexByte("ctgx", before) >= 0
	case "geo", "leo":
		return strings.HasPrefix(w[at:], "geon") || strings.HasPrefix(w[at:], "geou") || strings.HasPrefix(w[at:], "leopard")
	case "uel", "uen", "uine", "uity":
		return before == 'q' || before == 'g'
	case "iu":
		return before == 'g'
	case "iet":
		return strings.HasPrefix(w[at:], "ieth") || before == 't'
	}
	return false
}

// partedI: ia, io and ie before the end of a word, behind a consonant that does
// not melt with the i.
func partedI(w string) (n int) {
	first := strings.IndexAny(w, "aeiouy")
	for i := 1; i+1 < len(w); i++ {
		if w[i] != 'i' || isEnglishVowel(w[i-1]) || i == first {
			continue
		}
		melts := strings.IndexByte("ctsgxh", w[i-1]) >= 0
		rest := w[i+1:]
		switch {
		case rest[0] == 'a':
			if !melts && !strings.HasPrefix(rest, "age") && !strings.HasPrefix(rest, "ano") && !strings.HasPrefix(rest, "anc") {
				n++
			}
		case strings.HasPrefix(rest, "on"):
			if !melts && w[i-1] != 'l' && w[i-1] != 'n' && !strings.HasPrefix(rest, "oneer") {
				n++
			}
		case rest == "er" || rest == "est" || rest == "ers":
			n++
		case strings.HasPrefix(rest, "en"):
			if !melts && !strings.HasPrefix(rest, "end") {
				n++
			}
		}
	}
	if strings.HasPrefix(w, "lion") {
		n++
	}
	return n
}

// partedUA: usual and situation, but not language or persuade.
func partedUA(w string) (n int) {
	for i := 1; i+1 < len(w); i++ {
		if w[i] == 'u' && w[i+1] == 'a' && strings.IndexByte("qg", w[i-1]) < 0 && !isEnglishVowel(w[i-1]) && !strings.HasPrefix(w[i+2:], "de") {
			n++
		}
	}
	return n
}

// syllabicM: tourism and rhythm end in a syllable without a vowel.
func syllabicM(w string) int {
	w = strings.TrimSuffix(w, "s")
	if strings.HasSuffix(w, "ism") || strings.HasSuffix(w, "asm") || strings.HasSuffix(w, "thm") {
		return 1
	}
	return 0
}
