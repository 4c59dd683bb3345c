package graph

import (
	"testing"
)

func TestProfileLifecycle(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		const fields = `name description voiceTone audience languageRules { term type extraTerm } draftCount`
		p := w.ok(t, w.our, `mutation { createContentProfile(accountId: 101, input: {name: " Voice ", voiceTone: "calm", languageRules: [
			{term: "cheap", type: REPLACE, extraTerm: "good value"}, {term: "synergy", type: EXCLUDE}]}) { id versionId createdBy `+fields+` } }`)
		id, version := p.text("createContentProfile.id"), p.text("createContentProfile.versionId")
		p.is(t, "createContentProfile.name", `'Voice'`)
		p.is(t, "createContentProfile.languageRules", `[{'term': 'cheap', 'type': 'REPLACE', 'extraTerm': 'good value'}, {'term': 'synergy', 'type': 'EXCLUDE', 'extraTerm': null}]`)
		p.is(t, "createContentProfile.draftCount", `0`)

		const create = `mutation($in: ContentProfileInput!) { createContentProfile(accountId: 101, input: $in) { id name } }`
		w.fails(t, w.our, "CONFLICT", "name", create, object{"in": object{"name": "Voice"}})
		w.ok(t, w.their, `mutation { createContentProfile(accountId: 102, input: {name: "Voice"}) { id } }`)
		w.fails(t, w.our, "INVALID_REQUEST", "languageRules[0].extraTerm languageRules[1].term name", create, object{"in": object{
			"name": " ", "languageRules": []object{{"term": "a", "type": "REPLACE"}, {"term": " ", "type": "INCLUDE"}}}})
		other := w.ok(t, w.our, create, object{"in": object{"name": "Other"}}).text("createContentProfile.id")

		const update = `mutation($id: UUID!, $in: ContentProfilePatch!, $if: [String!]) { updateContentProfile(accountId: 101, id: $id, input: $in, ifMatch: $if) { versionId ` + fields + ` } }`
		p = w.ok(t, w.our, update, object{"id": id, "in": object{"audience": "all", "voiceTone": nil}, "if": []string{version}})
		p.is(t, "updateContentProfile.audience", `'all'`)
		p.is(t, "updateContentProfile.voiceTone", `null`)
		p.is(t, "updateContentProfile.languageRules.1.term", `'synergy'`)
		w.fails(t, w.our, "PRECONDITION_FAILED", "", update, object{"id": id, "in": object{"audience": nil}, "if": []string{version}})
		w.fails(t, w.our, "INVALID_REQUEST", "name", update, object{"id": id, "in": object{"name": nil}})
		w.fails(t, w.our, "CONFLICT", "name", update, object{"id": id, "in": object{"name": "Other"}})

		p = w.ok(t, w.our, `mutation($id: UUID!, $if: [String!]) { replaceContentProfile(accountId: 101, id: $id, ifMatch: $if, input: {name: "New"}) { `+fields+` } }`,
			object{"id": id, "if": p.text("updateContentProfile.versionId")})
		p.is(t, "replaceContentProfile", `{'name': 'New', 'description': null, 'voiceTone': null, 'audience': null, 'languageRules': [], 'draftCount': 0}`)

		var drafts []string
		for range 2 {
			d := w.ok(t, w.our, `mutation($p: UUID!) { createDraft(accountId: 101, input: {topics: ["t"], rankSourceId: 3, contentProfileId: $p}) { id contentProfile { draftCount } } }`, object{"p": id})
			drafts = append(drafts, d.text("createDraft.id"))
		}
		a := w.ok(t, w.our, `query($id: UUID!) { contentProfile(accountId: 101, id: $id) { draftCount } contentProfiles(accountId: 101) { data { name draftCount } pagination { total hasMore } }
			next: contentProfiles(accountId: 101, limit: 1) { data { name } pagination { total hasMore } } }`, object{"id": id})
		a.is(t, "contentProfile.draftCount", `2`)
		a.is(t, "contentProfiles", `{'data': [{'name': 'New', 'draftCount': 2}, {'name': 'Other', 'draftCount': 0}], 'pagination': {'total': 2, 'hasMore': false}}`)
		a.is(t, "next.pagination", `{'total': 2, 'hasMore': true}`)

		const remove = `mutation($id: UUID!, $if: [String!]) { deleteContentProfile(accountId: 101, id: $id, ifMatch: $if) }`
		w.fails(t, w.our, "PRECONDITION_FAILED", "", remove, object{"id": id, "if": []string{version}})
		w.ok(t, w.our, remove, object{"id": id}).is(t, "deleteContentProfile", `'`+id+`'`)
		w.fails(t, w.our, "NOT_FOUND", "", remove, object{"id": id})
		for _, d := range drafts {
			w.ok(t, w.our, `query($id: UUID!) { draft(accountId: 101, id: $id) { contentProfileId contentProfile { id } } }`, object{"id": d}).
				is(t, "draft", `{'contentProfileId': null, 'contentProfile': null}`)
		}
		w.ok(t, w.our, remove, object{"id": other})
	})
}

// TestMutationsSeeEachOther: the later fields of a mutation see what the
// earlier ones did, through loaders too.
func TestMutationsSeeEachOther(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	p := w.ok(t, w.our, `mutation { createContentProfile(accountId: 101, input: {name: "one"}) { id } }`).text("createContentProfile.id")
	a := w.ok(t, w.our, `mutation($p: UUID!) {
		a: createDraft(accountId: 101, input: {topics: ["a"], rankSourceId: 3, contentProfileId: $p}) { contentProfile { name draftCount } }
		b: updateContentProfile(accountId: 101, id: $p, input: {name: "two"}) { name draftCount }
		c: createDraft(accountId: 101, input: {topics: ["c"], rankSourceId: 3, contentProfileId: $p}) { contentProfile { name draftCount } } }`, object{"p": p})
	a.is(t, "a.contentProfile", `{'name': 'one', 'draftCount': 1}`)
	a.is(t, "b", `{'name': 'two', 'draftCount': 1}`)
	a.is(t, "c.contentProfile", `{'name': 'two', 'draftCount': 2}`)
}
