package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"
)

const maxResolverLines = 12

// needsOperation are functions of gqlgen that panic outside a GraphQL
// operation. REST calls the same resolvers without one.
var needsOperation = map[string]bool{
	"AddError":            true,
	"AddErrorf":           true,
	"CollectAllFields":    true,
	"CollectFieldsCtx":    true,
	"FieldRequested":      true,
	"GetErrors":           true,
	"GetFieldContext":     true,
	"GetOperationContext": true,
}

// TestResolvers keeps rules out of the resolvers: a body authorises, calls one
// service and returns, so that both transports share everything else.
func TestResolvers(t *testing.T) {
	files, _ := filepath.Glob("../../graph/*.resolvers.go")
	if len(files) == 0 {
		t.Fatal("graph/*.resolvers.go: no such files, so nothing was checked")
	}
	for _, file := range files {
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, problem := range resolverProblems(set, tree) {
			t.Error(problem)
		}
	}
}

func resolverProblems(set *token.FileSet, file *ast.File) (problems []string) {
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		at := set.Position(f.Pos()).String() + " " + f.Name.Name
		if lines := set.Position(f.Body.Rbrace).Line - set.Position(f.Body.Lbrace).Line - 1; lines > maxResolverLines {
			problems = append(problems, at+" is too long: move its rules into the service")
		}
		ast.Inspect(f.Body, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && needsOperation[id.Name] {
				problems = append(problems, at+" uses "+id.Name+", which panics when REST calls the resolver")
			}
			return true
		})
	}
	return problems
}

// TestResolverRules proves that the check sees what it should.
func TestResolverRules(t *testing.T) {
	long := ""
	for range maxResolverLines + 1 {
		long += "\tx()\n"
	}
	for body, want := range map[string]int{
		"\treturn r.Drafts.Get(ctx, id)\n":       0,
		long:                                     1,
		"\tgraphql.AddError(ctx, err)\n":         1,
		"\tf := graphql.FieldRequested\n\tf()\n": 1,
	} {
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, "x.go", "package x\n\nfunc (r *queryResolver) Draft() {\n"+body+"}\n", 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := resolverProblems(set, tree); len(got) != want {
			t.Errorf("%q: want %d problems, got %q", body, want, got)
		}
	}
}
