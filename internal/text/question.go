package text

import (
	"slices"
	"strings"
	"unicode"
)

// question is one line of a rule table: the first words of a question and what
// may come next.
type question struct {
	opener string
	any    bool     // any word but those of next
	next   []string // otherwise only these
}

func readQuestion(line string) question {
	opener, rest, _ := strings.Cut(line, ": ")
	q := question{opener: opener}
	for _, word := range strings.Fields(rest) {
		switch {
		case word == "*":
			q.any = true
		default:
			q.next = append(q.next, strings.TrimPrefix(word, "-"))
		}
	}
	return q
}

// Question reports whether a heading or query asks something: it ends with a
// question mark, or starts as questions of its language do ("how to descale a
// kettle"; not "how we work").
func Question(lang, s string) bool {
	s = strings.TrimSpace(s)
	if s == "" {
		return false
	}
	if strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？") || strings.HasSuffix(s, "؟") {
		return strings.ContainsFunc(s, isWordRune)
	}
	l := languageOf(lang)
	if l.code == "el" && strings.HasSuffix(s, ";") {
		return true
	}
	if len(s) > 1<<10 { // no heading
		return false
	}
	words := strings.FieldsFunc(l.fold(s, true), func(r rune) bool {
		return !isWordRune(r) && r != '\'' && r != '-' && !unicode.Is(unicode.M, r)
	})
	if len(words) > 0 && isOrdinal(words[0]) { // "3. What is …"
		words = words[1:]
	}
	return slices.ContainsFunc(l.rules().questions, func(q question) bool { return q.asks(words) })
}

func (q question) asks(words []string) bool {
	for first := range strings.SplitSeq(q.opener, " ") {
		if len(words) == 0 || words[0] != first {
			return false
		}
		words = words[1:]
	}
	return len(words) > 0 && slices.Contains(q.next, words[0]) != q.any
}
