package text

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// every language with rules of its own, and some without
var fuzzed = []string{"en", "de", "fr", "es", "it", "nl", "pt", "ru", "tr", "el", "fi", "hu", "ro", "ar", "ta", "ga", "ja", "zh", "pl", "hi", ""}

func seeds(f *testing.F, add func(s string)) {
	for _, cases := range sentenceCases {
		for _, s := range cases {
			add(strings.ReplaceAll(s, " | ", " "))
		}
	}
	for _, s := range samples {
		add(s)
	}
	for _, s := range []string{"", "\xff.\xfe A", "a.\u2028b", "‘’“”„«»", "C++ C# A+ +", "l'l'l'", "e-e-e-e-e-e-e-e", "AT&T&T", "((((", "İIıi ẞß ﬁ", "\u0301\u0301 a\u0301", "1. 2. 3. III. x.", "\"a", "ｶﾞ々〇", "0! \xf30", "0\xe1 ", " ﾞ000", "0\xf3\v0\xdf"} {
		add(s)
	}
}

// checkSpans: in order, apart, not empty, at the borders of letters, within s.
func checkSpans(t *testing.T, s string, spans []Span) {
	t.Helper()
	last := 0
	for _, at := range spans {
		if at.Start < last || at.End <= at.Start || at.End > len(s) {
			t.Fatalf("%+v behind %d in %q", at, last, s)
		}
		if utf8.ValidString(s) && !utf8.ValidString(s[at.Start:at.End]) {
			t.Fatalf("%+v cuts a letter of %q", at, s)
		}
		last = at.End
	}
}

func FuzzSentences(f *testing.F) {
	seeds(f, func(s string) { f.Add(s, uint8(0)); f.Add(s, uint8(1)) })
	f.Fuzz(func(t *testing.T, s string, n uint8) {
		lang := fuzzed[int(n)%len(fuzzed)]
		sentences := Sentences(lang, s)
		checkSpans(t, s, sentences)
		words := slices.Collect(Words(s))
		checkSpans(t, s, words)
		at := 0
		for _, w := range words {
			for at < len(sentences) && sentences[at].End < w.End {
				at++
			}
			if at == len(sentences) || sentences[at].Start > w.Start {
				t.Fatalf("the word %+v is in no sentence of %+v, %q", w, sentences, s)
			}
		}
		if count, _ := Count(s); count != len(words) {
			t.Fatal(count, len(words))
		}
		Question(lang, s)
		if d, sure := Detect(s); sure && d == "" || d != Language(d) {
			t.Fatalf("language %q, %v", d, sure)
		}
	})
}

func FuzzCovers(f *testing.F) {
	seeds(f, func(s string) { f.Add(s, s, uint8(0)); f.Add(`"`+s+`"`, s, uint8(2)) })
	for n, r := range rulings {
		f.Add(r.phrase, r.text, uint8(n))
	}
	f.Fuzz(func(t *testing.T, phrase, s string, n uint8) {
		lang := fuzzed[int(n)%len(fuzzed)]
		d, p := Prepare(lang, s), Compile(lang, phrase)
		found := d.Find(p)
		checkSpans(t, s, found)
		if d.Covers(p) != (len(found) > 0) {
			t.Fatalf("%q in %q: %+v", phrase, s, found)
		}
		if share := d.Share(p); share < 0 || share > 1 {
			t.Fatal(share)
		}
		terms := make([]Span, d.Len())
		for i := range terms {
			terms[i] = d.Term(i).Span
		}
		checkSpans(t, s, terms)
		for _, term := range Terms(lang, s) {
			if term == "" {
				t.Fatalf("an empty term of %q", s)
			}
		}
		if utf8.ValidString(s) && !utf8.ValidString(Fold(lang, s)) {
			t.Fatalf("folded %q", s)
		}
	})
}

func FuzzReadable(f *testing.F) {
	seeds(f, func(s string) { f.Add(s, uint8(0)); f.Add(s, uint8(4)) })
	f.Fuzz(func(t *testing.T, s string, n uint8) {
		r := Readable(fuzzed[int(n)%len(fuzzed)], s)
		if (r.Score == nil) == (r.Reason == "") || r.Words < 0 || r.Words < r.Sentences || r.Score == nil && r.Grade != nil {
			t.Fatalf("%+v of %q", r, s)
		}
		var long []Span
		for _, at := range r.Long {
			long = append(long, at.Span)
		}
		checkSpans(t, s, long)
	})
}

func FuzzPhrases(f *testing.F) {
	seeds(f, func(s string) { f.Add(s, s+" x "+s, uint8(0)); f.Add(s, "y "+s, uint8(16)) })
	f.Fuzz(func(t *testing.T, one, two string, n uint8) {
		lang := fuzzed[int(n)%len(fuzzed)]
		pages := []*Document{Prepare(lang, one), nil, Prepare(lang, two)}
		for _, p := range Phrases(pages, 50) {
			if p.Text == "" || p.Words > 2*longestPhrase || !slices.Equal(p.Pages, []int{0, 2}) || p.Score < 0 || p.Mentions < 1 || p.Importance != Primary {
				t.Fatalf("%+v", p)
			}
			first, _, _ := strings.Cut(p.Text, " ")
			if lang == "en" && Stop(lang, first) && !isName(first) {
				t.Fatalf("%q starts with a function word", p.Text)
			}
		}
	})
}
