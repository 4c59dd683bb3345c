package graph

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/contentgraph/contentgraph/ent/db/knowledgesource"
	"github.com/contentgraph/contentgraph/graph/generated"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// marker is in every text of our account, and never in an answer to another.
const marker = "Hermelin"

// own stands for success, with nothing of another account.
const own = ""

// reach is a root field called with what belongs to another account. In the
// document @a stands for an account, other words with @ for ids of ours.
type reach struct {
	field, document string
	into            string // code of another account's user in our account
	across          string // code of that user in its own account with our ids
}

// reaches is every root field, in an order in which we can do it all ourselves.
var reaches = []reach{
	{"viewer", `{ viewer { name accounts { id name } } }`, own, own},
	{"accounts", `{ accounts { id name } }`, own, own},
	{"rankSources", `{ rankSources { data { name } } }`, own, own},
	{"users", `{ users { name accounts { name } } }`, own, own},
	{"credentials", `{ credentials(userId: @user) { id user { name } } }`, "NOT_FOUND", "NOT_FOUND"},
	{"credentials", `{ credentials { hint apiKey user { name } } }`, own, own},
	{"execution", `{ execution(executionId: "@execution") { query digest pages { digest } page(number: 1) { results } } }`, "EXECUTION_NOT_FOUND", "EXECUTION_NOT_FOUND"},
	{"executions", `{ executions(accountId: @a, limit: 4) { data { executionId page { results } } } }`, "FORBIDDEN", own},
	{"draft", `{ draft(accountId: @a, id: "@draft") { draftTitle } }`, "FORBIDDEN", "NOT_FOUND"},
	{"drafts", `{ drafts(accountId: @a) { data { draftTitle content { bodyCopy } contentProfile { name } webProperty { name } } } }`, "FORBIDDEN", own},
	{"draftContent", `{ draftContent(accountId: @a, id: "@draft") { bodyCopy } }`, "FORBIDDEN", "NOT_FOUND"},
	{"draftVersions", `{ draftVersions(accountId: @a, id: "@draft") { data { title } } }`, "FORBIDDEN", "NOT_FOUND"},
	{"draftVersion", `{ draftVersion(accountId: @a, id: "@draft", versionId: "@version") { bodyCopy } }`, "FORBIDDEN", "NOT_FOUND"},
	{"insights", `{ insights(accountId: @a, draftId: "@draft", type: [PAA_INSIGHT]) { type errorMessage } }`, "FORBIDDEN", "NOT_FOUND"},
	{"validateContent", `{ validateContent(accountId: @a, draftId: "@draft", input: {title: "t"}) { details } }`, "FORBIDDEN", "NOT_FOUND"},
	{"contentScore", `{ contentScore(accountId: @a, draftId: "@draft", input: {title: "t"}) { score } }`, "FORBIDDEN", "NOT_FOUND"},
	{"serpUrls", `{ serpUrls(accountId: @a, rankSourceId: 3, topic: ["t"]) { urls } }`, "FORBIDDEN", own},
	{"insightsUpdated", `subscription { insightsUpdated(accountId: @a, draftId: "@draft") { type } }`, "FORBIDDEN", "NOT_FOUND"},
	{"contentProfile", `{ contentProfile(accountId: @a, id: "@profile") { name } }`, "FORBIDDEN", "NOT_FOUND"},
	{"contentProfiles", `{ contentProfiles(accountId: @a) { data { name draftCount } } }`, "FORBIDDEN", own},
	{"knowledgeSource", `{ knowledgeSource(accountId: @a, id: "@knowledge") { text fileName } }`, "FORBIDDEN", "NOT_FOUND"},
	{"knowledgeSources", `{ knowledgeSources(accountId: @a) { data { fileName text } } }`, "FORBIDDEN", own},
	{"knowledgePassages", `{ knowledgePassages(accountId: @a, query: "Hermelin") { sourceId text } }`, "FORBIDDEN", own},
	{"knowledgeSourceUpdated", `subscription { knowledgeSourceUpdated(accountId: @a, id: "@knowledge") { text } }`, "FORBIDDEN", "NOT_FOUND"},
	{"webProperties", `{ webProperties(accountId: @a) { data { name } } }`, "FORBIDDEN", own},

	{"createUser", `mutation { createUser(input: {name: "n@n", accounts: [101], scopes: ["data"]}) { id } }`, "INVALID_REQUEST", "INVALID_REQUEST"},
	{"createToken", `mutation { createToken(userId: @user) { token } }`, "NOT_FOUND", "NOT_FOUND"},
	{"createApiKey", `mutation { createApiKey(userId: @user) { apiKey } }`, "NOT_FOUND", "NOT_FOUND"},
	{"submitKeywordRankings", `mutation { submitKeywordRankings(input: {account_id: @a, start_date: "2026-01-11", end_date: "2026-01-17", web_property_ids: [201]}) { executionId page { results } } }`, "FORBIDDEN", own},
	{"submitAiSearchSentiments", `mutation { submitAiSearchSentiments(input: {account_id: @a, start_date: "2026-01-11", end_date: "2026-01-17", web_property_ids: [201]}) { executionId } }`, "FORBIDDEN", own},
	{"submitAiSearchCitations", `mutation { submitAiSearchCitations(input: {account_id: @a, start_date: "2026-01-11", end_date: "2026-01-17", web_property_ids: [201]}) { executionId } }`, "FORBIDDEN", own},
	{"cancelExecution", `mutation { cancelExecution(executionId: "@execution") { executionState } }`, "EXECUTION_NOT_FOUND", "EXECUTION_NOT_FOUND"},
	{"createDraft", `mutation { createDraft(accountId: @a, input: {topics: ["t"], rankSourceId: 3, contentProfileId: "@profile"}) { contentProfile { name } } }`, "FORBIDDEN", "INVALID_REQUEST"},
	{"createDraft", `mutation { createDraft(accountId: @a, input: {topics: ["t"], rankSourceId: 3, webPropertyId: 201}) { webProperty { name } } }`, "FORBIDDEN", "INVALID_REQUEST"},
	{"createDraft", `mutation { createDraft(accountId: @a, input: {topics: ["t"], rankSourceId: 3, assignee: @user}) { id } }`, "FORBIDDEN", "INVALID_REQUEST"},
	{"replaceDraft", `mutation { replaceDraft(accountId: @a, id: "@draft", input: {topics: ["t"], rankSourceId: 3, status: TO_DO, contentProfileId: "@profile"}) { id } }`, "FORBIDDEN", "NOT_FOUND"},
	{"updateDraft", `mutation { updateDraft(accountId: @a, id: "@draft", input: {assignee: @user}) { draftTitle } }`, "FORBIDDEN", "NOT_FOUND"},
	{"saveDraftContent", `mutation { saveDraftContent(accountId: @a, id: "@draft", input: {title: "n"}) { title } }`, "FORBIDDEN", "NOT_FOUND"},
	{"requestInsights", `mutation { requestInsights(accountId: @a, draftId: "@draft", input: {insight: {input: {topic: {phrases: ["t"], rankSourceId: 3}}, request: {insights: [PAA_INSIGHT]}}}) { type } }`, "FORBIDDEN", "NOT_FOUND"},
	{"deleteDraft", `mutation { deleteDraft(accountId: @a, id: "@draft") }`, "FORBIDDEN", "NOT_FOUND"},
	{"createContentProfile", `mutation { createContentProfile(accountId: @a, input: {name: "n@n"}) { id } }`, "FORBIDDEN", own},
	{"replaceContentProfile", `mutation { replaceContentProfile(accountId: @a, id: "@profile", input: {name: "n"}) { id } }`, "FORBIDDEN", "NOT_FOUND"},
	{"updateContentProfile", `mutation { updateContentProfile(accountId: @a, id: "@profile", input: {audience: "n"}) { name } }`, "FORBIDDEN", "NOT_FOUND"},
	{"deleteContentProfile", `mutation { deleteContentProfile(accountId: @a, id: "@profile") }`, "FORBIDDEN", "NOT_FOUND"},
	{"createKnowledgeSource", `mutation { createKnowledgeSource(accountId: @a, input: {kind: TEXT, text: "n"}) { id } }`, "FORBIDDEN", own},
	{"uploadKnowledgeSource", `mutation($f: Upload!) { uploadKnowledgeSource(accountId: @a, file: $f, fileName: "n.txt") { id } }`, "FORBIDDEN", own},
	{"retryKnowledgeSource", `mutation { retryKnowledgeSource(accountId: @a, id: "@unread") { id } }`, "FORBIDDEN", "NOT_FOUND"},
	{"deleteKnowledgeSource", `mutation { deleteKnowledgeSource(accountId: @a, id: "@knowledge") }`, "FORBIDDEN", "NOT_FOUND"},
	{"createRankSource", `mutation { createRankSource(input: {name: "n@n"}) { id } }`, own, own},
	{"createWebProperty", `mutation { createWebProperty(accountId: @a, input: {name: "n"}) { id } }`, "FORBIDDEN", own},
	{"revokeToken", `mutation { revokeToken(id: "@token") { id } }`, "NOT_FOUND", "NOT_FOUND"},
	{"revokeApiKey", `mutation { revokeApiKey(id: "@key") { id } }`, "NOT_FOUND", "NOT_FOUND"},
	{"createExportLink", `mutation { createExportLink(executionId: "@execution", format: CSV) { url } }`, "EXECUTION_NOT_FOUND", "EXECUTION_NOT_FOUND"},
	{"removeExecution", `mutation { removeExecution(executionId: "@execution") }`, "EXECUTION_NOT_FOUND", "EXECUTION_NOT_FOUND"},
}

func TestAccountsAreApart(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	ids := w.secrets(t)
	before := w.dump(t)
	n := 0
	run := func(token string, account int, r reach, want string) {
		n++
		document := strings.NewReplacer(append(ids, "@a", fmt.Sprint(account), "@n", fmt.Sprint("-", n))...).Replace(r.document)
		var a answer
		switch {
		case strings.HasPrefix(document, "subscription"):
			a = w.first(t, token, document)
		case strings.Contains(document, "$f: Upload"):
			a = w.upload(t, token, document, "a.txt", "of another")
		default:
			a = w.post(t, token, document)
		}
		code := ""
		if len(a.Errors) > 0 {
			code = a.Errors[0].Extensions.Code
		}
		if code != want {
			t.Errorf("%s\nwant %q, got %s", document, want, a.Text)
		}
		if token == w.their && strings.Contains(a.Text, marker) {
			t.Errorf("%s\nanswers what is ours: %s", document, a.Text)
		}
	}
	for _, r := range reaches {
		run(w.their, ours, r, r.into)
		run(w.their, theirs, r, r.across)
	}
	if after := w.dump(t); after != before {
		t.Errorf("our account was changed:\n%s\nbefore:\n%s", after, before)
	}
	for _, r := range reaches { // to prove that the documents do something
		run(w.our, ours, r, "")
	}
}

// TestEveryRootFieldReaches fails for a new root field, and for an argument
// that no document uses.
func TestEveryRootFieldReaches(t *testing.T) {
	t.Parallel()
	schema := generated.NewExecutableSchema(generated.Config{}).Schema()
	var fields []string
	for _, f := range slices.Concat(schema.Query.Fields, schema.Mutation.Fields, schema.Subscription.Fields) {
		if strings.HasPrefix(f.Name, "__") {
			continue
		}
		fields = append(fields, f.Name)
		for _, arg := range f.Arguments {
			if names(schema, arg.Type) && !slices.Contains([]string{"limit", "offset"}, arg.Name) &&
				!slices.ContainsFunc(reaches, func(r reach) bool { return r.field == f.Name && strings.Contains(r.document, arg.Name+": ") }) {
				t.Errorf("%s.%s: add a document to reaches", f.Name, arg.Name)
			}
		}
	}
	for _, f := range fields {
		if !slices.ContainsFunc(reaches, func(r reach) bool { return r.field == f && strings.Contains(r.document, " "+f) }) {
			t.Errorf("%s: add it to reaches", f)
		}
	}
	for _, r := range reaches {
		if !slices.Contains(fields, r.field) {
			t.Errorf("%s is no root field any more", r.field)
		}
	}
}

// names reports whether an argument can name something.
func names(schema *ast.Schema, arg *ast.Type) bool {
	return slices.Contains([]string{"Int", "ID", "UUID"}, arg.Name()) || schema.Types[arg.Name()].Kind == ast.InputObject
}

// secrets fills our account, and is a replacement of words by ids of it.
func (w *world) secrets(t *testing.T) []string {
	t.Helper()
	ctx := store.System(t.Context())
	w.ok(t, w.our, `mutation { createWebProperty(accountId: 101, input: {id: 201, name: "site `+marker+`"}) { id } }`)
	w.load(t, ours, 3, marker)
	profile := w.ok(t, w.our, `mutation { createContentProfile(accountId: 101, input: {name: "profile `+marker+`"}) { id } }`).
		text("createContentProfile.id")
	draft := w.ok(t, w.our, `mutation { createDraft(accountId: 101, input: {topics: ["`+marker+`"], rankSourceId: 3, webPropertyId: 201, contentProfileId: "`+profile+`"}) { id } }`).
		text("createDraft.id")
	version := w.ok(t, w.our, `mutation { saveDraftContent(accountId: 101, id: "`+draft+`", input: {title: "`+marker+`", bodyCopy: "`+marker+`"}) { versionId } }`).
		text("saveDraftContent.versionId")
	known := w.ok(t, w.our, `mutation { createKnowledgeSource(accountId: 101, input: {kind: TEXT, text: "`+marker+`", fileName: "`+marker+`"}) { id } }`).
		text("createKnowledgeSource.id")
	u, _ := w.user(t, "user "+marker, []int{ours}, "data")
	_, token, err := w.admin.CreateToken(ctx, nil, u.ID, nil)
	must(t, err)
	_, _, key, err := w.admin.CreateKey(ctx, nil, u.ID)
	must(t, err)
	execution := w.submit(t, w.our, ours)
	w.queue.Start()
	if a := w.finished(t, w.our, execution); !strings.Contains(a.Text, marker) {
		t.Fatal(a.Text)
	}
	w.upload(t, w.our, `mutation($f: Upload!) { uploadKnowledgeSource(accountId: 101, file: $f) { id } }`, "bomb.txt", marker)
	unread := w.KnowledgeSource.Query().Where(knowledgesource.Status(vocab.KnowledgeError)).OnlyIDX(ctx)
	w.root.Services.Knowledge.Wait = 0
	w.queue.Stop() // so that nothing but requests can change anything
	return []string{"@profile", profile, "@knowledge", known, "@unread", unread.String(), "@draft", draft, "@version", version, "@user", fmt.Sprint(u.ID),
		"@token", token.ID.String(), "@key", key.ID.String(), "@execution", execution}
}

// dump is every row of our account, and of its users.
func (w *world) dump(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for _, table := range column(t, w, `select name from sqlite_master where type = 'table' order by name`) {
		columns := column(t, w, `select name from pragma_table_info('`+table+`') order by name`)
		where := ""
		switch {
		case slices.Contains(columns, "account_id"):
			where = fmt.Sprintf("account_id = %d", ours)
		case table == "credentials":
			where = fmt.Sprintf("user_id <> %d", w.them.ID)
			columns = slices.DeleteFunc(columns, func(c string) bool { return c == "last_used" }) // written in the background
		case table == "users":
			where = fmt.Sprintf("id <> %d", w.them.ID)
		default:
			continue
		}
		for _, row := range column(t, w, "select json_array(hex("+strings.Join(columns, "), hex(")+")) from "+table+" where "+where+" order by 1") {
			all.WriteString(table + " " + row + "\n")
		}
	}
	if strings.Count(all.String(), "\n") < 15 {
		t.Fatal("hardly anything was dumped: " + all.String())
	}
	return all.String()
}

func column(t *testing.T, w *world, query string) (values []string) {
	t.Helper()
	rows, err := w.Reader.QueryContext(t.Context(), query)
	must(t, err)
	defer rows.Close()
	for rows.Next() {
		var v string
		must(t, rows.Scan(&v))
		values = append(values, v)
	}
	must(t, rows.Err())
	return values
}

// TestExecutionsAreTheUsers: not even a user of the same account gets at them,
// and a page token works for its execution alone.
func TestExecutionsAreTheUsers(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	w.load(t, ours, 150, "q")
	w.queue.Start()
	_, token := w.user(t, "colleague", []int{ours}, "data")
	first, second := w.submit(t, w.our, ours), w.submit(t, w.our, ours)
	w.finished(t, w.our, second)
	next := w.finished(t, w.our, first).text("execution.page.nextPageId")
	if next == "" {
		t.Fatal("no second page")
	}
	page := `query($id: ID!, $next: String) { execution(executionId: $id) { page(nextPageId: $next) { results } } }`
	w.ok(t, w.our, page, object{"id": first, "next": next})
	w.fails(t, w.our, "INVALID_PAGE_TOKEN", "nextPageId", page, object{"id": second, "next": next})
	w.fails(t, w.our, "INVALID_PAGE_TOKEN", "nextPageId", page, object{"id": first, "next": ""})
	w.fails(t, token, "EXECUTION_NOT_FOUND", "", page, object{"id": first})
	w.fails(t, token, "EXECUTION_NOT_FOUND", "", `mutation($id: ID!) { cancelExecution(executionId: $id) { message } }`, object{"id": first})
	w.fails(t, token, "EXECUTION_NOT_FOUND", "", `mutation($id: ID!) { removeExecution(executionId: $id) }`, object{"id": first})
	w.ok(t, token, `{ executions(accountId: 101) { data { executionId } pagination { total } } }`).is(t, "executions", `{'data': [], 'pagination': {'total': 0}}`)
}
