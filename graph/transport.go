package graph

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/contentgraph/contentgraph/internal/fault"
)

const (
	mediaJSON    = "application/json"
	mediaGraphQL = "application/graphql-response+json"

	// maxNesting is how deep JSON of a request may be nested.
	maxNesting = 64
	// maxErrors is how much of a bad document is told at once.
	maxErrors = 20
)

// overHTTP answers one operation with one body: a POST, or a GET for queries.
// gqlgen's own transports know neither the codes of the contract nor its
// statuses.
type overHTTP struct{}

var _ graphql.Transport = overHTTP{}

// Supports every request: transports of streams come before this one.
func (overHTTP) Supports(*http.Request) bool { return true }

// Do answers a request.
func (overHTTP) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	params, err := parameters(r)
	if err != nil {
		WriteError(w, r, err)
		return
	}
	op, errs := exec.CreateOperationContext(r.Context(), params)
	switch {
	case errs != nil:
		write(w, r, exec.DispatchError(graphql.WithOperationContext(r.Context(), op), errs[:min(len(errs), maxErrors)]))
	case r.Method != http.MethodPost && op.Operation.Operation != ast.Query:
		w.Header().Set("Allow", http.MethodPost)
		WriteError(w, r, fault.New(fault.NotAllowed, "GET runs queries only: send this operation with POST"))
	default:
		answer, ctx := exec.DispatchOperation(r.Context(), op)
		write(w, r, answer(ctx))
	}
}

// parameters reads what a request asks for.
func parameters(r *http.Request) (*graphql.RawParams, error) {
	p := &graphql.RawParams{Headers: r.Header}
	switch r.Method {
	case http.MethodPost:
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = decode("body", body, p)
		}
		var over *http.MaxBytesError
		if errors.As(err, &over) {
			return nil, tooLarge(over.Limit)
		}
		if err != nil {
			return nil, err
		}
	case http.MethodGet, http.MethodHead:
		query := r.URL.Query()
		p.Query, p.OperationName = query.Get("query"), query.Get("operationName")
		for name, value := range map[string]*map[string]any{"variables": &p.Variables, "extensions": &p.Extensions} {
			if text := query.Get(name); text != "" {
				if err := decode(name, []byte(text), value); err != nil {
					return nil, err
				}
			}
		}
	default:
		return nil, fault.New(fault.NotAllowed, "the method must be POST, or GET for queries")
	}
	switch {
	case p.Query == "" && p.Extensions["persistedQuery"] == nil:
		return nil, fault.BadField("query", "is required")
	case nested(p.Variables) > maxNesting || nested(p.Extensions) > maxNesting:
		return nil, fault.BadField("variables", "must be nested at most %d levels", maxNesting)
	}
	return p, nil
}

// decode reads one JSON object; name says where it comes from.
func decode(name string, text []byte, v any) error {
	if !utf8.Valid(text) {
		return fault.New(fault.Invalid, "%s: must be UTF-8", name)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	err := d.Decode(v)
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong) && wrong.Field != "":
		return fault.BadField(wrong.Field, "must not be a JSON %s", wrong.Value)
	case err != nil:
		return fault.New(fault.Invalid, "%s: must be a JSON object", name)
	}
	if _, err := d.Token(); err != io.EOF {
		return fault.New(fault.Invalid, "%s: goes on behind the JSON object", name)
	}
	return nil
}

// nested is the number of levels of a decoded JSON value.
func nested(v any) int {
	deepest := -1
	switch v := v.(type) {
	case map[string]any:
		for _, item := range v {
			deepest = max(deepest, nested(item))
		}
	case []any:
		for _, item := range v {
			deepest = max(deepest, nested(item))
		}
	default:
		return 0
	}
	return max(deepest, 0) + 1
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
	var body bytes.Buffer
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
	body.WriteString("}\n")

	if noted, ok := r.Context().Value(allowancesKey{}).(*allowances); ok {
		noted.tell(w.Header())
	}
	media, status := accepted(r), http.StatusOK
	if media == mediaGraphQL && answer.Data == nil {
		status = http.StatusBadRequest
	}
	w.Header().Set("Content-Type", media)
	w.WriteHeader(status)
	w.Write(body.Bytes()) // an error means that nobody reads on
}

// accepted is the media type of the answer.
func accepted(r *http.Request) string {
	for part := range strings.SplitSeq(strings.Join(r.Header.Values("Accept"), ","), ",") {
		if media, _, _ := mime.ParseMediaType(part); media == mediaGraphQL {
			return media
		}
	}
	return mediaJSON
}

func tooLarge(limit int64) error {
	return fault.New(fault.TooLarge, "the body must have at most %d bytes", limit)
}
