package graph

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"unicode/utf8"

	"github.com/99designs/gqlgen/graphql"

	"github.com/contentgraph/contentgraph/internal/fault"
)

// maxNesting is how deep JSON of a request may be nested.
const maxNesting = 64

// parameters reads what a request asks for, and the files that come with it.
func (t overHTTP) parameters(r *http.Request) (p *graphql.RawParams, files uploads, err error) {
	p = &graphql.RawParams{Headers: r.Header}
	switch r.Method {
	case http.MethodPost:
		if media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); media == mediaForm {
			files, err = t.h.form(r, p)
			break
		}
		var body []byte
		if body, err = io.ReadAll(r.Body); err == nil {
			err = decode("body", body, p)
		}
	case http.MethodGet, http.MethodHead:
		err = asked(r.URL.Query(), p)
	default:
		err = fault.New(fault.NotAllowed, "the method must be POST, or GET for queries")
	}
	if over, ok := errors.AsType[*http.MaxBytesError](err); ok {
		err = tooLarge(over.Limit)
	}
	if err == nil {
		err = usable(p)
	}
	return p, files, err
}

// asked reads what the query of a URL asks for.
func asked(query url.Values, p *graphql.RawParams) error {
	p.Query, p.OperationName = query.Get("query"), query.Get("operationName")
	for name, value := range map[string]*map[string]any{"variables": &p.Variables, "extensions": &p.Extensions} {
		if text := query.Get(name); text != "" {
			if err := decode(name, []byte(text), value); err != nil {
				return err
			}
		}
	}
	return nil
}

// usable refuses parameters that no operation can have.
func usable(p *graphql.RawParams) error {
	switch {
	case p.Query == "" && p.Extensions["persistedQuery"] == nil:
		return fault.BadField("query", "is required")
	case nested(p.Variables) > maxNesting || nested(p.Extensions) > maxNesting:
		return fault.BadField("variables", "must be nested at most %d levels", maxNesting)
	}
	return nil
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

func tooLarge(limit int64) error {
	return fault.New(fault.TooLarge, "the body must have at most %d bytes", limit)
}
