package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sentences finds the sentences of a text: every line ends one, and so do full
// stops, question marks and the like (Unicode Sentence_Terminal) before a space,
// along the sentence rules of UAX 29, with these differences:
//
//   - abbreviations, initials, ordinals ("3. Oktober") and numbers of a list do
//     not end one; which they are is in the rule table of the language;
//   - terminators inside a quotation or bracket that stands within a sentence do
//     not end it;
//   - a number may start one, and so may a small letter where the sentence
//     before began with one.
//
// Pieces without a letter or digit belong to the sentence before. Spans are in
// order, without blanks at either end.
//
// The walk is our own: the sentence iterator of the library that splits words
// needs quadratic time for a full stop before many blanks.
func Sentences(lang, s string) []Span { return languageOf(lang).sentences(nil, s) }

func (l *language) sentences(found []Span, s string) []Span {
	p := splitter{lang: l, rules: l.rules()}
	for at := 0; at < len(s); {
		end, next := lineEnd(s, at)
		found = p.line(found, s[at:end], at)
		at = next
	}
	return found
}

// lineEnd is where the line from at ends, and where the next one starts.
func lineEnd(s string, at int) (end, next int) {
	for i := at; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\n' || c == '\r' || c == '\v' || c == '\f':
			return i, i + 1
		case c == 0xC2 && strings.HasPrefix(s[i:], "\u0085"):
			return i, i + 2
		case c == 0xE2 && (strings.HasPrefix(s[i:], "\u2028") || strings.HasPrefix(s[i:], "\u2029")):
			return i, i + 3
		}
	}
	return len(s), len(s)
}

// splitter walks over one line after the other.
type splitter struct {
	lang  *language
	rules *rules
	s     string
	start int // of the sentence under way
	words bool
	// next known place of each closing mark, so that looking for them stays linear
	closers map[rune]int
}

func (p *splitter) line(found []Span, s string, offset int) []Span {
	p.s, p.start, p.words = s, 0, false
	clear(p.closers)
	from := len(found)
	for i := 0; i < len(s); {
		r, n := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(s[i:])
		}
		switch {
		case isTerminator(r) || r == ';' && p.lang.code == "el":
			end := p.run(i)
			if p.words && p.border(i, end) {
				found = p.cut(found, from, end, offset)
			}
			i = end
		case r == '(' || r == '"' || r >= utf8.RuneSelf || r == '[':
			i += n
			if c := p.embedded(r, i-n, i); c > i {
				p.words = p.words || strings.ContainsFunc(s[i:c], isWordRune)
				i = c
			} else if !p.words {
				p.words = isWordRune(r)
			}
		default:
			p.words = p.words || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
			i++
		}
	}
	return p.cut(found, from, len(s), offset)
}

// cut ends the sentence under way. What holds no word goes to the one before.
func (p *splitter) cut(found []Span, from, end, offset int) []Span {
	piece := p.s[p.start:end]
	trimmed := strings.TrimSpace(piece)
	lead := strings.Index(piece, trimmed)
	span := Span{offset + p.start + lead, offset + p.start + lead + len(trimmed)}
	switch {
	case p.words:
		found = append(found, span)
	case trimmed != "" && len(found) > from:
		found[len(found)-1].End = span.End
	}
	p.start, p.words = end, false
	return found
}

// run is the end of the terminators from i on and the closing marks behind them.
func (p *splitter) run(i int) int {
	closing := false
	for i < len(p.s) {
		r, n := utf8.DecodeRuneInString(p.s[i:])
		switch {
		case !closing && (isTerminator(r) || r == ';' && p.lang.code == "el"):
		case isCloser(r):
			closing = true
		case unicode.IsSpace(r) && strings.HasPrefix(p.s[i+n:], "»"): // as French sets it
			closing = true
		default:
			return i
		}
		i += n
	}
	return i
}

// embedded is the place of the closing mark when the opening one at i starts a
// quotation or bracket within a sentence, else 0: words stand before it, or the
// sentence goes on behind it.
func (p *splitter) embedded(r rune, i, after int) int {
	closers := closersOf(r)
	if closers == "" || after >= len(p.s) || isSpaceAt(p.s, after) && r != '«' {
		return 0
	}
	if i > 0 {
		if before, _ := utf8.DecodeLastRuneInString(p.s[:i]); !unicode.IsSpace(before) && !unicode.Is(unicode.Ps, before) && !unicode.Is(unicode.Pd, before) {
			return 0
		}
	}
	const longest = 600 // bytes; a longer quotation has sentences of its own
	end := 0
	for _, c := range closers {
		if at := p.closer(c, after); at > 0 && at-i < longest && (end == 0 || at < end) {
			end = at
		}
	}
	if end == 0 {
		return 0
	}
	if !p.words {
		inside, _ := utf8.DecodeLastRuneInString(strings.TrimRightFunc(p.s[:end], unicode.IsSpace))
		_, n := utf8.DecodeRuneInString(p.s[end:])
		rest := strings.TrimLeftFunc(p.s[end+n:], func(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Pd, r) })
		next, _ := utf8.DecodeRuneInString(rest)
		if inside != ',' && next != ',' && !unicode.IsLower(next) {
			return 0
		}
	}
	// A terminator right before the closing mark may still end the sentence.
	inside := strings.TrimRightFunc(p.s[after:end], func(r rune) bool { return unicode.IsSpace(r) || isTerminator(r) })
	return after + len(inside)
}

// closer finds the next closing mark c from position i on, 0 if there is none.
func (p *splitter) closer(c rune, i int) int {
	if at, known := p.closers[c]; known && (at == 0 || at >= i) {
		return at
	}
	if p.closers == nil {
		p.closers = map[rune]int{}
	}
	at := strings.IndexRune(p.s[i:], c)
	if at >= 0 {
		at += i
	} else {
		at = 0
	}
	p.closers[c] = at
	return at
}

// closersOf are the marks that may close what r opens.
func closersOf(r rune) string {
	switch r {
	case '"':
		return `"`
	case '(':
		return ")"
	case '[':
		return "]"
	case '“':
		return "”"
	case '„':
		return "“”"
	case '«':
		return "»"
	case '»':
		return "«"
	case '‹':
		return "›"
	case '「':
		return "」"
	case '『':
		return "』"
	case '（':
		return "）"
	}
	return ""
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

func isTerminator(r rune) bool {
	switch r {
	case '.', '!', '?', '…', '。', '！', '？', '．':
		return true
	}
	return r >= 0x589 && unicode.Is(unicode.STerm, r)
}

func isCloser(r rune) bool {
	switch r {
	case '"', '\'', ')', ']', '”', '“', '’', '»', '«', '›', '*', '_':
		return true
	}
	return r >= utf8.RuneSelf && unicode.In(r, unicode.Pe, unicode.Pf)
}

func isSpaceAt(s string, i int) bool {
	r, _ := utf8.DecodeRuneInString(s[i:])
	return unicode.IsSpace(r)
}
