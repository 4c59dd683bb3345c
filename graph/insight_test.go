package graph

import (
	"strings"
	"testing"
	"time"

	"github.com/contentgraph/contentgraph/internal/insight"
)

// TestInsights asks for all kinds, waits for them, and reads typed guidance,
// also through drafts.
func TestInsights(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.queue.Start()
		draft := w.ok(t, w.our, `mutation { createDraft(accountId: 101, input: {topics: ["t"], rankSourceId: 3}) { id } }`).text("createDraft.id")
		a := w.ok(t, w.our, `mutation { requestInsights(accountId: 101, draftId: "`+draft+`", input: {insight: {input: {topic:
			{phrases: ["cold brew"], rankSourceId: 3, competitorUrls: ["https://one.example/", "https://two.example/"]}}}}) { type status insightPresent } }`)
		if n := strings.Count(a.Text, `"status":null,"insightPresent":false`); n != len(insight.Types) {
			t.Fatalf("%d kinds are asked for: %s", n, a.Text)
		}
		for end := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
			a = w.ok(t, w.our, `{ insights(accountId: 101, draftId: "`+draft+`") { type status errorCode errorMessage language guidance { __typename } } }`)
			if !strings.Contains(a.Text, `"status":null`) {
				break
			}
			if time.Now().After(end) {
				t.Fatalf("not made: %s", a.Text)
			}
		}
		for _, want := range []string{
			`{"type":"HTML_TITLE_COMMON","status":"COMPLETED","errorCode":null,"errorMessage":null,"language":"en","guidance":{"__typename":"PhraseGuidance"}}`,
			`"LengthGuidance"`, `"ReadabilityGuidance"`, `"QuestionGuidance"`, `"SubtopicGuidance"`, `"ObjectiveGuidance"`, `"AudienceGuidance"`,
			`"JourneyStageGuidance"`, `"ContentTypeGuidance"`, `{"type":"MSV_SNIPPET","status":"ERROR","errorCode":"NO_RANKING_DATA"`,
		} {
			if !strings.Contains(a.Text, want) {
				t.Errorf("no %s in %s", want, a.Text)
			}
		}
		a = w.ok(t, w.our, `{ drafts(accountId: 101) { data { insights { type generated pages { url title error } guidance {
			... on PhraseGuidance { pages phrases { phrase pages share averageMentions importance score } }
			... on LengthGuidance { recommendedMin recommendedMax unit } ... on ReadabilityGuidance { formula competitorMedian reason }
			... on ObjectiveGuidance { objective confidence evidence } ... on AudienceGuidance { audience level }
			... on JourneyStageGuidance { stage } ... on ContentTypeGuidance { contentType distribution { contentType pages share } }
		} } } } }`)
		if !strings.Contains(a.Text, `{"phrase":"Cold brew","pages":2,"share":1,"averageMentions":1,"importance":"PRIMARY"`) {
			t.Errorf("through drafts: %s", a.Text)
		}
		a = w.ok(t, w.our, `{ validateContent(accountId: 101, draftId: "`+draft+`", input: {title: "Cold brew"}) { type insightScore summary details }
			contentScore(accountId: 101, draftId: "`+draft+`", input: {title: "Cold brew"}) { score components { type weight reason } } }`)
		if !strings.Contains(a.Text, `{"type":"HTML_HEADING1_COMMON","insightScore":1,"summary":"1 of 1 phrases are covered.","details":{"Cold brew":true}`) {
			t.Errorf("validation: %s", a.Text)
		}
		if a := w.first(t, w.our, `subscription { insightsUpdated(accountId: 101, draftId: "`+draft+`") { type status } }`); !strings.Contains(a.Text, `"HTML_TITLE_COMMON","status":"COMPLETED"`) {
			t.Errorf("subscription: %s", a.Text)
		}
		a = w.post(t, w.our, `mutation { requestInsights(accountId: 101, draftId: "`+draft+`", input: {insight: {input: {topic: {phrases: [], rankSourceId: 3}}}}) { type } }`)
		if len(a.Errors) != 1 || !strings.Contains(a.Text, "insight.input.topic.phrases") {
			t.Errorf("a bad request: %s", a.Text)
		}
	})
}
