package text

import (
	"embed"
	"strings"
)

// A rule table is a text file of sections. Empty lines and lines that start
// with "#" say nothing. Sections:
//
//	[stop]           function words; "!word" negates: never at the end of a
//	                 phrase either, but not to be skipped inside one
//	[articles]       function words that may be left out before a phrase
//	[elisions]       forms written together with the next word, as l' and qu'
//	[abbreviations]  without their last full stop; "word!" never ends a
//	                 sentence, "word#" is one only before a number, "word+" ends
//	                 one before any capital and the rest before function words
//	[irregular]      form=lemma, where the stemmer does not bring them together
//	[questions]      first words of a question: which word may come next, or "*"
//	                 for any but those after "-"
//	[common]         content words of any web page, the most common first
//	[syllables]      word=count, where counting by letters goes wrong
//
//go:embed data/*.txt
var tables embed.FS

// rules is one parsed table.
type rules struct {
	stop          map[string]stopKind
	articles      map[string]bool
	elisions      map[string]bool
	abbreviations map[string]abbreviation
	irregular     map[string]string
	questions     []question
	common        map[string]int // rank from 0
	syllables     map[string]int
}

type stopKind uint8

const (
	content  stopKind = iota
	filler            // may stand in for another one inside a phrase
	negation          // never ends a phrase, but counts inside one
)

type abbreviation uint8

const (
	mayEnd abbreviation = iota + 1
	oftenEnds
	neverEnds
	beforeNumber
)

// readRules parses the table of a language; a language without one has no rules.
// Words are folded as the words of a text are, accents kept.
func readRules(l *language) *rules {
	r := &rules{
		stop: map[string]stopKind{}, articles: map[string]bool{}, elisions: map[string]bool{},
		abbreviations: map[string]abbreviation{}, irregular: map[string]string{},
		common: map[string]int{}, syllables: map[string]int{},
	}
	b, err := tables.ReadFile("data/" + l.code + ".txt")
	if err != nil {
		return r
	}
	section := ""
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "["):
			section = strings.Trim(line, "[]")
		case section == "questions":
			r.questions = append(r.questions, readQuestion(l.fold(line, true)))
		default:
			for _, word := range strings.Fields(line) {
				r.add(l, section, word)
			}
		}
	}
	return r
}

func (r *rules) add(l *language, section, word string) {
	if section == "abbreviations" { // capitals matter
		r.addAbbreviation(word)
		return
	}
	word = l.fold(word, true)
	switch section {
	case "stop":
		kind := filler
		if rest, ok := strings.CutPrefix(word, "!"); ok {
			kind, word = negation, rest
		}
		r.stop[word] = kind
	case "articles":
		r.articles[word] = true
	case "elisions":
		r.elisions[word] = true
	case "irregular":
		form, lemma, _ := strings.Cut(word, "=")
		r.irregular[form] = lemma
		if l.code == "de" && !strings.HasSuffix(form, "n") { // dative: den Häusern
			r.irregular[form+"n"] = lemma
		}
	case "common":
		if _, twice := r.common[word]; !twice {
			r.common[word] = len(r.common)
		}
	case "syllables":
		form, count, _ := strings.Cut(word, "=")
		r.syllables[form] = int(count[0] - '0')
	}
}

func (r *rules) addAbbreviation(word string) {
	form, kind := word[:len(word)-1], mayEnd
	switch word[len(word)-1] {
	case '!':
		kind = neverEnds
	case '+':
		kind = oftenEnds
	case '#':
		kind = beforeNumber
	default:
		form = word
	}
	r.abbreviations[form] = kind
}
