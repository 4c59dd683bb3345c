package demo

import (
	"fmt"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

func (c company) profileInputs() []map[string]any {
	return []map[string]any{
		{
			"name": "Guides", "description": "Evergreen how-to pages.",
			"voiceTone": "Warm and exact. Short sentences. Explain every term once.",
			"audience":  "People who are new to the subject and buy their first equipment.",
			"languageRules": []any{
				map[string]any{"term": "utilize", "type": vocab.RuleReplace, "extraTerm": "use"},
				map[string]any{"term": "world-class", "type": vocab.RuleExclude},
				map[string]any{"term": c.brands[0], "type": vocab.RuleInclude},
			},
		},
		{
			"name": "Shop", "description": "Category and product pages.",
			"voiceTone": "Plain and confident; benefits before features.",
			"audience":  "People who compare before they buy.",
			"languageRules": []any{
				map[string]any{"term": "cheap", "type": vocab.RuleReplace, "extraTerm": "affordable"},
			},
		},
	}
}

func (c company) draftInput(i int, topic string, profiles []*db.ContentProfile) map[string]any {
	in := map[string]any{
		"topics": []any{topic, "best " + topic}, "rankSourceId": engines[i%2].id, "webPropertyId": c.property,
		"draftTitle": fmt.Sprintf("%s: a guide for beginners", title(topic)),
		"status":     vocab.DraftStatuses[i%len(vocab.DraftStatuses)],
		"page":       c.site()[1+3*i].URL,
	}
	if i%4 != 3 {
		in["contentProfileId"] = profiles[i%2].ID.String()
	}
	if i%2 == 0 {
		url, _ := rival(c.rivals[i%len(c.rivals)], topic, i)
		in["competitorUrls"] = []any{url}
	}
	return in
}

func (c company) content(topic string) map[string]any {
	return map[string]any{
		"title":           fmt.Sprintf("%s: a guide for beginners | %s", title(topic), c.name),
		"metaDescription": fmt.Sprintf("What to look for, what it costs and how to start: our guide to %s.", topic),
		"bodyCopy": fmt.Sprintf(`<h1>%[1]s: a guide for beginners</h1>
<p>Few things repay a little knowledge as quickly as %[2]s. This guide says what matters, what does not, and where to begin.</p>
<h2>What to look for</h2>
<p>Begin with how often you will use it. Someone who needs %[2]s every day has other needs than someone who tries it once a month.</p>
<h2>What it costs</h2>
<p>Prices differ widely. The middle of the range is a good place to start, and most people never need more.</p>
<h2>How to start</h2>
<p>Ask the team at %[3]s, read a review or two, and try before you buy.</p>`, title(topic), topic, c.brands[0]),
	}
}
