package graph

import (
	"cmp"
	"context"
	"mime"
	"net/http"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/99designs/gqlgen/graphql/handler/extension"
	"github.com/99designs/gqlgen/graphql/handler/lru"
	"github.com/vektah/gqlparser/v2/ast"

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
	// MaxBody is the largest JSON in bytes: of a body, of the operations of a
	// multipart request, of a message on a WebSocket; 0 = 2 MiB.
	MaxBody int64
	// MaxUpload is the largest file of a multipart request in bytes; 0 = 25 MiB.
	MaxUpload int64
	// TempFolder keeps files while their request runs; empty = the system's.
	TempFolder string
	// Origins are the other origins whose pages may open WebSockets, as CORS
	// lists them: "https://app.example.com", with one * at most.
	Origins []string
	// MaxStreams is how many streams, which are WebSockets and answers in
	// events, a user may have open at a time; 0 = 2000.
	MaxStreams int
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

// Handler answers GraphQL: POST of application/json or, with files, of
// multipart/form-data; GET for queries; subscriptions, and whatever else is
// asked for so, in server-sent events; and WebSockets. No credential is
// ambient, so other sites' forms can do nothing.
type Handler struct {
	Options
	pace    pace
	loaders func(context.Context) context.Context
	streams *streams
	server  *handler.Server
}

// NewHandler makes the handler of a resolver's schema. Close it when done.
func NewHandler(r *Resolver, o Options) *Handler {
	return newHandler(generated.NewExecutableSchema(generated.Config{Resolvers: r, Complexity: complexity()}), r.WithLoaders, o, usualPace)
}

func newHandler(schema graphql.ExecutableSchema, loaders func(context.Context) context.Context, o Options, p pace) *Handler {
	o.MaxBody, o.MaxUpload = cmp.Or(o.MaxBody, 2<<20), cmp.Or(o.MaxUpload, 25<<20)
	h := &Handler{Options: o, pace: p, loaders: loaders, streams: newStreams(o.Auth.Renew, cmp.Or(o.MaxStreams, 2000), p.renew)}
	srv := handler.New(schema)
	srv.AddTransport(overWebSocket{h})
	srv.AddTransport(overHTTP{h})
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
		srv.AroundOperations(countedStream(o.Limit))
	}
	h.server = srv
	return h
}

// Close ends all streams, whose clients connect again, elsewhere, and waits for
// them to be gone, a few seconds at most. New ones are refused.
func (h *Handler) Close() { h.streams.stop() }

// ServeHTTP authenticates, and refuses what is no GraphQL request. Without any
// credentials a request goes on, unless it brings files: every resolver refuses
// it, the schema may be read.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p, err := h.Auth.Request(r)
	media, params, bad := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if bad != nil {
		media = ""
	}
	if fault.Of(err).Code == fault.CodeMissingCredentials && r.Header.Get("Authorization") == "" &&
		!r.URL.Query().Has("apiKey") && !r.URL.Query().Has("sig") && media != mediaForm {
		p, err = nil, nil
	}
	if err == nil && r.Method == http.MethodPost {
		limit := h.MaxBody
		if media == mediaForm {
			limit += h.MaxUpload + maxMap
		}
		err = checkBody(r, media, params, limit)
		r.Body = http.MaxBytesReader(w, r.Body, limit)
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
	h.server.ServeHTTP(w, r)
}

// requestKey is where a context has the id of the request, for the log.
type requestKey struct{}

// checkBody refuses a body that a page of another site could send without
// asking first: such a page can send no JSON, and set no header of ours.
func checkBody(r *http.Request, media string, params map[string]string, limit int64) error {
	charset, given := params["charset"]
	coding := r.Header.Get("Content-Encoding")
	switch {
	case media != mediaForm && (media != mediaJSON || given && !strings.EqualFold(charset, "utf-8")):
		return fault.New(fault.Unsupported, "the Content-Type must be application/json in UTF-8 or, for uploads, multipart/form-data")
	case coding != "" && !strings.EqualFold(coding, "identity"):
		return fault.New(fault.Unsupported, "the body must not be compressed")
	case media == mediaForm && r.Header.Get(preflight) == "":
		return fault.New(fault.Forbidden, "a multipart request needs the header %s, with any value", preflight)
	case r.ContentLength > limit:
		return tooLarge(limit)
	}
	return nil
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
