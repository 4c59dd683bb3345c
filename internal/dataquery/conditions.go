package dataquery

import (
	"strconv"

	"github.com/contentgraph/contentgraph/internal/facts"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// conditions are what a request asks of every row. Account, dates, frequency
// and web properties are not among them: the pins are chosen by those.
func conditions(spec *Spec, r Request) []facts.Condition {
	var all []facts.Condition
	for _, f := range spec.Filters {
		if len(f.Targets) == 0 || !r.has(f.Name) || f.Unless != "" && r.has(f.Unless) {
			continue
		}
		var either facts.Condition
		for _, t := range f.Targets {
			either = append(either, f.test(t, r))
		}
		all = append(all, either)
	}
	return all
}

func (f Filter) test(t Target, r Request) facts.Test {
	test := facts.Test{Column: t.Column, Match: t.Match}
	switch t.Bound {
	case AtLeast:
		test.Min = new(r.Int(f.Name))
	case AtMost:
		test.Max = new(r.Int(f.Name))
	default:
		for _, v := range f.texts(r) {
			test.Texts = append(test.Texts, form(t.Match, v))
		}
	}
	return test
}

// texts are the values of a field as text, which all columns compared by
// equality hold. Rank sources that do not exist leave none: nothing matches.
func (f Filter) texts(r Request) []string {
	if f.ByName {
		return r.RankSources
	}
	values := r.Texts[f.Name]
	for _, n := range r.Ints[f.Name] {
		values = append(values, strconv.Itoa(n))
	}
	return values
}

func form(m vocab.Match, v string) string {
	if m == vocab.Members {
		return facts.Member(v)
	}
	return facts.Fold(m, v)
}
