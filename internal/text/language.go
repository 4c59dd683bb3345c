package text

import (
	"strings"
	"sync"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/arabic"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/hungarian"
	"github.com/blevesearch/snowballstem/irish"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/tamil"
	"github.com/blevesearch/snowballstem/turkish"
	xlanguage "golang.org/x/text/language"
)

// language is what the tools know about one language. Its rule table is read
// when it is first asked for.
type language struct {
	code       string
	stem       func(*snowballstem.Env) bool // nil: exact forms
	accents    bool                         // accents make other letters: they are not folded
	dotless    bool                         // upper case of i is İ, lower case of I is ı
	ordinals   bool                         // "3." is "third" and ends no sentence
	apostrophe bool                         // what follows an apostrophe is a suffix
	syllables  func(*rules, string) int     // of one lower-case word; nil where no formula is known
	ease       *formula
	rules      func() *rules
	ranks      func() map[string]int // of common words, by stem
	analysers  sync.Pool
}

var languages = index(
	&language{code: "ar", stem: arabic.Stem},
	&language{code: "az", dotless: true},
	&language{code: "cs", ordinals: true},
	&language{code: "da", stem: danish.Stem, accents: true, ordinals: true},
	&language{code: "de", stem: germanStem, accents: true, ordinals: true, syllables: germanSyllables, ease: amstad},
	&language{code: "el"},
	&language{code: "en", stem: english.Stem, syllables: englishSyllables, ease: flesch},
	&language{code: "es", stem: spanish.Stem, syllables: romanceSyllables, ease: fernandezHuerta},
	&language{code: "et", ordinals: true},
	&language{code: "fi", stem: finnish.Stem, accents: true, ordinals: true},
	&language{code: "fr", stem: again(french.Stem), syllables: frenchSyllables, ease: kandelMoles},
	&language{code: "ga", stem: irish.Stem},
	&language{code: "hi"},
	&language{code: "hr", ordinals: true},
	&language{code: "hu", stem: again(hungarian.Stem), ordinals: true},
	&language{code: "id"},
	&language{code: "it", stem: italian.Stem, syllables: romanceSyllables, ease: vacca},
	&language{code: "ja"},
	&language{code: "nb", stem: norwegian.Stem, accents: true, ordinals: true},
	&language{code: "nl", stem: again(dutch.Stem), syllables: dutchSyllables, ease: douma},
	&language{code: "nn", stem: norwegian.Stem, accents: true, ordinals: true},
	&language{code: "pl", ordinals: true},
	&language{code: "pt", stem: portuguese.Stem, syllables: romanceSyllables, ease: martins},
	&language{code: "ro", stem: romanian.Stem},
	&language{code: "ru", stem: russian.Stem, syllables: russianSyllables, ease: oborneva},
	&language{code: "sk", ordinals: true},
	&language{code: "sl", ordinals: true},
	&language{code: "sv", stem: swedish.Stem, accents: true},
	&language{code: "ta", stem: tamil.Stem},
	&language{code: "tr", stem: turkish.Stem, accents: true, dotless: true, ordinals: true, apostrophe: true},
	&language{code: "uk"},
	&language{code: "zh"},
)

// unknown serves every language without an entry: exact forms, accents folded.
var unknown = prepared(&language{})

func index(all ...*language) map[string]*language {
	byCode := make(map[string]*language, len(all))
	for _, l := range all {
		byCode[l.code] = prepared(l)
	}
	return byCode
}

func prepared(l *language) *language {
	l.rules = sync.OnceValue(func() *rules {
		r := readRules(l)
		r.addBare(l)
		return r
	})
	l.ranks = sync.OnceValue(l.commonRanks)
	l.analysers.New = func() any { return newAnalyser(l) }
	return l
}

func languageOf(code string) *language {
	if l, ok := languages[code]; ok { // the usual case: already in normal form
		return l
	}
	if l, ok := languages[Language(code)]; ok {
		return l
	}
	return unknown
}

// Language gives the normal form of a language code or locale: the shortest ISO
// 639 code in lower case ("en_US" and "eng" are "en", "zh-Hans" and "hant_TW"
// are "zh", "no" is "nb"), or "" when it names no language.
func Language(code string) string {
	code = strings.ToLower(strings.ReplaceAll(strings.TrimSpace(code), "_", "-"))
	first, _, _ := strings.Cut(code, "-")
	switch first {
	case "hans", "hant":
		return "zh"
	case "no", "nor":
		return "nb"
	case "", "und", "mul", "zxx", "mis":
		return ""
	}
	base, err := xlanguage.ParseBase(first)
	if err != nil {
		return ""
	}
	tag, err := xlanguage.DeprecatedBase.Canonicalize(xlanguage.Make(base.String()))
	if err != nil {
		return base.String()
	}
	base, _ = tag.Base()
	return base.String()
}

// Stems reports whether forms of one word are brought together in a language.
// Without a stemmer only equal forms match, apart from case and accents.
func Stems(lang string) bool { return languageOf(lang).stem != nil }
