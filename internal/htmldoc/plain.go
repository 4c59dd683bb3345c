package htmldoc

import (
	"strings"
	"unicode/utf8"
)

// plain reads plain text: an empty line ends a block, and so does the end of
// every line, except where an editor seems to have wrapped a paragraph.
func plain(s string) (all []Block) {
	var lines []string
	flush := func() {
		if wrapped(lines) {
			lines = []string{strings.Join(lines, " ")}
		}
		for _, l := range lines {
			all = append(all, Block{Kind: Paragraph, Text: l})
		}
		lines = lines[:0]
	}
	for l := range strings.Lines(s) {
		var f flow
		f.write(&node{text: l})
		if len(f.text) == 0 {
			flush()
			continue
		}
		lines = append(lines, string(f.text))
	}
	flush()
	return all
}

// wrapped reports whether lines are a paragraph that was broken at a width of
// 55 to 100 characters: each line but the last is as wide and none ends a sentence
// much before that.
func wrapped(lines []string) bool {
	if len(lines) < 2 {
		return false
	}
	for _, l := range lines[:len(lines)-1] {
		if n := utf8.RuneCountInString(l); n < 55 || n > 100 {
			return false
		}
	}
	return true
}
