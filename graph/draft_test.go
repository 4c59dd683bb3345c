package graph

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"
)

const draftFields = `draftTitle topics page rankSourceId webPropertyId assignee status competitorUrls contentProfileId`

func TestDraftLifecycle(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.ok(t, w.our, `mutation { createWebProperty(accountId: 101, input: {id: 11, name: "Shop", url: "https://shop.example"}) { id } }`)
		voice := w.ok(t, w.our, `mutation { createContentProfile(accountId: 101, input: {name: "Voice"}) { id } }`).text("createContentProfile.id")

		d := w.ok(t, w.our, `mutation { createDraft(accountId: 101, input: {topics: ["alpha", "beta"], rankSourceId: 3}) {
			id accountId versionId created createdBy updated updatedBy `+draftFields+` rankSource { name engine } webProperty { id } contentProfile { id }
			content { title bodyCopy number saved versionId } } }`)
		id, version := d.text("createDraft.id"), d.text("createDraft.versionId")
		d.is(t, "createDraft.draftTitle", `'alpha'`)
		d.is(t, "createDraft.status", `'TO_DO'`)
		d.is(t, "createDraft.competitorUrls", `[]`)
		d.is(t, "createDraft.rankSource", `{'name': 'GOOGLE_EN_US', 'engine': ''}`)
		d.is(t, "createDraft.webProperty", `null`)
		d.is(t, "createDraft.contentProfile", `null`)
		d.is(t, "createDraft.createdBy", fmt.Sprint(w.us.ID))
		d.is(t, "createDraft.content", `{'title': null, 'bodyCopy': null, 'number': null, 'saved': null, 'versionId': '`+version+`'}`)
		if at := d.text("createDraft.created"); !regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$`).MatchString(at) || at != d.text("createDraft.updated") {
			t.Errorf("created %q", at)
		}

		// Absent keeps, null clears, whether literal, variable or unset variable.
		patch := `mutation($id: UUID!, $in: DraftPatch!, $if: [String!]) { updateDraft(accountId: 101, id: $id, input: $in, ifMatch: $if) { versionId ` + draftFields +
			` rankSource { name } webProperty { id name url } contentProfile { name draftCount } } }`
		d = w.ok(t, w.our, patch, object{"id": id, "if": version, "in": object{
			"draftTitle": "Title", "page": "https://example.com/a", "webPropertyId": 11, "assignee": w.us.ID, "status": "IN_REVIEW",
			"competitorUrls": []string{"https://example.org/"}, "contentProfileId": voice}})
		d.is(t, "updateDraft.webProperty", `{'id': 11, 'name': 'Shop', 'url': 'https://shop.example'}`)
		d.is(t, "updateDraft.contentProfile", `{'name': 'Voice', 'draftCount': 1}`)
		d.is(t, "updateDraft.topics", `['alpha', 'beta']`)
		w.fails(t, w.our, "PRECONDITION_FAILED", "", patch, object{"id": id, "if": []string{version}, "in": object{"page": nil}})
		version = d.text("updateDraft.versionId")
		d = w.ok(t, w.our, `mutation($id: UUID!, $p: String, $s: DraftStatus) { updateDraft(accountId: 101, id: $id, input: {assignee: null, page: $p, status: $s}) { versionId `+draftFields+` } }`,
			object{"id": id, "p": nil})
		d.is(t, "updateDraft.assignee", `null`)
		d.is(t, "updateDraft.page", `null`)
		d.is(t, "updateDraft.status", `'IN_REVIEW'`)
		d.is(t, "updateDraft.draftTitle", `'Title'`)
		d.is(t, "updateDraft.webPropertyId", `11`)
		for field, in := range map[string]object{"topics": {"topics": nil}, "status": {"status": nil}, "rankSourceId": {"rankSourceId": nil}} {
			w.fails(t, w.our, "INVALID_REQUEST", field, patch, object{"id": id, "in": in})
		}

		// A replacement takes absent as null.
		replace := `mutation($id: UUID!, $if: [String!]) { replaceDraft(accountId: 101, id: $id, ifMatch: $if, input: {topics: ["gamma"], rankSourceId: 3, status: APPROVED}) { versionId ` + draftFields + ` } }`
		w.fails(t, w.our, "PRECONDITION_FAILED", "", replace, object{"id": id, "if": []string{version, "x"}})
		d = w.ok(t, w.our, replace, object{"id": id, "if": []string{"x", d.text("updateDraft.versionId")}})
		delete(d.at("replaceDraft").(object), "versionId")
		d.is(t, "replaceDraft", `{'draftTitle': 'gamma', 'topics': ['gamma'], 'page': null, 'rankSourceId': 3, 'webPropertyId': null,
			'assignee': null, 'status': 'APPROVED', 'competitorUrls': [], 'contentProfileId': null}`)

		w.contentLifecycle(t, id)

		remove := `mutation($id: UUID!, $if: [String!]) { deleteDraft(accountId: 101, id: $id, ifMatch: $if) }`
		w.fails(t, w.our, "PRECONDITION_FAILED", "", remove, object{"id": id, "if": []string{}})
		w.ok(t, w.our, remove, object{"id": id}).is(t, "deleteDraft", `'`+id+`'`)
		w.fails(t, w.our, "NOT_FOUND", "", remove, object{"id": id})
		w.fails(t, w.our, "NOT_FOUND", "", `query($id: UUID!) { draft(accountId: 101, id: $id) { id } }`, object{"id": id})
		w.fails(t, w.our, "NOT_FOUND", "", `query($id: UUID!) { draftVersions(accountId: 101, id: $id) { data { number } } }`, object{"id": id})
	})
}

// contentLifecycle saves content twice.
func (w *world) contentLifecycle(t *testing.T, id string) {
	t.Helper()
	save := `mutation($id: UUID!, $in: DraftContentInput!, $if: [String!]) { saveDraftContent(accountId: 101, id: $id, input: $in, ifMatch: $if) {
		title metaDescription bodyCopy number savedBy versionId } }`
	first := w.ok(t, w.our, save, object{"id": id, "in": object{"title": "One", "bodyCopy": "<p>1</p>"}})
	second := w.ok(t, w.our, save, object{"id": id, "in": object{"metaDescription": "Two"}, "if": []string{first.text("saveDraftContent.versionId")}})
	v1, v2 := first.text("saveDraftContent.versionId"), second.text("saveDraftContent.versionId")
	second.is(t, "saveDraftContent", fmt.Sprintf(`{'title': null, 'metaDescription': 'Two', 'bodyCopy': null, 'number': 2, 'savedBy': %d, 'versionId': '%s'}`, w.us.ID, v2))
	w.fails(t, w.our, "PRECONDITION_FAILED", "", save, object{"id": id, "in": object{"title": "x"}, "if": []string{v1}})
	w.fails(t, w.our, "INVALID_REQUEST", "metaDescription title", save,
		object{"id": id, "in": object{"title": strings.Repeat("x", 1001), "metaDescription": strings.Repeat("x", 5001)}})

	a := w.ok(t, w.our, `query($id: UUID!, $v: UUID!) { draftContent(accountId: 101, id: $id) { number versionId } draft(accountId: 101, id: $id) { versionId content { metaDescription number } }
		draftVersions(accountId: 101, id: $id, limit: 1, offset: 1) { data { number title bodyCopy versionId createdBy } pagination { total offset limit hasMore } }
		draftVersion(accountId: 101, id: $id, versionId: $v) { number bodyCopy } }`, object{"id": id, "v": v1})
	a.is(t, "draftContent", `{'number': 2, 'versionId': '`+v2+`'}`)
	a.is(t, "draft", `{'versionId': '`+v2+`', 'content': {'metaDescription': 'Two', 'number': 2}}`)
	a.is(t, "draftVersions.data", fmt.Sprintf(`[{'number': 1, 'title': 'One', 'bodyCopy': null, 'versionId': '%s', 'createdBy': %d}]`, v1, w.us.ID))
	a.is(t, "draftVersions.pagination", `{'total': 2, 'offset': 1, 'limit': 1, 'hasMore': false}`)
	a.is(t, "draftVersion", `{'number': 1, 'bodyCopy': '<p>1</p>'}`)
}

func TestDraftList(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		start := time.Date(2026, 11, 20, 10, 3, 10, 330e6, time.UTC)
		n := 0
		w.root.Services.Drafts.Now = func() time.Time { n++; return start.Add(time.Duration(n-1) * time.Second) }
		for i, status := range []string{"TO_DO", "PUBLISHED", "TO_DO", "IN_REVIEW", "TO_DO"} {
			w.ok(t, w.our, fmt.Sprintf(`mutation { createDraft(accountId: 101, input: {topics: ["t%d"], rankSourceId: 3, status: %s}) { id } }`, i, status))
		}
		for args, want := range map[string]string{
			``:                                  `t4 t3 t2 t1 t0 5/0/20/false`,
			`, limit: 2`:                        `t4 t3 5/0/2/true`,
			`, limit: 2, offset: 3`:             `t1 t0 5/3/2/false`,
			`, offset: 7`:                       ` 5/7/20/false`,
			`, status: [TO_DO], limit: 2`:       `t4 t2 3/0/2/true`,
			`, status: TO_DO, offset: 2`:        `t0 3/2/20/false`,
			`, status: [IN_REVIEW, PUBLISHED]`:  `t3 t1 2/0/20/false`,
			`, status: []`:                      `t4 t3 t2 t1 t0 5/0/20/false`,
			`, status: [APPROVED]`:              ` 0/0/20/false`,
			`, limit: null, offset: null`:       `t4 t3 t2 t1 t0 5/0/20/false`,
			`, limit: 100, status: IN_PROGRESS`: ` 0/0/100/false`,
		} {
			a := w.ok(t, w.our, `{ drafts(accountId: 101`+args+`) { data { draftTitle } pagination { total offset limit hasMore } } }`)
			var got []string
			for i := range a.at("drafts.data").([]any) {
				got = append(got, a.text(fmt.Sprintf("drafts.data.%d.draftTitle", i)))
			}
			p := a.at("drafts.pagination").(object)
			if text := fmt.Sprintf("%s %v/%v/%v/%v", strings.Join(got, " "), p["total"], p["offset"], p["limit"], p["hasMore"]); text != want {
				t.Errorf("%s: %q, want %q", args, text, want)
			}
		}
		w.ok(t, w.our, `{ drafts(accountId: 101, offset: 4) { data { created } } }`).is(t, "drafts.data", `[{'created': '2026-11-20T10:03:10.330+00:00'}]`)
		w.fails(t, w.our, "INVALID_REQUEST", "limit offset", `{ drafts(accountId: 101, limit: 101, offset: -1) { data { id } } }`)
		w.fails(t, w.our, "INVALID_REQUEST", "limit", `{ drafts(accountId: 101, limit: 0) { data { id } } }`)
	})
}
