package graph

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/contentgraph/contentgraph/internal/auth"
)

// allowances are what the root fields of one operation, which may run at once,
// left of the caller's allowances: the least of each class.
type allowances struct {
	mu   sync.Mutex
	list []auth.Allowance
}

type allowancesKey struct{}

func (a *allowances) add(left auth.Allowance) {
	if left.Limit == 0 {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	i := slices.IndexFunc(a.list, func(known auth.Allowance) bool { return known.Class == left.Class })
	switch {
	case i < 0:
		a.list = append(a.list, left)
	case left.Left < a.list[i].Left:
		a.list[i] = left
	}
}

// tell writes the headers, which list every class that was counted.
func (a *allowances) tell(h http.Header) {
	a.mu.Lock()
	defer a.mu.Unlock()
	slices.SortFunc(a.list, func(x, y auth.Allowance) int { return strings.Compare(string(x.Class), string(y.Class)) })
	var policies, states []string
	for _, left := range a.list {
		policies, states = append(policies, left.Policy()), append(states, left.State())
	}
	if policies != nil {
		h.Set("RateLimit-Policy", strings.Join(policies, ", "))
		h.Set("RateLimit", strings.Join(states, ", "))
	}
}

// classes are the root fields that count as requests to the data API.
var classes = map[string]auth.Class{
	"submitKeywordRankings": auth.Submit, "submitAiSearchSentiments": auth.Submit, "submitAiSearchCitations": auth.Submit,
	"execution": auth.Poll, "executions": auth.Poll, "cancelExecution": auth.Poll, "removeExecution": auth.Poll,
	"createExportLink": auth.Poll,
}

// meter counts a request of a class against the caller's allowance.
type meter = func(*auth.Principal, auth.Class) (auth.Allowance, error)

// counted counts each root field.
func counted(limit meter) graphql.RootFieldMiddleware {
	return func(ctx context.Context, next graphql.RootResolver) graphql.Marshaler {
		field := graphql.GetRootFieldContext(ctx).Field
		if err := count(ctx, limit, cmp.Or(classes[field.Name], auth.Content)); err != nil {
			graphql.AddError(ctx, gqlerror.WrapPath(ast.Path{ast.PathName(field.Alias)}, err))
			return graphql.Null
		}
		return next(ctx)
	}
}

// countedStream counts the one root field of a subscription, once: the executor
// passes it by counted.
func countedStream(limit meter) graphql.OperationMiddleware {
	return func(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
		if graphql.GetOperationContext(ctx).Operation.Operation == ast.Subscription {
			if err := count(ctx, limit, auth.Content); err != nil {
				return graphql.OneShot(&graphql.Response{Errors: gqlerror.List{present(ctx, err)}})
			}
		}
		return next(ctx)
	}
}

// count takes one from the allowance of a class, and notes what is left of it.
func count(ctx context.Context, limit meter, class auth.Class) error {
	left, err := limit(auth.From(ctx), class)
	if noted, ok := ctx.Value(allowancesKey{}).(*allowances); ok {
		noted.add(left)
	}
	return err
}
