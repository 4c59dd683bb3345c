package insight

import (
	"context"
	"fmt"

	"github.com/contentgraph/contentgraph/internal/text"
)

// The kinds of phrases: what competitor pages share in one place.
var (
	bodyPhrases     = phraseKind("BODY_CONTENT_COMMON", "Phrases that pages about the topic share in their body text.", inBody, 2, 60)
	contentAnalysis = phraseKind("CONTENT_ANALYSIS_INSIGHT", "The terms that matter for the topic, anywhere on the page.", anywhere, 3, 60)
	heading1Phrases = phraseKind("HTML_HEADING1_COMMON", "Phrases that pages about the topic share in headings of level 1.", inHeading1, 1, 30)
	heading2Phrases = phraseKind("HTML_HEADING2_COMMON", "Phrases that pages about the topic share in headings of level 2.", inHeading2, 1, 30)
	heading3Phrases = phraseKind("HTML_HEADING3_COMMON", "Phrases that pages about the topic share in headings of level 3.", inHeading3, 0.5, 30)
	metaPhrases     = phraseKind("HTML_META_DESCRIPTION_COMMON", "Phrases that pages about the topic share in the meta description.", inMeta, 1, 30)
	titlePhrases    = phraseKind("HTML_TITLE_COMMON", "Phrases that pages about the topic share in the title.", inTitle, 2, 30)
)

func phraseKind(name, doc string, where place, weight float64, most int) *Kind {
	return define(spec[PhraseGuidance]{
		Type: name, Doc: doc, Weight: weight, Needs: needsPages,
		Generate: func(_ context.Context, b *Brief) (PhraseGuidance, error) {
			docs := make([]*text.Document, len(b.Pages))
			for i, p := range b.Pages {
				docs[i] = p.in(where, b.Language)
			}
			g := PhraseGuidance{Pages: len(docs), Phrases: []PhraseFound{}}
			for _, p := range text.Phrases(docs, most) {
				g.Phrases = append(g.Phrases, PhraseFound{
					Phrase: p.Text, Pages: len(p.Pages), Share: round(p.Share), AverageMentions: round(p.Mentions),
					Importance: string(p.Importance), Score: round(p.Score),
				})
			}
			return g, nil
		},
		Check: func(g PhraseGuidance, c *Copy) Check { return g.check(c.in(where), c.Language) },
	})
}

// importance is what covering a phrase counts.
var importance = map[string]float64{string(text.Primary): 3, string(text.Secondary): 2, string(text.Additional): 1}

// check says which phrases a part of a copy covers; the score is their share,
// weighed by importance.
func (g PhraseGuidance) check(d *text.Document, language string) Check {
	covered := make(map[string]bool, len(g.Phrases))
	var have, all float64
	n := 0
	for _, p := range g.Phrases {
		found := d.Covers(text.Compile(language, p.Phrase))
		covered[p.Phrase] = found
		all += importance[p.Importance]
		if found {
			have += importance[p.Importance]
			n++
		}
	}
	score := have / all
	return Check{Details: covered, Score: &score, Summary: fmt.Sprintf("%d of %d phrases are covered.", n, len(g.Phrases))}
}
