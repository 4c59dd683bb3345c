package graph

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// introspection is the query that tools send to learn the schema.
const introspection = `query IntrospectionQuery { __schema { queryType { name } mutationType { name } types { ...FullType }
	directives { name description locations args { ...InputValue } } } }
fragment FullType on __Type { kind name description fields(includeDeprecated: true) { name description args { ...InputValue }
	type { ...TypeRef } isDeprecated deprecationReason } inputFields { ...InputValue } interfaces { ...TypeRef }
	enumValues(includeDeprecated: true) { name description } possibleTypes { ...TypeRef } }
fragment InputValue on __InputValue { name description type { ...TypeRef } defaultValue }
fragment TypeRef on __Type { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name
	ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } } } } } } }`

func TestIntrospection(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	w.ok(t, "", introspection).is(t, "__schema.mutationType.name", `'Mutation'`)
	deep := `{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }`
	w.fails(t, "", "INVALID_REQUEST", "", deep)
	if a := w.fails(t, w.our, "INVALID_REQUEST", "", `{ viewr { name } }`); !strings.Contains(a.Text, "Did you mean") {
		t.Error(a.Text)
	}

	w.handler = NewHandler(w.root, Options{Auth: w.auth})
	w.ok(t, w.our, `{ __typename viewer { __typename } }`)
	for _, document := range []string{introspection, `{ __type(name: "Draft") { name } }`, `{ ...f } fragment f on Query { __schema { types { name } } }`} {
		if a := w.fails(t, w.our, "INVALID_REQUEST", "", document); a.Data != nil || !strings.Contains(a.Text, "introspection") {
			t.Error(a.Text)
		}
	}
	for _, document := range []string{
		`{ viewr { name } }`, `{ viewer }`, `{ drafts(accountId: 101, statu: TO_DO) { data { id } } }`, `{ drafts(accountId: 101, status: TODO) { data { id } } }`,
		`query($s: [DraftStatu!]) { drafts(accountId: 101, status: $s) { data { id } } }`,
		`mutation { createRankSource(input: {name: "x", ide: 1}) { id } }`,
	} {
		if a := w.post(t, w.our, document); len(a.Errors) == 0 || strings.Contains(a.Text, "ean") {
			t.Error("suggests:", a.Text)
		}
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	aliases := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, " a%d: name", i)
		}
		return b.String()
	}
	everything := `id accountId draftTitle topics page rankSourceId webPropertyId versionId created createdBy updated updatedBy assignee status
		competitorUrls contentProfileId rankSource { id name engine country language } webProperty { id name url }
		contentProfile { id name description voiceTone audience draftCount languageRules { term type extraTerm } }
		content { title metaDescription versionId number saved savedBy }`
	for _, document := range []string{
		`{ viewer {` + aliases(maxAliases) + `} }`,
		`{ drafts(accountId: 101, limit: 100) { data {` + everything + `} pagination { total offset limit hasMore } } }`,
		`{ drafts(accountId: 101, limit: -5) { data { id } } }`, // refused, but not as too complex
	} {
		if a := w.post(t, w.our, document); strings.Contains(a.Text, "aliases") || strings.Contains(a.Text, "complexity") {
			t.Errorf("%s: %s", document, a.Text)
		}
	}
	twice := "fragment f0 on User { name }"
	for i := range 30 {
		twice += fmt.Sprintf(" fragment f%d on User { ...f%d ...f%d }", i+1, i, i)
	}
	for document, message := range map[string]string{
		`{ viewer {` + aliases(maxAliases+1) + `} }`:                               "aliases",
		`{ viewer { ...n } } fragment n on User {` + aliases(maxAliases+1) + `}`:   "aliases",
		`{ executions(accountId: 101, limit: 100) { data { page { results } } } }`: "complexity",
		`{ executions(accountId: 101, limit: 4) { data { page { results } } } }`:   "",
		`{ executions(accountId: 101) { data { page { results } } } }`:             "complexity",
		`{ drafts(accountId: 101, limit: 40) { data { content { bodyCopy } } } }`:  "",
		`{ drafts(accountId: 101, limit: 100) { data { content { bodyCopy } } } }`: "complexity",
		// Validation takes time that grows with the square of these.
		`{ viewer {` + strings.Repeat(" name", maxSelections-2) + `} }`:                                    "",
		`{ viewer {` + strings.Repeat(" name", maxSelections) + `} }`:                                      "selections",
		`{ viewer { name } } fragment f on User {` + strings.Repeat(" name", maxSelections) + `}`:          "selections",
		`{ viewer { ... on User {` + strings.Repeat(" name", maxSelections) + `} } }`:                      "selections",
		`{ viewer {` + strings.Repeat(" name", maxTokens) + `} }`:                                          "token limit",
		`{ viewer { ...f30 } } ` + twice:                                                                   "fields",
		`{ viewer { ...a } } fragment a on User { ...b } fragment b on User { ...a }`:                      "fragment",
		`{ viewer {` + strings.Repeat(` ... on User {`, 20) + aliases(1) + strings.Repeat("}", 20) + `} }`: "",
	} {
		began := time.Now()
		a := w.post(t, w.our, document)
		if message == "" && len(a.Errors) > 0 || message != "" && (len(a.Errors) == 0 || !strings.Contains(a.Text, message)) {
			t.Errorf("%.100s: want %q, got %.300s", document, message, a.Text)
		}
		if took := time.Since(began); took > 30*time.Second {
			t.Errorf("%.100s: took %v", document, took)
		}
	}
	a := w.post(t, w.our, `query (`+strings.Repeat(`$v: Int `, 1000)+`) { viewer { name } }`)
	if len(a.Errors) != maxErrors {
		t.Error(len(a.Errors), "errors told")
	}
}
