package text

// grow builds the tree of phrases, a level at a time. Only phrases that enough
// pages use are made longer, and only by words that enough pages use.
func (m *miner) grow() {
	m.nodes = append(m.nodes, node{}) // 0 is no phrase
	words := make([][]int32, len(m.units))
	for page, units := range m.units {
		words[page] = make([]int32, len(units))
		for i, u := range units {
			if u.key >= 0 {
				words[page][i] = m.visit(0, u.key, page, u.alone)
			}
		}
	}
	at := make([][]place, len(m.units))
	for page, units := range m.units {
		at[page] = make([]place, 0, len(units))
		for i, u := range units {
			if n := words[page][i]; u.edge && int(m.nodes[n].df) >= m.least {
				at[page] = append(at[page], place{n, int32(i), int32(i)})
			}
		}
	}
	for range longestPhrase - 1 {
		for page, units := range m.units {
			kept := at[page][:0]
			for _, p := range at[page] {
				if int(m.nodes[p.node].df) < m.least {
					continue
				}
				next := follow(units, p)
				if next == 0 || int(m.nodes[words[page][next]].df) < m.least {
					continue
				}
				u := units[next]
				kept = append(kept, place{m.visit(p.node, u.key, page, u.edge), p.first, next})
			}
			at[page] = kept
		}
	}
}

// place is where a phrase stands in a page: from one unit to another.
type place struct{ node, first, last int32 }

// follow is the unit of the next content word behind a phrase, 0 when the
// phrase ends there or would get too long.
func follow(units []unit, p place) int32 {
	for n := p.last + 1; int(n) < len(units) && n-p.first < longestPhrase; n++ {
		if units[n].fresh {
			return 0
		}
		if units[n].key >= 0 {
			return n
		}
	}
	return 0
}

// visit counts one mention of a phrase made longer by one word.
func (m *miner) visit(parent, key int32, page int, whole bool) int32 {
	e := edge{parent, key}
	n, ok := m.byEdge[e]
	if !ok {
		n = int32(len(m.nodes))
		m.byEdge[e] = n
		m.nodes = append(m.nodes, node{edge: e, words: m.nodes[parent].words + 1, lastPage: -1})
	}
	x := &m.nodes[n]
	x.whole = x.whole || whole
	x.tf++
	if x.lastPage != int32(page) {
		x.lastPage = int32(page)
		x.df++
	}
	return n
}

// mentions walks over the places of the phrases that are in the tree.
func (m *miner) mentions(page int, yield func(place)) {
	units := m.units[page]
	for i, u := range units {
		if !u.edge {
			continue
		}
		p := place{0, int32(i), int32(i)}
		for next := int32(i); ; {
			n, ok := m.byEdge[edge{p.node, units[next].key}]
			if !ok || int(m.nodes[n].df) < m.least {
				break
			}
			p.node, p.last = n, next
			yield(p)
			if next = follow(units, p); next == 0 {
				break
			}
		}
	}
}
