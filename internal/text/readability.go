package text

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	xlanguage "golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// Readability is how easy a text is to read.
type Readability struct {
	Language string
	Formula  string   // "" where there is none
	Source   string   // the publication of the formula
	Score    *float64 // reading ease; not cut to 0..100; nil with a Reason
	Grade    *float64 // Flesch-Kincaid grade, US school years; English alone
	Reason   string   // a sentence, where Score is nil

	Sentences, Words      int
	Syllables             int     // 0 where the language has no formula
	AverageSentenceLength float64 // words
	Long                  []Sentence
}

// Sentence is a long sentence.
type Sentence struct {
	Span
	Words int
}

const (
	// longSentence is from where on a sentence is called long, in words: the
	// limit of the writing guide of the UK government ("25 words").
	longSentence = 26
	mostLong     = 20
	// A text with fewer sentences and fewer words has no score.
	leastSentences, leastWords = 2, 20
)

// Readable measures a text whose lines are its blocks: a heading or list item
// is a sentence of its own. A hyphenated word is one word and a number one
// syllable. The long sentences are the longest ones, at most 20, in the order
// of the text.
//
// The grade is that of J. P. Kincaid et al., Derivation of new readability
// formulas for Navy enlisted personnel, Research Branch Report 8-75, 1975:
// 0.39*ASL + 11.8*ASW - 15.59.
func Readable(lang, s string) Readability {
	l := languageOf(lang)
	r := Readability{Language: Language(lang)}
	foreign := l.measure(&r, s)
	if r.Sentences > 0 {
		r.AverageSentenceLength = round(float64(r.Words)/float64(r.Sentences), 2)
	}
	switch {
	case r.Words == 0:
		r.Reason = "The text is empty."
	case l.ease == nil:
		r.Reason = fmt.Sprintf("No reading ease formula is published for %s.", languageName(r.Language))
	case r.Sentences < leastSentences && r.Words < leastWords:
		r.Reason = fmt.Sprintf("The text is too short: it has fewer than %d sentences and %d words.", leastSentences, leastWords)
	case foreign*2 > r.Words:
		r.Reason = fmt.Sprintf("Most words of the text are not in the script of %s.", languageName(r.Language))
	}
	if l.ease != nil {
		r.Formula, r.Source = l.ease.name, l.ease.source
	}
	if r.Reason != "" {
		return r
	}
	asl := float64(r.Words) / float64(r.Sentences)
	asw := float64(r.Syllables) / float64(r.Words)
	score := round(l.ease.base-l.ease.sentence*asl-l.ease.syllable*asw, 2)
	r.Score = &score
	if l.code == "en" {
		grade := round(0.39*asl+11.8*asw-15.59, 2)
		r.Grade = &grade
	}
	return r
}

// measure counts, and tells how many words are in a foreign script.
func (l *language) measure(r *Readability, s string) (foreign int) {
	a := l.analyser()
	defer l.release(a)
	sentences := l.sentences(nil, s)
	r.Sentences = len(sentences)
	for _, at := range sentences {
		words, last := 0, -1
		for w := range Words(s[at.Start:at.End]) {
			word := s[at.Start+w.Start : at.Start+w.End]
			n, own := a.syllables(word)
			r.Syllables += n
			if gap := s[at.Start+max(last, 0) : at.Start+w.Start]; last >= 0 && (gap == "-" || gap == "‐" || gap == "‑") {
				last = w.End
				continue
			}
			last = w.End
			words++
			if !own {
				foreign++
			}
		}
		r.Words += words
		if words >= longSentence {
			r.Long = append(r.Long, Sentence{at, words})
		}
	}
	if len(r.Long) > mostLong {
		slices.SortStableFunc(r.Long, func(a, b Sentence) int { return cmp.Compare(b.Words, a.Words) })
		r.Long = r.Long[:mostLong]
		slices.SortFunc(r.Long, func(a, b Sentence) int { return cmp.Compare(a.Start, b.Start) })
	}
	return foreign
}

func languageName(code string) string {
	tag, err := xlanguage.Parse(code)
	if code == "" || err != nil {
		return "a text of unknown language"
	}
	if name := display.English.Languages().Name(tag); name != "" {
		return name
	}
	return "the language " + code
}

func round(x float64, digits int) float64 {
	scale := math.Pow10(digits)
	return math.Round(x*scale) / scale
}

// inScript reports whether a language with a formula is written with a letter.
func (l *language) inScript(r rune) bool {
	if l.code == "ru" {
		return r >= 0x400 && r < 0x530
	}
	return r < 0x250 || r >= 0x1E00 && r < 0x1F00 || strings.ContainsRune("’ʼ", r)
}
