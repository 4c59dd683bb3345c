package text

import (
	"maps"
	"slices"
)

// Stop reports whether a word says nothing about the topic of a text: articles,
// pronouns, prepositions, conjunctions, auxiliary verbs, negations and the like.
func Stop(lang, word string) bool {
	l := languageOf(lang)
	a := l.analyser()
	defer l.release(a)
	return a.look(word).stop != content
}

// addBare lets function words be found that were typed without their accents,
// unless that is another word.
func (r *rules) addBare(l *language) {
	if l.accents {
		return
	}
	for _, w := range slices.Sorted(maps.Keys(r.stop)) {
		if b := l.fold(w, false); r.stop[b] == content {
			r.stop[b] = r.stop[w]
		}
	}
}
