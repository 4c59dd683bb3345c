package graph

import (
	"fmt"
	"slices"
	"testing"

	"github.com/contentgraph/contentgraph/graph/generated"
	"github.com/contentgraph/contentgraph/internal/dataquery"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

func TestDataLifecycle(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.load(t, ours, 250, "q")
		w.load(t, theirs, 1, "theirs")
		a := w.ok(t, w.our, `mutation { submitKeywordRankings(input: {account_id: 101, start_date: "2026-01-11", end_date: "2026-01-17", limit: 220}) {
			executionId query executionState message finished totalRowCount page { nextPageId } schema { name } } }`)
		id := a.text("submitKeywordRankings.executionId")
		a.is(t, "submitKeywordRankings.query", `'keyword_rankings'`)
		a.is(t, "submitKeywordRankings.executionState", `'IN_PROGRESS'`)
		a.is(t, "submitKeywordRankings.page", `null`)
		a.is(t, "submitKeywordRankings.totalRowCount", `null`)
		w.queue.Start()
		a = w.finished(t, w.our, id)
		a.is(t, "execution.executionState", `'COMPLETED'`)
		a.is(t, "execution.message", `null`)
		a.is(t, "execution.totalRowCount", `220`)
		a.is(t, "execution.page.totalRowCount", `220`)
		columns := len(vocab.KeywordRankings.Columns) - vocab.MSVColumns
		at := slices.IndexFunc(vocab.KeywordRankings.Columns, func(c vocab.Column) bool { return c.Name == "query" })
		for i, want := range []int{100, 100, 20} {
			page := a.at("execution.page").(object)
			rows := page["results"].([]any)
			if len(rows) != want || len(page["schema"].([]any)) != columns || len(rows[0].([]any)) != columns || rows[0].([]any)[at] != fmt.Sprintf("q%03d", 100*i) {
				t.Fatalf("page %d: %d rows, the first %v", i, len(rows), rows[0])
			}
			next := a.at("execution.page.nextPageId")
			if (next == nil) != (i == 2) {
				t.Fatalf("page %d has the next page %q", i, next)
			}
			a = w.ok(t, w.our, `query($id: ID!, $next: String) { execution(executionId: $id) { page(nextPageId: $next) { results nextPageId totalRowCount schema { name } } } }`,
				object{"id": id, "next": next})
		}
	})
}

func TestManifest(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.load(t, ours, 250, "q")
		id := w.submit(t, w.our, ours)
		const manifest = `query($id: ID!) { execution(executionId: $id) { rowsWritten fraction pageRows digest pages { page rows digest } page { digest } } }`
		w.ok(t, w.our, manifest, object{"id": id}).is(t, "execution",
			`{'rowsWritten': 0, 'fraction': null, 'pageRows': 100, 'digest': null, 'pages': null, 'page': null}`)
		w.queue.Start()
		w.finished(t, w.our, id)
		a := w.ok(t, w.our, manifest, object{"id": id})
		a.is(t, "execution.rowsWritten", `250`)
		a.is(t, "execution.fraction", `1`)
		pages := a.at("execution.pages").([]any)
		if len(pages) != 3 || len(a.text("execution.digest")) != 64 || a.at("execution.page.digest") != pages[0].(object)["digest"] {
			t.Fatal(a.Text)
		}
		const page = `query($id: ID!, $n: Int, $next: String) { execution(executionId: $id) { page(number: $n, nextPageId: $next) { results nextPageId digest } } }`
		next := w.ok(t, w.our, page, object{"id": id, "n": 2}).text("execution.page.nextPageId")
		for _, n := range []int{3, 1, 2} {
			a := w.ok(t, w.our, page, object{"id": id, "n": n})
			line := pages[n-1].(object)
			if rows := a.at("execution.page.results").([]any); fmt.Sprint(line["page"]) != fmt.Sprint(n) || fmt.Sprint(line["rows"]) != fmt.Sprint(len(rows)) || line["digest"] != a.at("execution.page.digest") {
				t.Errorf("page %d of %d rows: %v", n, len(rows), line)
			}
		}
		third := w.ok(t, w.our, page, object{"id": id, "next": next})
		if third.at("execution.page.digest") != pages[2].(object)["digest"] {
			t.Error(third.Text)
		}
		w.fails(t, w.our, "INVALID_REQUEST", "number", page, object{"id": id, "n": 3, "next": next})
		w.fails(t, w.our, "NOT_FOUND", "", page, object{"id": id, "n": 4})
		w.fails(t, w.our, "NOT_FOUND", "", page, object{"id": id, "n": 0})

		const remove = `mutation($id: ID!) { removeExecution(executionId: $id) }`
		w.ok(t, w.our, remove, object{"id": id}).is(t, "removeExecution", `'`+id+`'`)
		w.fails(t, w.our, "EXECUTION_NOT_FOUND", "", remove, object{"id": id})
		w.fails(t, w.our, "EXECUTION_NOT_FOUND", "", manifest, object{"id": id})
	})
}

func TestDataEdges(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.load(t, ours, 3, "q")
		done, cancelled := w.submit(t, w.our, ours), w.submit(t, w.our, ours)
		const cancel = `mutation($id: ID!) { cancelExecution(executionId: $id) { executionState message totalRowCount page { results } } }`
		const failed = `{'executionState': 'FAILED', 'message': 'cancelled by the caller', 'totalRowCount': null, 'page': null}`
		for range 2 {
			w.ok(t, w.our, cancel, object{"id": cancelled}).is(t, "cancelExecution", failed)
		}
		w.queue.Start()
		w.finished(t, w.our, done)
		w.ok(t, w.our, cancel, object{"id": done}).is(t, "cancelExecution.executionState", `'COMPLETED'`)
		w.finished(t, w.our, cancelled).is(t, "execution.message", `'cancelled by the caller'`)

		a := w.ok(t, w.our, `{ executions(accountId: 101, limit: 1) { data { executionId } pagination { total hasMore } }
			all: executions(accountId: 101) { data { executionId executionState page { totalRowCount } } } }`)
		a.is(t, "executions.pagination", `{'total': 2, 'hasMore': true}`)
		list := a.at("all.data").([]any)
		if len(list) != 2 || !slices.ContainsFunc(list, func(e any) bool { return e.(object)["executionId"] == done && e.(object)["page"] != nil }) {
			t.Error(list)
		}

		in := `{account_id: 101, start_date: "2026-01-11", end_date: "2026-01-17"}`
		for _, query := range []string{"submitAiSearchSentiments", "submitAiSearchCitations"} {
			id := w.ok(t, w.our, `mutation { `+query+`(input: `+in+`) { executionId } }`).text(query + ".executionId")
			w.finished(t, w.our, id).is(t, "execution.page.results", `[]`)
		}
		msv := w.ok(t, w.our, `mutation { submitKeywordRankings(input: {account_id: 101, start_date: "2026-01-11", end_date: "2026-01-17", includeMsv: true}) { schema { name } } }`)
		if n := len(msv.at("submitKeywordRankings.schema").([]any)); n != len(vocab.KeywordRankings.Columns) {
			t.Errorf("%d columns with MSV", n)
		}
		w.fails(t, w.our, "INVALID_REQUEST", "devices[0] end_date locodes[0] min_rank start_date", `mutation { submitKeywordRankings(input: {
			account_id: 101, start_date: "2026-01-12", end_date: "tomorrow", min_rank: 0, locodes: ["x"], devices: ["toaster"]}) { executionId } }`)
		w.fails(t, w.our, "INVALID_REQUEST", "account_id", `mutation { submitKeywordRankings(input: {
			account_id: 0, start_date: "2026-01-11", end_date: "2026-01-17"}) { executionId } }`)
		for _, id := range []string{"", "x", "kr:2t:" + "00000000-0000-4000-8000-000000000000", done + "0"} {
			w.fails(t, w.our, "EXECUTION_NOT_FOUND", "", `query($id: ID!) { execution(executionId: $id) { query } }`, object{"id": id})
		}
	})
}

// TestInputsAreTheSpecs compares the inputs of the SDL with the data queries.
func TestInputsAreTheSpecs(t *testing.T) {
	t.Parallel()
	schema := generated.NewExecutableSchema(generated.Config{}).Schema()
	types := map[dataquery.Kind]string{
		dataquery.Integer: "Int", dataquery.Boolean: "Boolean", dataquery.Date: "String", dataquery.Choice: "String",
		dataquery.Integers: "[Int!]", dataquery.Texts: "[String!]", dataquery.Choices: "[String!]",
	}
	inputs := map[string]*dataquery.Spec{
		"KeywordRankingsInput": dataquery.KeywordRankings, "AiSearchSentimentsInput": dataquery.AISearchSentiments,
		"AiSearchCitationsInput": dataquery.AISearchCitations,
	}
	if len(inputs) != len(dataquery.Specs) {
		t.Error("a data query without an input")
	}
	for name, spec := range inputs {
		var documented, declared []string
		for _, f := range spec.Filters {
			kind := types[f.Kind]
			if f.Name == vocab.Frequency {
				kind = "CollectionFrequency"
			}
			if f.Required {
				kind += "!"
			}
			documented = append(documented, f.Name+": "+kind)
		}
		for _, f := range schema.Types[name].Fields {
			declared = append(declared, f.Name+": "+f.Type.String())
		}
		slices.Sort(documented)
		slices.Sort(declared)
		if !slices.Equal(documented, declared) {
			t.Errorf("%s has\n%q, the query\n%q", name, declared, documented)
		}
	}
	for enum, values := range map[string][]string{
		"CollectionFrequency": vocab.Frequencies, "DraftStatus": vocab.DraftStatuses, "LanguageRuleType": vocab.RuleTypes,
		"ExecutionState": {vocab.InProgress, vocab.Completed, vocab.Failed},
	} {
		var names []string
		for _, v := range schema.Types[enum].EnumValues {
			names = append(names, v.Name)
		}
		if want := slices.Clone(values); !slices.Equal(slices.Sorted(slices.Values(names)), slices.Sorted(slices.Values(want))) {
			t.Errorf("%s is %q, not %q", enum, names, values)
		}
	}
}
