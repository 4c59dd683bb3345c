package text

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// article makes a body of prose of about n words: common words often, as in
// real text.
func article(seed uint64, n int) string {
	r := rand.New(rand.NewPCG(seed, 7))
	function := strings.Fields("the a of to and in is it for with on that as are this by from or be an")
	topic := strings.Fields("garden gardens soil compost seed seeds plant plants planting watering roots leaves bed beds raised spring summer frost mulch pest")
	var rare []string
	for range 900 {
		var w strings.Builder
		for range 2 + r.IntN(3) {
			w.WriteByte("bcdfglmnprst"[r.IntN(12)])
			w.WriteByte("aeiou"[r.IntN(5)])
		}
		w.WriteString([]string{"", "s", "ing", "ed", "tion", "er"}[r.IntN(6)])
		rare = append(rare, w.String())
	}
	var b strings.Builder
	for i := range n {
		switch x := r.IntN(10); {
		case x < 4:
			b.WriteString(function[r.IntN(len(function))])
		case x < 6:
			b.WriteString(topic[r.IntN(len(topic))])
		default:
			b.WriteString(rare[r.IntN(len(rare))])
		}
		switch {
		case i%90 == 89:
			b.WriteString(".\n")
		case i%15 == 14:
			b.WriteString(". The ")
		case i%40 == 7:
			b.WriteString("-")
		default:
			b.WriteString(" ")
		}
	}
	return b.String()
}

// phrasesOf takes n phrases of one to four words from a text.
func phrasesOf(s string, n int) []string {
	r := rand.New(rand.NewPCG(5, 5))
	words := strings.Fields(s)
	var all []string
	for range n {
		at := r.IntN(len(words) - 4)
		all = append(all, strings.Join(words[at:at+1+r.IntN(4)], " "))
	}
	return all
}

// What an editor's keystroke costs here: a body of 2,000 words is prepared, 400
// phrases are compiled and looked for.
func BenchmarkValidate(b *testing.B) {
	s := article(1, 2000)
	phrases := append(phrasesOf(s, 200), phrasesOf(article(2, 2000), 200)...)
	b.ReportAllocs()
	for b.Loop() {
		d := Prepare("en", s)
		covered := 0
		for _, p := range phrases {
			if d.Covers(Compile("en", p)) {
				covered++
			}
		}
		if covered < 200 {
			b.Fatal(covered)
		}
	}
}

func BenchmarkPrepare(b *testing.B) {
	s := article(1, 2000)
	b.SetBytes(int64(len(s)))
	b.ReportAllocs()
	for b.Loop() {
		Prepare("en", s)
	}
}

func BenchmarkSentences(b *testing.B) {
	s := article(1, 2000)
	b.SetBytes(int64(len(s)))
	b.ReportAllocs()
	for b.Loop() {
		Sentences("en", s)
	}
}

func BenchmarkCovers(b *testing.B) {
	s := article(1, 2000)
	d := Prepare("en", s)
	var patterns []*Pattern
	for _, p := range phrasesOf(s, 400) {
		patterns = append(patterns, Compile("en", p))
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, p := range patterns {
			d.Covers(p)
		}
	}
}

func BenchmarkReadable(b *testing.B) {
	s := article(1, 2000)
	b.ReportAllocs()
	for b.Loop() {
		Readable("en", s)
	}
}

func BenchmarkTerms(b *testing.B) {
	s := article(1, 2000)
	b.SetBytes(int64(len(s)))
	b.ReportAllocs()
	for b.Loop() {
		Terms("en", s)
	}
}

// Fifteen pages of 15,000 words, 100 KB each.
func BenchmarkPhrases(b *testing.B) {
	var texts []string
	for n := range 15 {
		texts = append(texts, article(uint64(n), 15_000))
	}
	b.ReportAllocs()
	for b.Loop() {
		if len(Phrases(pagesOf("en", texts...), 100)) == 0 {
			b.Fatal("none")
		}
	}
}
