package graph

import (
	"bytes"
	"context"
	"encoding/json"
	"mime"
	"net/http"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/contentgraph/contentgraph/internal/fault"
)

const (
	mediaJSON    = "application/json"
	mediaGraphQL = "application/graphql-response+json"

	// maxErrors is how much of a bad document is told at once.
	maxErrors = 20
)

// overHTTP answers one operation of a POST, or of a GET for all but mutations:
// with one body, or in events. gqlgen's own transports know neither the codes
// of the contract nor its statuses.
type overHTTP struct{ h *Handler }

var _ graphql.Transport = overHTTP{}

// Supports every request: WebSockets come before this one.
func (overHTTP) Supports(*http.Request) bool { return true }

// Do answers a request.
func (t overHTTP) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	r = r.WithContext(t.h.loaders(r.Context()))
	params, files, err := t.parameters(r)
	defer files.remove()
	if err != nil {
		WriteError(w, r, err)
		return
	}
	op, errs := exec.CreateOperationContext(r.Context(), params)
	kind := ast.Query
	if op.Operation != nil {
		kind = op.Operation.Operation
	}
	switch {
	case errs == nil && kind == ast.Mutation && r.Method != http.MethodPost:
		w.Header().Set("Allow", http.MethodPost)
		WriteError(w, r, fault.New(fault.NotAllowed, "GET changes nothing: send this operation with POST"))
	case inEvents(r, kind):
		t.stream(w, r, exec, op, errs)
	case errs != nil:
		write(w, r, refusal(r.Context(), exec, op, errs))
	case kind == ast.Subscription:
		WriteError(w, r, fault.New(fault.Invalid, "a subscription needs the header Accept: %s, or a WebSocket", mediaEvents))
	default:
		answer, ctx := exec.DispatchOperation(r.Context(), op)
		write(w, r, answer(ctx))
	}
}

// refusal is the answer to an operation that is not run.
func refusal(ctx context.Context, exec graphql.GraphExecutor, op *graphql.OperationContext, errs gqlerror.List) *graphql.Response {
	return exec.DispatchError(graphql.WithOperationContext(ctx, op), errs[:min(len(errs), maxErrors)])
}

// write answers with the result of an operation. Its data goes through as it
// is, since result pages are large. An operation that was not run fails the
// request for clients that know the media type of GraphQL; for all others such
// an answer has status 200, too.
func write(w http.ResponseWriter, r *http.Request, answer *graphql.Response) {
	if answer == nil { // nobody waits for it
		WriteError(w, r, r.Context().Err())
		return
	}
	if noted, ok := r.Context().Value(allowancesKey{}).(*allowances); ok {
		noted.tell(w.Header())
	}
	media, status := accepted(r), http.StatusOK
	if media == mediaGraphQL && answer.Data == nil {
		status = http.StatusBadRequest
	}
	w.Header().Set("Content-Type", media)
	w.WriteHeader(status)
	w.Write(append(encode(answer), '\n')) // an error means that nobody reads on
}

// encode is an answer in JSON, on one line.
func encode(answer *graphql.Response) []byte {
	var body bytes.Buffer
	body.Grow(len(answer.Data) + 64)
	separator := byte('{')
	for _, part := range []struct {
		name  string
		value any
		given bool
	}{{"errors", answer.Errors, len(answer.Errors) > 0}, {"extensions", answer.Extensions, len(answer.Extensions) > 0}} {
		if part.given {
			text, _ := json.Marshal(part.value)
			body.WriteString(string(separator) + `"` + part.name + `":`)
			body.Write(text)
			separator = ','
		}
	}
	if answer.Data != nil {
		body.WriteString(string(separator) + `"data":`)
		body.Write(answer.Data)
	}
	body.WriteByte('}')
	return body.Bytes()
}

// accepted is the media type of an answer with one body.
func accepted(r *http.Request) string {
	if accepts(r, mediaGraphQL) {
		return mediaGraphQL
	}
	return mediaJSON
}

// accepts reports whether the client names a media type as one that it takes.
func accepts(r *http.Request, media string) bool {
	for part := range strings.SplitSeq(strings.Join(r.Header.Values("Accept"), ","), ",") {
		if named, _, _ := mime.ParseMediaType(part); named == media {
			return true
		}
	}
	return false
}
