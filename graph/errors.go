package graph

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/contentgraph/contentgraph/internal/fault"
)

// present shapes every error of an operation: the message, and in extensions
// the code and, for a bad request, its fields. Causes go to the log alone.
func present(ctx context.Context, err error) *gqlerror.Error {
	path := graphql.GetPath(ctx)
	f := classify(err, path)
	out := &gqlerror.Error{Message: f.Message, Path: path, Extensions: extensions(f)}
	if e, ok := errors.AsType[*gqlerror.Error](err); ok {
		out.Locations = e.Locations
		if path == nil && e.Err != nil { // of a root field that was not entered
			out.Path = e.Path
		}
	}
	note(ctx, f, err)
	return out
}

// classify makes a fault of any error of an operation at a path.
func classify(err error, path ast.Path) *fault.Error {
	e, ok := errors.AsType[*gqlerror.Error](err)
	if _, known := errors.AsType[*fault.Error](err); known || !ok {
		return fault.Of(err)
	}
	switch {
	case e.Err != nil && len(e.Path) > len(path): // a scalar of an argument, by the path to it
		return fault.BadField(fieldOf(e.Path[len(path):]), "%s", e.Err)
	case e.Err != nil:
		return fault.Of(err)
	case len(e.Path) > 1 && e.Path[0] == ast.PathName("variable"):
		return fault.BadField(fieldOf(e.Path[1:]), "%s", e.Message)
	}
	return fault.New(fault.Invalid, "%s", e.Message) // of the document
}

// fieldOf names a value by its path within an argument or variable, as services
// name it; the argument itself has its own name.
func fieldOf(path ast.Path) string {
	if len(path) > 1 {
		path = path[1:]
	}
	return path.String()
}

func extensions(f *fault.Error) map[string]any {
	x := map[string]any{"code": f.Code}
	if f.Fields != nil {
		x["fields"] = f.Fields
	}
	if f.RetryAfter > 0 {
		x["retryAfter"] = f.RetryAfter
	}
	return x
}

// recovered turns a panic into an error, which is presented as internal.
func recovered(_ context.Context, cause any) error {
	return fmt.Errorf("panic: %v\n%s", cause, debug.Stack())
}

// note logs a failure that is not the client's.
func note(ctx context.Context, f *fault.Error, err error) {
	if f.Kind == fault.Internal || f.Kind == fault.Unavailable {
		slog.ErrorContext(ctx, "request failed", "error", err, "path", graphql.GetPath(ctx).String(), "request", ctx.Value(requestKey{}))
	}
}

// WriteError answers a request that does not get as far as an operation.
func WriteError(w http.ResponseWriter, r *http.Request, err error) {
	f := fault.Of(err)
	note(r.Context(), f, err)
	if f.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(f.RetryAfter))
	}
	if f.Kind == fault.Unauthenticated {
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	body, _ := json.Marshal(map[string]gqlerror.List{"errors": {{Message: f.Message, Extensions: extensions(f)}}})
	w.Header().Set("Content-Type", accepted(r))
	w.WriteHeader(f.Kind.Status())
	w.Write(body)
}
