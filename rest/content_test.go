package rest

import "testing"

const drafts, profiles = "/v4/accounts/101/drafts", "/v4/accounts/101/content-profiles"

func TestDrafts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.run(t, []scenario{
		{call: "GET " + drafts + "/{draft}", as: reader, status: 200,
			has: []string{`{'draftTitle':'known to 101 alone','topics':['trail shoes'],'page':null,'rankSourceId':1,'webPropertyId':null,'versionId':'{version}','created':'`,
				`.`, `+00:00','createdBy':1,'updated':'`, `'assignee':null,'status':'TO_DO','competitorUrls':[],'contentProfileId':'{profile}','id':'{draft}','accountId':101}`},
			sends: map[string]string{"ETag": `"{version}"`, "Content-Type": "application/json", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}},
		{call: "HEAD " + drafts + "/{draft}", as: reader, status: 200, sends: map[string]string{"ETag": `"{version}"`, "Content-Type": "application/json"}},
		{call: "GET " + drafts + "/{nothing}", as: reader, status: 404, has: []string{`'timestamp':'`, `'status':404,'error':'Not Found','message':'draft not found','path':'` + drafts + `/{nothing}'}`}},
		{call: "GET " + drafts + "/{theirDraft}", as: reader, status: 404, has: []string{"draft not found"}},
		{call: "GET " + drafts + "/12?x=secret", as: reader, status: 400, has: []string{"draftId: must be a UUID", `'path':'` + drafts + `/12'`}, lacks: []string{"secret"}},
		{call: "GET " + drafts + "/urn:uuid:{draft}", as: reader, status: 400, has: []string{"draftId"}},
		{call: "PUT " + drafts + "/{draft}", as: writer, body: `{'topics':['a'],'rankSourceId':1,'status':'IN_REVIEW','page':'https://example.com/x','webPropertyId':201,'assignee':1}`, status: 200,
			has: []string{`'draftTitle':'a'`, `'contentProfileId':null`, `'page':'https://example.com/x','rankSourceId':1,'webPropertyId':201`, `'assignee':1,'status':'IN_REVIEW'`}, sends: map[string]string{"ETag": "*"}},
		{call: "PUT " + drafts + "/{draft}", as: writer, body: `{'topics':['a'],'rankSourceId':1}`, status: 400, has: []string{"status"}},
		{call: "PATCH " + drafts + "/{draft}", as: writer, body: `{'page':null,'id':'x','accountId':102,'createdBy':9,'unknown':{}}`, status: 200, has: []string{`'page':null`, `'accountId':101`, `'createdBy':1`, `'topics':['a']`}},
		{call: "PATCH " + drafts + "/{draft}", as: writer, body: `{'status':'APPROVED'}`, headers: map[string]string{"Content-Type": "application/merge-patch+json"}, status: 200, has: []string{"APPROVED"}},
		{call: "PATCH " + drafts + "/{draft}", as: writer, body: `{'topics':null}`, status: 400, has: []string{"topics"}},
		{call: "PATCH " + drafts + "/{draft}", as: writer, body: `{'contentProfileId':'{theirProfile}'}`, status: 400, has: []string{"contentProfileId"}},
		{call: "PATCH " + drafts + "/{nothing}", as: writer, body: `{}`, status: 404},
		{call: "DELETE " + drafts + "/{draft}", as: writer, status: 204, sends: map[string]string{"Content-Type": "", "Content-Length": ""}},
		{call: "DELETE " + drafts + "/{draft}", as: writer, status: 404},
		{call: "GET " + drafts + "/{draft}/content", as: writer, status: 404},
		{call: "GET " + drafts + "/{draft}/content/versions/{version}", as: writer, status: 404},
	})
	made := w.do(t, scenario{call: "POST " + drafts, as: writer, body: `{'topics':[' a '],'rankSourceId':1}`, status: 201, has: []string{`'draftTitle':'a','topics':['a']`, `'status':'TO_DO'`},
		sends: map[string]string{"Location": "*", "ETag": "*"}})
	w.run(t, []scenario{
		{call: "GET " + made.Header.Get("Location"), as: writer, status: 200, sends: map[string]string{"ETag": made.Header.Get("ETag")}},
		{call: "POST " + drafts, as: writer, body: `{}`, status: 400, has: []string{"topics", "; "}},
		{call: "POST " + drafts, as: writer, body: `{'topics':['a'],'rankSourceId':99}`, status: 400, has: []string{"rankSourceId: is not a rank source"}},
	})
}

func TestDraftList(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, status := range []string{"IN_REVIEW", "APPROVED", "APPROVED"} {
		w.do(t, scenario{call: "POST " + drafts, as: writer, body: `{'topics':['x'],'rankSourceId':1,'status':'` + status + `'}`, status: 201})
	}
	page := func(query, pagination string) scenario {
		return scenario{call: "GET " + drafts + query, as: reader, status: 200, has: []string{`'pagination':{` + pagination + `}}`}, lacks: []string{secretOf(102)}}
	}
	loose := func(s scenario) scenario { s.loose = true; return s }
	bad := func(query string, has ...string) scenario {
		return scenario{call: "GET " + drafts + query, as: reader, status: 400, has: append(has, `'error':'Bad Request'`)}
	}
	w.run(t, []scenario{
		page("", `'total':4,'offset':0,'limit':20,'hasMore':false`),
		page("?limit=2&offset=1", `'total':4,'offset':1,'limit':2,'hasMore':true`),
		loose(page("?limit=x&limit=3", `'total':4,'offset':0,'limit':3,'hasMore':true`)),
		page("?offset=99", `'total':4,'offset':99,'limit':20,'hasMore':false`),
		page("?status=APPROVED", `'total':2,'offset':0,'limit':20,'hasMore':false`),
		loose(page("?status=APPROVED,TO_DO", `'total':3,'offset':0,'limit':20,'hasMore':false`)),
		page("?status=APPROVED&status=IN_REVIEW&limit=1", `'total':3,'offset':0,'limit':1,'hasMore':true`),
		page("?status=PUBLISHED", `'total':0,'offset':0,'limit':20,'hasMore':false`),
		{call: "GET " + drafts + "?status=PUBLISHED", as: reader, status: 200, has: []string{`{'data':[],`}},
		{call: "GET " + drafts + "?status=", as: reader, status: 200, has: []string{`'total':4`}, loose: true},
		bad("?limit=0", "limit"), bad("?limit=101", "limit: must be from 1 to 100"), bad("?limit=ten", "limit: must be a whole number"),
		bad("?limit=", "limit"), bad("?limit=1.5", "limit"), bad("?limit=99999999999999999999", "limit"),
		bad("?offset=-1", "offset"), bad("?offset=x&limit=y", "limit", "; "),
		bad("?status=DONE", "status", "TO_DO"), bad("?status=TO_DO,approved", "status"),
		{call: "GET /v4/accounts/102/drafts", as: foreign, status: 200, has: []string{`'total':1`, secretOf(102)}, lacks: []string{secretOf(101)}},
	})
}

func TestContent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	content := drafts + "/{draft}/content"
	w.run(t, []scenario{
		{call: "GET " + content, as: reader, status: 200, sends: map[string]string{"ETag": `"{version}"`},
			has: []string{`{'title':'Trail shoes','metaDescription':null,'bodyCopy':'known to 101 alone','versionId':'{version}','number':1,'saved':'`, `'savedBy':1}`}},
		{call: "PUT " + content, as: writer, body: `{'bodyCopy':'<h1>Ü & Ö</h1>'}`, headers: map[string]string{"If-Match": `"{version}"`}, status: 200,
			has: []string{`{'title':null,'metaDescription':null,'bodyCopy':'<h1>Ü & Ö</h1>','versionId':'`, `'number':2`}},
		{call: "PUT " + content, as: writer, body: `{'title':5}`, status: 400, has: []string{"title: must be a string"}},
		{call: "PUT " + content, as: writer, body: `{'title':'late'}`, headers: map[string]string{"If-Match": `"{version}"`}, status: 412, has: []string{`'error':'Precondition Failed'`}},
		{call: "GET " + content + "/versions", as: reader, status: 200, has: []string{`'number':2,`, `'number':1,`, `'bodyCopy':null`, `'total':2`}, lacks: []string{"<h1>"}},
		{call: "GET " + content + "/versions?limit=1&offset=1", as: reader, status: 200, has: []string{`'versionId':'{version}','number':1`}, lacks: []string{`'number':2`}},
		{call: "GET " + content + "/versions?limit=0", as: reader, status: 400, has: []string{"limit"}},
		{call: "GET " + content + "/versions/{version}", as: reader, status: 200, sends: map[string]string{"ETag": `"{version}"`},
			has: []string{`{'versionId':'{version}','number':1,'title':'Trail shoes','metaDescription':null,'bodyCopy':'known to 101 alone','created':'`, `'createdBy':1}`}},
		{call: "GET " + content + "/versions/{theirVersion}", as: reader, status: 404},
		{call: "GET " + content + "/versions/x", as: reader, status: 400, has: []string{"versionId"}},
		{call: "GET " + drafts + "/x/content/versions/{version}", as: reader, status: 400, has: []string{"draftId"}},
		{call: "GET " + drafts + "/{nothing}/content/versions", as: reader, status: 404},
	})
	empty := w.do(t, scenario{call: "POST " + drafts, as: writer, body: `{'topics':['a'],'rankSourceId':1}`, status: 201})
	w.do(t, scenario{call: "GET " + empty.Header.Get("Location") + "/content", as: writer, status: 200, sends: map[string]string{"ETag": empty.Header.Get("ETag")},
		has: []string{`{'title':null,'metaDescription':null,'bodyCopy':null,'versionId':'`, `'number':null,'saved':null,'savedBy':null}`}})
}

func TestProfiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.run(t, []scenario{
		{call: "GET " + profiles + "/{profile}", as: reader, status: 200, sends: map[string]string{"ETag": `"{profileVersion}"`},
			has: []string{`{'id':'{profile}','accountId':101,'name':'Voice of 101','description':null,'voiceTone':null,'audience':'known to 101 alone','createdBy':1,'created':'`,
				`'updatedBy':1,'updated':'`, `'draftCount':1,'languageRules':[]}`}, lacks: []string{"versionId"}},
		{call: "GET " + profiles, as: reader, status: 200, has: []string{`'draftCount':1`, `'pagination':{'total':1,'offset':0,'limit':20,'hasMore':false}}`}},
		{call: "GET " + profiles + "?limit=x", as: reader, status: 400},
		{call: "GET " + profiles + "/{theirProfile}", as: reader, status: 404, has: []string{"content profile not found"}},
		{call: "POST " + profiles, as: writer, body: `{'name':'Voice of 101'}`, status: 409, has: []string{`'error':'Conflict','message':'name: must be unique`}},
		{call: "POST " + profiles, as: writer, body: `{'name':' ','languageRules':[{'type':'MAYBE'}]}`, status: 400, has: []string{"name", "; "}},
		{call: "PUT " + profiles + "/{profile}", as: writer, body: `{'name':'New','languageRules':[{'term':'a','type':'REPLACE','extraTerm':'b'},{'term':'c','type':'EXCLUDE'}]}`, status: 200,
			has: []string{`'audience':null`, `'languageRules':[{'term':'a','type':'REPLACE','extraTerm':'b'},{'term':'c','type':'EXCLUDE','extraTerm':null}]`, `'draftCount':1`}},
		{call: "PATCH " + profiles + "/{profile}", as: writer, body: `{'audience':'Runners'}`, status: 200, has: []string{`'audience':'Runners'`, `'name':'New'`}},
		{call: "PATCH " + profiles + "/{profile}", as: writer, body: `{'name':null}`, status: 400, has: []string{"name"}},
		{call: "POST " + profiles, as: scribe, body: `{'name':'Of a scribe'}`, status: 201},
		{call: "PATCH " + profiles + "/{profile}", as: scribe, body: `{'audience':'Scribes'}`, status: 200, has: []string{"Scribes"}},
		{call: "DELETE " + profiles + "/{profile}", as: writer, headers: map[string]string{"If-Match": `"{profileVersion}"`}, status: 412},
		{call: "DELETE " + profiles + "/{profile}", as: writer, status: 204},
		{call: "DELETE " + profiles + "/{profile}", as: writer, status: 404},
		{call: "GET " + drafts + "/{draft}", as: writer, status: 200, has: []string{`'contentProfileId':null`}},
	})
	made := w.do(t, scenario{call: "POST " + profiles, as: writer, body: `{'name':'Two'}`, status: 201, has: []string{`'draftCount':0`}, sends: map[string]string{"Location": "*", "ETag": "*"}})
	w.do(t, scenario{call: "GET " + made.Header.Get("Location"), as: writer, status: 200, sends: map[string]string{"ETag": made.Header.Get("ETag")}})
	for range 3 {
		w.do(t, scenario{call: "POST " + drafts, as: writer, body: `{'topics':['a'],'rankSourceId':1,'contentProfileId':'` + made.Header.Get("Location")[len(profiles)+1:] + `'}`, status: 201})
	}
	w.do(t, scenario{call: "GET " + profiles, as: reader, status: 200, has: []string{`'draftCount':3`}})
}

func TestReferenceData(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.run(t, []scenario{
		{call: "GET /v4/rank-sources", as: foreign, status: 200,
			has: []string{`{'data':[{'id':1,'name':'BING_EN_US','engine':'BING','country':'US','language':'en'}],'pagination':{'total':1,'offset':0,'limit':20,'hasMore':false}}`}},
		{call: "GET /v4/rank-sources?limit=101", as: foreign, status: 400, has: []string{"limit"}},
		{call: "GET /v4/rank-sources", status: 401},
		{call: "GET /v4/accounts/101/web-properties", as: reader, status: 200, has: []string{`{'data':[{'id':201,'name':'Site','url':'https://example.com'}],`}},
		{call: "GET /v4/accounts/101/web-properties?offset=x", as: reader, status: 400, has: []string{"offset"}},
	})
}

func TestEntityTags(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	one := drafts + "/{draft}"
	read := func(tags string, status int) scenario {
		return scenario{call: "GET " + one, as: reader, headers: map[string]string{"If-None-Match": tags}, status: status, sends: map[string]string{"ETag": `"{version}"`}}
	}
	write := func(tags string, status int) scenario {
		return scenario{call: "PATCH " + one, as: writer, body: `{}`, headers: map[string]string{"If-Match": tags}, status: status}
	}
	w.run(t, []scenario{
		read(`"{version}"`, 304), read(`W/"{version}"`, 304), read(`"x", "{version}"`, 304), read(`*`, 304),
		read(`"x"`, 200), read(`{version}`, 200), read(`"x`, 200),
		{call: "HEAD " + one, as: reader, headers: map[string]string{"If-None-Match": `"{version}"`}, status: 304},
		{call: "GET " + one + "/content", as: reader, headers: map[string]string{"If-None-Match": `"{version}"`}, status: 304},
		{call: "GET " + profiles + "/{profile}", as: reader, headers: map[string]string{"If-None-Match": `"{profileVersion}"`}, status: 200, has: []string{"draftCount"}},
		write(`"{version}"`, 200), write(`*`, 200), write(` "x" , "{version}"`, 200), write(`"{version}",`, 200),
		write(`"x"`, 412), write(`W/"{version}"`, 412), write(`"x", W/"{version}"`, 412), write(`""`, 412),
		write(`{version}`, 400), write(`"{version}`, 400), write(`"a" "b"`, 400), write(`*, "a"`, 400), write(` `, 400), write(`,`, 400),
		{call: "DELETE " + one, as: writer, headers: map[string]string{"If-Match": `"x"`}, status: 412},
		{call: "DELETE " + one, as: writer, headers: map[string]string{"If-Match": `x`}, status: 400, has: []string{"If-Match"}},
		{call: "PUT " + one, as: writer, body: `{'topics':['a'],'rankSourceId':1,'status':'TO_DO'}`, headers: map[string]string{"If-Match": `"x"`}, status: 412},
		{call: "PUT " + profiles + "/{profile}", as: writer, body: `{'name':'a'}`, headers: map[string]string{"If-Match": `"x"`}, status: 412},
		{call: "PATCH " + drafts + "/{nothing}", as: writer, body: `{}`, headers: map[string]string{"If-Match": `*`}, status: 404},
	})
	changed := w.do(t, scenario{call: "PATCH " + one, as: writer, body: `{'page':'https://example.com'}`, headers: map[string]string{"If-Match": `"{version}"`}, status: 200})
	w.run(t, []scenario{
		{call: "PATCH " + one, as: writer, body: `{'page':null}`, headers: map[string]string{"If-Match": `"{version}"`}, status: 412},
		{call: "GET " + one, as: reader, headers: map[string]string{"If-None-Match": `"{version}"`}, status: 200, has: []string{"https://example.com"}, sends: map[string]string{"ETag": changed.Header.Get("ETag")}},
	})
}
