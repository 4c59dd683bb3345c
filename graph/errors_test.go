package graph

import (
	"bytes"
	"log/slog"
	"net/http"
	"strings"
	"testing"
)

func TestErrors(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	long := strings.Repeat("x", 501)
	for _, c := range []struct {
		document     string
		vars         object
		code, fields string
	}{
		{`{`, nil, "INVALID_REQUEST", ""},
		{`{ drafts(accountId: 101) { data { id } }`, nil, "INVALID_REQUEST", ""},
		{`{ drafts(accountId: 101) { data { id nonsense } } }`, nil, "INVALID_REQUEST", ""},
		{`{ drafts { data { id } } }`, nil, "INVALID_REQUEST", ""},
		{`{ drafts(accountId: 101, wrong: 1) { data { id } } }`, nil, "INVALID_REQUEST", ""},
		{`{ drafts(accountId: "101") { data { id } } }`, nil, "INVALID_REQUEST", ""},
		{`{ drafts(accountId: 101, status: [GONE]) { data { id } } }`, nil, "INVALID_REQUEST", ""},
		{`{ drafts(accountId: 99999999999) { data { id } } }`, nil, "FORBIDDEN", ""},
		{`{ drafts(accountId: 99999999999999999999) { data { id } } }`, nil, "INVALID_REQUEST", ""},
		{`query($a: Int!) { drafts(accountId: $a) { data { id } } }`, object{"a": "x"}, "INVALID_REQUEST", "a"},
		{`query($a: Int!) { drafts(accountId: $a) { data { id } } }`, object{"a": 1.5}, "INVALID_REQUEST", "a"},
		{`query($a: Int!) { drafts(accountId: $a) { data { id } } }`, object{}, "INVALID_REQUEST", "a"},
		{`query($s: DraftStatus!) { drafts(accountId: 101, status: [$s]) { data { id } } }`, object{"s": "GONE"}, "INVALID_REQUEST", "s"},
		{`mutation($in: DraftPatch!) { updateDraft(accountId: 101, id: "00000000-0000-4000-8000-000000000000", input: $in) { id } }`,
			object{"in": object{"nonsense": 1}}, "INVALID_REQUEST", "nonsense"},
		{`mutation($in: DraftPatch!) { updateDraft(accountId: 101, id: "00000000-0000-4000-8000-000000000000", input: $in) { id } }`,
			object{"in": object{"topics": object{}}}, "INVALID_REQUEST", "topics[0]"},
		{`{ draft(accountId: 101, id: "x") { id } }`, nil, "INVALID_REQUEST", "id"},
		{`query($id: UUID!) { draft(accountId: 101, id: $id) { id } }`, object{"id": 7}, "INVALID_REQUEST", "id"},
		{`mutation { createDraft(accountId: 101, input: {topics: ["t"], rankSourceId: 3, contentProfileId: "x"}) { id } }`, nil, "INVALID_REQUEST", "contentProfileId"},
		{`mutation { createDraft(accountId: 101, input: {topics: ["t", " "], rankSourceId: 99, webPropertyId: 5, assignee: 999, page: "ftp://x",
			competitorUrls: ["x"], contentProfileId: "00000000-0000-4000-8000-000000000000", draftTitle: "` + long + `"}) { id } }`, nil, "INVALID_REQUEST",
			"assignee competitorUrls[0] contentProfileId draftTitle page rankSourceId topics[1] webPropertyId"},
		{`{ draft(accountId: 101, id: "00000000-0000-4000-8000-000000000000") { id } }`, nil, "NOT_FOUND", ""},
		{`{ draft(accountId: 102, id: "00000000-0000-4000-8000-000000000000") { id } }`, nil, "FORBIDDEN", ""},
		{`subscription { x }`, nil, "INVALID_REQUEST", ""},
	} {
		a := w.fails(t, w.our, c.code, c.fields, c.document, c.vars)
		if a.Status != http.StatusOK && a.Status != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d", c.document, a.Status)
		}
	}
	w.fails(t, "", "MISSING_CREDENTIALS", "", `{ viewer { id } }`)
}

// TestMutationsStandAlone: a field that fails leaves what an earlier one did.
func TestMutationsStandAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	a := w.fails(t, w.our, "INVALID_REQUEST", "name", `mutation { a: createRankSource(input: {name: "A"}) { id } b: createRankSource(input: {name: " "}) { id } }`)
	if a.Errors[0].Path[0] != "b" || a.Data != nil {
		t.Error(a.Text)
	}
	w.ok(t, w.our, `{ rankSources(offset: 1) { data { name } } }`).is(t, "rankSources.data", `[{'name': 'A'}]`)
}

// TestInternalErrors: clients read nothing of a cause, the log everything.
func TestInternalErrors(t *testing.T) {
	w := newWorld(t, "")
	var log bytes.Buffer
	old := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(old)
	_, err := w.Writer.ExecContext(t.Context(), `alter table drafts rename to gone`)
	must(t, err)
	a := w.fails(t, w.our, "INTERNAL_ERROR", "", `{ drafts(accountId: 101) { data { id } } }`)
	if a.Errors[0].Message != "internal error" || strings.Contains(a.Text, "drafts\":{") || !strings.Contains(log.String(), "no such table") {
		t.Errorf("%s\nlog: %s", a.Text, log.String())
	}
	w.root.Services.Profiles = nil // whoever calls it panics
	a = w.fails(t, w.our, "INTERNAL_ERROR", "", `{ contentProfiles(accountId: 101) { data { id } } }`)
	if a.Errors[0].Message != "internal error" || !strings.Contains(log.String(), "profile.resolvers.go") {
		t.Errorf("%s\nlog: %s", a.Text, log.String())
	}
}
