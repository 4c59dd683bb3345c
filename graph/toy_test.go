package graph

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/contentgraph/contentgraph/internal/auth"
	"github.com/contentgraph/contentgraph/internal/fault"
)

// toy is a schema whose operations do what tests of transports need.
type toy struct {
	*ast.Schema
	began, ended atomic.Int32 // subscriptions
}

func newToy() *toy {
	return &toy{Schema: gqlparser.MustLoadSchema(&ast.Source{Input: `
		scalar Upload
		type Query {
			echo(text: String!): String!
			"Waits for its end."
			wait: String!
		}
		type Mutation {
			set: String!
			"Names, sizes and contents."
			upload(file: Upload!, more: [Upload], in: In): String!
		}
		input In { file: Upload }
		type Subscription {
			"1 to n; none, but no end either, for 0."
			ticks(n: Int!): Int!
			"Texts of a size without end."
			flood(size: Int!): String!
			panics: Int!
		}`})}
}

// executable is a toy as gqlgen wants it.
type executable struct{ *toy }

func (e executable) Schema() *ast.Schema { return e.toy.Schema }

func (e executable) Complexity(_ context.Context, _, _ string, child int, _ map[string]any) (int, bool) {
	return child + 1, true
}

// Exec refuses who is not known, as all resolvers do.
func (e executable) Exec(ctx context.Context) graphql.ResponseHandler {
	op := graphql.GetOperationContext(ctx)
	field := op.Operation.SelectionSet[0].(*ast.Field)
	args := field.ArgumentMap(op.Variables)
	if _, err := auth.AllowScope(ctx, ""); err != nil {
		graphql.AddError(ctx, err)
		return graphql.OneShot(&graphql.Response{Data: []byte("null")})
	}
	if op.Operation.Operation == ast.Subscription {
		return e.subscribe(ctx, field, args)
	}
	root := graphql.WithRootFieldContext(ctx, &graphql.RootFieldContext{Object: "Query", Field: graphql.CollectedField{Field: field}})
	done := false
	return func(ctx context.Context) *graphql.Response {
		if done {
			return nil
		}
		done = true
		var data strings.Builder
		op.RootResolverMiddleware(graphql.WithResponseContext(root, present, recovered), func(ctx context.Context) graphql.Marshaler {
			return graphql.MarshalString(e.resolve(ctx, field.Name, args))
		}).MarshalGQL(&data)
		return &graphql.Response{Data: fmt.Appendf(nil, `{"%s":%s}`, field.Alias, &data)}
	}
}

func (e executable) resolve(ctx context.Context, name string, args map[string]any) string {
	switch name {
	case "echo":
		return args["text"].(string)
	case "wait":
		<-ctx.Done()
	case "upload":
		var said []string
		more, _ := args["more"].([]any)
		in, _ := args["in"].(map[string]any)
		for _, arg := range append([]any{args["file"], in["file"]}, more...) {
			if f, ok := arg.(graphql.Upload); ok {
				text, err := io.ReadAll(f.File)
				said = append(said, fmt.Sprintf("%s %s %d %.10s %v", f.Filename, f.ContentType, f.Size, text, err))
			}
		}
		return strings.Join(said, "; ")
	}
	return "done"
}

func (e executable) subscribe(ctx context.Context, field *ast.Field, args map[string]any) graphql.ResponseHandler {
	e.began.Add(1)
	context.AfterFunc(ctx, func() { e.ended.Add(1) })
	n := 0
	return func(ctx context.Context) *graphql.Response {
		n++
		switch field.Name {
		case "panics":
			panic("a toy")
		case "flood":
			size, _ := args["size"].(int64)
			return &graphql.Response{Data: fmt.Appendf(nil, `{"%s":"%s"}`, field.Alias, strings.Repeat("x", int(size)))}
		case "ticks":
			switch last, _ := args["n"].(int64); {
			case last == 0:
				<-ctx.Done()
				return nil
			case n > int(last):
				return nil
			}
		}
		return &graphql.Response{Data: fmt.Appendf(nil, `{"%s":%d}`, field.Alias, n)}
	}
}

// bench is a toy that is served.
type bench struct {
	*world
	*httptest.Server
	toy     *toy
	handler *Handler
}

// quick is a pace for tests that no test runs into by accident.
var quick = pace{renew: 20 * time.Millisecond, beat: 10 * time.Second, initial: 10 * time.Second, patience: 10 * time.Second, grace: 2 * time.Second}

func newBench(t *testing.T, o Options, p pace) *bench {
	t.Helper()
	b := &bench{world: newWorld(t, ""), toy: newToy()}
	o.Auth = b.auth
	b.handler = newHandler(executable{b.toy}, b.root.WithLoaders, o, p)
	b.Server = httptest.NewServer(b.handler)
	t.Cleanup(b.Server.Close)
	t.Cleanup(b.handler.Close)
	return b
}

// request makes one of a user.
func (b *bench) request(t *testing.T, method, target, body string, header ...string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, b.URL+target, strings.NewReader(body))
	must(t, err)
	r.Header.Set("Authorization", "Bearer "+b.our)
	r.Header.Set("Content-Type", mediaJSON)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	return r
}

// fetch is the answer to a request.
func (b *bench) fetch(t *testing.T, r *http.Request) (int, string) {
	t.Helper()
	res, err := http.DefaultClient.Do(r)
	must(t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	must(t, err)
	return res.StatusCode, strings.TrimSpace(string(text))
}

// eventually waits for something that is bound to become true.
func eventually(t *testing.T, what string, true func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !true(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("not within 10 s: " + what)
		}
	}
}

// query is a document as a JSON object.
func query(document string) string {
	text, _ := json.Marshal(map[string]string{"query": document})
	return string(text)
}

// metered counts by class and refuses beyond a limit.
func metered(limit int32) (func(*auth.Principal, auth.Class) (auth.Allowance, error), *atomic.Int32) {
	n := new(atomic.Int32)
	return func(_ *auth.Principal, c auth.Class) (auth.Allowance, error) {
		if c != auth.Content || n.Add(1) > limit {
			return auth.Allowance{}, fault.New(fault.RateLimited, "wait").After(7)
		}
		return auth.Allowance{}, nil
	}, n
}
