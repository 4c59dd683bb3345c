package graph

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/contentgraph/contentgraph/internal/auth"
	"github.com/contentgraph/contentgraph/internal/fault"
)

// TestTransport goes over what is said of requests that are hardly any, and of
// those in unusual clothes.
func TestTransport(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	h := NewHandler(w.root, Options{Auth: w.auth, MaxBody: 2000})
	name := "/graphql?query=" + url.QueryEscape(`query q($n: Int) { rankSources(limit: $n) { data { name } } }`)
	const mutation = `mutation { createRankSource(input: {name: "x"}) { id } }`
	for _, c := range []struct {
		method, target, body string
		header               []string // name, value, ...
		anonymous            bool
		status               int
		code, fields         string // of the only error
		message              string // part of it
	}{
		{body: `{"query":"{viewer{name}}"}`, status: 200},
		{body: `{"query":"{viewer{name}}","variables":null,"extensions":null,"operationName":null,"more":1}`, status: 200},
		{body: `{"query":"{viewer{name}}"}`, header: []string{"Content-Type", "application/json; charset=UTF-8"}, status: 200},
		{body: `{"query":"{viewer{name}}"}`, header: []string{"Upgrade", "h2c"}, status: 200},
		{body: `{"query":"{viewer{name}}"}`, header: []string{"Content-Type", "text/plain"}, status: 415, code: "UNSUPPORTED_MEDIA_TYPE"},
		{body: `{"query":"{viewer{name}}"}`, header: []string{"Content-Type", "application/json; charset=latin1"}, status: 415, code: "UNSUPPORTED_MEDIA_TYPE"},
		{body: `{"query":"{viewer{name}}"}`, header: []string{"Content-Type", "application/json; charset"}, status: 415, code: "UNSUPPORTED_MEDIA_TYPE"},
		{body: `query=x`, header: []string{"Content-Type", "application/x-www-form-urlencoded"}, status: 415, code: "UNSUPPORTED_MEDIA_TYPE"},
		{body: `{"query":"{viewer{name}}"}`, header: []string{"Content-Type", ""}, status: 415, code: "UNSUPPORTED_MEDIA_TYPE"},
		{body: `{"query":"{viewer{name}}"}`, header: []string{"Content-Encoding", "gzip"}, status: 415, code: "UNSUPPORTED_MEDIA_TYPE"},
		{body: ``, status: 400, code: "INVALID_REQUEST"},
		{body: `nonsense`, status: 400, code: "INVALID_REQUEST", message: "JSON object"},
		{body: `[{"query":"{viewer{name}}"}]`, status: 400, code: "INVALID_REQUEST"},
		{body: `{"query":"{viewer{name}}"} {}`, status: 400, code: "INVALID_REQUEST", message: "goes on"},
		{body: "{\"query\":\"{viewer{name}} # \xff\"}", status: 400, code: "INVALID_REQUEST", message: "UTF-8"},
		{body: `{}`, status: 400, code: "INVALID_REQUEST", fields: "query"},
		{body: `{"query":5}`, status: 400, code: "INVALID_REQUEST", fields: "query"},
		{body: `{"query":"{viewer{name}}","variables":[]}`, status: 400, code: "INVALID_REQUEST", fields: "variables"},
		{body: `{"query":"{viewer{name}}","variables":{"a":` + strings.Repeat("[", 64) + strings.Repeat("]", 64) + `}}`,
			status: 400, code: "INVALID_REQUEST", fields: "variables"},
		{body: `{"query":"{viewer{name}}` + strings.Repeat(" ", 2000) + `"}`, status: 413, code: "PAYLOAD_TOO_LARGE", message: "2000 bytes"},
		{body: `{"query":"{viewer{name}}"}`, anonymous: true, status: 200, code: "MISSING_CREDENTIALS"},
		{body: `{"query":"{viewer{name}}"}`, header: []string{"Authorization", "Bearer cg_wrong"}, status: 401, code: "UNAUTHORIZED"},
		{body: `{"query":"{viewer{name}}"}`, header: []string{"Authorization", "Basic eDp5"}, status: 401, code: "UNAUTHORIZED"},
		{body: `{"query":"{viewer{name}}"}`, target: "/graphql?apiKey=k", anonymous: true, status: 401, code: "MISSING_CREDENTIALS"},
		{body: `{"query":"{viewer{name}}"}`, target: "/graphql?apiKey=k&sig=s", anonymous: true, status: 401, code: "INVALID_SIGNATURE"},

		{method: "GET", target: name, status: 200},
		{method: "HEAD", target: name, status: 200},
		{method: "GET", target: name + `&variables={"n":1}`, status: 200},
		{method: "GET", target: name + `&variables={"n":0}`, status: 200, code: "INVALID_REQUEST", fields: "limit"},
		{method: "GET", target: name + `&variables=1`, status: 400, code: "INVALID_REQUEST", message: "variables"},
		{method: "GET", target: name + `&operationName=other`, status: 200, code: "INVALID_REQUEST", message: "other not found"},
		{method: "GET", target: "/graphql", status: 400, code: "INVALID_REQUEST", fields: "query"},
		{method: "GET", target: "/graphql?query=" + url.QueryEscape(mutation), status: 405, code: "METHOD_NOT_ALLOWED"},
		{method: "PUT", body: `{"query":"{viewer{name}}"}`, status: 405, code: "METHOD_NOT_ALLOWED"},

		{body: `{"query":"{viewer{"}`, status: 200, code: "INVALID_REQUEST"},
		{body: `{"query":"{viewer{"}`, header: []string{"Accept", "application/json, application/graphql-response+json"}, status: 400, code: "INVALID_REQUEST"},
		{body: `{"query":"{viewer{name}}"}`, header: []string{"Accept", "application/graphql-response+json"}, status: 200},
		{body: `{"query":"","extensions":{"persistedQuery":{"version":1,"sha256Hash":"00"}}}`, status: 200, code: "INVALID_REQUEST", message: "PersistedQueryNotFound"},
	} {
		if c.method == "" {
			c.method = http.MethodPost
		}
		if c.target == "" {
			c.target = "/graphql"
		}
		r := httptest.NewRequest(c.method, strings.ReplaceAll(c.target, `"`, "%22"), strings.NewReader(c.body))
		r.Header.Set("Content-Type", "application/json")
		if !c.anonymous {
			r.Header.Set("Authorization", "Bearer "+w.our)
		}
		for i := 0; i < len(c.header); i += 2 {
			r.Header.Set(c.header[i], c.header[i+1])
		}
		a := serve(t, h, r)
		what := fmt.Sprint(c.method, " ", c.target, " ", c.body, " ", c.header)
		if a.Status != c.status || (c.code == "") != (len(a.Errors) == 0) {
			t.Errorf("%.200s: %d %s", what, a.Status, a.Text)
			continue
		}
		if c.code != "" && (a.Errors[0].Extensions.Code != c.code || a.fields() != c.fields || !strings.Contains(a.Errors[0].Message, c.message)) {
			t.Errorf("%.200s: %s", what, a.Text)
		}
		if want := "application/json"; !strings.Contains(r.Header.Get("Accept"), "graphql-response") && a.Header.Get("Content-Type") != want {
			t.Errorf("%.200s: answered as %s", what, a.Header.Get("Content-Type"))
		}
		if a.Status == 401 && a.Header.Get("WWW-Authenticate") != "Bearer" || a.Status == 405 && c.method == "GET" && a.Header.Get("Allow") != "POST" {
			t.Errorf("%.200s: %v", what, a.Header)
		}
	}
	w.ok(t, w.our, mutation) // which no GET has run: the id is the next one
}

// TestPersistedQuery sends a query once, then only its hash.
func TestPersistedQuery(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	const hash = `"extensions":{"persistedQuery":{"version":1,"sha256Hash":"edb6d0ec4c3ae4b6ce18d7f0c3ea2da5cb5d3ab4a5a7b9d1e2b1e5d9b3a0b7aa"}}`
	if a := serve(t, w.handler, postOf(w.our, `{"query":"{viewer{name}}",`+hash+`}`)); a.Errors[0].Extensions.Code != "INVALID_REQUEST" {
		t.Error("a wrong hash:", a.Text)
	}
	right := strings.Replace(hash, "edb6d0ec4c3ae4b6ce18d7f0c3ea2da5cb5d3ab4a5a7b9d1e2b1e5d9b3a0b7aa", fmt.Sprintf("%x", sha256.Sum256([]byte("{viewer{name}}"))), 1)
	for _, body := range []string{`{"query":"{viewer{name}}",` + right + `}`, `{` + right + `}`} {
		serve(t, w.handler, postOf(w.our, body)).is(t, "viewer.name", `'us'`)
	}
}

// TestRateLimits: root fields count, each in its class.
func TestRateLimits(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	used := map[auth.Class]int{}
	w.handler = NewHandler(w.root, Options{Auth: w.auth, Limit: func(p *auth.Principal, c auth.Class) (auth.Allowance, error) {
		left := auth.Allowance{Class: c, Limit: 9, Reset: 9}
		if used[c]++; c == auth.Submit {
			return left, fault.New(fault.RateLimited, "try again in 9 s").After(9)
		}
		left.Left = 9 - used[c]
		return left, nil
	}})
	a := w.post(t, w.our, `mutation { a: createRankSource(input: {name: "a"}) { id } b: createRankSource(input: {name: "b"}) { id }
		c: submitKeywordRankings(input: {account_id: 101, start_date: "2026-01-11", end_date: "2026-01-17"}) { query } }`)
	if e := a.Errors[0]; len(a.Errors) != 1 || e.Extensions.Code != "RATE_LIMITED" || e.Extensions.RetryAfter != 9 || fmt.Sprint(e.Path) != "[c]" {
		t.Error(a.Text)
	}
	if policy, left := a.Header.Get("RateLimit-Policy"), a.Header.Get("RateLimit"); policy != `"content";q=9;w=60, "submit";q=9;w=60` || left != `"content";r=7;t=9, "submit";r=0;t=9` {
		t.Error("headers:", policy, left)
	}
	w.fails(t, w.our, "EXECUTION_NOT_FOUND", "", `{ execution(executionId: "x") { query } }`)
	if fmt.Sprint(used) != "map[content:2 poll:1 submit:1]" {
		t.Error(used)
	}
}
