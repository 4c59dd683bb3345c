package rest

import (
	"context"
	"fmt"
	"net/http"
	"runtime/debug"
	"strings"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	crossorigin "github.com/go-chi/cors"
	"github.com/klauspost/compress/gzhttp"

	"github.com/contentgraph/contentgraph/internal/auth"
	"github.com/contentgraph/contentgraph/internal/fault"
)

// requestID is the header that names a request, in both directions.
const requestID = "X-Request-Id"

// exchange is what the middlewares and the handler of one request share.
type exchange struct {
	id      string  // of the request
	user    int     // 0 until authenticated
	account int     // of the path, once the user is let in
	dialect dialect // of the route
}

type exchangeKey struct{}

func exchangeOf(r *http.Request) *exchange { return r.Context().Value(exchangeKey{}).(*exchange) }

// begin gives the request its id: the client's own when it can be used.
func (a *api) begin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x := &exchange{id: r.Header.Get(requestID), dialect: envelope}
		if !usableID(x.id) {
			x.id = a.NewID().String()
		}
		w.Header().Set(requestID, x.id)
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), exchangeKey{}, x)))
	})
}

// usableID reports 1 to 128 visible ASCII characters.
func usableID(id string) bool {
	for _, c := range []byte(id) {
		if c <= ' ' || c > '~' {
			return false
		}
	}
	return id != "" && len(id) <= 128
}

// compress packs answers of a kilobyte and more with zstd or gzip, but no
// events: an encoder would be held for each stream.
func compress() func(http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(gzhttp.ContentTypeFilter(func(media string) bool {
		return !strings.HasPrefix(media, "text/event-stream") && gzhttp.DefaultContentTypeFilter(media)
	}))
	if err != nil {
		panic(err) // the options are bad
	}
	return func(next http.Handler) http.Handler { return wrap(next) }
}

// observe writes the access log and turns a panic into a failure. Neither logs
// the query of the URL, which carries signatures.
func (a *api) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began, x := a.Now(), exchangeOf(r)
		out := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		defer func() {
			a.Log.InfoContext(r.Context(), "request", "method", r.Method, "route", chi.RouteContext(r.Context()).RoutePattern(),
				"status", out.Status(), "ms", a.Now().Sub(began).Milliseconds(), "request", x.id, "user", x.user)
		}()
		defer func() {
			switch cause := recover(); cause {
			case nil:
			case http.ErrAbortHandler:
				panic(cause)
			default:
				a.fail(out, r, fmt.Errorf("panic: %v\n%s", cause, debug.Stack()))
			}
		}()
		next.ServeHTTP(out, r)
	})
}

// headers are those of every answer.
func headers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Referrer-Policy", "no-referrer") // URLs carry signatures
		next.ServeHTTP(w, r)
	})
}

// private keeps answers that depend on credentials out of caches.
func private(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

// cors lets pages of the origins call from a browser.
func cors(origins []string) func(http.Handler) http.Handler {
	if len(origins) == 0 {
		return func(next http.Handler) http.Handler { return next }
	}
	return crossorigin.Handler(crossorigin.Options{
		AllowedOrigins: origins,
		AllowedMethods: []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"},
		AllowedHeaders: []string{"Authorization", "Content-Type", "If-Match", "If-None-Match", auth.GatewayHeader, requestID, "GraphQL-Preflight"},
		ExposedHeaders: []string{"ETag", "Location", "Content-Disposition", "Retry-After", "RateLimit", "RateLimit-Policy", rowsDigest, requestID},
		MaxAge:         600,
	})
}

// methods lets GET answer HEAD, and routes a method that the router does not
// know as one that no route has, so that its failure is that of the route.
func methods(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		route := chi.RouteContext(r.Context())
		switch r.Method {
		case http.MethodHead:
			route.RouteMethod = http.MethodGet
		case http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete:
		default:
			route.RouteMethod = http.MethodTrace
		}
		next.ServeHTTP(w, r)
	})
}

// speak sets the body shape of the failures of a group of routes.
func speak(d dialect) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			exchangeOf(r).dialect = d
			next.ServeHTTP(w, r)
		})
	}
}

// noRoute answers a path that there is not.
func noRoute(http.ResponseWriter, *http.Request) error {
	return fault.New(fault.NotFound, "there is no such path").Because(errNoRoute)
}

// wrongMethod answers a path that has no such method.
func wrongMethod(w http.ResponseWriter, r *http.Request) error {
	routes := chi.RouteContext(r.Context()).Routes
	for _, m := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		if routes.Match(chi.NewRouteContext(), m, r.URL.EscapedPath()) {
			w.Header().Add("Allow", m)
			if m == http.MethodGet {
				w.Header().Add("Allow", http.MethodHead)
			}
		}
	}
	return fault.New(fault.NotAllowed, "the path does not have the method %s", r.Method)
}
