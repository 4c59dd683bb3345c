package rest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/contentgraph/contentgraph/internal/auth"
	"github.com/contentgraph/contentgraph/internal/dataquery"
	"github.com/contentgraph/contentgraph/internal/store"
)

const executions = "/data-api/v1/executions"

type manifest struct {
	Progress struct {
		RowsWritten int
		Fraction    *float64
	}
	TotalRowCount *int
	PageRows      int
	Digest        string
	Pages         []struct {
		Page, Rows int
		Digest     string
	}
}

func TestManifest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.rankings(t, 101, 250)
	w.queue.Stop() // so that nothing runs yet
	id := w.submitted(t, async, writer, `{`+week+`}`)
	at := executions + "/" + id
	w.run(t, []scenario{
		{call: "GET " + at, signed: writer, status: 200, headers: map[string]string{requestID: "r1"}, sends: map[string]string{"Cache-Control": "no-store"}, has: []string{
			`{'executionId':'` + id + `','query':'keyword_rankings','executionState':'IN_PROGRESS','message':null,'created':'`, `','finished':null,'expires':'`,
			`','progress':{'rowsWritten':0,'fraction':null},'totalRowCount':null,'pageRows':100,'digest':null,'pages':null,'requestId':'r1'}`}},
		{call: "GET " + at + "/pages/7", signed: writer, status: 202, has: []string{`{'executionState':'IN_PROGRESS','executionId':'` + id}, sends: map[string]string{"Retry-After": "1", rowsDigest: ""}},
	})
}

func TestManifestOfCompleted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.rankings(t, 101, 250)
	id := w.submitted(t, async, writer, `{`+week+`}`)
	poll := `{'executionId':'` + id + `'}`
	w.finished(t, async, writer, poll)
	at := executions + "/" + id
	var m manifest
	check(t, json.Unmarshal([]byte(w.do(t, scenario{call: "GET " + at, signed: writer, status: 200}).body), &m))
	if len(m.Pages) != 3 || m.Progress.RowsWritten != 250 || *m.Progress.Fraction != 1 || *m.TotalRowCount != 250 || m.PageRows != 100 {
		t.Fatalf("%+v", m)
	}
	// Pages in any order are those of the tokens, byte for byte.
	bodies, all := map[int]string{}, sha256.New()
	for _, n := range []int{3, 1, 2} {
		a := w.do(t, scenario{call: fmt.Sprintf("GET %s/pages/%d", at, n), signed: writer, status: 200, headers: map[string]string{requestID: "r1"}})
		bodies[n] = a.body
		line := m.Pages[n-1]
		if e := read(t, a); line.Page != n || line.Rows != len(e.Results) || line.Digest != digestOf(rowsOf(t, a.body)) || a.Header.Get(rowsDigest) != "sha-256="+line.Digest {
			t.Errorf("page %d of %d rows: %+v, %s", n, len(e.Results), line, a.Header.Get(rowsDigest))
		}
	}
	body := poll
	for n := 1; n <= 3; n++ {
		a := w.do(t, scenario{call: async, signed: writer, body: body, status: 200, headers: map[string]string{requestID: "r1"}})
		if a.body != bodies[n] {
			t.Errorf("page %d by token and by number:\n%.200s\n%.200s", n, a.body, bodies[n])
		}
		if e := read(t, a); e.NextPageID != nil {
			body = `{'executionId':'` + id + `','nextPageId':'` + *e.NextPageID + `'}`
		}
		sum, err := hex.DecodeString(m.Pages[n-1].Digest)
		check(t, err)
		all.Write(sum)
	}
	if want := hex.EncodeToString(all.Sum(nil)); m.Digest != want {
		t.Errorf("digest %s, want %s", m.Digest, want)
	}
	escaped := executions + "/" + strings.ReplaceAll(id, ":", "%3A")
	w.run(t, []scenario{
		{call: "GET " + escaped, signed: writer, status: 200, has: []string{`'executionId':'` + id + `'`}},
		{call: "GET " + escaped + "/pages/2", signed: writer, status: 200},
		{call: "HEAD " + at + "/pages/2", signed: writer, status: 200, loose: true, sends: map[string]string{rowsDigest: "sha-256=" + m.Pages[1].Digest}},
		{call: "GET " + at + "/pages/0", signed: writer, status: 404, has: []string{`{'code':'NOT_FOUND','message':'there is no page 0; the execution has pages 1 to 3','requestId':'`}, sends: map[string]string{rowsDigest: ""}},
		{call: "GET " + at + "/pages/-1", signed: writer, status: 404, has: []string{"no page -1"}},
		{call: "GET " + at + "/pages/4", signed: writer, status: 404, has: []string{"no page 4"}},
		{call: "GET " + at + "/pages/99999999999999999999", signed: writer, status: 404, has: []string{"'NOT_FOUND'"}},
		{call: "GET " + at + "/pages/x", signed: writer, status: 400, has: []string{`'INVALID_REQUEST'`, `'errors':[{'field':'number','message':'must be a whole number'}]`}},
		{call: "GET " + at + "/pages/1.0", signed: writer, status: 400},
		{call: "GET " + at + "/pages", signed: writer, status: 404, has: []string{"no such path"}},
		{call: "GET " + executions + "/x", signed: writer, status: 404, has: []string{"EXECUTION_NOT_FOUND"}},
		{call: "POST " + at, signed: writer, status: 405, sends: map[string]string{"Allow": "GET, HEAD, DELETE"}},
		{call: "GET " + at, status: 401, has: []string{"MISSING_CREDENTIALS"}},
		{call: "GET " + at, as: writer, status: 401},
		{call: "GET " + at, signed: writer, headers: map[string]string{"X-API-GATEWAY-KEY": ""}, status: 401, has: []string{"X-API-GATEWAY-KEY"}},
		{call: "GET " + at, signed: dataless, status: 403},
		{call: "GET " + at, signed: other, status: 404, has: []string{"EXECUTION_NOT_FOUND"}}, // of the same account
		{call: "GET " + at + "/pages/1", signed: other, status: 404, has: []string{"EXECUTION_NOT_FOUND"}},
		{call: "DELETE " + at, signed: other, status: 404, has: []string{"EXECUTION_NOT_FOUND"}},
	})
}

func TestExecutionList(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var ids []string
	for range 3 {
		id := w.submitted(t, async, writer, `{`+week+`}`)
		w.finished(t, async, writer, `{'executionId':'`+id+`'}`)
		ids = append(ids, id)
		time.Sleep(2 * time.Millisecond) // the order is that of the milliseconds
	}
	w.submitted(t, async, other, `{`+week+`}`)
	bad := func(query string, has ...string) scenario {
		return scenario{call: "GET " + executions + query, signed: writer, status: 400, has: append(has, "INVALID_REQUEST", "'errors':[{'field':'")}
	}
	a := w.do(t, scenario{call: "GET " + executions + "?account_id=101", signed: writer, status: 200, lacks: []string{"'pages'", "requestId"}, has: []string{
		`{'data':[{'executionId':'` + ids[2] + `','query':'keyword_rankings','executionState':'COMPLETED',`, `'pagination':{'total':3,'offset':0,'limit':20,'hasMore':false}}`}})
	if strings.Index(a.body, ids[2]) > strings.Index(a.body, ids[1]) || strings.Index(a.body, ids[1]) > strings.Index(a.body, ids[0]) {
		t.Error("not the newest first:", a.body)
	}
	w.run(t, []scenario{
		{call: "GET " + executions + "?account_id=7&account_id=101&limit=1&offset=1", signed: writer, status: 200,
			has: []string{`{'data':[{'executionId':'` + ids[1], `'pagination':{'total':3,'offset':1,'limit':1,'hasMore':true}}`}, lacks: []string{ids[0], ids[2]}},
		bad("", "account_id: is required"), bad("?account_id=", "account_id"), bad("?account_id=x", "account_id"), bad("?account_id=0", "account_id"),
		bad("?account_id=-1", "account_id"), bad("?account_id=99999999999999999999", "account_id"),
		bad("?account_id=101&limit=0", "'field':'limit'"), bad("?account_id=101&limit=101&offset=-1", "'field':'limit'", "'field':'offset'"), bad("?account_id=101&limit=x", "'field':'limit'"),
		{call: "GET " + executions + "?account_id=102&limit=x", signed: writer, status: 403, has: []string{"no access to account 102"}},
		{call: "GET " + executions + "?account_id=999", signed: writer, status: 403},
		{call: "GET " + executions + "?account_id=x", status: 401},
		{call: "GET " + executions + "?account_id=x", signed: dataless, status: 403},
	})
}

func TestExecutionDelete(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.rankings(t, 101, 250)
	ctx := store.As(t.Context(), 101, w.users[writer].id)
	id := w.submitted(t, async, writer, `{`+week+`}`)
	poll := `{'executionId':'` + id + `'}`
	w.finished(t, async, writer, poll)
	at := executions + "/" + id
	gone := []string{`{'code':'EXECUTION_NOT_FOUND'`, `'requestId':'`}
	w.run(t, []scenario{
		{call: "DELETE " + at, signed: other, status: 404, has: gone},
		{call: "DELETE " + at, signed: writer, status: 204},
		{call: "DELETE " + at, signed: writer, status: 404, has: gone},
		{call: "GET " + at, signed: writer, status: 404, has: gone},
		{call: "GET " + at + "/pages/1", signed: writer, status: 404, has: gone},
		{call: async, signed: writer, body: poll, status: 404, has: gone},
		{call: "GET " + executions + "?account_id=101", signed: writer, status: 200, has: []string{`{'data':[],`}},
	})
	if n := w.store.ResultChunk.Query().CountX(ctx); n != 0 {
		t.Errorf("%d chunks are left", n)
	}

	w.queue.Stop()
	id = w.submitted(t, async, writer, `{`+week+`}`)
	at = executions + "/" + id
	const cancelled = `'message':'cancelled by the caller'`
	w.run(t, []scenario{
		{call: "DELETE " + at, signed: writer, status: 204},
		{call: "GET " + at, signed: writer, status: 200, has: []string{`'executionState':'FAILED',` + cancelled, `'totalRowCount':null,`, `'digest':null,'pages':null,`}, lacks: []string{`'finished':null`}},
		{call: "GET " + at + "/pages/1", signed: writer, status: 200, has: []string{`'executionState':'FAILED'`, cancelled}, lacks: []string{"results"}, sends: map[string]string{rowsDigest: ""}},
		{call: "DELETE " + at, signed: writer, status: 204},
		{call: "GET " + at, signed: writer, status: 404, has: gone},
	})

	past := time.Now().Add(-8 * 24 * time.Hour)
	e := w.store.Execution.Create().SetUserID(w.users[writer].id).SetQuery("keyword_rankings").SetRequest([]byte("{}")).SetPins(nil).SetPageRows(100).
		SetExpected(0).SetCreated(past).SetExpires(past.Add(dataquery.Valid)).SetState("COMPLETED").SaveX(ctx)
	at = executions + "/" + dataquery.ID(e)
	for _, call := range []string{"GET " + at, "GET " + at + "/pages/1", "DELETE " + at} {
		w.do(t, scenario{call: call, signed: writer, status: 404, has: []string{`{'code':'EXECUTION_EXPIRED'`}})
	}
}

// TestExecutionLimits: all routes of executions count as polls.
func TestExecutionLimits(t *testing.T) {
	t.Parallel()
	limits := auth.Limits{auth.Poll: 4}
	w := newWorld(t, func(o *Options) { o.Limit = auth.NewLimiter(limits, nil).Take })
	missing := "/" + strings.Repeat("x", 3)
	w.run(t, []scenario{
		{call: "GET " + executions + "?account_id=101", signed: writer, status: 200},
		{call: "GET " + executions + missing, signed: writer, status: 404},
		{call: "GET " + executions + missing + "/pages/1", signed: writer, status: 404},
		{call: "DELETE " + executions + missing, signed: writer, status: 404},
		{call: "GET " + executions, signed: writer, status: 429, has: []string{"RATE_LIMITED"}, sends: map[string]string{"Retry-After": "*"}},
		{call: "GET " + executions + missing, signed: writer, status: 429},
		{call: "GET " + executions + missing + "/pages/x", signed: writer, status: 429},
		{call: "DELETE " + executions + missing, signed: writer, status: 429},
	})
}
