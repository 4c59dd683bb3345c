// Package text holds the language tools of the service: words, sentences,
// stems, stop words, phrases, coverage of phrases, readability and the guess of
// a language.
//
// Every function takes plain text. A line is a block of its own (a heading, a
// list item, a paragraph): no sentence and no phrase goes over the end of a
// line, so callers join blocks with "\n" and keep soft line breaks out. What
// tells languages apart is in the rule tables under data/, one file a language.
//
// The package knows neither mark-up nor storage nor where a text came from. Text
// is taken from strangers: invalid UTF-8, endless words and hostile punctuation
// cost no more than their length and never panic.
package text

// Span is a piece of a text: the bytes text[Start:End].
type Span struct{ Start, End int }
