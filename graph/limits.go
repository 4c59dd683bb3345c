package graph

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator/core"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/contentgraph/contentgraph/graph/generated"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/input"
	"github.com/contentgraph/contentgraph/internal/insight"
)

// complexity counts a list as its items times the page size that is asked for.
func complexity() (c generated.ComplexityRoot) {
	paged := func(child int, limit *int) int {
		n := input.DefaultLimit
		if limit != nil {
			n = min(max(*limit, 1), input.MaxLimit)
		}
		return 1 + child*n
	}
	c.Query.Drafts = func(child, _ int, _ []string, limit, _ *int) int { return paged(child, limit) }
	c.Query.DraftVersions = func(child, _ int, _ uuid.UUID, limit, _ *int) int { return paged(child, limit) }
	c.Query.KnowledgeSources = func(child, _ int, _, _ []string, limit, _ *int) int { return paged(child, limit) }
	c.Query.KnowledgePassages = func(child, _ int, _ string, limit *int) int { return 500 + paged(child, limit) }
	c.Query.ContentProfiles = func(child, _ int, limit, _ *int) int { return paged(child, limit) }
	c.Query.RankSources = func(child int, limit, _ *int) int { return paged(child, limit) }
	c.Query.WebProperties = func(child, _ int, limit, _ *int) int { return paged(child, limit) }
	c.Query.Executions = func(child, _ int, limit, _ *int) int { return paged(child, limit) }
	kinds := func(child int) int { return 1 + child*len(insight.Types) }
	c.Draft.Insights = kinds
	c.Query.Insights = func(child, _ int, _ uuid.UUID, _ []string) int { return kinds(child) }
	c.Query.ValidateContent = func(child, _ int, _ uuid.UUID, _ map[string]any) int { return 500 + kinds(child) }
	c.Query.ContentScore = func(child, _ int, _ uuid.UUID, _ map[string]any) int { return 500 + kinds(child) }
	// What may be large counts as much as its size weighs.
	c.DraftContent.BodyCopy = func(int) int { return maxComplexity / 50 }
	c.KnowledgeSource.Text = func(int) int { return maxComplexity / 25 }
	c.Execution.Page = func(child int, _ *string, _ *int) int { return 500 + child }
	c.ResultPage.Rows = func(int) int { return maxComplexity / 5 }
	c.Execution.Pages = func(child int) int { return 500 + child }
	return c
}

// shape refuses operations that are too long, nest too deep, repeat fields
// under too many names or, unless that is on, ask for the schema, before
// anything is resolved.
type shape struct {
	parsed        graphql.Cache[*ast.QueryDocument] // of the server
	introspection bool
}

var _ interface {
	graphql.OperationParameterMutator
	graphql.OperationContextMutator
} = shape{}

// ExtensionName names the extension to gqlgen.
func (shape) ExtensionName() string { return "OperationShape" }

// Validate has nothing to check.
func (shape) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationParameters measures a document that is new: validation, which
// comes next, takes time that grows with the square of the selections.
func (s shape) MutateOperationParameters(ctx context.Context, p *graphql.RawParams) *gqlerror.Error {
	if _, known := s.parsed.Get(ctx, p.Query); known {
		return nil
	}
	doc, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: p.Query}, maxTokens)
	if err != nil {
		return nil // the server parses again and says so
	}
	n := 0
	for _, o := range doc.Operations {
		n += selections(o.SelectionSet)
	}
	for _, f := range doc.Fragments {
		n += selections(f.SelectionSet)
	}
	if n > maxSelections {
		return refuse("the document has %d selections; %d are allowed", n, maxSelections)
	}
	return nil
}

func selections(set ast.SelectionSet) int {
	n := len(set)
	for _, s := range set {
		switch s := s.(type) {
		case *ast.Field:
			n += selections(s.SelectionSet)
		case *ast.InlineFragment:
			n += selections(s.SelectionSet)
		}
	}
	return n
}

// MutateOperationContext measures the operation.
func (s shape) MutateOperationContext(_ context.Context, op *graphql.OperationContext) *gqlerror.Error {
	op.DisableIntrospection = !s.introspection
	m := measure{fragments: op.Doc.Fragments}
	m.walk(op.Operation.SelectionSet, 1)
	switch {
	case m.schema && !s.introspection:
		return refuse("introspection is switched off")
	case m.fields > maxComplexity:
		return refuse("the operation has more than %d fields", maxComplexity)
	case m.depth > maxDepth:
		return refuse("the operation nests %d levels; %d are allowed", m.depth, maxDepth)
	case m.aliases > maxAliases:
		return refuse("the operation has %d aliases; %d are allowed", m.aliases, maxAliases)
	}
	return nil
}

func refuse(format string, args ...any) *gqlerror.Error {
	return gqlerror.Wrap(fault.New(fault.Invalid, format, args...))
}

// measure walks an operation, and gives up where a limit is passed, since
// fragments can multiply. Validation has refused cyclic ones.
type measure struct {
	fragments ast.FragmentDefinitionList
	fields    int
	depth     int
	aliases   int
	schema    bool // asked for
}

func (m *measure) walk(set ast.SelectionSet, depth int) {
	if m.depth = max(m.depth, depth); depth > maxDepth || m.fields > maxComplexity {
		return
	}
	for _, s := range set {
		switch s := s.(type) {
		case *ast.Field:
			if s.Alias != s.Name {
				m.aliases++
			}
			m.fields++
			if s.Name == "__schema" || s.Name == "__type" {
				m.schema = true // and validation bounds its depth
			} else if s.SelectionSet != nil {
				m.walk(s.SelectionSet, depth+1)
			}
		case *ast.InlineFragment:
			m.walk(s.SelectionSet, depth)
		case *ast.FragmentSpread:
			if f := m.fragments.ForName(s.Name); f != nil {
				m.walk(f.SelectionSet, depth)
			}
		}
	}
}

// validation is the rules of operations; without suggestions, no message tells
// names of the schema that the client did not know.
func validation(suggestions bool) func() *rules.Rules {
	return func() *rules.Rules {
		r := rules.NewDefaultRules()
		if !suggestions {
			for name, silent := range map[string]core.Rule{
				rules.KnownArgumentNamesRule.Name:  rules.KnownArgumentNamesRuleWithoutSuggestions,
				rules.KnownTypeNamesRule.Name:      rules.KnownTypeNamesRuleWithoutSuggestions,
				rules.ValuesOfCorrectTypeRule.Name: rules.ValuesOfCorrectTypeRuleWithoutSuggestions,
			} {
				r.ReplaceRule(name, silent.RuleFunc)
			}
		}
		return r
	}
}
