package search_test

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/contentgraph/contentgraph/internal/search"
)

// indexed are segments of texts whose pieces are separated by | and whose terms
// by blanks.
func indexed(t testing.TB, texts ...string) (all []search.Segment) {
	t.Helper()
	for _, text := range texts {
		var b search.Builder
		for piece := range strings.SplitSeq(text, "|") {
			b.Add(strings.Fields(piece))
		}
		g, err := search.Open(b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, g)
	}
	return all
}

func ask(segments []search.Segment, limit int, terms string) []search.Hit {
	var s search.Search
	for _, g := range segments {
		s.Add(g, strings.Fields(terms))
	}
	return s.Best(limit)
}

func places(hits []search.Hit) string {
	var out []string
	for _, h := range hits {
		out = append(out, fmt.Sprintf("%d.%d", h.Segment, h.Piece))
	}
	return strings.Join(out, " ")
}

func TestBest(t *testing.T) {
	t.Parallel()
	segments := indexed(t, "moka pot steam|grind bean bean|", "bean|moka moka pot|tea leaf", "ünï 字")
	for terms, want := range map[string]string{
		"bean":      "1.0 0.1", // alone in its piece, against twice beside another
		"moka":      "1.1 0.0",
		"moka pot":  "1.1 0.0",
		"pot":       "0.0 1.1", // equal: by place
		"leaf bean": "1.2 1.0 0.1",
		"pot pot":   "0.0 1.1",
		"ünï":       "2.0",
		"字":         "2.0",
		"mok":       "",
		"zzz":       "",
		"":          "",
	} {
		if got := places(ask(segments, 10, terms)); got != want {
			t.Errorf("%q: %s, want %s", terms, got, want)
		}
	}
	if got := places(ask(segments, 1, "moka")); got != "1.1" {
		t.Errorf("limited to one: %s", got)
	}
	if !reflect.DeepEqual(ask(segments, 5, "pot pot"), ask(segments, 5, "pot")) {
		t.Error("a repeated term counts twice")
	}
}

// TestOneIndex: cut into segments or not, pieces score the same.
func TestOneIndex(t *testing.T) {
	t.Parallel()
	text := "moka pot steam|grind bean bean|bean|moka moka pot|tea leaf"
	whole, parts := ask(indexed(t, text), 10, "moka bean leaf"), ask(indexed(t, strings.Split(text, "|")...), 10, "moka bean leaf")
	if len(whole) != 5 || len(parts) != 5 {
		t.Fatal(whole, parts)
	}
	for i := range whole {
		if whole[i].Piece != parts[i].Segment || math.Abs(whole[i].Score-parts[i].Score) > 1e-12 {
			t.Errorf("%d: %+v and %+v", i, whole[i], parts[i])
		}
	}
}

// TestScore holds one score to the formula, worked out by hand: 2 pieces, the
// term once in a piece of 3 terms, 2 terms on average.
func TestScore(t *testing.T) {
	t.Parallel()
	hits := ask(indexed(t, "a b c|d"), 1, "a")
	want := math.Log(2) * 2.2 / (1 + 1.2*(0.25+0.75*1.5))
	if math.Abs(hits[0].Score-want) > 1e-12 {
		t.Errorf("%v, want %v", hits[0].Score, want)
	}
}

func FuzzOpen(f *testing.F) {
	var some, none search.Builder
	some.Add([]string{"a", "b"})
	some.Add(nil)
	some.Add([]string{"b", "b"})
	f.Add(some.Bytes())
	f.Add(none.Bytes())
	f.Add([]byte{1, 255, 255, 255, 255, 7})
	f.Fuzz(func(t *testing.T, data []byte) {
		g, err := search.Open(data)
		if err != nil {
			return
		}
		for _, h := range ask([]search.Segment{g}, 5, "a b") {
			if h.Piece >= g.Pieces() {
				t.Error(h)
			}
		}
	})
}

func BenchmarkSearch(b *testing.B) {
	var made search.Builder
	for i := range 40 { // about what 40 kB of prose have
		var terms []string
		for j := range 90 {
			terms = append(terms, fmt.Sprintf("term%d", (i*31+j*j)%900))
		}
		made.Add(terms)
	}
	data := made.Bytes()
	for b.Loop() {
		var s search.Search
		for range 1000 {
			g, err := search.Open(data)
			if err != nil {
				b.Fatal(err)
			}
			s.Add(g, []string{"term5", "term77", "missing"})
		}
		s.Best(10)
	}
	b.ReportMetric(float64(len(data)), "bytes")
}
