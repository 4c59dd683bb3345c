package extract

import (
	"cmp"
	"iter"
	"slices"
	"sort"
	"unicode/utf16"

	"golang.org/x/text/encoding/charmap"
)

// piece is a stretch of text that lies together in the stream.
type piece struct {
	cp, n int  // its first character in the text, number of characters
	fc    int  // where it lies, in bytes
	wide  bool // UTF-16, else one byte a character
}

// findPieces reads the piece table. Pieces that contradict it are left out.
func (d *doc) findPieces() {
	const text, formats = 2, 1
	table := d.part(docPieces)
	for len(table) > 0 && table[0] == formats {
		table = table.at(min(3+table.u16(1), len(table)), max(len(table)-3-table.u16(1), 0))
	}
	if table.u8(0) != text {
		if from, to := d.word.u32(0x18), d.word.u32(0x1C); to > from { // never saved in parts
			d.add(piece{n: to - from, fc: from})
		}
		return
	}
	table = table[min(5, len(table)):]
	n := (len(table) - 4) / 12
	for i := range max(n, 0) {
		p := piece{cp: table.u32(4 * i), fc: table.u32(4*(n+1) + 8*i + 2)}
		p.n = table.u32(4*i+4) - p.cp
		if const8bit := 1 << 30; !d.old {
			if p.wide = p.fc&const8bit == 0; !p.wide {
				p.fc = p.fc &^ const8bit / 2
			}
		}
		d.add(p)
	}
}

// add adds a piece as far as it is in the stream.
func (d *doc) add(p piece) {
	size := 1
	if p.wide {
		size = 2
	}
	there := min(p.n, (len(d.word)-p.fc)/size)
	d.torn = d.torn || there < p.n || p.n <= 0 || p.cp < d.end()
	if p.n = there; p.n > 0 && p.cp >= d.end() {
		d.pieces = append(d.pieces, p)
	}
}

// end is the number of characters of all sub-documents.
func (d *doc) end() int {
	if len(d.pieces) == 0 {
		return 0
	}
	last := d.pieces[len(d.pieces)-1]
	return last.cp + last.n
}

// characters are the characters from one cp to another with their fc, which is
// -1 where that is unknown. It ends when as many were read as a document may
// have: pieces may lie over each other.
func (d *doc) characters(from, to int) iter.Seq2[int, rune] {
	return func(yield func(int, rune) bool) {
		first := sort.Search(len(d.pieces), func(i int) bool { return d.pieces[i].cp+d.pieces[i].n > from })
		for _, p := range d.pieces[first:] {
			a, b := max(from, p.cp)-p.cp, min(to, p.cp+p.n)-p.cp
			if b <= a || d.left <= 0 {
				return
			}
			b = min(b, a+d.left)
			d.left -= b - a
			if !d.run(p, a, b, yield) {
				return
			}
		}
	}
}

// run gives the characters a to b of a piece; false when they are not wanted.
func (d *doc) run(p piece, a, b int, yield func(int, rune) bool) bool {
	table, single := d.charset.(*charmap.Charmap)
	switch {
	case p.wide:
		for i := a; i < b; i++ {
			fc := p.fc + 2*i
			r := rune(d.word.u16(fc))
			if utf16.IsSurrogate(r) {
				pair := utf16.DecodeRune(r, rune(d.word.u16(fc+2)))
				if pair != '\uFFFD' {
					i++
				}
				r = pair
			}
			if !yield(fc, r) {
				return false
			}
		}
	case single:
		for i := a; i < b; i++ {
			if !yield(p.fc+i, table.DecodeByte(d.word[p.fc+i])) {
				return false
			}
		}
	default:
		for _, r := range decode(d.charset, d.word[p.fc+a:p.fc+b]) {
			if !yield(-1, r) {
				return false
			}
		}
	}
	return true
}

// ranges are stretches of the stream, sorted and apart once build was called.
type ranges struct {
	list   []stretch
	lo, hi int  // what was found last holds from lo to hi
	inside bool // what was found
}

type stretch struct{ from, to uint32 }

func (r *ranges) add(from, to int) {
	if n := len(r.list); n > 0 && int(r.list[n-1].to) == from {
		r.list[n-1].to = uint32(to)
	} else if to > from {
		r.list = append(r.list, stretch{uint32(from), uint32(to)})
	}
}

func (r *ranges) build() {
	slices.SortFunc(r.list, func(a, b stretch) int { return cmp.Compare(a.from, b.from) })
	kept := r.list[:0]
	for _, s := range r.list {
		if n := len(kept); n > 0 && s.from <= kept[n-1].to {
			kept[n-1].to = max(kept[n-1].to, s.to)
		} else {
			kept = append(kept, s)
		}
	}
	r.list = kept
}

// has says whether fc is in one of the ranges. It is quick for places that
// follow each other.
func (r *ranges) has(fc int) bool {
	if fc >= r.lo && fc < r.hi || len(r.list) == 0 {
		return r.inside
	}
	i := sort.Search(len(r.list), func(i int) bool { return int(r.list[i].to) > fc })
	r.lo, r.hi = 0, int(^uint32(0))
	if i > 0 {
		r.lo = int(r.list[i-1].to)
	}
	if r.inside = false; i < len(r.list) {
		if r.hi = int(r.list[i].from); fc >= r.hi {
			r.lo, r.hi, r.inside = r.hi, int(r.list[i].to), true
		}
	}
	return r.inside
}
