package archtest

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
)

const module = "github.com/contentgraph/contentgraph"

// TestImports looks at what production code imports: test files may import
// anything. A broken package is not its business (-e), the compiler reports it.
func TestImports(t *testing.T) {
	cmd := exec.Command("go", "list", "-e", "-f", `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`, module+"/...")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.String())
	}
	for line := range strings.Lines(string(out)) {
		packages := strings.Fields(line)
		for _, problem := range check(packages[0], packages[1:]) {
			t.Error(problem)
		}
	}
}

// check names every import that a package must not have.
func check(pkg string, imports []string) (problems []string) {
	folder := strings.TrimPrefix(pkg, module+"/")
	name, l := layerOf(folder)
	if name == "" {
		return []string{folder + " is in no layer: add it to layers_test.go, or move its code to where it belongs"}
	}
	for _, path := range imports {
		target, own := strings.CutPrefix(path, module+"/")
		switch {
		case own && !in(target, l.may) && !allowedBeside(folder, target):
			to, _ := layerOf(target)
			problems = append(problems, fmt.Sprintf("%s (%s) must not import %s (%s)", folder, name, target, to))
		case !own && in(path, l.never):
			problems = append(problems, fmt.Sprintf("%s (%s) must not import %s", folder, name, path))
		}
	}
	return problems
}

// allowedBeside reports whether an edge stays within one tree of folders, or is
// one of the extra edges of the folder that owns the tree.
func allowedBeside(folder, target string) bool {
	owner := root(folder)
	return owner == root(target) || in(target, also[owner])
}

// root is the folder that owns the tree of a layer's "x/...", else the folder itself.
func root(folder string) string {
	_, l := layerOf(folder)
	for _, f := range strings.Fields(l.folders) {
		if base, tree := strings.CutSuffix(f, "/..."); tree && in(folder, f) {
			return base
		}
	}
	return folder
}

// TestRules proves that the table forbids what it should: an empty table
// would let TestImports pass.
func TestRules(t *testing.T) {
	for _, c := range []struct {
		from, to string
		ok       bool
	}{
		{"internal/vocab", "internal/fault", false},
		{"internal/fault", "strings", true},
		{"internal/input", "internal/fault", true},
		{"internal/input", "internal/vocab", false},
		{"internal/text", "ent/db", false},
		{"internal/htmldoc", "internal/text", true},
		{"internal/text", "internal/htmldoc", false},
		{"internal/extract/pdf", "internal/htmldoc", true},
		{"internal/extract", "internal/extract/pdf", true},
		{"internal/crawl", "net/http", true},
		{"internal/text", "entgo.io/ent/dialect/sql", false},
		{"ent/schema", "internal/vocab", true},
		{"ent/schema", "internal/fault", false},
		{"ent/db/draft", "ent/db/predicate", true},
		{"ent/migrate", "ent/db/migrate", false},
		{"internal/store", "ent/migrate", true},
		{"internal/jobs", "ent/migrate", false},
		{"internal/jobs", "internal/store", true},
		{"internal/store", "internal/jobs", false},
		{"internal/draft", "ent/db/draft", true},
		{"internal/draft", "internal/auth", false},
		{"internal/draft", "internal/profile", true},
		{"internal/profile", "internal/draft", false},
		{"internal/insight", "internal/serp", true},
		{"internal/draft", "net/http", false},
		{"internal/draft", "net/http/httptest", false},
		{"internal/dataquery", "github.com/99designs/gqlgen/graphql", false},
		{"graph", "graph/generated", true},
		{"graph/generated", "graph/scalar", true},
		{"graph/generated", "graph", false},
		{"graph", "rest", false},
		{"graph", "internal/store", false},
		{"rest", "graph", false},
		{"rest", "internal/jobs", false},
		{"internal/app", "rest", true},
		{"internal/app", "internal/pgtest", false},
		{"internal/demo", "internal/draft", true},
		{"internal/demo", "graph", false},
		{"cmd/contentgraph", "internal/app", true},
		{"cmd/contentgraph", "internal/store", true},
		{"cmd/contentgraph", "internal/dataquery", false},
		{"graph/playground", "net/http", true},
		{"graph/playground", "internal/store", false},
		{"internal/pgtest", "ent/migrate", true},
		{"internal/util", "strings", false},
	} {
		to := c.to
		if name, _ := layerOf(to); name != "" {
			to = module + "/" + to
		}
		if problems := check(module+"/"+c.from, []string{to}); (len(problems) == 0) != c.ok {
			t.Errorf("%s -> %s: want allowed=%v, got %q", c.from, c.to, c.ok, problems)
		}
	}
}

// TestLayersAreDisjoint: a folder in two layers would get the rights of either.
func TestLayersAreDisjoint(t *testing.T) {
	owner := map[string]string{}
	for name, l := range layers {
		for _, f := range strings.Fields(l.folders) {
			if other, taken := owner[f]; taken {
				t.Errorf("%s is in the layers %q and %q", f, name, other)
			}
			owner[f] = name
		}
	}
}
