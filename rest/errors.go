package rest

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5/middleware"

	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// dialect is the body shape of the failures of a group of routes. Nothing else
// knows a shape.
type dialect func(r *http.Request, f *fault.Error, at time.Time) any

// errNoRoute tells a path that there is not from a resource that there is not.
var errNoRoute = errors.New("no such route")

type envelopeBody struct {
	Code    fault.Code `json:"code"`
	Message string     `json:"message"`
}

// envelope is the shape of failures before any resource is reached.
func envelope(_ *http.Request, f *fault.Error, _ time.Time) any {
	return envelopeBody{f.Code, f.Message}
}

type frameworkBody struct {
	Timestamp string `json:"timestamp"`
	Status    int    `json:"status"`
	Error     string `json:"error"`
	Message   string `json:"message"`
	Path      string `json:"path"`
}

// content is the dialect of the content API.
func content(r *http.Request, f *fault.Error, at time.Time) any {
	switch f.Kind {
	case fault.Unauthenticated, fault.RateLimited, fault.NotAllowed:
		return envelope(r, f, at)
	case fault.NotFound:
		if errors.Is(f, errNoRoute) {
			return envelope(r, f, at)
		}
	}
	status := f.Kind.Status()
	return frameworkBody{vocab.FormatTime(at), status, http.StatusText(status), f.Message, r.URL.Path}
}

type dataBody struct {
	Code      fault.Code    `json:"code"`
	Message   string        `json:"message"`
	RequestID string        `json:"requestId"`
	Errors    []fault.Field `json:"errors,omitzero"` // [] when no field is to blame
}

// data is the dialect of the data API.
func data(r *http.Request, f *fault.Error, _ time.Time) any {
	body := dataBody{Code: f.Code, Message: f.Message, RequestID: exchangeOf(r).id}
	if f.Kind == fault.Invalid {
		body.Errors = append([]fault.Field{}, f.Fields...)
	}
	return body
}

// fail answers a failure in the dialect of the route. Its cause goes to the log
// alone. An answer that has begun already is cut off, so that nobody takes it
// for a whole one.
func (a *api) fail(w http.ResponseWriter, r *http.Request, err error) {
	f, x := fault.Of(err), exchangeOf(r)
	out, ok := w.(middleware.WrapResponseWriter)
	begun := ok && out.Status() != 0
	left := begun && r.Context().Err() != nil // the reader did
	if !left && (f.Kind == fault.Internal || f.Kind == fault.Unavailable || begun) {
		a.Log.ErrorContext(r.Context(), "request failed", "error", err, "request", x.id, "user", x.user)
	}
	if begun {
		panic(http.ErrAbortHandler)
	}
	if f.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(f.RetryAfter))
	}
	writeJSON(w, f.Kind.Status(), x.dialect(r, f, a.Now()))
}
