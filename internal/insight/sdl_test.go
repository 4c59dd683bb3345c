package insight

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestSDL holds the GraphQL enum to the kinds; -args -update writes it.
func TestSDL(t *testing.T) {
	t.Parallel()
	const file = "../../schema/insight_type.graphql"
	var b bytes.Buffer
	b.WriteString("\"\"\"\nThe kinds of insight.\n\"\"\"\nenum InsightType {\n")
	for _, k := range Kinds {
		fmt.Fprintf(&b, "  %q\n  %s\n", k.Doc, k.Type)
	}
	b.WriteString("}\n")
	if *update {
		if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	sdl, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(sdl, b.Bytes()) {
		t.Errorf("%s is stale; go test ./internal/insight -run TestSDL -args -update, then make generate: %v", file, err)
	}
	document, err := os.ReadFile("../../schema/openapi.yaml")
	if err != nil || !strings.Contains(string(document), "enum: ["+strings.Join(Types, ", ")+"]") {
		t.Errorf("the OpenAPI document has other types: %v", err)
	}
}

// TestRuleTables: every table can be read, in every language, and its classes
// are known.
func TestRuleTables(t *testing.T) {
	t.Parallel()
	classes := map[string][]string{
		"objective": Objectives, "journey": JourneyStages, "audience": AudienceLevels, "contenttype": ContentTypes, "headings": {"FURNITURE"},
	}
	places := []string{"start", "any", "title", "heading", "alone", "measure", "result", "page", "objective", "schema", "url", "host", "layout"}
	layout := looks{content: &(&Copy{}).content}.layout(parseURL(""))
	for name, known := range classes {
		for _, language := range []string{"en", "de", "es", "fr", "fi", ""} {
			table := rules(name, language)
			if len(table) < 10 {
				t.Errorf("%s in %q has %d rules", name, language, len(table))
			}
			for _, r := range table {
				if !slices.Contains(known, r.class) || !slices.Contains(places, r.where) || r.weight <= 0 {
					t.Errorf("%s in %q: %+v", name, language, r)
				}
				if r.phrase != nil && r.phrase.Words() == 0 {
					t.Errorf("%s in %q: %q has no word", name, language, r.what)
				}
				if _, ok := layout[r.what]; r.where == "layout" && !ok {
					t.Errorf("%s: there is no layout %q", name, r.what)
				}
			}
		}
	}
}
