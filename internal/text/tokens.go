package text

import (
	"strings"
	"unicode/utf8"
)

// gap says what stands between a word and the one before it.
type gap uint8

const (
	blank  gap = iota // white space
	joined            // nothing: letters of a script without word borders
	hyphen            // a hyphen alone
	and               // an & alone
	mark              // other marks, within one sentence
	ending            // the end of a sentence or line
)

// token is a word as phrases see it: elided articles are words of their own,
// and the signs of C++ and C# belong to their word.
type token struct {
	Span
	before gap
}

// tokens walks over the words of s with what stands between them.
func (a *analyser) tokens(s string, sentences []Span, yield func(token)) {
	last, sentence := 0, 0
	emit := func(start, end int, before gap) {
		yield(token{Span{start, end}, before})
		last = end
	}
	for w := range Words(s) {
		if w.Start < last { // inside the signs of the word before
			continue
		}
		before := between(s[last:w.Start], last == 0)
		for sentence < len(sentences) && sentences[sentence].End <= w.Start {
			sentence++
		}
		if sentence < len(sentences) && sentences[sentence].Start >= last {
			before = ending
		}
		if before == joined && !(borderless(s[w.Start:w.End]) || lastBorderless(s[:last])) {
			before = blank
		}
		if cut := a.elision(s[w.Start:w.End]); cut > 0 {
			emit(w.Start, w.Start+cut, before)
			emit(w.Start+cut, w.End, blank)
			continue
		}
		emit(w.Start, w.End+symbols(s[w.Start:w.End], s[w.End:]), before)
	}
}

func between(s string, first bool) gap {
	if first {
		return ending
	}
	switch s {
	case "":
		return joined
	case " ":
		return blank
	case "-", "‐", "‑":
		return hyphen
	case "&":
		return and
	}
	s = strings.TrimPrefix(strings.TrimPrefix(s, "'"), "’") // the runners' shoes
	if strings.TrimSpace(s) == "" {
		return blank
	}
	return mark
}

func lastBorderless(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return borderlessRune(r)
}

// elision is the length of an elided word at the start of w, as l' in l'eau.
func (a *analyser) elision(w string) int {
	if len(a.rules.elisions) == 0 {
		return 0
	}
	cut := strings.IndexAny(w, "'’")
	if cut < 0 {
		return 0
	}
	_, n := utf8.DecodeRuneInString(w[cut:])
	if cut += n; cut < len(w) && a.rules.elisions[a.lang.fold(w[:cut], true)] {
		return cut
	}
	return 0
}

// symbols is the length of the signs behind a word that belong to its name.
func symbols(w, rest string) int {
	n := 0
	switch {
	case strings.HasPrefix(rest, "++"):
		n = 2
	case strings.HasPrefix(rest, "+"), strings.HasPrefix(rest, "#") && len(w) == 1:
		n = 1
	default:
		return 0
	}
	if next, _ := utf8.DecodeRuneInString(rest[n:]); n < len(rest) && (isWordRune(next) || next == '+' || next == '#') {
		return 0
	}
	return n
}

// Terms gives the content words of a text for an index, folded and stemmed, in
// their order and with repetitions. A hyphenated word comes in its parts and as
// a whole; scripts without word borders come in pairs of letters. The same
// function serves texts and queries.
func Terms(lang, s string) []string {
	l := languageOf(lang)
	a := l.analyser()
	defer l.release(a)
	var terms []string
	var chain, letter string // of the word before: as it goes on, its last letter
	a.tokens(s, nil, func(t token) {
		w := s[t.Start:t.End]
		x := a.look(w)
		if borderless(w) {
			if t.before == joined && letter != "" {
				terms = append(terms, letter+x.fold)
			} else if next, _ := utf8.DecodeRuneInString(s[t.End:]); !borderlessRune(next) {
				terms = append(terms, x.fold) // a letter alone
			}
			chain, letter = "", x.fold
			return
		}
		letter = ""
		if x.stop == content && len(x.key) <= longestWord {
			terms = append(terms, x.key)
		}
		switch {
		case t.before == hyphen && len(chain) <= longestWord:
			chain += x.fold
		case t.before == and && len(chain) <= longestWord:
			chain += "&" + x.fold
		default:
			chain = x.fold
			return
		}
		if len(chain) <= longestWord && !continues(s[t.End:]) {
			terms = append(terms, a.look(chain).key)
		}
	})
	return terms
}

// continues reports whether a hyphenated word goes on.
func continues(rest string) bool {
	for _, h := range [...]string{"-", "&", "‐", "‑"} {
		if after, ok := strings.CutPrefix(rest, h); ok {
			r, _ := utf8.DecodeRuneInString(after)
			return isWordRune(r)
		}
	}
	return false
}
