// Package rest maps the documented paths, bodies and error shapes onto the
// resolvers of the GraphQL API. It parses requests and shapes answers; who may
// do what, which values are good and how things are kept is decided behind the
// resolver interfaces, which is all that it knows of them, but for exports:
// those are streams.
package rest

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/graph/generated"
	"github.com/contentgraph/contentgraph/internal/auth"
	"github.com/contentgraph/contentgraph/internal/dataquery"
	"github.com/contentgraph/contentgraph/internal/knowledge"
)

// Options are what the router is made of.
type Options struct {
	Root generated.ResolverRoot
	// Loaders gives a context what lets resolvers of Root answer several calls
	// at once; nil = nothing.
	Loaders func(context.Context) context.Context
	Auth    *auth.Authenticator
	// Exports streams whole results, which a resolver cannot.
	Exports *dataquery.Service
	// GraphQL answers at /graphql; it authenticates and limits by itself.
	GraphQL http.Handler
	// Playground answers at /playground and below; nil switches it off.
	Playground http.Handler
	// MaxBody is the largest JSON body in bytes; 0 = DefaultMaxBody.
	MaxBody int64
	// MaxUpload is the largest file in bytes; 0 = knowledge.DefaultMaxUpload.
	MaxUpload int64
	// TempFolder keeps files while they are received; "" = the system's.
	TempFolder string
	// CORSOrigins are the origins that browsers may call from; none switches CORS off.
	CORSOrigins []string
	// Limit counts an authenticated request and refuses it, RateLimited, beyond
	// what is allowed; nil = no limit.
	Limit func(p *auth.Principal, c auth.Class) (auth.Allowance, error)
	Log   *slog.Logger     // nil = slog.Default()
	Now   func() time.Time // nil = time.Now
	NewID func() uuid.UUID // of requests; nil = uuid.New
}

// DefaultMaxBody is the usual MaxBody.
const DefaultMaxBody = 2 << 20

// api is the router's handlers.
type api struct {
	Options
	exporting chan struct{} // holds one for each export that runs
}

// NewRouter makes the handler of everything that the service answers over HTTP.
func NewRouter(o Options) http.Handler { return newRouter(o) }

func newRouter(o Options) chi.Router {
	if o.MaxBody == 0 {
		o.MaxBody = DefaultMaxBody
	}
	if o.MaxUpload == 0 {
		o.MaxUpload = knowledge.DefaultMaxUpload
	}
	if o.Loaders == nil {
		o.Loaders = func(ctx context.Context) context.Context { return ctx }
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.NewID == nil {
		o.NewID = uuid.New
	}
	a := &api{Options: o, exporting: make(chan struct{}, maxExports)}
	r := chi.NewRouter()
	r.Use(a.begin, compress(), a.observe, headers, cors(o.CORSOrigins), methods)
	r.NotFound(a.serve(noRoute))
	r.MethodNotAllowed(a.serve(wrongMethod))

	// GET /healthz
	r.Get("/healthz", a.serve(health))
	// GET /openapi.yaml
	r.Get("/openapi.yaml", a.serve(openAPI))
	r.Route("/v4", a.content)
	r.Route("/data-api/v1/exports", a.exportLinks)
	r.Route("/data-api", a.data)
	r.Group(a.graphQL)
	return r
}

func (a *api) content(r chi.Router) {
	r.Use(speak(content), private, a.user)

	// GET /v4/rank-sources
	r.Get("/rank-sources", a.serve(a.listRankSources))

	r.Route("/accounts/{accountId}", func(r chi.Router) {
		r.Use(a.account)

		// GET /v4/accounts/{accountId}/web-properties
		r.Get("/web-properties", a.serve(a.listWebProperties))

		// GET /v4/accounts/{accountId}/drafts
		r.Get("/drafts", a.serve(a.listDrafts))
		// POST /v4/accounts/{accountId}/drafts
		r.Post("/drafts", a.serve(a.createDraft))
		// GET /v4/accounts/{accountId}/drafts/{draftId}
		r.Get("/drafts/{draftId}", a.serve(a.getDraft))
		// PUT /v4/accounts/{accountId}/drafts/{draftId}
		r.Put("/drafts/{draftId}", a.serve(a.replaceDraft))
		// PATCH /v4/accounts/{accountId}/drafts/{draftId}
		r.Patch("/drafts/{draftId}", a.serve(a.updateDraft))
		// DELETE /v4/accounts/{accountId}/drafts/{draftId}
		r.Delete("/drafts/{draftId}", a.serve(a.deleteDraft))

		// GET /v4/accounts/{accountId}/drafts/{draftId}/content
		r.Get("/drafts/{draftId}/content", a.serve(a.getContent))
		// PUT /v4/accounts/{accountId}/drafts/{draftId}/content
		r.Put("/drafts/{draftId}/content", a.serve(a.saveContent))
		// GET /v4/accounts/{accountId}/drafts/{draftId}/content/versions
		r.Get("/drafts/{draftId}/content/versions", a.serve(a.listVersions))
		// GET /v4/accounts/{accountId}/drafts/{draftId}/content/versions/{versionId}
		r.Get("/drafts/{draftId}/content/versions/{versionId}", a.serve(a.getVersion))

		// POST /v4/accounts/{accountId}/drafts/{draftId}/insights
		r.Post("/drafts/{draftId}/insights", a.serve(a.requestInsights))
		// GET /v4/accounts/{accountId}/drafts/{draftId}/insights
		r.Get("/drafts/{draftId}/insights", a.serve(a.listInsights))
		// POST /v4/accounts/{accountId}/drafts/{draftId}/validate
		r.Post("/drafts/{draftId}/validate", a.serve(a.validate))
		// POST /v4/accounts/{accountId}/drafts/{draftId}/content-score
		r.Post("/drafts/{draftId}/content-score", a.serve(a.contentScore))
		// GET /v4/accounts/{accountId}/serp-urls
		r.Get("/serp-urls", a.serve(a.serpURLs))

		// GET /v4/accounts/{accountId}/content-profiles
		r.Get("/content-profiles", a.serve(a.listProfiles))
		// POST /v4/accounts/{accountId}/content-profiles
		r.Post("/content-profiles", a.serve(a.createProfile))
		// GET /v4/accounts/{accountId}/content-profiles/{contentProfileId}
		r.Get("/content-profiles/{contentProfileId}", a.serve(a.getProfile))
		// PUT /v4/accounts/{accountId}/content-profiles/{contentProfileId}
		r.Put("/content-profiles/{contentProfileId}", a.serve(a.replaceProfile))
		// PATCH /v4/accounts/{accountId}/content-profiles/{contentProfileId}
		r.Patch("/content-profiles/{contentProfileId}", a.serve(a.updateProfile))
		// DELETE /v4/accounts/{accountId}/content-profiles/{contentProfileId}
		r.Delete("/content-profiles/{contentProfileId}", a.serve(a.deleteProfile))

		// GET /v4/accounts/{accountId}/knowledge-sources
		r.Get("/knowledge-sources", a.serve(a.listKnowledge))
		// POST /v4/accounts/{accountId}/knowledge-sources
		r.Post("/knowledge-sources", a.serve(a.createKnowledge))
		// GET /v4/accounts/{accountId}/knowledge-sources/{knowledgeSourceId}
		r.Get("/knowledge-sources/{knowledgeSourceId}", a.serve(a.getKnowledge))
		// DELETE /v4/accounts/{accountId}/knowledge-sources/{knowledgeSourceId}
		r.Delete("/knowledge-sources/{knowledgeSourceId}", a.serve(a.deleteKnowledge))
		// POST /v4/accounts/{accountId}/knowledge-sources/{knowledgeSourceId}/retry
		r.Post("/knowledge-sources/{knowledgeSourceId}/retry", a.serve(a.retryKnowledge))
	})
}

func (a *api) data(r chi.Router) {
	r.Use(speak(data), private, a.dataUser)

	for _, spec := range dataquery.Specs {
		query := a.serve(a.query(spec.Name()))
		// POST /data-api/v1/async/<query>
		r.Post("/v1/async/"+spec.Name(), query)
		// POST /data-api/v1/<query>, another name of the same
		r.Post("/v1/"+spec.Name(), query)
	}

	// GET /data-api/v1/executions
	r.Get("/v1/executions", a.polled(a.listExecutions))
	// GET /data-api/v1/executions/{executionId}
	r.Get("/v1/executions/{executionId}", a.polled(a.getExecution))
	// DELETE /data-api/v1/executions/{executionId}
	r.Delete("/v1/executions/{executionId}", a.polled(a.deleteExecution))
	// GET /data-api/v1/executions/{executionId}/pages/{number}
	r.Get("/v1/executions/{executionId}/pages/{number}", a.polled(a.getResultPage))
	// GET /data-api/v1/executions/{executionId}/export
	r.Get("/v1/executions/{executionId}/export", a.polled(a.export))
}

// exportLinks take no credentials: a link is one.
func (a *api) exportLinks(r chi.Router) {
	r.Use(speak(data), private)

	// GET /data-api/v1/exports/{token}
	r.Get("/{token}", a.serve(a.exportByLink))
}

func (a *api) graphQL(r chi.Router) {
	r.Use(private)
	if a.GraphQL != nil {
		// GET /graphql
		r.Method(http.MethodGet, "/graphql", a.GraphQL)
		// POST /graphql
		r.Method(http.MethodPost, "/graphql", a.GraphQL)
	}
	if a.Playground != nil {
		// GET /playground
		r.Method(http.MethodGet, "/playground", a.Playground)
		// GET /playground/*, its assets
		r.Method(http.MethodGet, "/playground/*", a.Playground)
	}
}

// Route is one method of one path.
type Route struct{ Method, Path string }

// Routes lists every route by path, those that can be switched off included.
func Routes() []Route {
	nothing := http.NotFoundHandler()
	var list []Route
	chi.Walk(newRouter(Options{GraphQL: nothing, Playground: nothing}), func(method, path string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		list = append(list, Route{method, path})
		return nil
	})
	slices.SortFunc(list, func(a, b Route) int {
		return strings.Compare(a.Path+" "+a.Method, b.Path+" "+b.Method)
	})
	return list
}
