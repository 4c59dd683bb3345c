package rest

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/contentgraph/contentgraph/internal/insight"
	"github.com/contentgraph/contentgraph/internal/store"
)

const pagesOfTests = `'competitorUrls':['https://one.example/a','https://two.example/b','https://none.example/c']`

// TestInsights asks for all kinds, waits, and reads, validates and scores.
func TestInsights(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	insights := drafts + "/{draft}/insights"
	topic := `{'insight':{'input':{'topic':{'phrases':['cold brew'],'rankSourceId':1,` + pagesOfTests + `}}`
	item := `'errorCode':null,'errorMessage':null,'insightScore':null,'summary':null,'status':null,'insightPresent':false,'empty':true,'details':{}}`
	w.run(t, []scenario{
		{call: "GET " + insights, as: reader, status: 200, has: []string{`[]`}},
		{call: "POST " + insights, as: reader, body: topic + `}}`, status: 403},
		{call: "POST " + insights, as: writer, body: `{'insight':{}}`, status: 400, has: []string{"insight.input.topic.phrases", "insight.input.topic.rankSourceId"}},
		{call: "POST " + insights, as: writer, body: topic + `,'request':{'insights':['NONE']}}}`, status: 400, has: []string{"insight.request.insights[0]", "PAA_INSIGHT"}},
		{call: "POST " + drafts + "/{theirDraft}/insights", as: writer, body: topic + `}}`, status: 404},
		{call: "POST " + insights, as: writer, body: topic + `}}`, status: 202, has: []string{
			`[{'type':'PAA_INSIGHT',` + item, `{'type':'MSV_SNIPPET',` + item + `]`}},
	})
	deadline := time.Now().Add(30 * time.Second)
	for {
		a := w.do(t, scenario{call: "GET " + insights, as: reader, status: 200})
		if !strings.Contains(a.body, `"status":null`) {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("not made: %s", a.body)
		}
		time.Sleep(20 * time.Millisecond)
	}
	var all []string
	for _, name := range insight.Types {
		all = append(all, `{'type':'`+name+`'`)
	}
	w.run(t, []scenario{
		{call: "GET " + insights, as: reader, status: 200, has: slices.Concat(all, []string{
			`'errorCode':'FETCH_FAILED','errorMessage':'1 of 3 pages could not be read: https://none.example/c (none.example answered with status 404).'`,
			`'guidance':{'pages':2,'phrases':[{'phrase':'Cold brew','pages':2,'share':1`, `'source':'text','pages':[{'url':'https://one.example/a','title':'Cold brew at home','fetched':`,
			`'errorCode':'NO_RANKING_DATA'`})},
		{call: "GET " + insights + "?type=MSV_SNIPPET,HTML_TITLE_COMMON", as: reader, status: 200, has: []string{"HTML_TITLE_COMMON", "MSV_SNIPPET"}, lacks: []string{"PAA_INSIGHT"}, loose: true},
		{call: "GET " + insights + "?type=NONE", as: reader, status: 400, has: []string{"type: must be one of"}},
		{call: "POST " + drafts + "/{draft}/validate", as: reader, body: `{}`, status: 400, has: []string{"title, metaDescription and bodyCopy"}},
		{call: "POST " + drafts + "/{draft}/validate", as: reader, body: `{'title':7}`, status: 400, has: []string{"title: must be a string"}},
		{call: "POST " + drafts + "/{draft}/validate", as: reader, body: `{'title':'Cold brew','bodyCopy':'<p>It steeps in the fridge.</p>'}`, status: 200, has: slices.Concat(all, []string{
			`{'type':'HTML_TITLE_COMMON','errorCode':'FETCH_FAILED','errorMessage':'1 of 3 pages could not be read`, `'insightScore':null,'summary':null,'status':'COMPLETED_WITH_ERRORS','insightPresent':true,'empty':false,'details':{`,
			`{'type':'MSV_SNIPPET','errorCode':'NO_RANKING_DATA'`, `'status':'ERROR','insightPresent':false,'empty':true,'details':{}}`})},
		{call: "POST " + drafts + "/{draft}/content-score", as: reader, body: `{'title':'Cold brew at home'}`, status: 200, has: []string{`{'score':`, `'components':[{'type':'`, `'weight':2,'reason':'`}},
		{call: "POST " + drafts + "/{draft}/content-score", as: reader, body: `{}`, status: 200, has: []string{`{'score':`}},
		{call: "POST " + drafts + "/{draft}/content-score", as: reader, status: 200, has: []string{`{'score':`}},
		{call: "POST " + drafts + "/{draft}/content-score", as: reader, body: `[]`, status: 400},
		{call: "POST " + drafts + "/{theirDraft}/content-score", as: reader, body: `{}`, status: 404},
		{call: "DELETE " + drafts + "/{draft}", as: writer, status: 204},
		{call: "GET " + insights, as: reader, status: 404},
	})
	if n := w.store.Guidance.Query().CountX(store.System(t.Context())); n != 0 {
		t.Errorf("%d insights outlive their draft", n)
	}
}

// TestValidateBefore: a draft without a request has all kinds, with nothing present.
func TestValidateBefore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := w.do(t, scenario{call: "POST " + drafts + "/{draft}/validate", as: reader, body: `{'metaDescription':'x'}`, status: 200})
	if n := strings.Count(a.body, `"insightPresent":false,"empty":true,"details":{}`); n != len(insight.Types) {
		t.Errorf("%d items: %s", n, a.body)
	}
	w.do(t, scenario{call: "POST " + drafts + "/{draft}/content-score", as: reader, body: `{}`, status: 200, has: []string{`{'score':0,'components':[]}`}})
}

func TestSerpURLs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const path = "GET /v4/accounts/101/serp-urls"
	w.run(t, []scenario{
		{call: path + "?rankSourceId=1&topic=nothing%20known&topic=b", as: reader, status: 200, has: []string{`{'results':[{'topic':'nothing known','urls':[]},{'topic':'b','urls':[]}]}`}},
		{call: path + "?topic=a", as: reader, status: 400, has: []string{"rankSourceId: is required"}, loose: true},
		{call: path + "?rankSourceId=1", as: reader, status: 400, has: []string{"topic: "}, loose: true},
		{call: path + "?rankSourceId=99&topic=a", as: reader, status: 400, has: []string{"rankSourceId: must be the id"}},
		{call: path + "?rankSourceId=1&topic=a&limit=101", as: reader, status: 400, has: []string{"limit"}, loose: true},
		{call: path + "?rankSourceId=1&topic=a", status: 401},
		{call: "GET /v4/accounts/102/serp-urls?rankSourceId=1&topic=a", as: reader, status: 403},
	})
}
