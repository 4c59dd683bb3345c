package main

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/contentgraph/contentgraph/internal/app"
)

var update = flag.Bool("update", false, "write the configuration table of the README")

// TestReadme holds the configuration table of the README to the struct.
func TestReadme(t *testing.T) {
	const file = "../../README.md"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	begin := regexp.MustCompile(`(?s)(<!-- configuration:[^\n]*-->\n).*(<!-- end of configuration -->)`)
	want := begin.ReplaceAllString(string(text), "${1}"+strings.ReplaceAll(configuration(), "$", "$$")+"${2}")
	if want == string(text) {
		return
	}
	if !*update {
		t.Fatal("the configuration table of the README is stale: go test ./cmd/contentgraph -run TestReadme -update")
	}
	if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

func configuration() string {
	b := new(strings.Builder)
	fmt.Fprintln(b, "| Flag | Variable | Default | |\n|---|---|---|---|")
	kebab := regexp.MustCompile(`([a-z0-9])([A-Z])`)
	c := reflect.TypeFor[app.Config]()
	for i := range c.NumField() {
		f := c.Field(i)
		name := f.Tag.Get("name")
		if name == "" {
			name = strings.ToLower(kebab.ReplaceAllString(f.Name, "$1-$2"))
		}
		value := f.Tag.Get("default")
		if value != "" {
			value = "`" + value + "`"
		}
		fmt.Fprintf(b, "| `--%s` | `CONTENTGRAPH_%s` | %s | %s |\n", name, strings.ToUpper(strings.ReplaceAll(name, "-", "_")), value, f.Tag.Get("help"))
	}
	return b.String()
}
