package text

import (
	"cmp"
	"slices"
)

// Covers reports whether a document uses a phrase: its words, side by side and
// in its order, within one sentence. Forms of one stem are the same word; case,
// and accents where they are folded (see Fold), do not matter. Function words
// between its words may differ, a hyphen may be left out or be a blank, and a
// script without word borders is matched anywhere. A phrase in quotation marks
// is matched as it is written, but for case and accents.
func (d *Document) Covers(p *Pattern) bool {
	found := false
	d.each(p, func(first, last int32) bool {
		found = true
		return false
	})
	return found
}

// Find gives the places where a document uses a phrase, in order and without overlap.
func (d *Document) Find(p *Pattern) []Span {
	var all []Span
	d.each(p, func(first, last int32) bool {
		all = append(all, Span{int(d.terms[first].start), int(d.terms[last].end)})
		return true
	})
	slices.SortFunc(all, func(a, b Span) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End))
	})
	kept := all[:0]
	for _, s := range all {
		if len(kept) == 0 || s.Start >= kept[len(kept)-1].End {
			kept = append(kept, s)
		}
	}
	return kept
}

// Share is the share of the content words of a phrase that a document holds
// anywhere, from 0 to 1; 0 for a phrase without content words.
func (d *Document) Share(p *Pattern) float64 {
	wanted, found := 0, 0
	m := matcher{d: d, p: p}
	for i, it := range p.items {
		if it.stop != content {
			continue
		}
		wanted++
		m.resolve(i)
		if m.keys[i].key >= 0 || m.keys[i].alt >= 0 {
			found++
		}
	}
	if wanted == 0 {
		return 0
	}
	return float64(found) / float64(wanted)
}

// matcher looks for one pattern in one document.
type matcher struct {
	d     *Document
	p     *Pattern
	keys  [longestPattern]itemKeys // the items' keys as numbers of the document
	steps int
}

// itemKeys are -1 where the document has no such key.
type itemKeys struct{ key, alt, whole int32 }

const (
	// fillers is how many function words may stand between two words where the
	// phrase has fewer.
	fillers = 4
	// mostSteps bounds the search for one beginning.
	mostSteps = 512
)

// each yields the first and last term of every match until yield returns false.
func (d *Document) each(p *Pattern, yield func(first, last int32) bool) {
	if len(p.items) == 0 || p.lang != d.lang {
		return
	}
	m := matcher{d: d, p: p}
	for i := range p.items {
		m.resolve(i)
	}
	for i := 0; i < len(p.items); i += max(1, p.items[i].chain) {
		if k := m.keys[i]; k.key < 0 && k.alt < 0 && k.whole < 0 {
			return // a word that is nowhere
		}
	}
	start := m.keys[0]
	for _, key := range [...]int32{start.key, start.alt, start.whole} {
		if key < 0 {
			continue
		}
		for n := d.first[key]; n >= 0; n = d.posts[n].next {
			at := d.posts[n].at
			if at < 0 {
				at = d.compounds[^at].first
			}
			m.steps = 0
			if last, ok := m.at(0, at); ok && !yield(at, last) {
				return
			}
		}
	}
}

func (m *matcher) resolve(i int) {
	it := &m.p.items[i]
	m.keys[i] = itemKeys{m.number(it.key), m.number(it.alt), m.number(it.whole)}
}

func (m *matcher) number(key string) int32 {
	if key == "" {
		return -1
	}
	if n, ok := m.d.numbers[key]; ok {
		return n
	}
	return -1
}

// at matches the items from i on, the first of them at term t.
func (m *matcher) at(i int, t int32) (last int32, ok bool) {
	if m.steps++; m.steps > mostSteps {
		return 0, false
	}
	if m.p.exact {
		return m.verbatim(t)
	}
	it, keys := &m.p.items[i], m.keys[i]
	w := m.d.words[m.d.terms[t].word]
	if !it.bound && hit(w.key, keys.key, keys.alt) || !it.bound && hit(w.alt, keys.key, keys.alt) {
		if last, ok := m.after(i+1, t+1); ok {
			return last, true
		}
	}
	if it.chain > 0 && (hit(w.key, keys.whole, -1) || hit(w.alt, keys.whole, -1)) {
		if last, ok := m.after(i+it.chain, t+1); ok {
			return last, true
		}
	}
	c, found := m.d.compoundAt(t)
	if !found {
		return 0, false
	}
	if it.chain > 0 && c.key == keys.whole {
		if last, ok := m.after(i+it.chain, c.last+1); ok {
			return last, true
		}
	}
	if !it.bound && hit(c.key, keys.key, keys.alt) {
		return m.after(i+1, c.last+1)
	}
	return 0, false
}

func hit(have, want, or int32) bool { return have >= 0 && (have == want || have == or) }

// after matches the items from i on behind the terms before t.
func (m *matcher) after(i int, t int32) (last int32, ok bool) {
	if i == len(m.p.items) {
		return t - 1, true
	}
	it := &m.p.items[i]
	limit := max(fillers, it.skipped)
	if it.before == joined || m.p.fixed {
		limit = 0
	}
	for skip := 0; skip <= limit && int(t) < len(m.d.terms); skip++ {
		term := m.d.terms[t]
		if term.before == ending || it.before == joined && term.before != joined {
			return 0, false
		}
		if last, ok := m.at(i, t); ok {
			return last, true
		}
		if term.stop != filler {
			return 0, false
		}
		t++
	}
	return 0, false
}

// verbatim matches the whole pattern word by word at term t.
func (m *matcher) verbatim(t int32) (last int32, ok bool) {
	for i, it := range m.p.items {
		if int(t) == len(m.d.terms) {
			return 0, false
		}
		term := m.d.terms[t]
		if m.d.words[term.word].fold != it.fold || i > 0 && term.before != it.before {
			return 0, false
		}
		t++
	}
	return t - 1, true
}

// compoundAt is the compound that starts at term t.
func (d *Document) compoundAt(t int32) (compound, bool) {
	if int(t)+1 >= len(d.terms) || d.terms[t+1].before != hyphen && d.terms[t+1].before != and {
		return compound{}, false
	}
	n, found := slices.BinarySearchFunc(d.compounds, t, func(c compound, t int32) int { return cmp.Compare(c.first, t) })
	if !found {
		return compound{}, false
	}
	return d.compounds[n], true
}
