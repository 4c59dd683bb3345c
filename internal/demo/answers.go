package demo

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/contentgraph/contentgraph/internal/vocab"
)

var answerColumns = []string{"organization_name", "organization_id", "account_name", "account_id", "web_property_name",
	"web_property_id", "time_period_start", "time_period_end", "collection_frequency", "locode", "language", "ai_search_engine",
	"topic", "prompt", "prompt_type", "intent", "persona", "ai_response_collected", "web_search_triggered"}

var (
	assistants = []string{"chatgptsearch", "perplexity", "gemini", "copilot"}
	personas   = []string{"", "First-time buyer"}
)

// prompts asks about a topic in four ways, each with its intent.
func (c company) prompts(topic string) [4][3]string {
	return [4][3]string{
		{"Which " + topic + " would you recommend?", "unbranded", "Recommendations"},
		{"How do I get started with " + topic + "?", "unbranded", "Education"},
		{"Is " + c.brands[0] + " a good choice for " + topic + "?", "branded", "Comparison"},
		{"Where can I buy a " + topic + "?", "unbranded", "Purchase"},
	}
}

// answers calls each once per answer of an assistant, with the columns that
// both AI-search datasets share.
func (c company) answers(r *rand.Rand, week int, each func(topic int, shared []string) bool) bool {
	start, end := Week(week)
	for t, topic := range c.topics {
		for _, p := range c.prompts(topic) {
			for _, assistant := range assistants {
				for _, persona := range personas {
					collected := r.IntN(40) > 0
					if !each(t, []string{c.name, c.organization, c.name, strconv.Itoa(c.account), c.host, strconv.Itoa(c.property),
						start, end, vocab.Weekly, "US", "en_US", assistant, topic, p[0], p[1], p[2], persona,
						strconv.FormatBool(collected), strconv.FormatBool(collected && r.IntN(3) > 0)}) {
						return false
					}
				}
			}
		}
	}
	return true
}

// sentiments are what each answer says of each brand.
func (c company) sentiments(r *rand.Rand, week int, yield func(...string) bool) bool {
	categories := []string{"Quality", "Price", "Service", "Range"}
	said := map[string]string{"positive": "is often praised for its %s", "neutral": "is one of several options for %s",
		"negative": "gets mixed remarks about its %s"}
	return c.answers(r, week, func(t int, shared []string) bool {
		for b, brand := range c.brands {
			score := float64(r.IntN(201)-100) / 100
			value := "neutral"
			switch {
			case score > 0.25:
				value = "positive"
			case score < -0.25:
				value = "negative"
			}
			category := categories[r.IntN(len(categories))]
			host := c.rivals[(t+b)%len(c.rivals)]
			url, _ := rival(host, c.topics[t], b)
			if !yield(append(shared[:len(shared):len(shared)], brand, value, strconv.FormatFloat(score, 'f', -1, 64), category,
				brand+" "+fmt.Sprintf(said[value], c.topics[t]), url, host)...) {
				return false
			}
		}
		return true
	})
}

// citations are the pages that each answer names.
func (c company) citations(r *rand.Rand, week int, yield func(...string) bool) bool {
	pages := c.site()
	return c.answers(r, week, func(t int, shared []string) bool {
		for n := range 14 {
			host, attribution := c.rivals[r.IntN(len(c.rivals))], "Other"
			url, pageTitle := rival(host, c.topics[t], n)
			segment := ""
			switch x := r.IntN(20); {
			case x == 0:
				p := pages[1+3*t+r.IntN(3)]
				host, url, pageTitle, attribution, segment = c.host, p.URL, p.Title, "You", "Guides and shop"
			case x < 6:
				attribution = "SEO Competitor"
			case x == 6:
				attribution = "Partner"
			}
			if !yield(append(shared[:len(shared):len(shared)], pageTitle, url, host, segment, attribution)...) {
				return false
			}
		}
		return true
	})
}
