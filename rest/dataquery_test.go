package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/flate"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/graph/generated"
	"github.com/contentgraph/contentgraph/internal/dataquery"
	"github.com/contentgraph/contentgraph/internal/store"
)

const (
	async = "POST /data-api/v1/async/keyword_rankings"
	alias = "POST /data-api/v1/keyword_rankings"
	week  = `'account_id':101,'start_date':'2026-11-08','end_date':'2026-11-14'`
)

// envelopeOf is every answer of a data query.
type envelopeOf struct {
	Results        [][]string
	Schema         []struct{ Name, Type string }
	ExecutionState string
	ExecutionID    string
	RequestID      string
	NextPageID     *string
	TotalRowCount  *int
	Message        string
}

func read(t *testing.T, a answer) (e envelopeOf) {
	t.Helper()
	check(t, json.Unmarshal([]byte(a.body), &e))
	return e
}

// submitted submits and answers the executionId.
func (w *world) submitted(t *testing.T, call, as, body string) string {
	t.Helper()
	a := w.do(t, scenario{call: call, signed: as, body: body, loose: strings.Contains(body, "null"), status: 202, has: []string{`{'executionState':'IN_PROGRESS','executionId':'`}, lacks: []string{"results", "schema"},
		sends: map[string]string{"Retry-After": "", "Cache-Control": "no-store"}})
	e := read(t, a)
	if e.RequestID != a.Header.Get(requestID) {
		t.Errorf("requestId %q, header %q", e.RequestID, a.Header.Get(requestID))
	}
	return e.ExecutionID
}

// finished polls until the execution has ended.
func (w *world) finished(t *testing.T, call, as, body string) answer {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		a, _ := w.send(t, scenario{call: call, signed: as, body: body})
		if a.StatusCode != 202 {
			return w.do(t, scenario{call: call, signed: as, body: body, status: 200}) // compared with the document
		}
		if got := a.Header.Get("Retry-After"); got != "1" || !strings.HasPrefix(a.body, `{"executionState":"IN_PROGRESS","executionId":"`) {
			t.Fatalf("a running query answers %s, Retry-After %q", a.body, got)
		}
	}
	t.Fatal("the query does not end")
	return answer{}
}

func TestDataQuery(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.rankings(t, 101, 250)
	w.rankings(t, 102, 3)
	id := w.submitted(t, async, writer, `{`+week+`}`)
	poll := fmt.Sprintf(`{'executionId':'%s'}`, id)

	first := w.finished(t, async, writer, poll)
	e := read(t, first)
	if len(e.Results) != 100 || *e.TotalRowCount != 250 || len(e.Schema) != 26 || len(e.Results[0]) != 26 || e.NextPageID == nil || e.ExecutionState != "COMPLETED" {
		t.Fatalf("%.300s", first.body)
	}
	if got := e.Results[7]; got[0] != "101" || got[15] != `query 7 "quoted" <é>` || got[6] != "2026-11-08" || e.Schema[6].Name != "time_period_start" || e.Schema[6].Type != "date" {
		t.Errorf("row 8: %q", got)
	}
	at := 0
	for _, part := range []string{`{"results":[["101",`, `],"schema":[{"name":"account_id","type":"integer"},`, `],"executionState":"COMPLETED","executionId":"` + id + `","requestId":"`, `","nextPageId":"`, `","totalRowCount":250}`} {
		i := strings.Index(first.body[at:], part)
		if i < 0 {
			t.Fatalf("no %s behind byte %d", part, at)
		}
		at += i
	}

	var rows []string
	for pages := 1; ; pages++ {
		for _, row := range e.Results {
			rows = append(rows, row[15])
		}
		if e.NextPageID == nil {
			if pages != 3 || len(rows) != 250 || rows[249] != `query 249 "quoted" <é>` {
				t.Errorf("%d pages, %d rows", pages, len(rows))
			}
			break
		}
		call := []string{async, alias}[pages%2]
		page := fmt.Sprintf(`{'executionId':'%s','nextPageId':'%s','account_id':'ignored'}`, id, *e.NextPageID)
		again := w.do(t, scenario{call: call, signed: writer, body: page, status: 200}).body
		next := w.do(t, scenario{call: call, signed: writer, body: page, status: 200})
		e = read(t, next)
		if _, rest, _ := strings.Cut(again, `"nextPageId"`); !strings.HasSuffix(next.body, rest) {
			t.Error("a page that is asked for again differs")
		}
		if *e.TotalRowCount != 250 || len(e.Schema) != 26 {
			t.Errorf("page %d: %d rows in all, %d columns", pages+1, *e.TotalRowCount, len(e.Schema))
		}
	}

	// The alias submits and polls likewise, and wide rows are on demand.
	wide := w.submitted(t, alias, writer, `{'account_id':'101','start_date':'2026-11-08','end_date':'2026-11-14','includeMsv':'true','limit':2,'executionId':null,'nextPageId':null,'devices':null,'rank_source_ids':1}`)
	e = read(t, w.finished(t, async, writer, fmt.Sprintf(`{'executionId':'%s'}`, wide)))
	if len(e.Schema) != 31 || len(e.Results) != 2 || len(e.Results[0]) != 31 || e.Results[0][27] != "1.25" || e.NextPageID != nil {
		t.Errorf("with includeMsv: %+v", e)
	}
	none := w.submitted(t, async, writer, `{'account_id':101,'start_date':'2025-11-09','end_date':'2025-11-15'}`)
	w.finished(t, async, writer, fmt.Sprintf(`{'executionId':'%s'}`, none))
	w.do(t, scenario{call: async, signed: writer, body: fmt.Sprintf(`{'executionId':'%s'}`, none), status: 200, has: []string{`{'results':[],'schema':[`, `'nextPageId':null,'totalRowCount':0}`}})
}

func TestDataQueryFailures(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.rankings(t, 101, 250)
	ours := w.submitted(t, async, writer, `{`+week+`}`)
	another := w.submitted(t, async, writer, `{`+week+`}`)
	w.finished(t, async, writer, fmt.Sprintf(`{'executionId':'%s'}`, another))
	token := *read(t, w.finished(t, async, writer, fmt.Sprintf(`{'executionId':'%s'}`, ours))).NextPageID
	theirs := w.submitted(t, async, foreign, `{'account_id':102,'start_date':'2026-11-08','end_date':'2026-11-14'}`)
	citations := strings.Replace(async, "keyword_rankings", "ai_search_citations", 1)

	unsigned := map[string]string{"X-API-GATEWAY-KEY": ""}
	bad := func(body string, has ...string) scenario {
		return scenario{call: async, signed: writer, body: body, status: 400, has: append(has, `{'code':'INVALID_REQUEST','message':'`, `'requestId':'`, `'errors':[`)}
	}
	lost := func(call, as, id string) scenario {
		return scenario{call: call, signed: as, body: `{'executionId':'` + id + `'}`, status: 404, has: []string{`{'code':'EXECUTION_NOT_FOUND','message':'there is no such execution','requestId':'`}}
	}
	w.run(t, []scenario{
		// 401
		{call: async, body: "{", status: 401, has: []string{`'MISSING_CREDENTIALS'`, "apiKey", "sig", "X-API-GATEWAY-KEY", `'requestId':'`}},
		{call: async, as: writer, body: "{}", status: 401, has: []string{"MISSING_CREDENTIALS"}},
		{call: async, signed: writer, headers: unsigned, body: "{", status: 401, has: []string{"MISSING_CREDENTIALS", "X-API-GATEWAY-KEY"}},
		{call: async, signed: writer, headers: map[string]string{"X-API-GATEWAY-KEY": w.users[other].apiKey}, body: "{", status: 401, has: []string{"GATEWAY_KEY_MISMATCH"}},
		{call: async + "?sig=x", headers: map[string]string{"X-API-GATEWAY-KEY": w.users[writer].apiKey}, status: 401},
		{call: async + "?apiKey=" + w.users[writer].apiKey + "&sig=x", headers: map[string]string{"X-API-GATEWAY-KEY": w.users[writer].apiKey}, status: 401, has: []string{"INVALID_SIGNATURE"}},
		{call: async + "?apiKey=x&sig=x", signed: writer, body: `{`, status: 400}, // the last pair counts
		{call: "POST /data-api/v1/async/nothing", status: 401},
		{call: "GET /data-api", status: 401, has: []string{`'requestId':'`}},
		// 403
		{call: async, signed: dataless, body: "{", status: 403, has: []string{`{'code':'FORBIDDEN'`, "Data API 2.0 entitlement"}},
		{call: "POST /data-api/v1/async/nothing", signed: dataless, status: 403},
		{call: async, signed: writer, body: `{'account_id':102}`, status: 403, has: []string{`{'code':'FORBIDDEN','message':'no access to account 102','requestId':'`}},
		{call: async, signed: writer, body: `{'account_id':'999','locodes':5}`, status: 403},
		// 404, 405
		{call: "POST /data-api/v1/async/nothing", signed: writer, body: "{", status: 404, has: []string{`{'code':'NOT_FOUND','message':'there is no such path','requestId':'`}},
		{call: "POST /data-api/v1/async", signed: writer, status: 404},
		{call: "GET /data-api/v2", signed: writer, status: 404},
		{call: strings.Replace(async, "POST", "GET", 1), signed: writer, status: 405, has: []string{`{'code':'METHOD_NOT_ALLOWED'`, `'requestId':'`}, sends: map[string]string{"Allow": "POST"}},
		{call: strings.Replace(alias, "POST", "FOO", 1), signed: writer, status: 405, sends: map[string]string{"Allow": "POST"}},
		// 400
		bad(`{}`, `'errors':[{'field':'account_id','message':'is required'},{'field':'start_date','message':'is required'},{'field':'end_date','message':'is required'}]`),
		bad(`{`+week+`,'min_rank':0,'locodes':['x'],'devices':['TV'],'languages':7}`, `'field':'min_rank'`, `'field':'locodes[0]'`, `'field':'devices[0]'`, `'field':'languages[0]'`),
		bad(`{'account_id':'x','start_date':'2026-11-09','end_date':'2026-11-31'}`, `'field':'account_id'`, `'field':'start_date'`, `'field':'end_date'`),
		bad(`{'nextPageId':'x'}`, `'field':'account_id'`),
		bad(`{'executionId':7,'nextPageId':[]}`, `{'field':'executionId','message':'must be a string'},{'field':'nextPageId','message':'must be a string'}`),
		bad(`[]`, `'errors':[]`),
		{call: async, signed: writer, body: `{'executionId':'` + ours + `','nextPageId':'x'}`, status: 400, has: []string{`{'code':'INVALID_PAGE_TOKEN'`, `'errors':[{'field':'nextPageId'`}},
		{call: async, signed: writer, body: `{'executionId':'` + another + `','nextPageId':'` + token + `'}`, status: 400, has: []string{"INVALID_PAGE_TOKEN"}},
		// executions of others
		lost(async, writer, theirs), lost(async, other, ours), lost(async, foreign, ours), lost(citations, writer, ours),
		lost(async, writer, ""), lost(async, writer, "x"), lost(async, writer, strings.Replace(ours, "kr:", "ac:", 1)), lost(citations, writer, strings.Replace(ours, "kr:", "ac:", 1)),
		lost(async, writer, ours+" "), lost(async, writer, strings.Replace(ours, "kr:2t", "kr:2u", 1)),
	})

	ctx := store.As(t.Context(), 101, w.users[writer].id)
	_, _, e, _ := dataquery.ParseID(another)
	w.store.Execution.UpdateOneID(e).SetState("FAILED").SetMessage("cancelled by the caller").ExecX(ctx)
	failed := scenario{call: async, signed: writer, body: fmt.Sprintf(`{'executionId':'%s'}`, another), status: 200, lacks: []string{"results"}, headers: map[string]string{requestID: "r1"},
		has: []string{`'executionState':'FAILED','executionId':'` + another + `','requestId':'r1','nextPageId':null,'totalRowCount':null,'message':'cancelled by the caller'}`}}
	w.do(t, failed)
	failed.body = fmt.Sprintf(`{'executionId':'%s','nextPageId':'x'}`, another)
	w.do(t, failed)
}

// TestDataQueryExpired: an execution says for a while that it is over.
func TestDataQueryExpired(t *testing.T) {
	t.Parallel()
	past := time.Now().Add(-8 * 24 * time.Hour)
	w := newWorld(t)
	ctx := store.As(t.Context(), 101, w.users[writer].id)
	e := w.store.Execution.Create().SetUserID(w.users[writer].id).SetQuery("keyword_rankings").SetRequest([]byte("{}")).SetPins(nil).SetPageRows(100).
		SetExpected(0).SetCreated(past).SetExpires(past.Add(dataquery.Valid)).SetState("COMPLETED").SaveX(ctx)
	w.do(t, scenario{call: async, signed: writer, body: fmt.Sprintf(`{'executionId':'%s'}`, dataquery.ID(e)), status: 404, has: []string{`{'code':'EXECUTION_EXPIRED'`}})
}

// damaged is a root that answers pages of which chunk number bad is damaged.
type damaged struct {
	generated.ResolverRoot
	bad int
}

type damagedExecution struct {
	generated.ExecutionResolver
	bad int
}

func (d damaged) Execution() generated.ExecutionResolver {
	return damagedExecution{d.ResolverRoot.Execution(), d.bad}
}

func (d damagedExecution) Page(context.Context, *db.Execution, *string, *int) (*dataquery.Page, error) {
	p := &dataquery.Page{}
	for i := range 2 {
		text := []byte(strings.Repeat(`["x"],`, 5000) + `["x"]`)
		var packed bytes.Buffer
		z, _ := flate.NewWriter(&packed, 6)
		z.Write(text)
		z.Flush()
		c := &db.ResultChunk{ID: i, Length: len(text), Crc32: crc32.ChecksumIEEE(text), Data: packed.Bytes()}
		if i == d.bad {
			c.Crc32++
		}
		p.Rows.Chunks = append(p.Rows.Chunks, c)
	}
	return p, nil
}

func TestDamagedRows(t *testing.T) {
	t.Parallel()
	for bad := range 2 {
		w := newWorld(t, func(o *Options) { o.Root = damaged{o.Root, bad} })
		id := w.submitted(t, async, writer, `{`+week+`}`)
		poll := scenario{call: async, signed: writer, body: fmt.Sprintf(`{'executionId':'%s'}`, id), status: 500, headers: map[string]string{"Accept-Encoding": "identity"},
			has: []string{`{'code':'INTERNAL_ERROR','message':'internal error','requestId':'`}, sends: map[string]string{rowsDigest: ""}}
		for { // until it has ended
			e, err := w.store.Execution.Query().Only(store.As(t.Context(), 101, w.users[writer].id))
			check(t, err)
			if e.State == "COMPLETED" {
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
		if bad == 0 {
			w.do(t, poll)
		} else {
			cutOff(t, w, poll.body)
		}
		if !strings.Contains(w.log.String(), "the stored rows are damaged") {
			t.Errorf("the log does not say so: %s", w.log)
		}
	}
}

// cutOff demands an answer that begins well and is seen not to be whole.
func cutOff(t *testing.T, w *world, body string) {
	t.Helper()
	u := w.users[writer]
	r, err := http.NewRequest("POST", w.URL+"/data-api/v1/async/keyword_rankings?"+u.signed(), strings.NewReader(strings.ReplaceAll(body, "'", `"`)))
	check(t, err)
	r.Header.Set("X-API-GATEWAY-KEY", u.apiKey)
	r.Header.Set("Accept-Encoding", "identity")
	a, err := http.DefaultTransport.RoundTrip(r)
	check(t, err)
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	if a.StatusCode != 200 || !strings.HasPrefix(string(text), `{"results":[["x"],`) || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("status %d, %d bytes, %v", a.StatusCode, len(text), err)
	}
}
