package text

import "unicode/utf8"

// Japanese words are not parted by blanks, but mostly by their kind of letters:
// a run of kanji or of katakana is taken for a word, hiragana for what stands
// between words. Chinese goes letter by letter, so that its phrases are the
// pairs to quadruples of letters that pages share.

// longestRun is what a run of kanji or katakana may have to be a word.
const longestRun = 12

// ideogram reports whether term i starts such a run or letter, and its last term.
func (d *Document) ideogram(i int32) (last int32, ok bool) {
	kind := d.kind(i)
	if kind == 0 {
		return 0, false
	}
	last = i
	if d.lang.code == "ja" {
		for int(last)+1 < len(d.terms) && d.terms[last+1].before == joined && d.kind(last+1) == kind {
			last++
		}
	}
	return last, true
}

// kind classes a letter of a script without word borders: 'h' Han, 'k' katakana,
// 'g' hiragana, 's' scripts of South-East Asia, 0 for every other word.
func (d *Document) kind(i int32) rune {
	r, _ := utf8.DecodeRuneInString(d.text[d.terms[i].start:])
	switch {
	case !borderlessRune(r):
		return 0
	case r < 0x3000:
		return 's'
	case r >= 0x3041 && r <= 0x309F:
		return 'g'
	case r >= 0x30A0 && r <= 0x31FF || r >= 0xFF66 && r <= 0xFF9F:
		return 'k'
	}
	return 'h'
}

func (m *miner) ideogramUnit(d *Document, first, last int32) unit {
	u := unit{key: -1, first: first, last: last, fresh: fresh(d.terms[first])}
	letters := int(last - first + 1)
	switch kind := d.kind(first); {
	case kind == 's' || kind == 'g' || letters > longestRun:
		// Words of these cannot be told: phrases end here.
		u.fresh = true
	case d.lang.code == "ja":
		u.key, u.edge, u.alone = m.number(Fold("ja", d.slice(first, last))), true, letters > 1
	default:
		if t := d.terms[first]; t.stop != filler {
			u.key, u.edge = m.number(d.words[t.word].fold), t.stop == content
		}
	}
	return u
}
