package graph

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/contentgraph/contentgraph/internal/auth"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

func TestCredentials(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		u := w.ok(t, w.our, `mutation { createUser(input: {name: "robot", accounts: [101], scopes: ["content:read", "data"]}) { id name scopes created accounts { id name } } }`)
		u.is(t, "createUser.scopes", `['content:read', 'data']`)
		u.is(t, "createUser.accounts", `[{'id': 101, 'name': 'account-101'}]`)
		vars := object{"id": u.at("createUser.id")}

		// A token, which works until it is revoked.
		const create = `mutation($id: Int!, $until: DateTime) { createToken(userId: $id, expires: $until) { token credential { id kind hint apiKey expires revoked user { name } } } }`
		a := w.ok(t, w.our, create, vars)
		token := a.text("createToken.token")
		a.is(t, "createToken.credential.kind", `'TOKEN'`)
		a.is(t, "createToken.credential.user", `{'name': 'robot'}`)
		a.is(t, "createToken.credential.apiKey", `null`)
		a.is(t, "createToken.credential.hint", `'`+token[len(token)-4:]+`'`)
		w.ok(t, token, `{ viewer { name scopes accounts { name } } accounts { id } rankSources { data { id name } } }`).
			is(t, "viewer", `{'name': 'robot', 'scopes': ['content:read', 'data'], 'accounts': [{'name': 'account-101'}]}`)
		w.ok(t, token, `{ drafts(accountId: 101) { pagination { total } } }`)
		w.fails(t, token, "FORBIDDEN", "", `mutation { createDraft(accountId: 101, input: {topics: ["t"], rankSourceId: 3}) { id } }`)
		w.fails(t, token, "FORBIDDEN", "", `{ users { id } }`)
		revoke := `mutation($id: UUID!) { revokeToken(id: $id) { revoked } }`
		id := a.text("createToken.credential.id")
		if w.ok(t, w.our, revoke, object{"id": id}).at("revokeToken.revoked") == nil {
			t.Error("not revoked")
		}
		w.ok(t, w.our, revoke, object{"id": id})
		w.auth.Now = func() time.Time { return time.Now().Add(5 * time.Second) } // the cache's time is over
		if a := w.post(t, token, `{ viewer { name } }`); a.Status != http.StatusUnauthorized || a.Errors[0].Extensions.Code != "UNAUTHORIZED" {
			t.Errorf("a revoked token: %d %s", a.Status, a.Text)
		}

		// Expiry.
		until := time.Now().Add(time.Hour).UTC().Truncate(time.Millisecond)
		w.ok(t, w.our, create, object{"id": vars["id"], "until": vocab.FormatTime(until)}).is(t, "createToken.credential.expires", `'`+vocab.FormatTime(until)+`'`)
		w.fails(t, w.our, "INVALID_REQUEST", "expires", create, object{"id": vars["id"], "until": "2020-01-01T00:00:00Z"})
		w.fails(t, w.our, "INVALID_REQUEST", "expires", create, object{"id": vars["id"], "until": "tomorrow"})

		// A key, whose signature works.
		k := w.ok(t, w.our, `mutation($id: Int!) { createApiKey(userId: $id) { apiKey secret credential { id kind apiKey hint user { id } } } }`, vars)
		key := k.text("createApiKey.apiKey")
		k.is(t, "createApiKey.credential.apiKey", `'`+key+`'`)
		k.is(t, "createApiKey.credential.kind", `'KEY'`)
		signed := func() answer {
			q := url.Values{"apiKey": {key}, "sig": {auth.Sign(key, k.text("createApiKey.secret"), w.auth.Now())}, "query": {`{ viewer { name } }`}}
			return serve(t, w.handler, httptest.NewRequest(http.MethodGet, "/graphql?"+q.Encode(), nil))
		}
		signed().is(t, "viewer.name", `'robot'`)

		list := w.ok(t, w.our, `query($id: Int!) { credentials(userId: $id) { kind revoked lastUsed } keys: credentials(userId: $id, kind: KEY) { apiKey } all: credentials { user { name } } }`, vars)
		if n := len(list.at("credentials").([]any)); n != 3 {
			t.Errorf("%d credentials", n)
		}
		list.is(t, "keys", `[{'apiKey': '`+key+`'}]`)
		if strings.Contains(list.Text, "them") || len(list.at("all").([]any)) != 4 {
			t.Error(list.Text)
		}
		w.fails(t, w.our, "NOT_FOUND", "", revoke, object{"id": k.text("createApiKey.credential.id")})
		w.ok(t, w.our, `mutation($id: UUID!) { revokeApiKey(id: $id) { revoked } }`, object{"id": k.text("createApiKey.credential.id")})
		now := w.auth.Now
		w.auth.Now = func() time.Time { return now().Add(5 * time.Second) }
		if a := signed(); a.Status != http.StatusUnauthorized || a.Errors[0].Extensions.Code != "INVALID_SIGNATURE" {
			t.Errorf("a revoked key: %d %s", a.Status, a.Text)
		}
	})
}

// TestAdminsHaveLimits: an admin hands on nothing that it does not have, and
// gets at no user who has more.
func TestAdminsHaveLimits(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		_, admin := w.user(t, "admin", []int{ours}, vocab.ScopeAdmin)
		both, _ := w.user(t, "both", []int{ours, theirs}, vocab.ScopeAdmin)
		_, reader := w.user(t, "reader", []int{ours}, vocab.ScopeContentRead)
		const create = `mutation($in: UserInput!) { createUser(input: $in) { id } }`
		for fields, in := range map[string]object{
			"accounts[0]":                {"name": "x", "accounts": []int{theirs}, "scopes": []string{"admin"}},
			"accounts[1]":                {"name": "x", "accounts": []int{ours, 999}, "scopes": []string{"admin"}},
			"scopes[1]":                  {"name": "x", "accounts": []int{ours}, "scopes": []string{"admin", "data"}},
			"accounts name scopes":       {"name": " ", "accounts": []int{}, "scopes": []string{}},
			"accounts[0] name scopes[0]": {"name": "7", "accounts": []int{theirs}, "scopes": []string{"root"}},
		} {
			w.fails(t, admin, "INVALID_REQUEST", fields, create, object{"in": in})
		}
		w.fails(t, w.our, "CONFLICT", "", create, object{"in": object{"name": "them", "accounts": []int{ours}, "scopes": []string{"data"}}})
		for _, u := range []int{both.ID, w.them.ID, 999} {
			for _, document := range []string{
				`mutation { createToken(userId: %d) { token } }`, `mutation { createApiKey(userId: %d) { secret } }`, `{ credentials(userId: %d) { id } }`,
			} {
				w.fails(t, admin, "NOT_FOUND", "", fmt.Sprintf(document, u))
			}
		}
		w.fails(t, admin, "FORBIDDEN", "", fmt.Sprintf(`mutation { createToken(userId: %d) { token } }`, w.us.ID))
		w.fails(t, reader, "FORBIDDEN", "", create, object{"in": object{"name": "x", "accounts": []int{ours}, "scopes": []string{"content:read"}}})
		if list := w.ok(t, admin, `{ users { name accounts { id } } }`); strings.Contains(list.Text, "both") || strings.Contains(list.Text, "them") || !strings.Contains(list.Text, "reader") {
			t.Error(list.Text)
		}
	})
}

func TestReferenceData(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		a := w.ok(t, w.our, `mutation { a: createRankSource(input: {name: "BING_EN_US", engine: "bing", country: "US", language: "en"}) { id name engine country language }
			again: createRankSource(input: {name: "BING_EN_US"}) { id } nine: createRankSource(input: {id: 9, name: "NINE"}) { id }
			p: createWebProperty(accountId: 101, input: {name: "One"}) { id name url }
			q: createWebProperty(accountId: 101, input: {id: 7, name: "Seven", url: "https://seven.example"}) { id url } }`)
		a.is(t, "a", `{'id': 4, 'name': 'BING_EN_US', 'engine': 'bing', 'country': 'US', 'language': 'en'}`)
		a.is(t, "again.id", `4`)
		a.is(t, "p", `{'id': 1, 'name': 'One', 'url': ''}`)
		a.is(t, "q", `{'id': 7, 'url': 'https://seven.example'}`)
		a = w.ok(t, w.their, `{ rankSources(limit: 2) { data { id } pagination { total hasMore } } webProperties(accountId: 102) { data { id } pagination { total } } }`)
		a.is(t, "rankSources", `{'data': [{'id': 3}, {'id': 4}], 'pagination': {'total': 3, 'hasMore': true}}`)
		a.is(t, "webProperties", `{'data': [], 'pagination': {'total': 0}}`)
		w.ok(t, w.our, `{ webProperties(accountId: 101, offset: 1) { data { id name } } }`).is(t, "webProperties.data", `[{'id': 7, 'name': 'Seven'}]`)
		w.fails(t, w.our, "CONFLICT", "id", `mutation { createRankSource(input: {id: 9, name: "TEN"}) { id } }`)
		w.fails(t, w.our, "CONFLICT", "id", `mutation { createWebProperty(accountId: 101, input: {id: 7, name: "x"}) { id } }`)
		w.fails(t, w.our, "INVALID_REQUEST", "id name url", `mutation { createWebProperty(accountId: 101, input: {id: 0, name: "", url: "x"}) { id } }`)
		w.fails(t, w.our, "INVALID_REQUEST", "limit", `{ rankSources(limit: 1000) { data { id } } }`)
	})
}
