package text

import (
	"strings"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/german"
)

// lexeme is what the tools know about one spelling of a word.
type lexeme struct {
	fold      string // the spelling, folded
	key       string // its stem, folded: what two forms of a word share
	alt       string // a second key, "" mostly: see analyse
	stop      stopKind
	name      bool // two to four capitals: perhaps IT or US, which are no function words
	counted   bool // syllables are known
	syllables int
	seen      uint32 // number of the document that met it last, as document number at
	at        int32
}

// A word longer than this many bytes is none: it is not stemmed.
const longestWord = 64

// An analyser works out lexemes and keeps them: words repeat, within a text and
// between texts. It belongs to one goroutine at a time.
type analyser struct {
	lang  *language
	rules *rules
	env   *snowballstem.Env
	known map[string]*lexeme
	doc   uint32
}

// mostKnown bounds the memory of an analyser to a few megabytes.
const mostKnown = 1 << 15

func newAnalyser(l *language) *analyser {
	return &analyser{lang: l, rules: l.rules(), env: snowballstem.NewEnv(""), known: map[string]*lexeme{}}
}

func (l *language) analyser() *analyser { return l.analysers.Get().(*analyser) }
func (l *language) release(a *analyser) { l.analysers.Put(a) }
func (a *analyser) look(w string) *lexeme {
	if x := a.known[w]; x != nil {
		return x
	}
	if len(w) > longestWord { // not worth keeping
		x := &lexeme{fold: a.lang.fold(w, a.lang.accents)}
		x.key = x.fold
		return x
	}
	if len(a.known) >= mostKnown {
		clear(a.known)
	}
	w = strings.Clone(w) // the key must not hold the whole text in memory
	x := a.analyse(w)
	a.known[w] = x
	return x
}

// analyse gives a word two keys where accents are folded but the stemmer reads
// them: "résumés" is found both by the stem of what is written and by the stem
// of what is left without accents, which is how many people type it.
func (a *analyser) analyse(w string) *lexeme {
	l := a.lang
	form := l.fold(w, true)
	x := &lexeme{fold: l.fold(w, l.accents), name: isName(w)}
	x.stop = a.rules.stop[form]
	if base, mark := cutSymbol(w); mark {
		x.key = x.fold
		if utf8.RuneCountInString(base) > 1 { // Disney+ is a Disney; C++ is no C
			x.alt = a.look(base).key
		}
		return x
	}
	x.key = l.fold(a.stem(form), l.accents)
	if x.fold != form {
		if x.alt = a.stem(x.fold); x.alt == x.key {
			x.alt = ""
		}
	}
	return x
}

// stem wants a word in lower case.
func (a *analyser) stem(w string) string {
	if a.lang.apostrophe {
		if base, _, ok := strings.Cut(w, "'"); ok && len(base) > 1 {
			w = base
		}
	}
	w = a.rules.lemma(w)
	if a.lang.stem == nil || w == "" {
		return w
	}
	a.env.SetCurrent(w)
	a.lang.stem(a.env)
	if s := a.env.Current(); s != "" {
		return s
	}
	return w
}

// lemma undoes an irregular form, at the end of a compound too (Kleiderschränke).
func (r *rules) lemma(w string) string {
	if base, ok := r.irregular[strings.TrimSuffix(w, "'s")]; ok {
		return base
	}
	if len(r.irregular) == 0 || isASCII(w) { // the compounds in question change a vowel
		return w
	}
	for i := range w {
		if i >= 3 && len(w)-i >= 5 {
			if base, ok := r.irregular[w[i:]]; ok {
				return w[:i] + base
			}
		}
	}
	return w
}

// germanStem is Snowball's German stemmer with the umlauts put back, which are
// letters of their own: schon is not schön.
func germanStem(env *snowballstem.Env) bool {
	word := env.Current()
	german.Stem(env)
	end := 0
	for range utf8.RuneCountInString(env.Current()) {
		_, n := utf8.DecodeRuneInString(word[end:])
		end += n
	}
	env.SetCurrent(word[:end])
	return true
}

// again stems until nothing changes, where a stemmer takes more off the singular
// than off the plural (fiets, fietsen) or the feminine (petit, petite).
func again(stem func(*snowballstem.Env) bool) func(*snowballstem.Env) bool {
	return func(env *snowballstem.Env) bool {
		for range 3 {
			before := env.Current()
			env.SetCurrent(before)
			if stem(env); env.Current() == before {
				break
			}
		}
		return true
	}
}

// Stem brings the forms of a word together: its stem in the language (Snowball),
// folded; the folded word where the language has no stemmer.
func Stem(lang, word string) string {
	l := languageOf(lang)
	a := l.analyser()
	defer l.release(a)
	return a.look(word).key
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// isName tells words of two to four capitals.
func isName(w string) bool {
	if len(w) < 2 || len(w) > 4 {
		return false
	}
	for i := 0; i < len(w); i++ {
		if w[i] < 'A' || w[i] > 'Z' {
			return false
		}
	}
	return true
}

// cutSymbol takes off what makes a name of a letter: C++, C#, Disney+.
func cutSymbol(w string) (base string, found bool) {
	base = strings.TrimRight(w, "+#")
	return base, len(base) < len(w) && base != ""
}
