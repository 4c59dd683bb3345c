package rest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/execution"
	"github.com/contentgraph/contentgraph/internal/dataquery"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// shared are the routes that no account owns, and GraphQL, which is tested where
// it is made.
var shared = map[string]bool{
	"/v4/rank-sources": true, "/healthz": true, "/openapi.yaml": true, "/graphql": true, "/playground": true, "/playground/*": true,
}

// TestIsolation calls every route of the accounts for what is another
// account's. A new route is tested as soon as it is there.
func TestIsolation(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, spec := range dataquery.Specs {
		w.execution(t, spec.Name())
	}
	before := w.everything(t)
	calls := 0
	for _, r := range Routes() {
		if shared[r.Path] {
			continue
		}
		if r.Path == "/data-api/v1/exports/{token}" {
			continue // whoever has the token may: TestExportLinks
		}
		if rest, ok := strings.CutPrefix(r.Path, "/data-api/v1/executions"); ok {
			w.foreignExecutions(t, r.Method, rest)
			continue
		}
		if query, ok := strings.CutPrefix(strings.Replace(r.Path, "/async/", "/", 1), "/data-api/v1/"); ok {
			id := w.execution(t, query)
			w.run(t, []scenario{
				{call: r.Method + " " + r.Path, signed: writer, body: `{'account_id':102,'start_date':'2026-11-08','end_date':'2026-11-14'}`, status: 403, has: []string{"no access to account 102"}},
				{call: r.Method + " " + r.Path, signed: writer, body: `{'executionId':'` + id + `'}`, status: 404, has: []string{"EXECUTION_NOT_FOUND"}},
			})
			continue
		}
		path, ok := strings.CutPrefix(r.Path, "/v4/accounts/{accountId}")
		if !ok {
			t.Errorf("%s: is what it answers an account's? The test does not know", r.Path)
		}
		theirs := strings.NewReplacer("{draftId}", "{theirDraft}", "{versionId}", "{theirVersion}", "{contentProfileId}", "{theirProfile}",
			"{knowledgeSourceId}", "{theirKnowledge}").Replace(path)
		if strings.Contains(theirs, "Id}") {
			t.Errorf("%s: the test has no such identifier of another account", r.Path)
		}
		bodies := []string{"", "{}", `{'topics':['x'],'rankSourceId':1,'status':'TO_DO','contentProfileId':'{theirProfile}','webPropertyId':202,'name':'Voice of 102','kind':'TEXT','text':'x','title':'x','insight':{'input':{'topic':{'phrases':['x'],'rankSourceId':1}}},'accountId':102,'id':'{theirDraft}'}`}
		for _, body := range bodies {
			for _, c := range []scenario{
				{call: r.Method + " /v4/accounts/102" + theirs, as: writer, body: body}, // their path
				{call: r.Method + " /v4/accounts/101" + theirs, as: writer, body: body}, // our path, their identifiers
			} {
				foreignPath := strings.Contains(c.call, "/102")
				if !foreignPath && theirs == path && r.Method != http.MethodGet {
					continue // it would create something of ours
				}
				calls++
				a, _ := w.send(t, c)
				switch {
				case strings.Contains(a.body, secretOf(102)) || strings.Contains(a.body, "Voice of 102"):
					t.Errorf("%s %s: leaks %s", c.call, body, a.body)
				case foreignPath && a.StatusCode != 403:
					t.Errorf("%s %s: status %d, want 403: %s", c.call, body, a.StatusCode, a.body)
				case !foreignPath && theirs != path && a.StatusCode != 404 && !(a.StatusCode == 400 && r.Method != http.MethodGet && r.Method != http.MethodDelete):
					t.Errorf("%s %s: status %d, want 404 or 400: %s", c.call, body, a.StatusCode, a.body)
				}
			}
		}
	}
	if calls < 60 {
		t.Errorf("only %d calls", calls)
	}
	if after := w.everything(t); after != before {
		t.Errorf("something has changed:\n%s\nwas\n%s", after, before)
	}
}

// foreignExecutions calls a route of executions for those of another account,
// and of another user of the same one, by whichever id.
func (w *world) foreignExecutions(t *testing.T, method, path string) {
	t.Helper()
	call := method + " /data-api/v1/executions" + strings.NewReplacer("{number}", "1").Replace(path)
	if path == "" {
		w.run(t, []scenario{
			{call: call + "?account_id=102", signed: writer, status: 403, has: []string{"no access to account 102"}},
			{call: call + "?account_id=102", signed: other, status: 403},
			{call: call + "?account_id=102", signed: dataless, status: 403},
			{call: call + "?account_id=101", signed: writer, status: 200, has: []string{`{'data':[],'pagination':{'total':0,`}},
			{call: call + "?account_id=101", signed: foreign, status: 403},
		})
		return
	}
	for _, spec := range dataquery.Specs {
		theirs := w.execution(t, spec.Name())
		for _, id := range []string{theirs, strings.Replace(theirs, ":2u:", ":2t:", 1)} {
			at := strings.Replace(call, "{executionId}", id, 1)
			for _, as := range []string{writer, other} {
				w.do(t, scenario{call: at, signed: as, status: 404, has: []string{"EXECUTION_NOT_FOUND"}})
			}
			w.do(t, scenario{call: at, signed: dataless, status: 403})
			w.do(t, scenario{call: at, status: 401})
		}
	}
}

// execution is the id of the only execution that account 102 has of a query.
func (w *world) execution(t *testing.T, query string) string {
	t.Helper()
	ctx := store.As(t.Context(), 102, w.users[foreign].id)
	e, err := w.store.Execution.Query().Where(execution.Query(query)).Only(ctx)
	if db.IsNotFound(err) {
		now := time.Now()
		e, err = w.store.Execution.Create().SetUserID(w.users[foreign].id).SetQuery(query).SetRequest([]byte("{}")).SetPins(nil).SetPageRows(100).
			SetExpected(0).SetCreated(now).SetExpires(now.Add(dataquery.Valid)).SetState(vocab.Completed).Save(ctx)
	}
	check(t, err)
	return dataquery.ID(e)
}

// everything is all that the accounts have.
func (w *world) everything(t *testing.T) string {
	t.Helper()
	ctx := store.System(t.Context())
	return fmt.Sprint(w.store.Draft.Query().AllX(ctx), w.store.DraftVersion.Query().AllX(ctx), w.store.ContentProfile.Query().AllX(ctx),
		w.store.WebProperty.Query().AllX(ctx), w.store.Execution.Query().AllX(ctx),
		w.store.KnowledgeSource.Query().AllX(ctx), w.store.KnowledgeText.Query().AllX(ctx), w.store.KnowledgePassage.Query().AllX(ctx),
		w.store.KnowledgeBlob.Query().AllX(ctx), w.store.Guidance.Query().AllX(ctx))
}
