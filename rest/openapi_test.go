package rest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/go-chi/chi/v5"

	"github.com/contentgraph/contentgraph/internal/dataquery"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/schema"
)

func load(t *testing.T) *openapi3.T {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(schema.OpenAPI)
	check(t, err)
	return doc
}

// document is the published document, made stricter: answers may hold nothing
// that it does not name.
var document = sync.OnceValues(func() (*openapi3.T, error) {
	doc, err := openapi3.NewLoader().LoadFromData(schema.OpenAPI)
	if err != nil {
		return nil, err
	}
	for name, s := range doc.Components.Schemas {
		request := slices.ContainsFunc([]string{"Input", "Replacement", "Patch", "Query"}, func(end string) bool { return strings.HasSuffix(name, end) })
		if !request && s.Value.Type.Is("object") {
			s.Value.AdditionalProperties = openapi3.AdditionalProperties{Has: new(false)}
		}
	}
	return doc, nil
})

// all is a router with every route, to find the pattern of a request.
var all = sync.OnceValue(func() chi.Router {
	return newRouter(Options{GraphQL: http.NotFoundHandler(), Playground: http.NotFoundHandler()})
})

// documented compares an answer, and a request that should be good, with the
// document. What no route answers has no place there.
func documented(r *http.Request, a answer, good bool, body []byte) error {
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	pattern := all().Find(chi.NewRouteContext(), method, r.URL.EscapedPath())
	if !slices.Contains(Routes(), Route{method, pattern}) {
		if a.StatusCode != 401 && a.StatusCode != 403 && a.StatusCode != 404 && a.StatusCode != 405 && a.StatusCode != 429 && r.Method != http.MethodOptions {
			return fmt.Errorf("no route, but status %d", a.StatusCode)
		}
		return nil
	}
	doc, err := document()
	if err != nil {
		return err
	}
	item := doc.Paths.Value(pattern)
	if item == nil || item.GetOperation(method) == nil {
		return fmt.Errorf("%s %s is not there", method, pattern)
	}
	sent := r.Clone(context.Background())
	sent.Body = io.NopCloser(bytes.NewReader(body))
	in := &openapi3filter.RequestValidationInput{
		Request: sent, QueryParams: r.URL.Query(), PathParams: pathParams(pattern, r.URL),
		Route:   &routers.Route{Spec: doc, Path: pattern, PathItem: item, Method: method, Operation: item.GetOperation(method)},
		Options: &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, IncludeResponseStatus: true, MultiError: true},
	}
	if good {
		if err := openapi3filter.ValidateRequest(context.Background(), in); err != nil {
			return err
		}
	}
	return openapi3filter.ValidateResponse(context.Background(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: in, Status: a.StatusCode, Header: a.Header, Options: in.Options,
		Body: io.NopCloser(strings.NewReader(a.body)),
	})
}

func pathParams(pattern string, u *url.URL) map[string]string {
	params, values := map[string]string{}, strings.Split(u.Path, "/")
	for i, part := range strings.Split(pattern, "/") {
		if name, ok := strings.CutPrefix(part, "{"); ok {
			params[strings.TrimSuffix(name, "}")] = values[i]
		}
	}
	return params
}

func init() {
	openapi3filter.RegisterBodyDecoder("application/yaml", openapi3filter.FileBodyDecoder)
	openapi3filter.RegisterBodyDecoder("text/html", openapi3filter.FileBodyDecoder)
	for _, file := range mediaTypes {
		media, _, _ := mime.ParseMediaType(file)
		openapi3filter.RegisterBodyDecoder(media, openapi3filter.FileBodyDecoder)
	}
	openapi3filter.RegisterBodyDecoder("application/merge-patch+json", openapi3filter.RegisteredBodyDecoder("application/json"))
	openapi3.DefineStringFormatValidator("uuid", openapi3.NewRegexpFormatValidator(openapi3.FormatOfStringForUUIDOfRFC4122))
}

func TestDocument(t *testing.T) {
	t.Parallel()
	doc := load(t)
	check(t, doc.Validate(t.Context()))
	if doc.Info.Version != "4.0.0" || doc.Info.Extensions["x-changelog"] == nil {
		t.Errorf("version %s, change log %v", doc.Info.Version, doc.Info.Extensions["x-changelog"])
	}
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			if !slices.Contains([]any{"spec", "fact", "ours", "ext"}, op.Extensions["x-origin"]) {
				t.Errorf("%s %s: x-origin is %v", method, path, op.Extensions["x-origin"])
			}
			if op.Summary == "" || op.OperationID == "" || len(op.Tags) != 1 {
				t.Errorf("%s %s: has no summary, operationId or tag", method, path)
			}
		}
	}
}

// TestDocumentHasRoutes compares the document with the router, both ways.
func TestDocumentHasRoutes(t *testing.T) {
	t.Parallel()
	doc := load(t)
	inDocument := map[Route]bool{}
	for path, item := range doc.Paths.Map() {
		for method := range item.Operations() {
			inDocument[Route{method, path}] = true
		}
	}
	for _, r := range Routes() {
		if strings.HasSuffix(r.Path, "/*") { // files, which OpenAPI cannot name
			continue
		}
		if !inDocument[r] {
			t.Errorf("the document lacks %s %s", r.Method, r.Path)
		}
		delete(inDocument, r)
	}
	for r := range inDocument {
		t.Errorf("the router lacks %s %s", r.Method, r.Path)
	}
}

// TestDocumentHasQueries compares the request schemas of the data queries with
// what validates requests.
func TestDocumentHasQueries(t *testing.T) {
	t.Parallel()
	doc := load(t)
	for _, spec := range dataquery.Specs {
		if submits[spec.Name()] == nil {
			t.Errorf("%s cannot be submitted", spec.Name())
		}
		content := doc.Paths.Value("/data-api/v1/async/" + spec.Name()).Post.RequestBody.Value.Content.Get("application/json")
		request := content.Schema.Value.AnyOf[0].Value
		if len(request.Properties) != len(spec.Filters) {
			t.Errorf("%s: the document has %d fields, the query %d", spec.Name(), len(request.Properties), len(spec.Filters))
		}
		for _, f := range spec.Filters {
			p := request.Properties[f.Name]
			if p == nil {
				t.Errorf("%s: the document lacks %s", spec.Name(), f.Name)
				continue
			}
			if got, want := shapeOf(p.Value), wantedShape(f); !reflect.DeepEqual(got, want) {
				t.Errorf("%s.%s: the document says %+v, the query %+v", spec.Name(), f.Name, got, want)
			}
			if slices.Contains(request.Required, f.Name) != f.Required {
				t.Errorf("%s.%s: required is not %v", spec.Name(), f.Name, f.Required)
			}
		}
	}
}

// shape is what a field accepts.
type shape struct {
	kind     dataquery.Kind
	min, max int
	allowed  []string
	fallback any
}

func wantedShape(f dataquery.Filter) shape {
	s := shape{f.Kind, f.Min, f.Max, f.Allowed, f.Default}
	if n, ok := f.Default.(int); ok {
		s.fallback = float64(n)
	}
	return s
}

func shapeOf(p *openapi3.Schema) shape {
	s := shape{fallback: p.Default}
	item := p
	if p.Type.Is("array") {
		if p.MaxItems == nil || *p.MaxItems != dataquery.MaxItems {
			return s
		}
		item = p.Items.Value
	}
	for _, v := range item.Enum {
		s.allowed = append(s.allowed, v.(string))
	}
	list := p.Type.Is("array")
	switch {
	case item.Type.Is("integer"):
		s.kind = map[bool]dataquery.Kind{false: dataquery.Integer, true: dataquery.Integers}[list]
		if item.Min != nil {
			s.min = int(*item.Min)
		}
		if item.Max != nil {
			s.max = int(*item.Max)
		}
	case item.Type.Is("boolean"):
		s.kind = dataquery.Boolean
	case item.Format == "date":
		s.kind = dataquery.Date
	case item.Enum != nil:
		s.kind = map[bool]dataquery.Kind{false: dataquery.Choice, true: dataquery.Choices}[list]
	case list:
		s.kind, s.min = dataquery.Texts, int(item.MinLength)
		if item.MaxLength != nil {
			s.max = int(*item.MaxLength)
		}
	}
	return s
}

// TestDocumentHasCodes compares the list of codes with those that there are.
func TestDocumentHasCodes(t *testing.T) {
	t.Parallel()
	var listed []fault.Code
	for _, v := range load(t).Components.Schemas["Code"].Value.Enum {
		listed = append(listed, fault.Code(v.(string)))
	}
	for k := fault.Internal; k.Status() != 0; k++ {
		if code := fault.New(k, "").Code; code != fault.CodeClientClosedRequest && !slices.Contains(listed, code) {
			t.Errorf("the document lacks the code %s", code)
		}
	}
}
