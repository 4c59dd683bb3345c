package graph

import (
	"context"
	"mime"
	"net/http"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/99designs/gqlgen/graphql/handler/extension"
	"github.com/99designs/gqlgen/graphql/handler/lru"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/contentgraph/contentgraph/graph/generated"
	"github.com/contentgraph/contentgraph/internal/auth"
	"github.com/contentgraph/contentgraph/internal/fault"
)

// Options of the GraphQL server.
type Options struct {
	Auth *auth.Authenticator
	// Introspection lets clients read the schema; without it, errors suggest
	// no names either.
	Introspection bool
	// MaxBody is the largest request in bytes; 0 = 2 MiB.
	MaxBody int64
	// Limit counts a root field as a request of its class; nil = no limit.
	Limit func(p *auth.Principal, c auth.Class) (auth.Allowance, error)
}

// What one operation may ask for. The greatest list of drafts with all its
// edges but bodyCopy has a complexity of about 5,000.
const (
	maxComplexity = 20_000
	maxDepth      = 12
	maxAliases    = 30
	maxTokens     = 15_000
	maxSelections = 1000 // in the text, fragments counted once

	maxCached     = 1000     // parsed operations
	maxCachedSize = 16 << 10 // of each, in bytes
)

// NewHandler answers GraphQL over HTTP: POST of application/json, and GET for
// queries. No credential is ambient, so other sites' forms can do nothing.
func NewHandler(r *Resolver, o Options) http.Handler {
	srv := handler.New(generated.NewExecutableSchema(generated.Config{Resolvers: r, Complexity: complexity()}))
	srv.AddTransport(overHTTP{})
	parsed := small[*ast.QueryDocument]{lru.New[*ast.QueryDocument](maxCached)}
	srv.SetQueryCache(parsed)
	srv.Use(extension.AutomaticPersistedQuery{Cache: small[string]{lru.New[string](maxCached)}})
	srv.SetParserTokenLimit(maxTokens)
	srv.SetValidationRulesFn(validation(o.Introspection))
	srv.SetErrorPresenter(present)
	srv.SetRecoverFunc(recovered)
	srv.Use(shape{parsed, o.Introspection}) // before the next: it is cheap
	srv.Use(extension.FixedComplexityLimit(maxComplexity))
	srv.SetDisableSuggestion(!o.Introspection)
	if o.Limit != nil {
		srv.AroundRootFields(counted(o.Limit))
	}
	if o.MaxBody == 0 {
		o.MaxBody = 2 << 20
	}
	return guarded(o, r.withLoaders(srv))
}

// guarded authenticates, and refuses what is no GraphQL request. Without any
// credentials a request goes on: every resolver refuses it, the schema may be
// read.
func guarded(o Options, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p, err := o.Auth.Request(r)
		if fault.Of(err).Code == fault.CodeMissingCredentials && r.Header.Get("Authorization") == "" && !r.URL.Query().Has("apiKey") && !r.URL.Query().Has("sig") {
			p, err = nil, nil
		}
		if err == nil && r.Method == http.MethodPost {
			err = checkBody(r, o.MaxBody)
			r.Body = http.MaxBytesReader(w, r.Body, o.MaxBody)
		}
		// The router has named the request already.
		ctx := context.WithValue(r.Context(), requestKey{}, w.Header().Get("X-Request-Id"))
		if p != nil {
			ctx = auth.With(ctx, p)
		}
		ctx = context.WithValue(ctx, allowancesKey{}, new(allowances))
		if r = r.WithContext(ctx); err != nil {
			WriteError(w, r, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// requestKey is where a context has the id of the request, for the log.
type requestKey struct{}

// checkBody refuses a body that is not JSON: a page of another site can send no
// other kind without asking first.
func checkBody(r *http.Request, limit int64) error {
	media, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	charset, given := params["charset"]
	coding := r.Header.Get("Content-Encoding")
	switch {
	case err != nil || media != mediaJSON || given && !strings.EqualFold(charset, "utf-8"):
		return fault.New(fault.Unsupported, "the Content-Type must be application/json in UTF-8")
	case coding != "" && !strings.EqualFold(coding, "identity"):
		return fault.New(fault.Unsupported, "the body must not be compressed")
	case r.ContentLength > limit:
		return tooLarge(limit)
	}
	return nil
}

// classes are the root fields that count as requests to the data API.
var classes = map[string]auth.Class{
	"submitKeywordRankings": auth.Submit, "submitAiSearchSentiments": auth.Submit, "submitAiSearchCitations": auth.Submit,
	"execution": auth.Poll, "executions": auth.Poll, "cancelExecution": auth.Poll, "removeExecution": auth.Poll,
	"createExportLink": auth.Poll,
}

// counted counts each root field against the caller's allowance, and notes what
// is left of it.
func counted(limit func(*auth.Principal, auth.Class) (auth.Allowance, error)) graphql.RootFieldMiddleware {
	return func(ctx context.Context, next graphql.RootResolver) graphql.Marshaler {
		field := graphql.GetRootFieldContext(ctx).Field
		class, ok := classes[field.Name]
		if !ok {
			class = auth.Content
		}
		left, err := limit(auth.From(ctx), class)
		if noted, ok := ctx.Value(allowancesKey{}).(*allowances); ok {
			noted.add(left)
		}
		if err != nil {
			graphql.AddError(ctx, gqlerror.WrapPath(ast.Path{ast.PathName(field.Alias)}, err))
			return graphql.Null
		}
		return next(ctx)
	}
}

// small is a cache that leaves out what is large, since anyone may fill it.
type small[V any] struct{ graphql.Cache[V] }

// Add keeps a parsed operation under its text, or a text under its digest.
func (c small[V]) Add(ctx context.Context, key string, value V) {
	text, ok := any(value).(string)
	if !ok {
		text = key
	}
	if len(text) <= maxCachedSize {
		c.Cache.Add(ctx, key, value)
	}
}
