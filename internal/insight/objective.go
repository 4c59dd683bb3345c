package insight

import (
	"context"
	"regexp"
	"strconv"
	"strings"

	"github.com/contentgraph/contentgraph/internal/serp"
	"github.com/contentgraph/contentgraph/internal/text"
)

// Objectives are what a searcher can want, in the order of preference.
var Objectives = []string{"INFORMATIONAL", "NAVIGATIONAL", "COMMERCIAL", "TRANSACTIONAL"}

var objective = define(spec[ObjectiveGuidance]{
	Type: "OBJECTIVE_INSIGHT", Doc: "What searchers of the topic want.", Weight: 1, Needs: needsSERP | wantsPages,
	Generate: func(_ context.Context, b *Brief) (ObjectiveGuidance, error) {
		v := b.objective().best(Objectives)
		return ObjectiveGuidance{v.Class, v.Confidence, v.Evidence}, nil
	},
	Check: func(g ObjectiveGuidance, c *Copy) Check {
		return classCheck(verdict{g.Objective, g.Confidence, g.Evidence}, objectiveOf(c.Language, c.head()).best(Objectives), "objective", "contentObjective")
	},
})

// objective votes by the topic's phrases, the types of results, and the kinds of
// pages that are found.
func (b *Brief) objective() *votes {
	v := objectiveOf(b.Language, b.Topic.Phrases...)
	table := rules("objective", b.Language)
	v.results(table, b.Results)
	v.contentTypes(table, b.Pages)
	return v
}

// objectiveOf votes by the words of queries, each for its part.
func objectiveOf(language string, queries ...string) *votes {
	v := &votes{}
	table := rules("objective", language)
	for _, q := range queries {
		v.query(table, language, q, 1/float64(len(queries)))
	}
	return v
}

// query votes by one query: its words, what it measures, and, when it has no
// sign at all, its length.
func (v *votes) query(table []rule, language, q string, share float64) {
	var own votes
	own.words(table, language, strings.ToLower(q), "the query")
	for _, r := range table {
		if r.where == "measure" && measures(q, r.what) {
			own.add(r.class, r.weight, "a quantity in %s", r.what)
			break
		}
	}
	if len(own.evidence) == 0 {
		n, _ := text.Count(q)
		for _, r := range table {
			if r.where == "alone" && r.what == strconv.Itoa(n) {
				own.add(r.class, r.weight, "a query of %s words without any other sign", r.what)
			}
		}
	}
	for _, s := range own.evidence {
		v.add(s.class, s.weight*share, "%s", s.text)
	}
}

var quantity = regexp.MustCompile(`(?i)(?:^|\s)\d+(?:[.,]\d+)?\s?([a-z]+)\b`)

func measures(q, unit string) bool {
	for _, m := range quantity.FindAllStringSubmatch(q, -1) {
		if strings.EqualFold(m[1], unit) {
			return true
		}
	}
	return false
}

// results votes by the types of the items on result pages, each type once.
func (v *votes) results(table []rule, pages []*serp.Page) {
	seen := map[string]bool{}
	for _, p := range pages {
		for _, r := range p.Results {
			seen[strings.ToUpper(r.Type)] = true
		}
	}
	for _, r := range table {
		if r.where != "result" {
			continue
		}
		for t := range seen {
			if strings.Contains(t, r.what) {
				v.add(r.class, r.weight, "results of type %s", strings.ToLower(r.what))
				break
			}
		}
	}
}

// contentTypes votes by the kinds of pages, weighed by their share.
func (v *votes) contentTypes(table []rule, pages []*Page) {
	if len(pages) == 0 {
		return
	}
	count := map[string]int{}
	for _, p := range pages {
		count[p.contentType()]++
	}
	for _, r := range table {
		if n := count[r.what]; r.where == "page" && n > 0 {
			v.add(r.class, r.weight*float64(n)/float64(len(pages)), "%d of %d pages are of type %s", n, len(pages), r.what)
		}
	}
}

// classCheck compares the class of a topic with that of a copy. Without a sign
// for either, nothing is measured.
func classCheck(want, have verdict, name, nameOfCopy string) Check {
	matches := want.Class == have.Class
	check := Check{Details: map[string]any{
		name: want.Class, "confidence": want.Confidence, nameOfCopy: have.Class, "matches": matches, "evidence": want.Evidence,
	}}
	switch {
	case len(want.Evidence) == 0 || len(have.Evidence) == 0:
		check.Summary = "There is no sign to tell by."
	case matches:
		check.Score, check.Summary = new(1.0), "The text fits the topic: "+want.Class+"."
	default:
		check.Score, check.Summary = new(0.0), "The text reads as "+have.Class+", while the topic is "+want.Class+"."
	}
	return check
}
