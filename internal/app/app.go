// Package app puts the service together in plain Go: it opens what is to be
// opened, hands each part what it needs, serves, and closes in reverse. The app
// that production runs is the one that tests boot.
package app

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"runtime"

	"gocloud.dev/blob"

	"github.com/contentgraph/contentgraph/graph"
	"github.com/contentgraph/contentgraph/graph/playground"
	"github.com/contentgraph/contentgraph/internal/auth"
	"github.com/contentgraph/contentgraph/internal/crawl"
	"github.com/contentgraph/contentgraph/internal/dataquery"
	"github.com/contentgraph/contentgraph/internal/draft"
	"github.com/contentgraph/contentgraph/internal/extract"
	"github.com/contentgraph/contentgraph/internal/facts"
	"github.com/contentgraph/contentgraph/internal/insight"
	"github.com/contentgraph/contentgraph/internal/jobs"
	"github.com/contentgraph/contentgraph/internal/knowledge"
	"github.com/contentgraph/contentgraph/internal/profile"
	"github.com/contentgraph/contentgraph/internal/reference"
	"github.com/contentgraph/contentgraph/internal/serp"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/rest"
)

// App is the whole service, opened.
type App struct {
	Config   Config
	Store    *store.Store
	Auth     *auth.Authenticator
	Access   *auth.Admin
	Queue    *jobs.Queue
	Importer *facts.Importer
	Handler  http.Handler

	Drafts    *draft.Service
	Profiles  *profile.Service
	Reference *reference.Service
	Knowledge *knowledge.Service
	Serp      *serp.Service
	Insights  *insight.Service
	Data      *dataquery.Service

	limiter *auth.Limiter
	bucket  *blob.Bucket
	fetcher *crawl.Fetcher
	readers *extract.Pool
	graphQL *graph.Handler
}

// Open migrates and opens the database and wires everything. It starts nothing:
// Serve does. Close it when done.
func Open(ctx context.Context, c Config) (*App, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	s, err := store.Open(ctx, c.DatabaseURL, c.Data)
	if err != nil {
		return nil, err
	}
	a := &App{Config: c, Store: s}
	if a.Auth, err = auth.Open(ctx, s, c.MasterKey, c.Data); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if a.bucket, err = openBucket(ctx, c.BlobURL, c.Data); err == nil {
		err = os.MkdirAll(c.temp(), 0o700)
	}
	if err != nil {
		a.Auth.Close()
		return nil, errors.Join(err, s.Close())
	}
	a.wire()
	return a, nil
}

// wire expects a valid configuration.
func (a *App) wire() {
	c, s := a.Config, a.Store
	limits, _ := auth.ParseLimits(c.RateLimits)
	if c.RateLimits == "off" {
		a.Auth.GuessLimit = 0
	}
	a.Auth.Proxies, _ = auth.ParseProxies(c.TrustedProxies)
	a.Access = auth.NewAdmin(a.Auth)
	a.Queue = jobs.New(s)
	a.Queue.Workers = c.Workers
	a.Importer = facts.NewImporter(s)
	a.Drafts, a.Profiles, a.Reference = draft.New(s), profile.New(s), reference.New(s)
	a.Data = dataquery.New(s, a.Queue, a.Auth.Key("page tokens"), c.PageRows)
	a.readers = Readers(c)
	a.Knowledge = knowledge.New(s, a.Queue, a.bucket, a.readers.Extract, readers)
	a.Knowledge.MaxUpload, a.Knowledge.TempFolder = c.MaxUpload, c.temp()

	allow, _ := crawl.ParseAllow(c.FetchAllow)
	a.fetcher = crawl.New(allow)
	a.Serp = serp.New(s)
	if c.SearxngURL != "" {
		a.Serp.Search = searching(c.SearxngURL)
	}
	a.Insights = insight.New(s, a.Queue, a.Serp, a.fetcher.Fetch)

	a.limiter = auth.NewLimiter(limits, s)
	root := &graph.Resolver{Services: graph.Services{
		Drafts: a.Drafts, Profiles: a.Profiles, Reference: a.Reference, Knowledge: a.Knowledge,
		Insights: a.Insights, Serp: a.Serp, Data: a.Data, Access: a.Access,
	}}
	a.graphQL = graph.NewHandler(root, graph.Options{
		Auth: a.Auth, Introspection: c.enabled(c.Introspection), MaxBody: c.MaxBody, MaxUpload: c.MaxUpload, TempFolder: c.temp(),
		Origins: c.CorsOrigins, Limit: a.limiter.Take,
	})
	o := rest.Options{
		Root: root, Auth: a.Auth, Exports: a.Data, MaxBody: c.MaxBody, MaxUpload: c.MaxUpload, TempFolder: c.temp(),
		CORSOrigins: c.CorsOrigins, Loaders: root.WithLoaders, Limit: a.limiter.Take, GraphQL: a.graphQL,
	}
	if c.enabled(c.Playground) {
		o.Playground = playground.Handler("/graphql")
	}
	a.Handler = rest.NewRouter(o)
}

// readers is how many files are read at a time.
var readers = max(2, min(4, runtime.NumCPU()))

// Readers are the processes in which files are read. Close them when done.
func Readers(c Config) *extract.Pool {
	return extract.NewPool(extract.Options{Size: readers, Cache: filepath.Join(c.Data, "cache")})
}

// temp is the folder of files that go with the process.
func (c *Config) temp() string { return filepath.Join(c.Data, "tmp") }

// Close stops the workers, which hand their jobs back, and closes the database.
func (a *App) Close() error {
	a.graphQL.Close()
	a.Queue.Stop()
	a.Auth.Close()
	a.fetcher.Close()
	return errors.Join(a.readers.Close(), a.bucket.Close(), a.Store.Close())
}

// Routes lists the REST routes, as method and path.
func Routes() []string {
	var lines []string
	for _, r := range rest.Routes() {
		lines = append(lines, r.Method+" "+r.Path)
	}
	return lines
}

// Sign is the signature of an API key for now.
func Sign(apiKey, secret string) string { return auth.Sign(apiKey, secret, now()) }

// SetLog sends the log to standard error in the configured form.
func (c *Config) SetLog() {
	var h slog.Handler = slog.NewTextHandler(stderr, nil)
	if c.LogFormat == "json" {
		h = slog.NewJSONHandler(stderr, nil)
	}
	slog.SetDefault(slog.New(h))
}
