package text

import "unicode/utf8"

// Importance says how common a phrase is among pages.
type Importance string

// The classes of importance, by the share of the pages that use a phrase.
const (
	Primary    Importance = "PRIMARY"    // at least 60 %
	Secondary  Importance = "SECONDARY"  // at least 30 %
	Additional Importance = "ADDITIONAL" // fewer
)

// Phrase is what several pages say in the same words.
type Phrase struct {
	Text       string // its most common spelling
	Words      int
	Pages      []int   // the pages that use it, by index, ascending
	Share      float64 // of all pages, 0..1
	Mentions   float64 // average number of mentions on a page that uses it
	Importance Importance
	Score      float64 // see score; higher says more about the topic
}

const (
	longestPhrase = 4 // words
	manyPages     = 8 // from here on a phrase needs three pages
)

// Phrases finds what pages have in common: phrases of one to four words that at
// least two of them use, three when there are eight or more. Every document is a
// page (or one place of it, as its title), all of one language; nil stands for
// a page without that place, which still counts as a page.
//
// No phrase starts or ends with a function word, goes over a punctuation mark
// but hyphens, or stands inside a longer one of the same pages. Forms of one
// stem are one phrase, and so are phrases that differ in the function words
// between their words. Ordered by score, at most limit of them (0: all).
func Phrases(pages []*Document, limit int) []Phrase {
	m := miner{pages: pages, least: 2}
	if len(pages) >= manyPages {
		m.least = 3
	}
	m.readUnits()
	m.grow()
	best := m.rank()
	if limit > 0 && len(best) > limit {
		best = best[:limit]
	}
	return m.describe(best)
}

// miner counts phrases as the nodes of a tree: a node is the phrase of its
// parent with one more word. Level by level, only phrases that enough pages use
// are made longer.
type miner struct {
	lang   *language
	pages  []*Document
	least  int // pages that a phrase needs
	keys   map[string]int32
	names  []string // keys by number
	units  [][]unit // by page
	nodes  []node
	byEdge map[edge]int32
	values map[int32]float64 // scores of the reported nodes
	sets   map[int32][]int   // their pages
}

// unit is a word of a page as phrases count it: a term, or several in a script
// without word borders or in a hyphenated word that others write as one.
type unit struct {
	key         int32 // -1 for a function word
	first, last int32 // terms
	fresh       bool  // no phrase goes on from the unit before
	edge        bool  // may start or end a phrase
	alone       bool  // may be a phrase by itself
}

type edge struct{ parent, key int32 }

// node is one phrase of the tree.
type node struct {
	edge
	lastPage int32
	df, tf   int32 // pages and mentions
	words    int8  // content words
	whole    bool  // may be reported: it ends well
	dropped  bool
}

// reported says whether a node is a phrase that enough pages use.
func (m *miner) reported(n int32) bool {
	x := &m.nodes[n]
	return x.whole && !x.dropped && int(x.df) >= m.least
}

// readUnits turns the pages into numbered words.
func (m *miner) readUnits() {
	m.keys, m.byEdge = map[string]int32{}, map[edge]int32{}
	m.units = make([][]unit, len(m.pages))
	plain := map[string]bool{} // words that some page writes as one
	for _, d := range m.pages {
		if d == nil {
			continue
		}
		m.lang = d.lang
		for _, c := range d.compounds {
			plain[d.keys[c.key]] = false
		}
	}
	for _, d := range m.pages {
		if d == nil || len(plain) == 0 {
			continue
		}
		for _, w := range d.words {
			if _, ok := plain[d.keys[w.key]]; ok {
				plain[d.keys[w.key]] = true
			}
		}
	}
	for n, d := range m.pages {
		if d != nil {
			m.units[n] = m.pageUnits(d, plain)
		}
	}
}

func (m *miner) pageUnits(d *Document, plain map[string]bool) []unit {
	numbers := make([]int32, len(d.keys)) // of the document's keys, 0 for not yet known
	number := func(key int32) int32 {
		if numbers[key] == 0 {
			numbers[key] = m.number(d.keys[key]) + 1
		}
		return numbers[key] - 1
	}
	units := make([]unit, 0, len(d.terms))
	c := 0
	for i := int32(0); i < int32(len(d.terms)); i++ {
		for c < len(d.compounds) && d.compounds[c].first < i {
			c++
		}
		if c < len(d.compounds) && d.compounds[c].first == i && (plain[d.keys[d.compounds[c].key]] || d.terms[i+1].before == and) {
			u := unit{key: number(d.compounds[c].key), first: i, last: d.compounds[c].last, fresh: fresh(d.terms[i]), edge: true, alone: true}
			units = append(units, u)
			i = u.last
			continue
		}
		if last, ok := d.ideogram(i); ok {
			units = append(units, m.ideogramUnit(d, i, last))
			i = last
			continue
		}
		t := d.terms[i]
		w := d.words[t.word]
		u := unit{key: -1, first: i, last: i, fresh: fresh(t)}
		if t.stop != filler {
			u.key, u.edge = number(w.key), t.stop == content
			u.alone = u.edge && spoken(w.fold)
		}
		units = append(units, u)
	}
	return units
}

func fresh(t term) bool { return t.before == ending || t.before == mark }

// spoken tells words from numbers and single letters.
func spoken(w string) bool {
	for _, r := range w {
		if r < '0' || r > '9' {
			return utf8.RuneCountInString(w) > 1
		}
	}
	return false
}

func (m *miner) number(key string) int32 {
	n, ok := m.keys[key]
	if !ok {
		n = int32(len(m.names))
		m.keys[key] = n
		m.names = append(m.names, key)
	}
	return n
}
