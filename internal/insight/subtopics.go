package insight

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/contentgraph/contentgraph/internal/text"
)

const (
	maxSubtopics      = 30
	maxSubtopicNames  = 5
	minHeadingOverlap = 0.6 // of the shorter heading's words, for two to be of one subtopic
)

var subtopics = define(spec[SubtopicGuidance]{
	Type: "SUBTOPIC_INSIGHT", Doc: "What pages about the topic go into.", Weight: 2, Needs: needsPages,
	Generate: func(_ context.Context, b *Brief) (SubtopicGuidance, error) {
		return SubtopicGuidance{subtopicsOf(b)}, nil
	},
	Check: func(g SubtopicGuidance, c *Copy) Check {
		list := []map[string]any{}
		covered := 0
		for _, s := range g.Subtopics {
			share := 0.0
			for _, p := range s.Words {
				share = max(share, coverage(text.Compile(c.Language, p), c.bySection()))
			}
			if share == 1 {
				covered++
			}
			list = append(list, map[string]any{"name": s.Name, "covered": share == 1, "coverage": round(share), "phrases": s.Phrases, "pages": s.Pages})
		}
		score := float64(covered) / float64(len(g.Subtopics))
		return Check{Details: map[string]any{"subtopics": list}, Score: &score,
			Summary: fmt.Sprintf("%d of %d subtopics are covered.", covered, len(g.Subtopics))}
	},
})

// heading is a competitor's heading of level 2 or 3.
type heading struct {
	page  int
	text  string
	words string   // beyond those of the topic
	stems []string // of words, sorted
}

// subtopicsOf groups headings by shared stems: the headings with the words that
// most pages use come first, and each joins the first group whose leader shares
// enough of its words (leader clustering, Hartigan 1975). Groups need two pages,
// three from eight pages on.
func subtopicsOf(b *Brief) []SubtopicFound {
	headings := headingsOf(b)
	pagesWith := map[string]map[int]bool{}
	for _, h := range headings {
		for _, s := range h.stems {
			if pagesWith[s] == nil {
				pagesWith[s] = map[int]bool{}
			}
			pagesWith[s][h.page] = true
		}
	}
	common := func(h heading) (n float64) {
		for _, s := range h.stems {
			n += float64(len(pagesWith[s]))
		}
		return n / float64(len(h.stems))
	}
	slices.SortStableFunc(headings, func(a, b heading) int {
		return cmp.Or(cmp.Compare(common(b), common(a)), cmp.Compare(len(a.stems), len(b.stems)))
	})
	var groups [][]heading
	for _, h := range headings {
		at := slices.IndexFunc(groups, func(g []heading) bool { return g[0].near(h) })
		if at < 0 {
			groups = append(groups, nil)
			at = len(groups) - 1
		}
		groups[at] = append(groups[at], h)
	}
	least := 2
	if len(b.Pages) >= 8 {
		least = 3
	}
	found := []SubtopicFound{}
	for _, g := range groups {
		if s := subtopicOf(g); s.Pages >= least {
			found = append(found, s)
		}
	}
	slices.SortStableFunc(found, func(a, b SubtopicFound) int { return cmp.Compare(b.Pages, a.Pages) })
	return found[:min(maxSubtopics, len(found))]
}

func headingsOf(b *Brief) []heading {
	topic := map[string]bool{}
	for _, p := range b.Topic.Phrases {
		for _, s := range text.Terms(b.Language, p) {
			topic[s] = true
		}
	}
	furniture := rules("headings", b.Language)
	var all []heading
	for n, p := range b.Pages {
		for _, t := range append(p.Headings(2), p.Headings(3)...) {
			h := headingOf(b.Language, t, topic)
			if h.page = n; len(h.stems) > 0 && len(h.stems) <= 12 && !isFurniture(furniture, b.Language, t) {
				all = append(all, h)
			}
		}
	}
	return all
}

func headingOf(language, s string, topic map[string]bool) heading {
	h := heading{text: s}
	d := text.Prepare(language, s)
	for i := range d.Len() {
		if t := d.Term(i); !t.Stop && !topic[t.Key] {
			h.stems = append(h.stems, t.Key)
			h.words += s[t.Start:t.End] + " "
		}
	}
	h.words = strings.TrimSpace(h.words)
	slices.Sort(h.stems)
	h.stems = slices.Compact(h.stems)
	return h
}

// isFurniture reports a heading that every page may have, as "Conclusion".
func isFurniture(table []rule, language, h string) bool {
	d := text.Prepare(language, h)
	for _, r := range table {
		if r.phrase != nil && d.Covers(r.phrase) && d.Len() <= len(strings.Fields(r.what))+1 {
			return true
		}
	}
	return false
}

// near reports whether two headings share enough words.
func (h heading) near(o heading) bool {
	shared := 0
	for _, s := range h.stems {
		if _, ok := slices.BinarySearch(o.stems, s); ok {
			shared++
		}
	}
	return float64(shared) >= minHeadingOverlap*float64(min(len(h.stems), len(o.stems)))
}

// subtopicOf names a group by its most common heading, the shortest when equal.
func subtopicOf(group []heading) SubtopicFound {
	pages, times := map[int]bool{}, map[string]int{}
	var names []string
	for _, h := range group {
		pages[h.page] = true
		if times[strings.ToLower(h.text)]++; times[strings.ToLower(h.text)] == 1 {
			names = append(names, h.text)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(times[strings.ToLower(b)], times[strings.ToLower(a)]), cmp.Compare(len(a), len(b)))
	})
	found := SubtopicFound{Name: names[0], Phrases: names[:min(maxSubtopicNames, len(names))], Pages: len(pages)}
	for _, name := range found.Phrases {
		at := slices.IndexFunc(group, func(h heading) bool { return h.text == name })
		found.Words = append(found.Words, group[at].words)
	}
	return found
}
