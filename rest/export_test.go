package rest

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/contentgraph/contentgraph/ent/db/execution"
	"github.com/contentgraph/contentgraph/ent/db/grant"
	"github.com/contentgraph/contentgraph/internal/auth"
	"github.com/contentgraph/contentgraph/internal/dataquery"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// exported is the id of a completed execution of writer with n rows.
func (w *world) exported(t *testing.T, n int) string {
	t.Helper()
	w.rankings(t, 101, n)
	id := w.submitted(t, async, writer, `{`+week+`}`)
	w.finished(t, async, writer, `{'executionId':'`+id+`'}`)
	return id
}

func exportOf(id, query string) string {
	return executions + "/" + strings.ReplaceAll(id, ":", "%3A") + "/export" + query
}

func TestExport(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.exported(t, 250)
	const name = "attachment; filename=keyword_rankings_2026-11-08_2026-11-14."
	files := map[string]string{}
	for format, media := range map[string]string{"csv": "text/csv; charset=utf-8", "ndjson": "application/x-ndjson", "parquet": "application/vnd.apache.parquet"} {
		sends := map[string]string{"Content-Type": media, "Content-Disposition": name + format, "Cache-Control": "no-store", "Content-Encoding": "", "No-Gzip-Compression": "", "Content-Length": ""}
		files[format] = w.do(t, scenario{call: "GET " + exportOf(id, "?format="+format), signed: writer, status: 200, sends: sends}).body
		if head := w.do(t, scenario{call: "HEAD " + exportOf(id, "?format="+format), signed: writer, status: 200, sends: map[string]string{"Content-Disposition": name + format, "Content-Encoding": "", "No-Gzip-Compression": ""}, loose: true}); head.body != "" {
			t.Errorf("HEAD answers %d bytes", len(head.body))
		}
		coding := map[bool]string{true: "", false: "gzip"}[format == "parquet"]
		packed, _ := w.send(t, scenario{call: "GET " + exportOf(id, "?format="+format), signed: writer, headers: map[string]string{"Accept-Encoding": "gzip"}})
		if got := packed.Header.Get("Content-Encoding"); got != coding || packed.Header.Get("No-Gzip-Compression") != "" {
			t.Errorf("%s is packed with %q", format, got)
		}
	}
	rows, err := csv.NewReader(strings.NewReader(files["csv"])).ReadAll()
	check(t, err)
	if len(rows) != 251 || rows[0][15] != "query" || rows[8][15] != `query 7 "quoted" <é>` || len(rows[8]) != 26 {
		t.Errorf("%d rows, %q", len(rows), rows[8])
	}
	lines := strings.Split(strings.TrimSuffix(files["ndjson"], "\n"), "\n")
	if len(lines) != 250 || !strings.HasPrefix(lines[7], `{"account_id":101,"account_name":null,`) || !strings.Contains(lines[7], `"query":"query 7 \"quoted\" <é>",`) || !json.Valid([]byte(lines[7])) {
		t.Errorf("%d lines, %s", len(lines), lines[7])
	}
	file, err := parquet.OpenFile(strings.NewReader(files["parquet"]), int64(len(files["parquet"])))
	if err != nil || file.NumRows() != 250 {
		t.Errorf("%v", err)
	}
	e := read(t, w.finished(t, async, writer, `{'executionId':'`+w.submitted(t, async, writer, `{'account_id':101,'start_date':'2025-11-09','end_date':'2025-11-15'}`)+`'}`))
	for _, format := range dataquery.Formats {
		w.do(t, scenario{call: "GET " + exportOf(e.ExecutionID, "?format="+format), signed: writer, status: 200, sends: map[string]string{"Content-Disposition": "*"}})
	}
}

func TestExportFailures(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.exported(t, 250)
	op := store.System(t.Context())
	set := func(state string) string {
		id := w.submitted(t, async, writer, `{`+week+`}`)
		w.finished(t, async, writer, `{'executionId':'`+id+`'}`)
		_, _, key, _ := dataquery.ParseID(id)
		w.store.Execution.Update().Where(execution.ID(key)).SetState(state).SetMessage("cancelled by the caller").ExecX(op)
		return id
	}
	running, failed := set(vocab.InProgress), set(vocab.Failed)
	bad := []string{`'INVALID_REQUEST'`, `'errors':[{'field':'format','message':'must be one of csv, ndjson, parquet'}]`}
	w.run(t, []scenario{
		{call: "GET " + exportOf(id, ""), signed: writer, status: 400, has: bad},
		{call: "GET " + exportOf(id, "?format=xlsx"), signed: writer, status: 400, has: bad, sends: map[string]string{"Content-Disposition": ""}},
		{call: "GET " + exportOf(running, "?format=csv"), signed: writer, status: 409, has: []string{"'CONFLICT'", "still runs"}},
		{call: "GET " + exportOf(failed, "?format=csv"), signed: writer, status: 409, has: []string{"'CONFLICT'", "cancelled by the caller"}},
		{call: "GET " + exportOf(id, "?format=csv"), signed: other, status: 404, has: []string{"'EXECUTION_NOT_FOUND'"}},
		{call: "GET " + exportOf("x", "?format=csv"), signed: writer, status: 404, has: []string{"'EXECUTION_NOT_FOUND'"}},
		{call: "GET " + exportOf(id, "?format=csv"), as: writer, status: 401, has: []string{"'MISSING_CREDENTIALS'"}},
		{call: "GET " + exportOf(id, "?format=csv"), signed: dataless, status: 403},
		{call: "POST " + exportOf(id, "?format=csv"), signed: writer, status: 405, sends: map[string]string{"Allow": "GET, HEAD"}},
		{call: "POST /data-api/v1/exports/x", status: 405, sends: map[string]string{"Allow": "GET, HEAD"}},
	})

	// A chunk is damaged: nothing but the failure is answered before the first
	// byte, and after it the connection is cut.
	query := executions + "/" + id + "/export?format="
	_, err := w.store.Writer.Exec("update result_chunks set crc32 = 1 where chunk = 0")
	check(t, err)
	w.do(t, scenario{call: "GET " + query + "csv", signed: writer, status: 500, has: []string{"'INTERNAL_ERROR'"}, sends: map[string]string{"Content-Disposition": "", "Content-Type": "application/json"}})
	w.rankings(t, 101, 3000)
	id = w.submitted(t, async, writer, `{`+week+`}`)
	w.finished(t, async, writer, `{'executionId':'`+id+`'}`)
	_, err = w.store.Writer.Exec("update result_chunks set crc32 = 1 where chunk = 25")
	check(t, err)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.URL+executions+"/"+id+"/export?format=ndjson&"+w.users[writer].signed(), nil)
	check(t, err)
	r.Header.Set(auth.GatewayHeader, w.users[writer].apiKey)
	got, err := http.DefaultTransport.RoundTrip(r)
	check(t, err)
	defer got.Body.Close()
	if n, err := io.Copy(io.Discard, got.Body); err == nil || n == 0 || got.StatusCode != 200 {
		t.Errorf("status %d, %d bytes, %v", got.StatusCode, n, err)
	}

}

func TestExportExpired(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.exported(t, 1)
	link := w.link(t, id, "CSV")
	_, err := w.store.Writer.Exec("update executions set expires = created")
	check(t, err)
	w.run(t, []scenario{
		{call: "GET " + exportOf(id, "?format=csv"), signed: writer, status: 404, has: []string{"'EXECUTION_EXPIRED'"}},
		{call: "GET " + link, status: 404, has: []string{"'NOT_FOUND'"}},
	})
}

// link makes a link of writer's by GraphQL, and answers its path.
func (w *world) link(t *testing.T, id, format string) string {
	t.Helper()
	a, _ := w.send(t, scenario{call: "POST /graphql", as: writer, body: `{'query':'mutation($id: ID!) { createExportLink(executionId: $id, format: ` + format + `) { url expires } }','variables':{'id':'` + id + `'}}`})
	var answer struct {
		Data struct{ CreateExportLink struct{ URL, Expires string } }
	}
	check(t, json.Unmarshal([]byte(a.body), &answer))
	path := answer.Data.CreateExportLink.URL
	if !strings.HasPrefix(path, "/data-api/v1/exports/") || answer.Data.CreateExportLink.Expires == "" {
		t.Fatal(a.body)
	}
	return path
}

func TestExportLinks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.exported(t, 250)
	op := store.System(t.Context())
	gone := []string{`{'code':'NOT_FOUND','message':'there is no such link; it works once and for 60 seconds','requestId':'`}
	whole := w.do(t, scenario{call: "GET " + exportOf(id, "?format=ndjson"), signed: writer, status: 200}).body

	path := w.link(t, id, "NDJSON")
	sends := map[string]string{"Content-Disposition": "attachment; filename=keyword_rankings_2026-11-08_2026-11-14.ndjson", "Cache-Control": "no-store", "Content-Type": "application/x-ndjson"}
	w.do(t, scenario{call: "HEAD " + path, status: 200, sends: sends, loose: true})
	if a := w.do(t, scenario{call: "GET " + path, status: 200, sends: sends}); a.body != whole {
		t.Errorf("%d bytes, want %d", len(a.body), len(whole))
	}
	w.run(t, []scenario{
		{call: "GET " + path, status: 404, has: gone},
		{call: "HEAD " + path, status: 404, loose: true},
		{call: "GET " + path, signed: writer, status: 404, has: gone},
		{call: "GET /data-api/v1/exports/2t." + strings.Repeat("A", 43), status: 404, has: gone},
		{call: "GET /data-api/v1/exports/x", status: 404, has: gone},
	})

	// Of many at once one gets it.
	path = w.link(t, id, "CSV")
	var got atomic.Int64
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			r, err := http.Get(w.URL + path)
			if err != nil {
				t.Error(err)
				return
			}
			defer r.Body.Close()
			if r.StatusCode == 200 {
				got.Add(1)
			}
		})
	}
	all.Wait()
	if got.Load() != 1 {
		t.Errorf("%d clients got the file", got.Load())
	}

	// It is over with its time, its user's rights, and its execution.
	over := func(what string, end func()) {
		t.Helper()
		path := w.link(t, id, "PARQUET")
		w.do(t, scenario{call: "HEAD " + path, status: 200, loose: true})
		end()
		a, _ := w.send(t, scenario{call: "GET " + path})
		if a.StatusCode != 404 || !strings.HasPrefix(a.body, strings.ReplaceAll(gone[0], "'", `"`)) {
			t.Errorf("%s: %d %s", what, a.StatusCode, a.body)
		}
	}
	over("after its time", func() {
		_, err := w.store.Writer.Exec("update export_links set expires = '2026-01-01 00:00:00+00:00'")
		check(t, err)
	})
	later := func() { w.auth.Now = func() time.Time { return time.Now().Add(10 * time.Second) } } // what is cached is too old
	over("without the grant", func() {
		w.store.Grant.Delete().Where(grant.UserID(w.users[writer].id)).ExecX(op)
		later()
	})
	w.auth.Now = time.Now
}

// TestExportsAreBounded: one too many is told to wait, and uses no link up.
func TestExportsAreBounded(t *testing.T) {
	t.Parallel()
	a := &api{exporting: make(chan struct{}, 1)}
	a.exporting <- struct{}{}
	err := a.send(t.Context(), httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil), nil, func() error {
		t.Error("the link is used up")
		return nil
	})
	if f := fault.Of(err); f.Kind != fault.Unavailable || f.RetryAfter == 0 {
		t.Errorf("%+v", f)
	}
}
