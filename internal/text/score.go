package text

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// rank gives the phrases to report, the best first.
func (m *miner) rank() []int32 {
	var found []int32
	for n := range m.nodes {
		if m.reported(int32(n)) {
			found = append(found, int32(n))
		}
	}
	sets := m.pageSets(found)
	values := m.score(found)
	m.dropInner(found, sets)
	found = slices.DeleteFunc(found, func(n int32) bool { return !m.reported(n) })
	slices.SortFunc(found, func(a, b int32) int {
		return cmp.Or(cmp.Compare(values[b], values[a]), strings.Compare(m.path(a), m.path(b)))
	})
	m.values, m.sets = values, sets
	return found
}

// path names a node, the same way in every run.
func (m *miner) path(n int32) string {
	var parts []string
	for ; n > 0; n = m.nodes[n].parent {
		parts = append(parts, m.names[m.nodes[n].key])
	}
	slices.Reverse(parts)
	return strings.Join(parts, " ")
}

func (m *miner) pageSets(found []int32) map[int32][]int {
	sets := make(map[int32][]int, len(found))
	for _, n := range found {
		sets[n] = nil
	}
	for page := range m.units {
		m.mentions(page, func(p place) {
			set, ok := sets[p.node]
			if ok && (len(set) == 0 || set[len(set)-1] != page) {
				sets[p.node] = append(set, page)
			}
		})
	}
	return sets
}

// score is the C-value of a phrase (Frantzi, Ananiadou, Mima: Automatic
// recognition of multi-word terms, Int. J. on Digital Libraries 3, 2000), with
// log2(words+1) so that single words count too (Lossio-Ventura, Jonquet, Roche,
// Teisseire: Yet another ranking function for automatic multiword term
// extraction, PolTAL 2014):
//
//	C(a) = log2(|a|+1) * (f(a) - mean of f(b) over longer phrases b around a)
//
// Frequency is pages before mentions, f = df * (1 + ln(tf/df)) / pages, as what
// one page repeats is not what pages have in common. The C-value is weighed
// against the background, the mean over the words of a phrase of their inverse
// frequency on the web, ln(1/p) between 0 and 1 (see background).
func (m *miner) score(found []int32) map[int32]float64 {
	around := map[int32]struct{ sum, count float64 }{}
	for _, b := range found {
		m.inner(b, func(a int32) {
			x := around[a]
			x.sum += m.frequency(b)
			x.count++
			around[a] = x
		})
	}
	background := m.background()
	values := make(map[int32]float64, len(found))
	for _, a := range found {
		f := m.frequency(a)
		if x := around[a]; x.count > 0 {
			f -= x.sum / x.count
		}
		weight, words := 0.0, 0.0
		for n := a; n > 0; n = m.nodes[n].parent {
			weight += background[m.nodes[n].key]
			words++
		}
		values[a] = math.Log2(words+1) * max(f, 0) * weight / words
	}
	return values
}

func (m *miner) frequency(n int32) float64 {
	df, tf := float64(m.nodes[n].df), float64(m.nodes[n].tf)
	return df * (1 + math.Log(tf/df)) / float64(len(m.pages))
}

// background is the inverse frequency of every word, 1 for those that are rare.
// By Zipf's law a word of rank r has the share 0.1/r of a text; the rule tables
// hold the ranks of the content words of any web page, behind some 50 function
// words, and every other word counts as one of rank 50,000.
func (m *miner) background() []float64 {
	const functionWords, rare = 50, 50_000
	weights := make([]float64, len(m.names))
	for n, key := range m.names {
		weights[n] = 1
		if rank, ok := m.lang.ranks()[key]; ok {
			weights[n] = math.Log(10*float64(functionWords+rank)) / math.Log(10*rare)
		}
	}
	return weights
}

// commonRanks are the ranks of the common words by their stems.
func (l *language) commonRanks() map[string]int {
	a := l.analyser()
	defer l.release(a)
	ranks := make(map[string]int, len(a.rules.common))
	for w, rank := range a.rules.common {
		key := a.look(w).key
		if have, ok := ranks[key]; !ok || rank < have {
			ranks[key] = rank
		}
	}
	return ranks
}

// inner yields the reported phrases that stand inside another one.
func (m *miner) inner(n int32, yield func(int32)) {
	var keys [longestPhrase]int32
	words := int(m.nodes[n].words)
	for i, at := words-1, n; at > 0; i, at = i-1, m.nodes[at].parent {
		keys[i] = m.nodes[at].key
	}
	for from := range words {
		at := int32(0)
		for to := from; to < words; to++ {
			next, ok := m.byEdge[edge{at, keys[to]}]
			if !ok {
				break
			}
			if at = next; to-from+1 < words && m.reported(at) {
				yield(at)
			}
		}
	}
}

// dropInner leaves out phrases inside a longer one that the same pages use.
func (m *miner) dropInner(found []int32, sets map[int32][]int) {
	var drop []int32
	for _, b := range found {
		m.inner(b, func(a int32) {
			if slices.Equal(sets[a], sets[b]) {
				drop = append(drop, a)
			}
		})
	}
	for _, a := range drop {
		m.nodes[a].dropped = true
	}
}
