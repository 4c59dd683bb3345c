package rest

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/graph/generated"
	"github.com/contentgraph/contentgraph/internal/auth"
	"github.com/contentgraph/contentgraph/internal/fault"
)

// The shapes of failures, as they begin.
const (
	inEnvelope  = `{'code':'`
	inFramework = `{'timestamp':'`
)

// TestOrderOfChecks: 401 before 403 before anything else of the request.
func TestOrderOfChecks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, call := range []string{
		"PUT /v4/accounts/102/drafts/no-id", "POST /v4/accounts/102/drafts", "PATCH /v4/accounts/102/content-profiles/{theirProfile}",
		"GET /v4/accounts/102/drafts?limit=x", "DELETE /v4/accounts/102/drafts", "GET /v4/accounts/102/nothing", "FOO /v4/accounts/102/drafts",
		"PUT /v4/accounts/999/drafts/no-id", "GET /v4/accounts/102",
	} {
		w.run(t, []scenario{
			{call: call, body: "{", headers: map[string]string{"Content-Type": "text/plain"}, status: 401, has: []string{inEnvelope + "MISSING_CREDENTIALS"},
				sends: map[string]string{"WWW-Authenticate": "Bearer", "Cache-Control": "no-store"}},
			{call: call, body: "{", headers: map[string]string{"Authorization": "Bearer cg_wrong"}, status: 401, has: []string{inEnvelope + "UNAUTHORIZED"}},
			{call: call, as: writer, body: "{", headers: map[string]string{"Content-Type": "text/plain", "If-Match": "x"}, status: 403,
				has: []string{inFramework, `'status':403,'error':'Forbidden','message':'no access to account `}},
		})
	}
	w.run(t, []scenario{
		{call: "POST " + drafts, as: reader, body: "{", status: 403, has: []string{inFramework, "content:write"}},
		{call: "DELETE " + drafts + "/x", as: reader, status: 403, has: []string{"content:write"}},
		{call: "GET " + drafts + "/x", as: scribe, status: 403, has: []string{"content:read"}},
		{call: "HEAD " + drafts, as: scribe, status: 403},
		{call: "DELETE " + drafts, as: reader, status: 403},
		{call: "GET /v4/accounts/abc/drafts", status: 401},
		{call: "GET /v4/accounts/abc/drafts", as: writer, status: 400, has: []string{inFramework, "accountId: must be a whole number"}},
		{call: "GET /v4/accounts/0/drafts", as: writer, status: 403, has: []string{"account 0"}},
		{call: "GET /v4/accounts/-1/drafts", as: writer, status: 403, has: []string{"account -1"}},
		{call: "GET /v4/accounts/+101/drafts", as: writer, status: 400, has: []string{"accountId"}},
		{call: "GET /v4/accounts/1.0/drafts", as: writer, status: 400, has: []string{"accountId"}},
		{call: "GET /v4/accounts/99999999999999999999/drafts", as: writer, status: 400, has: []string{"accountId"}},
	})
}

func TestUnknownPathsAndMethods(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	unknown := func(call, as string) scenario {
		return scenario{call: call, as: as, status: 404, has: []string{`{'code':'NOT_FOUND','message':'there is no such path'}`}}
	}
	wrong := func(call, as, allow string) scenario {
		return scenario{call: call, as: as, status: 405, has: []string{inEnvelope + "METHOD_NOT_ALLOWED"}, sends: map[string]string{"Allow": allow}}
	}
	w.run(t, []scenario{
		unknown("GET /", ""), unknown("GET /nothing", ""), unknown("FOO /nothing", ""), unknown("GET /healthz/", ""), unknown("GET /playground", ""),
		unknown("GET /v4", writer), unknown("GET /v4/", writer), unknown("GET /v4/nothing", writer), unknown("GET /v4/accounts", writer),
		unknown("GET /v4/accounts/101", writer), unknown("GET "+drafts+"/", writer), unknown("GET "+drafts+"/{draft}/", writer),
		unknown("GET "+drafts+"/{draft}/nonsense", writer), unknown("FOO "+drafts+"/{draft}/nothing", writer),
		{call: "GET /v4/nothing", status: 401, has: []string{inEnvelope + "MISSING_CREDENTIALS"}},
		{call: "GET /v4", status: 401},
		wrong("DELETE "+drafts, writer, "GET, HEAD, POST"), wrong("PUT "+profiles, writer, "GET, HEAD, POST"),
		wrong("POST "+drafts+"/{draft}", writer, "GET, HEAD, PUT, PATCH, DELETE"), wrong("PATCH "+drafts+"/{draft}/content", writer, "GET, HEAD, PUT"),
		wrong("FOO "+drafts, writer, "GET, HEAD, POST"), wrong("OPTIONS "+drafts, writer, "GET, HEAD, POST"), wrong("TRACE "+drafts, writer, "GET, HEAD, POST"),
		wrong("POST /v4/rank-sources", reader, "GET, HEAD"), wrong("POST /healthz", "", "GET, HEAD"), wrong("DELETE /graphql", "", "GET, HEAD, POST"),
		{call: "DELETE /v4/rank-sources", status: 401},
		{call: "GET /healthz", status: 200, has: []string{`{'status':'ok'}`}},
		{call: "HEAD /healthz", status: 200},
		{call: "GET /openapi.yaml", status: 200, has: []string{"openapi: 3.0.3", "/v4/accounts/{accountId}/drafts"}, sends: map[string]string{"Content-Type": "application/yaml"}},
		{call: "POST /graphql", as: writer, body: `{'query':'{ draft(accountId: 101, id: \'{draft}\') { draftTitle } }'}`, status: 200, has: []string{"known to 101 alone"}, sends: map[string]string{"Cache-Control": "no-store"}},
		{call: "POST /graphql", body: `{'query':'{ drafts(accountId: 101) { data { id } } }'}`, status: 200, has: []string{"MISSING_CREDENTIALS"}},
	})
}

func TestBodyFaults(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(o *Options) { o.MaxBody = 2000 })
	large := `{'topics':['` + strings.Repeat("x", 2000) + `']}`
	deep := func(n int) string { return `{'x':` + strings.Repeat("[", n-1) + strings.Repeat("]", n-1) + `}` }
	send := func(body, contentType string, status int, has ...string) []scenario {
		h := map[string]string{"Content-Type": contentType}
		if body == "" {
			delete(h, "Content-Type") // the scenario sends none
		}
		return []scenario{
			{call: "POST " + drafts, as: writer, body: body, headers: h, status: status, has: append([]string{inFramework}, has...)},
			{call: "PUT " + drafts + "/{draft}/content", as: writer, body: body, headers: h, status: status, has: append([]string{inFramework}, has...)},
			{call: "POST /data-api/v1/async/keyword_rankings", signed: writer, body: body, headers: h, status: status, has: append([]string{inEnvelope, `'requestId':'`}, has...)},
		}
	}
	for _, list := range [][]scenario{
		send(large, "application/json", 413, "at most 2000 bytes"),
		send("{}", "text/plain", 415, "application/json"),
		send("{}", "application/json; charset=latin1", 415),
		send("{}", "application/merge-patch+json", 415),
		send("{}", "multipart/form-data", 415),
		send("{}", "a b", 415),
		send("", "", 400, "it is empty"),
		send(" \n", "application/json", 400, "it is empty"),
		send("[]", "application/json", 400, "must be a JSON object"),
		send("null", "application/json", 400, "must be a JSON object"),
		send("'x'", "application/json", 400, "must be a JSON object"),
		send("{'a':1", "application/json", 400, "ends too early, at byte 6"),
		send("{'a':1,}", "application/json", 400, "is not JSON", "at byte 7"),
		send("{'a':01}", "application/json", 400, "at byte 6"),
		send("{} {}", "application/json", 400, "goes on behind the object, at byte 3"),
		send("{}x", "application/json", 400, "at byte 2"),
		send("{'a':'\xff'}", "application/json", 400, "not valid UTF-8, at byte 6"),
		send("{'a':'\n'}", "application/json", 400, "at byte 6"),
		send(deep(65), "application/json", 400, "deeper than 64 levels, at byte 68"),
	} {
		w.run(t, list)
	}
	w.run(t, []scenario{
		{call: "PUT " + drafts + "/{draft}/content", as: writer, body: `{'title':'a','x':` + deep(63) + `}`, status: 200},
		{call: "PUT " + drafts + "/{draft}/content", as: writer, body: `{'title':'[[[[{{{\''}`, status: 200, loose: true},
		{call: "PUT " + drafts + "/{draft}/content", as: writer, body: `{'title':'a','title':'b'} `, headers: map[string]string{"Content-Type": ""}, status: 200, has: []string{`'title':'b'`}, loose: true},
		{call: "PUT " + drafts + "/{draft}/content", as: writer, body: `{'title':'c'}`, headers: map[string]string{"Content-Type": "Application/JSON; charset=UTF-8"}, status: 200},
		{call: "PUT " + drafts + "/{draft}/content", as: writer, body: `{}`, headers: map[string]string{"Content-Encoding": "gzip"}, status: 415, has: []string{"compressed"}},
		{call: "PATCH " + drafts + "/{draft}", as: writer, body: `{}`, headers: map[string]string{"Content-Type": "text/json"}, status: 415},
	})
	// Without a Content-Length the limit holds as well.
	r, err := http.NewRequest("POST", w.URL+drafts, io.MultiReader(strings.NewReader(large), strings.NewReader(" ")))
	check(t, err)
	r.Header.Set("Authorization", "Bearer "+w.users[writer].token)
	got, err := http.DefaultClient.Do(r)
	check(t, err)
	got.Body.Close()
	if got.StatusCode != 413 {
		t.Errorf("a large body of unknown length: status %d", got.StatusCode)
	}
}

func TestCredentials(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	good, wrong := w.users[writer].signed(), "apiKey="+w.users[writer].apiKey+"&sig=00000000000000000000000000000000"
	w.run(t, []scenario{
		{call: "GET " + drafts + "?" + good, status: 200},
		{call: "GET " + drafts + "?limit=1&" + wrong + "&" + good, status: 200},
		{call: "GET " + drafts + "?" + good + "&" + wrong, status: 401, has: []string{inEnvelope + "INVALID_SIGNATURE"}},
		{call: "GET " + drafts + "?" + w.users[foreign].signed(), status: 403, has: []string{inFramework}, lacks: []string{"apiKey"}},
		{call: "GET " + drafts + "?apiKey=" + w.users[writer].apiKey, status: 401, has: []string{inEnvelope + "MISSING_CREDENTIALS", "sig"}},
		{call: "GET " + drafts + "?sig=x", status: 401, has: []string{"apiKey"}},
		{call: "GET " + drafts + "?" + good, headers: map[string]string{"Authorization": "Bearer cg_x"}, status: 401},
		{call: "GET " + drafts + "?" + wrong, as: writer, status: 200},
		{call: "GET " + drafts, headers: map[string]string{"Authorization": "Basic eDp5"}, status: 401},
	})
}

func TestGuessing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.auth.GuessLimit = 1
	bad := scenario{call: "GET " + drafts, headers: map[string]string{"Authorization": "Bearer cg_x"}, status: 401}
	w.do(t, bad)
	bad.status, bad.has, bad.sends = 429, []string{inEnvelope + "RATE_LIMITED"}, map[string]string{"Retry-After": "*", "RateLimit": ""}
	w.do(t, bad)
	w.do(t, scenario{call: "GET " + drafts, as: writer, status: 200})
}

func TestLimits(t *testing.T) {
	t.Parallel()
	limits := auth.Limits{auth.Submit: 1, auth.Poll: 2, auth.Content: 3}
	w := newWorld(t, func(o *Options) { o.Limit = auth.NewLimiter(limits, nil).Take })
	const async = "POST /data-api/v1/async/ai_search_citations"
	submit := scenario{call: async, signed: writer, body: `{'account_id':101,'start_date':'2026-11-08','end_date':'2026-11-14'}`, status: 202}
	poll := scenario{call: async, signed: writer, body: `{'executionId':'x'}`, status: 404}
	read := scenario{call: "GET " + drafts, as: writer, status: 200, sends: map[string]string{"RateLimit": "*", "RateLimit-Policy": `"content";q=3;w=60`}}
	w.run(t, []scenario{submit, poll, poll, read, read, read})
	refused := func(s scenario, policy string, has ...string) scenario {
		s.status, s.has, s.sends = 429, append(has, "'RATE_LIMITED'"), map[string]string{"Retry-After": "*", "RateLimit": "*", "RateLimit-Policy": policy}
		return s
	}
	w.run(t, []scenario{
		refused(submit, `"submit";q=1;w=60`, `'requestId':'`), refused(poll, `"poll";q=2;w=60`), refused(read, `"content";q=3;w=60`, inEnvelope),
		{call: "GET " + drafts, as: other, status: 200},
		{call: "GET /healthz", status: 200},
	})
}

// broken is a root whose drafts fail in a way that id chooses.
type broken struct{ generated.ResolverRoot }

type brokenQuery struct {
	generated.QueryResolver
	fail func(id uuid.UUID) error
}

func (b broken) Query() generated.QueryResolver {
	return brokenQuery{b.ResolverRoot.Query(), func(id uuid.UUID) error {
		switch id[15] {
		case 1:
			return errors.New("pq: relation secret")
		case 2:
			return fault.New(fault.Unavailable, "the database is busy; try again").Because(errors.New("secret")).After(3)
		case 3:
			return fault.New(fault.Unprocessable, "it cannot be done")
		case 4:
			return context.Canceled
		}
		panic("secret")
	}}
}

func (q brokenQuery) Draft(_ context.Context, _ int, id uuid.UUID) (*db.Draft, error) {
	return nil, q.fail(id)
}

func TestInternalFailures(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(o *Options) { o.Root = broken{o.Root} })
	one := func(n string, status int, has ...string) scenario {
		return scenario{call: "GET " + drafts + "/00000000-0000-0000-0000-00000000000" + n, as: writer, status: status,
			has: append(has, inFramework), lacks: []string{"secret", "goroutine"}, headers: map[string]string{requestID: "request-" + n}}
	}
	unavailable := one("2", 503, `'error':'Service Unavailable','message':'the database is busy; try again'`)
	unavailable.sends = map[string]string{"Retry-After": "3"}
	w.run(t, []scenario{one("1", 500, `'error':'Internal Server Error','message':'internal error'`), unavailable, one("5", 500, "internal error")})
	for _, s := range []scenario{one("3", 422), one("4", 499)} { // which no documented operation answers
		if a, _ := w.send(t, s); a.StatusCode != s.status || !strings.HasPrefix(a.body, `{"timestamp":"`) {
			t.Errorf("status %d, want %d: %s", a.StatusCode, s.status, a.body)
		}
	}
	for _, want := range []string{`pq: relation secret" request=request-1 user=1`, "try again: secret", "panic: secret", "errors_test.go", "status=499", "request=request-5"} {
		if !strings.Contains(w.log.String(), want) {
			t.Errorf("the log lacks %q", want)
		}
	}
	if n := strings.Count(w.log.String(), "pq: relation"); n != 1 {
		t.Errorf("the cause is logged %d times", n)
	}
}
