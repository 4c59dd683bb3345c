// Package search ranks pieces of text by BM25. A Segment is the index of one
// text, cut into pieces, small enough to be stored beside it; a Search goes
// through any number of segments as if they were one index, so that adding and
// removing a text costs nothing elsewhere and every database answers alike. The
// package sees terms alone: what a word's term is, its callers decide.
package search

import (
	"cmp"
	"math"
	"slices"
)

// The constants of BM25: how soon a repeated term stops counting, and how much
// long pieces are held back. These are the usual ones (Robertson and Zaragoza,
// The Probabilistic Relevance Framework, 2009, section 3.7).
const (
	k1 = 1.2
	b  = 0.75
)

// Hit is a piece that has at least one of the asked terms.
type Hit struct {
	Segment int // its place among the segments that were added, from 0
	Piece   int // its place in the segment, from 0
	Score   float64
}

// Search collects what segments have on a question. The zero value is ready.
type Search struct {
	segments int
	pieces   int
	length   int            // of all pieces, in terms
	having   map[string]int // pieces that have the term
	found    []match
}

// match is one asked term in one piece.
type match struct {
	segment, piece int
	term           string
	count, length  int // of the term in the piece, of all its terms
}

// Add looks for the terms in a segment. Terms may differ between segments, as
// stems do between languages; repeated ones count once.
func (s *Search) Add(g Segment, terms []string) {
	if s.having == nil {
		s.having = map[string]int{}
	}
	for i, term := range terms {
		if slices.Contains(terms[:i], term) {
			continue
		}
		g.each(term, func(piece, count int) {
			s.having[term]++
			s.found = append(s.found, match{s.segments, piece, term, count, g.Len(piece)})
		})
	}
	s.segments++
	s.pieces += g.Pieces()
	s.length += g.length
}

// Best are the limit best hits, best first; equal ones in the order of segments
// and pieces.
func (s *Search) Best(limit int) []Hit {
	slices.SortStableFunc(s.found, func(x, y match) int {
		return cmp.Or(cmp.Compare(x.segment, y.segment), cmp.Compare(x.piece, y.piece))
	})
	var hits []Hit
	for _, m := range s.found {
		if n := len(hits); n == 0 || hits[n-1].Segment != m.segment || hits[n-1].Piece != m.piece {
			hits = append(hits, Hit{Segment: m.segment, Piece: m.piece})
		}
		hits[len(hits)-1].Score += s.score(m)
	}
	slices.SortStableFunc(hits, func(x, y Hit) int { return cmp.Compare(y.Score, x.Score) })
	return hits[:min(limit, len(hits))]
}

// score is what a term adds to a piece. The 1 in the logarithm keeps terms that
// most pieces have from counting against them (Lucene's form).
func (s *Search) score(m match) float64 {
	n, all := float64(s.having[m.term]), float64(s.pieces)
	rarity := math.Log(1 + (all-n+0.5)/(n+0.5))
	count, average := float64(m.count), float64(s.length)/all
	return rarity * count * (k1 + 1) / (count + k1*(1-b+b*float64(m.length)/average))
}
