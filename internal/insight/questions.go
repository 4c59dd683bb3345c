package insight

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/contentgraph/contentgraph/internal/text"
)

// maxQuestions is how many questions guidance holds.
const maxQuestions = 20

var paa = define(spec[QuestionGuidance]{
	Type: "PAA_INSIGHT", Doc: "What people ask about the topic.", Weight: 1, Needs: needsSERP | wantsPages,
	Generate: func(_ context.Context, b *Brief) (QuestionGuidance, error) {
		asked := questions{language: b.Language}
		for _, r := range b.Results {
			for _, q := range r.Questions {
				asked.add(q, "serp")
			}
		}
		if len(asked.list) == 0 {
			for _, p := range b.Pages {
				asked.addHeadings(p)
			}
		}
		if len(asked.list) == 0 && len(b.Pages) == 0 {
			return QuestionGuidance{}, failure(CodeNoSERP, "No questions are known: there is neither a result page of the topic nor a competitor page that could be read.")
		}
		return QuestionGuidance{asked.best()}, nil
	},
	Check: func(g QuestionGuidance, c *Copy) Check {
		answered := make(map[string]bool, len(g.Questions))
		n := 0
		for _, q := range g.Questions {
			answered[q.Question] = coverage(text.Compile(c.Language, q.Question), c.bySection()) == 1
			if answered[q.Question] {
				n++
			}
		}
		score := float64(n) / float64(len(g.Questions))
		return Check{Details: answered, Score: &score, Summary: fmt.Sprintf("%d of %d questions are answered.", n, len(g.Questions))}
	},
})

// coverage is the greatest share of a phrase's content words within one section.
func coverage(p *text.Pattern, sections []*text.Document) float64 {
	best := 0.0
	for _, s := range sections {
		best = max(best, s.Share(p))
	}
	return best
}

// questions collects questions, equal ones once.
type questions struct {
	language string
	list     []QuestionFound
	at       map[string]int // by their words
}

func (a *questions) add(q, source string) {
	q = strings.Join(strings.Fields(q), " ")
	key := strings.Join(text.Terms(a.language, q), " ")
	if q == "" || key == "" {
		return
	}
	if a.at == nil {
		a.at = map[string]int{}
	}
	i, known := a.at[key]
	if !known {
		i = len(a.list)
		a.at[key] = i
		a.list = append(a.list, QuestionFound{Question: q, Source: source})
	}
	a.list[i].Times++
}

// addHeadings adds the questions among a page's headings.
func (a *questions) addHeadings(p *Page) {
	for level := 1; level <= 6; level++ {
		for _, h := range p.Headings(level) {
			if text.Question(a.language, h) {
				a.add(h, "headings")
			}
		}
	}
}

// best are the questions asked most often, in the order found when equal.
func (a *questions) best() []QuestionFound {
	list := append([]QuestionFound{}, a.list...)
	slices.SortStableFunc(list, func(a, b QuestionFound) int { return cmp.Compare(b.Times, a.Times) })
	return list[:min(maxQuestions, len(list))]
}
