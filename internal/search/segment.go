package search

import (
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"sort"
	"strings"
)

// version is the first byte of a segment's bytes.
const version = 1

// Segment is the index of one text:
//
//	version, number of pieces, length of each piece in terms,
//	number of terms, end of each term's entry (4 bytes, little-endian),
//	entries in the order of terms: length of the term, term, then for each
//	piece that has it the distance from the one before and how often it does
//
// where numbers are unsigned varints.
type Segment struct {
	lengths []int
	length  int // of all pieces
	ends    []byte
	entries []byte
}

// ErrDamaged says that bytes are not a segment.
var ErrDamaged = errors.New("search: damaged segment")

// Builder makes a segment. The zero value is ready.
type Builder struct {
	pieces  int
	lengths []byte
	terms   map[string]*postings
}

// postings are the pieces that have a term, the last of them still open.
type postings struct {
	closed      []byte
	from        int // the piece before
	piece, open int // the last piece and how often it has the term
}

func (p *postings) close() {
	p.closed = binary.AppendUvarint(p.closed, uint64(p.piece-p.from))
	p.closed = binary.AppendUvarint(p.closed, uint64(p.open))
	p.from, p.open = p.piece, 0
}

// Add adds a piece by its terms.
func (b *Builder) Add(terms []string) {
	if b.terms == nil {
		b.terms = map[string]*postings{}
	}
	for _, term := range terms {
		p := b.terms[term]
		if p == nil {
			p = &postings{}
			b.terms[strings.Clone(term)] = p // it may be part of a whole text
		}
		if p.open > 0 && p.piece != b.pieces {
			p.close()
		}
		p.piece = b.pieces
		p.open++
	}
	b.lengths = binary.AppendUvarint(b.lengths, uint64(len(terms)))
	b.pieces++
}

// Bytes are those of the segment. The builder is used up.
func (b *Builder) Bytes() []byte {
	var ends, entries []byte
	for _, term := range slices.Sorted(maps.Keys(b.terms)) {
		p := b.terms[term]
		p.close()
		entries = append(binary.AppendUvarint(entries, uint64(len(term))), term...)
		entries = append(entries, p.closed...)
		ends = binary.LittleEndian.AppendUint32(ends, uint32(len(entries)))
	}
	out := binary.AppendUvarint([]byte{version}, uint64(b.pieces))
	out = append(out, b.lengths...)
	out = binary.AppendUvarint(out, uint64(len(b.terms)))
	return slices.Concat(out, ends, entries)
}

// Open reads the bytes of a segment, which it keeps.
func Open(data []byte) (Segment, error) {
	var g Segment
	if len(data) == 0 || data[0] != version {
		return g, ErrDamaged
	}
	in := cursor{data: data[1:]}
	pieces := in.number()
	if pieces > len(in.data) { // each has a length
		return g, ErrDamaged
	}
	g.lengths = make([]int, pieces)
	for i := range g.lengths {
		g.lengths[i] = in.number()
		g.length += g.lengths[i]
	}
	terms := in.number()
	if in.bad || terms > len(in.data)/4 {
		return g, ErrDamaged
	}
	g.ends, g.entries = in.data[:4*terms], in.data[4*terms:]
	for i := range terms {
		if from, to := g.span(i); from > to || to > len(g.entries) {
			return g, ErrDamaged
		}
	}
	return g, nil
}

// Pieces is the number of pieces.
func (g Segment) Pieces() int { return len(g.lengths) }

// Len is the length of a piece in terms.
func (g Segment) Len(piece int) int { return g.lengths[piece] }

// span is where the entry of a term is.
func (g Segment) span(i int) (from, to int) {
	if i > 0 {
		from = int(binary.LittleEndian.Uint32(g.ends[4*i-4:]))
	}
	return from, int(binary.LittleEndian.Uint32(g.ends[4*i:]))
}

// entry is a term and what follows it.
func (g Segment) entry(i int) (term []byte, postings cursor) {
	from, to := g.span(i)
	in := cursor{data: g.entries[from:to]}
	n := min(in.number(), len(in.data))
	return in.data[:n], cursor{data: in.data[n:]}
}

// each calls fn with the pieces that have a term, and how often they do.
func (g Segment) each(term string, fn func(piece, count int)) {
	terms := len(g.ends) / 4
	i := sort.Search(terms, func(i int) bool { at, _ := g.entry(i); return string(at) >= term })
	if i == terms {
		return
	}
	at, in := g.entry(i)
	if string(at) != term {
		return
	}
	piece := 0
	for len(in.data) > 0 {
		piece += in.number()
		count := in.number()
		if in.bad || piece < 0 || piece >= len(g.lengths) {
			return
		}
		fn(piece, count)
	}
}

// cursor reads numbers from the front of data.
type cursor struct {
	data []byte
	bad  bool // a number was missing
}

// number is the next one, or 0.
func (c *cursor) number() int {
	v, n := binary.Uvarint(c.data)
	if n <= 0 || v > 1<<31 {
		c.data, c.bad = nil, true
		return 0
	}
	c.data = c.data[n:]
	return int(v)
}
