package text

import (
	"cmp"
	"math"
	"strings"
	"unicode"
)

// describe tells about the phrases of some nodes, in their order.
func (m *miner) describe(nodes []int32) []Phrase {
	index := make(map[int32]int, len(nodes))
	counts := make([]map[string]int, len(nodes))
	for i, n := range nodes {
		index[n], counts[i] = i, map[string]int{}
	}
	for page := range m.units {
		d, units := m.pages[page], m.units[page]
		m.mentions(page, func(p place) {
			if i, ok := index[p.node]; ok {
				counts[i][d.slice(units[p.first].first, units[p.last].last)]++
			}
		})
	}
	all := make([]Phrase, len(nodes))
	for i, n := range nodes {
		x, pages := m.nodes[n], m.sets[n]
		share := float64(len(pages)) / float64(len(m.pages))
		all[i] = Phrase{
			Text: commonest(counts[i]), Pages: pages, Share: share, Importance: importance(len(pages), len(m.pages)),
			Mentions: math.Round(float64(x.tf)/float64(x.df)*100) / 100, Score: math.Round(m.values[n]*1e4) / 1e4,
		}
		all[i].Words = len(strings.Fields(all[i].Text))
	}
	return all
}

func importance(pages, of int) Importance {
	switch {
	case pages*10 >= of*6:
		return Primary
	case pages*10 >= of*3:
		return Secondary
	}
	return Additional
}

// commonest is the most common spelling: first whatever the case, then the most
// common way to write that with capitals, or with the fewest.
func commonest(counts map[string]int) string {
	exact, folded := map[string]int{}, map[string]int{}
	for s, n := range counts {
		s = strings.Join(strings.Fields(s), " ")
		exact[s] += n
		folded[strings.ToLower(s)] += n
	}
	best := ""
	for s, n := range exact {
		if best == "" || cmp.Or(
			cmp.Compare(folded[strings.ToLower(s)], folded[strings.ToLower(best)]),
			strings.Compare(strings.ToLower(best), strings.ToLower(s)),
			cmp.Compare(n, exact[best]),
			cmp.Compare(capitals(best), capitals(s)),
			strings.Compare(best, s)) > 0 {
			best = s
		}
	}
	return best
}

func capitals(s string) (n int) {
	for _, r := range s {
		if unicode.IsUpper(r) {
			n++
		}
	}
	return n
}
