package text

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Pattern is a phrase made ready to be looked for in documents of its language.
type Pattern struct {
	lang  *language
	exact bool
	fixed bool // function words alone: each of them counts
	items []item
}

// item is one word of a pattern.
type item struct {
	fold, key, alt string
	before         gap
	stop           stopKind
	name, capitals bool
	skipped        int    // function words left out before it
	chain          int    // length of the hyphenated word that starts here, else 0
	whole          string // key of that word written as one
	inner          bool   // inside a hyphenated word, neither its first nor its last part
	tail           bool   // the last part of one
	bound          bool   // it counts only together with the chain: the T of AT&T
}

// longestPattern bounds a phrase; longer ones are never covered.
const longestPattern = 64

// Compile reads a phrase. In quotation marks it is looked for as it is written;
// otherwise function words between its words may differ, and an article before
// it may be missing. A phrase without a letter or digit is never covered.
func Compile(lang, phrase string) *Pattern {
	l := languageOf(lang)
	a := l.analyser()
	defer l.release(a)
	p := &Pattern{lang: l}
	phrase = strings.TrimSpace(phrase)
	if inner, ok := unquote(phrase); ok {
		phrase, p.exact = inner, true
	}
	if len(phrase) > longestPattern*longestWord {
		return p
	}
	a.tokens(phrase, nil, func(t token) {
		x := a.look(phrase[t.Start:t.End])
		p.items = append(p.items, item{fold: x.fold, key: x.key, alt: x.alt, before: t.before, stop: x.stop, name: x.name, capitals: inCapitals(phrase[t.Start:t.End])})
	})
	if len(p.items) > longestPattern {
		p.items = nil
	}
	if !p.exact {
		p.relax(a)
	}
	return p
}

// relax finds the hyphenated words, and leaves out what may differ.
func (p *Pattern) relax(a *analyser) {
	p.fixed = true
	for i := range p.items {
		it := &p.items[i]
		shouted := i > 0 && p.items[i-1].capitals || i+1 < len(p.items) && p.items[i+1].capitals
		if it.name && !shouted { // as Document.restoreNames
			it.stop = content
		}
		p.fixed = p.fixed && it.stop == filler
	}
	p.chains(a)
	if p.fixed {
		return
	}
	for len(p.items) > 1 && p.items[0].stop == filler && p.items[0].chain == 0 && a.rules.articles[p.items[0].fold] {
		p.items = p.items[1:]
	}
	p.dropFillers()
}

// dropFillers leaves out the function words between others, but for those that
// start or end a hyphenated word: an in-ear phone is no ear phone.
func (p *Pattern) dropFillers() {
	kept := p.items[:0]
	skipped, start := 0, 0 // start: the place of the last hyphenated word in kept
	for i, it := range p.items {
		inside := i > 0 && i < len(p.items)-1 && it.before != joined && p.items[i+1].before != joined
		if inside && it.stop == filler && it.chain == 0 && !it.tail {
			skipped++
			if it.inner {
				kept[start].chain--
			}
			continue
		}
		if it.chain > 0 {
			start = len(kept)
		}
		it.skipped, skipped = skipped, 0
		kept = append(kept, it)
	}
	p.items = kept
}

func (p *Pattern) chains(a *analyser) {
	for i := 0; i < len(p.items); {
		end := chainEnd(len(p.items), i, func(j int) gap { return p.items[j].before })
		run := p.items[i:end]
		if n := len(run); n > 1 && n <= longestChain {
			run[0].chain = n
			run[0].whole = a.look(whole(n, func(j int) (string, gap) { return run[j].fold, run[j].before })).key
			short := slices.ContainsFunc(run, func(it item) bool { return utf8.RuneCountInString(it.fold) < 3 })
			for j := range run {
				run[j].inner, run[j].tail = j > 0 && j < n-1, j == n-1
				run[j].bound = short && run[1].before == and
			}
		}
		i = end
	}
}

// unquote takes the quotation marks off a phrase.
func unquote(s string) (inner string, quoted bool) {
	open, n := utf8.DecodeRuneInString(s)
	last, m := utf8.DecodeLastRuneInString(s)
	if len(s) <= n+m || !strings.ContainsRune("\"“„«»「”", open) || !strings.ContainsRune("\"”“»«」", last) {
		return s, false
	}
	return s[n : len(s)-m], true
}

// Words is the number of words that have to be there.
func (p *Pattern) Words() int { return len(p.items) }
