package graph

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// upload runs a document whose variable f is a file.
func (w *world) upload(t *testing.T, token, document, name, content string) answer {
	t.Helper()
	operations, err := json.Marshal(object{"query": document, "variables": object{"f": nil}})
	must(t, err)
	body, media := parts(t, "operations", string(operations), "map", `{"0":["variables.f"]}`, "0="+name, content)
	r := postOf(token, body)
	r.Header.Set("Content-Type", media)
	r.Header.Set(preflight, "1")
	return serve(t, w.handler, r)
}

// events runs a subscription and answers what it sends, one at a time.
func (w *world) events(t *testing.T, token, document string) func() (answer, bool) {
	t.Helper()
	s := httptest.NewServer(w.handler)
	t.Cleanup(s.Close)
	body, err := json.Marshal(object{"query": document})
	must(t, err)
	r := postOf(token, string(body)).WithContext(t.Context())
	r.RequestURI, r.Host = "", ""
	r.URL.Scheme, r.URL.Host = "http", strings.TrimPrefix(s.URL, "http://")
	r.Header.Set("Accept", mediaEvents)
	got, err := http.DefaultClient.Do(r)
	must(t, err)
	t.Cleanup(func() { got.Body.Close() })
	lines := bufio.NewScanner(got.Body)
	return func() (a answer, more bool) {
		for lines.Scan() {
			if text, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				must(t, json.Unmarshal([]byte(text), &a))
				a.Text = text
				return a, true
			}
		}
		return a, false
	}
}

// first is what a subscription sends first.
func (w *world) first(t *testing.T, token, document string) answer {
	t.Helper()
	a, ok := w.events(t, token, document)()
	if !ok {
		t.Fatalf("%s sends nothing", document)
	}
	return a
}

func TestKnowledge(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.queue.Start()
		const fields = `{ id kind fileName text status statusReason fileType cut createdBy created updated }`
		made := w.ok(t, w.our, `mutation($in: KnowledgeSourceInput!) { createKnowledgeSource(accountId: 101, input: $in) `+fields+` }`,
			object{"in": object{"kind": "TEXT", "text": "Pots hold coffee.\n\nCups hold less. Überall.", "fileName": "Pots"}})
		text := made.text("createKnowledgeSource.id")
		for path, want := range map[string]string{"kind": `'TEXT'`, "fileName": `'Pots'`, "status": `'EXTRACTED'`, "statusReason": `null`, "fileType": `null`,
			"cut": `false`, "createdBy": fmt.Sprint(w.us.ID), "text": `'Pots hold coffee.\n\nCups hold less. Überall.'`} {
			made.is(t, "createKnowledgeSource."+path, want)
		}
		const upload = `mutation($f: Upload!) { uploadKnowledgeSource(accountId: 101, file: $f, fileName: %s) ` + fields + ` }`
		sent := w.upload(t, w.our, fmt.Sprintf(upload, "null"), "facts.txt", "Coffee comes from a kettle.")
		sent.is(t, "uploadKnowledgeSource.status", `'EXTRACTED'`)
		sent.is(t, "uploadKnowledgeSource.fileType", `'txt'`)
		sent.is(t, "uploadKnowledgeSource.text", `'Coffee comes from a kettle.'`)
		renamed := w.upload(t, w.our, fmt.Sprintf(upload, `"other.md"`), "facts.txt", "Coffee comes from a kettle.")
		renamed.is(t, "uploadKnowledgeSource.fileName", `'other.md'`)
		for name, code := range map[string]string{"a.exe": "INVALID_REQUEST", "bomb.txt": "INTERNAL_ERROR"} {
			if a := w.upload(t, w.our, fmt.Sprintf(upload, "null"), name, "x"); len(a.Errors) != 1 || a.Errors[0].Extensions.Code != code {
				t.Errorf("%s: %s", name, a.Text)
			}
		}
		w.fails(t, w.our, "INVALID_REQUEST", "kind text", `mutation { createKnowledgeSource(accountId: 101, input: {kind: FILE, text: " "}) { id } }`)

		w.ok(t, w.our, `{ knowledgeSource(accountId: 101, id: "`+text+`") { text } }`).
			is(t, "knowledgeSource", `{'text': 'Pots hold coffee.\n\nCups hold less. Überall.'}`)
		w.ok(t, w.our, `{ knowledgeSources(accountId: 101, status: [EXTRACTED, STORED], kind: [FILE], limit: 1) { data { fileName text } pagination { total hasMore } } }`).
			is(t, "knowledgeSources", `{'data': [{'fileName': 'other.md', 'text': null}], 'pagination': {'total': 2, 'hasMore': true}}`)
		w.ok(t, w.our, `{ knowledgePassages(accountId: 101, query: "uberall", limit: null) { sourceId fileName number start end heading text } }`).
			is(t, "knowledgePassages", `[{'sourceId': '`+text+`', 'fileName': 'Pots', 'number': 0, 'start': 0, 'end': 43, 'heading': null, 'text': 'Pots hold coffee.\n\nCups hold less. Überall.'}]`)
		w.ok(t, w.our, `{ knowledgePassages(accountId: 101, query: "a coffee kettle", limit: 2) { fileName } }`)
		w.fails(t, w.our, "INVALID_REQUEST", "limit", `{ knowledgePassages(accountId: 101, query: "x", limit: 51) { text } }`)
		w.fails(t, w.our, "CONFLICT", "", `mutation { retryKnowledgeSource(accountId: 101, id: "`+text+`") { id } }`)
		w.ok(t, w.our, `mutation { deleteKnowledgeSource(accountId: 101, id: "`+text+`") }`).is(t, "deleteKnowledgeSource", `'`+text+`'`)
		w.fails(t, w.our, "NOT_FOUND", "", `mutation { deleteKnowledgeSource(accountId: 101, id: "`+text+`") }`)
	})
}

// TestKnowledgeUpdated follows a source from the storing of its file to its text.
func TestKnowledgeUpdated(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.root.Services.Knowledge.Wait = 0 // and nobody reads yet
		id := w.upload(t, w.our, `mutation($f: Upload!) { uploadKnowledgeSource(accountId: 101, file: $f) { id } }`, "a.txt", "What it says.").text("uploadKnowledgeSource.id")
		next := w.events(t, w.our, `subscription { knowledgeSourceUpdated(accountId: 101, id: "`+id+`") { status text } }`)
		for i, want := range []string{`{'status': 'STORED', 'text': null}`, `{'status': 'EXTRACTED', 'text': 'What it says.'}`} {
			a, ok := next()
			if !ok {
				t.Fatalf("%d: nothing", i)
			}
			a.is(t, "knowledgeSourceUpdated", want)
			w.queue.Start()
		}
		if a, ok := next(); ok {
			t.Errorf("goes on with %s", a.Text)
		}
	})
}

// TestKnowledgeTextsAreBounded: they may be large.
func TestKnowledgeTextsAreBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	ctx := store.As(t.Context(), ours, w.us.ID)
	s, err := w.root.Services.Knowledge.Create(ctx, object{"kind": vocab.KnowledgeText, "text": "a"})
	must(t, err)
	many := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `a%d: knowledgeSource(accountId: 101, id: "%s") { text } `, i, s.ID)
		}
		return "{" + b.String() + "}"
	}
	w.ok(t, w.our, many(20))
	w.fails(t, w.our, "INVALID_REQUEST", "", many(26))
	w.ok(t, w.our, `{ knowledgeSources(accountId: 101) { data { text } } }`)
}
