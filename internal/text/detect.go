package text

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/abadojack/whatlanggo"
)

// Detect guesses the language of a text, and says whether the guess is sure:
// its script has one language, or its letters (trigrams) and its function words
// agree, or the function words leave no doubt. Short texts are rarely sure. ""
// when there is nothing to guess from. Only the first 4 KB count.
func Detect(s string) (lang string, sure bool) {
	s = head(s, 4096)
	lang, letters := byScript(s)
	if lang != "" || letters == 0 {
		return lang, lang != "" && letters >= 4
	}
	best, clear := countVotes(s)
	guess, reliable := byTrigrams(s)
	switch {
	case best == guess:
		return guess, letters >= 20 && (clear || reliable)
	case best == "": // no function word of a language we know
		return guess, reliable && letters >= 120 && !slices.Contains(listed(), guess)
	case clear:
		return best, letters >= 40
	case guess == "" || slices.Contains(listed(), guess):
		return best, false
	}
	return guess, false
}

// head cuts a text to n bytes at most, at the border of a letter.
func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// scripts that tell the language; Han and kana are told apart below.
var scripts = []struct {
	table *unicode.RangeTable
	lang  string
}{
	{unicode.Han, "zh"}, {unicode.Hiragana, "ja"}, {unicode.Katakana, "ja"}, {unicode.Hangul, "ko"}, {unicode.Thai, "th"}, {unicode.Hebrew, "he"},
	{unicode.Greek, "el"}, {unicode.Georgian, "ka"}, {unicode.Armenian, "hy"}, {unicode.Bengali, "bn"}, {unicode.Tamil, "ta"},
	{unicode.Telugu, "te"}, {unicode.Gujarati, "gu"}, {unicode.Gurmukhi, "pa"}, {unicode.Kannada, "kn"}, {unicode.Malayalam, "ml"},
	{unicode.Oriya, "or"}, {unicode.Sinhala, "si"}, {unicode.Khmer, "km"}, {unicode.Lao, "lo"}, {unicode.Myanmar, "my"},
}

// byScript gives the language when most letters are in a script of one
// language, else "", and the number of letters.
func byScript(s string) (lang string, letters int) {
	counts := map[string]int{}
	for _, r := range s {
		if !unicode.IsLetter(r) {
			continue
		}
		letters++
		if r < 0x370 || r >= 0x400 && r < 0x530 { // Latin, Cyrillic
			continue
		}
		for _, script := range scripts {
			if unicode.Is(script.table, r) {
				counts[script.lang]++
				break
			}
		}
	}
	if kana := counts["ja"]; kana*20 > counts["zh"] { // Japanese has both
		counts["ja"] += counts["zh"]
		counts["zh"] = 0
	}
	for code, n := range counts {
		if n*2 > letters {
			return code, letters
		}
	}
	return "", letters
}

func byTrigrams(s string) (lang string, reliable bool) {
	info := whatlanggo.Detect(s)
	if info.Confidence <= 0 { // none, or several that fit equally
		return "", false
	}
	if lang = Language(info.Lang.Iso6391()); lang == "" {
		lang = Language(info.Lang.Iso6393())
	}
	if lang == "bh" || lang == "bho" || lang == "mai" || lang == "mag" { // mistaken for the far more common Hindi
		lang = "hi"
	}
	return lang, info.IsReliable()
}

// countVotes lets function words vote for the languages that have them; a word
// of several languages is split between them. The winner is clear when it has
// at least two votes more than others can bring together.
func countVotes(s string) (best string, clear bool) {
	votes := map[string]float64{}
	words := 0
	for w := range Words(s) {
		if words++; words > 400 || len(s[w.Start:w.End]) > longestWord {
			break
		}
		langs := voters()[strings.ToLower(s[w.Start:w.End])]
		for _, lang := range langs {
			votes[lang] += 1 / float64(len(langs))
		}
	}
	first, second := 0.0, 0.0
	for _, lang := range listed() { // in a fixed order
		switch v := votes[lang]; {
		case v > first:
			best, first, second = lang, v, first
		case v > second:
			second = v
		}
	}
	return best, first >= 1.5 && first >= 1.6*second
}

// listed are the languages with a list of function words.
var listed = sync.OnceValue(func() []string {
	var codes []string
	for code, l := range languages {
		if len(l.rules().stop) > 0 && code != "ja" && code != "zh" {
			codes = append(codes, code)
		}
	}
	slices.Sort(codes)
	return codes
})

// voters are the languages of every function word.
var voters = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for _, code := range listed() {
		for word := range readRules(languages[code]).stop {
			all[word] = append(all[word], code)
		}
	}
	return all
})
