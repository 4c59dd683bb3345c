package insight

import (
	"cmp"
	"embed"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/contentgraph/contentgraph/internal/text"
)

//go:embed rules/*.tsv
var ruleFiles embed.FS

// rule is a sign for a class: the weight is in log-odds.
type rule struct {
	class  string
	weight float64
	where  string
	what   string
	phrase *text.Pattern // of what, where that is a phrase
}

// phrases are the places whose signs are phrases of the language.
var phrases = []string{"start", "any", "title", "heading"}

// rules reads a table once: NAME.LANGUAGE.tsv, and NAME.tsv for what is the
// same in all languages. A language without a table has the latter alone, and
// English phrases, since titles and queries often are English.
func rules(name, language string) []rule {
	key := name + "." + language
	if known, ok := ruleTables.Load(key); ok {
		return known.([]rule)
	}
	var all []rule
	files := []string{name, key}
	if _, err := ruleFiles.ReadFile("rules/" + key + ".tsv"); err != nil {
		files, language = []string{name, name + ".en"}, "en"
	}
	for _, file := range files {
		data, err := ruleFiles.ReadFile("rules/" + file + ".tsv")
		if err != nil {
			continue // a table need not have both
		}
		table, err := parseRules(string(data), language)
		if err != nil {
			panic(fmt.Sprintf("rules/%s.tsv: %v", file, err)) // it is part of the program
		}
		all = append(all, table...)
	}
	ruleTables.Store(key, all)
	return all
}

var ruleTables sync.Map // of []rule, by name and language

func parseRules(data, language string) ([]rule, error) {
	var all []rule
	for n, line := range strings.Split(strings.TrimRight(data, "\n"), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(line, "\t")
		if len(cells) != 4 {
			return nil, fmt.Errorf("line %d has %d columns", n+1, len(cells))
		}
		weight, err := strconv.ParseFloat(cells[1], 64)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n+1, err)
		}
		r := rule{class: cells[0], weight: weight, where: cells[2], what: cells[3]}
		if slices.Contains(phrases, r.where) {
			r.phrase = text.Compile(language, r.what)
		}
		all = append(all, r)
	}
	return all, nil
}

// verdict is the class that has most signs.
type verdict struct {
	Class      string
	Confidence float64 // 0 to 1
	Evidence   []string
}

// votes collect the signs for classes.
type votes struct {
	weight   map[string]float64
	evidence []sign
}

type sign struct {
	class  string
	weight float64
	text   string
}

func (v *votes) add(class string, weight float64, format string, args ...any) {
	if weight == 0 {
		return
	}
	if v.weight == nil {
		v.weight = map[string]float64{}
	}
	v.weight[class] += weight
	v.evidence = append(v.evidence, sign{class, weight, fmt.Sprintf(format, args...)})
}

// best is the class with most weight, of classes the first when equal, with the
// share of its odds and the signs for it, strongest first. Without any sign it
// is the first class, without confidence.
func (v *votes) best(classes []string) verdict {
	g := verdict{Class: classes[0], Evidence: []string{}}
	for _, c := range classes {
		if v.weight[c] > v.weight[g.Class] {
			g.Class = c
		}
	}
	if len(v.evidence) == 0 {
		return g
	}
	sum := 0.0
	for _, c := range classes {
		sum += math.Exp(v.weight[c] - v.weight[g.Class])
	}
	g.Confidence = round(1 / sum)
	signs := slices.Clone(v.evidence)
	slices.SortStableFunc(signs, func(a, b sign) int { return cmp.Compare(b.weight, a.weight) })
	for _, s := range signs {
		if s.class == g.Class && len(g.Evidence) < maxEvidence && !slices.Contains(g.Evidence, s.text) {
			g.Evidence = append(g.Evidence, s.text)
		}
	}
	return g
}

// maxEvidence is how many signs are told.
const maxEvidence = 5

// words votes by the phrases of a short text, as a query or a title. Of signs
// for a class that lie within one another, as "top" and "top rated", the
// strongest alone counts.
func (v *votes) words(table []rule, language, s, where string) {
	d := text.Prepare(language, s)
	type hit struct {
		rule
		at text.Span
	}
	var hits []hit
	for _, r := range table {
		if r.phrase == nil {
			continue
		}
		for _, at := range d.Find(r.phrase) {
			if r.where != "start" || d.Len() > 0 && at.Start == d.Term(0).Start {
				hits = append(hits, hit{r, at})
			}
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(b.weight, a.weight) })
	for i, h := range hits {
		covered := slices.ContainsFunc(hits[:i], func(o hit) bool {
			return o.class == h.class && o.at.Start < h.at.End && h.at.Start < o.at.End
		})
		if !covered {
			v.add(h.class, h.weight, "%q in %s", h.what, where)
		}
	}
}
