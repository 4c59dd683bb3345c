package graph

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"gocloud.dev/blob/fileblob"

	"github.com/contentgraph/contentgraph/internal/auth"
	"github.com/contentgraph/contentgraph/internal/crawl"
	"github.com/contentgraph/contentgraph/internal/dataquery"
	"github.com/contentgraph/contentgraph/internal/draft"
	"github.com/contentgraph/contentgraph/internal/extract"
	"github.com/contentgraph/contentgraph/internal/facts"
	"github.com/contentgraph/contentgraph/internal/insight"
	"github.com/contentgraph/contentgraph/internal/jobs"
	"github.com/contentgraph/contentgraph/internal/knowledge"
	"github.com/contentgraph/contentgraph/internal/pgtest"
	"github.com/contentgraph/contentgraph/internal/profile"
	"github.com/contentgraph/contentgraph/internal/reference"
	"github.com/contentgraph/contentgraph/internal/serp"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

type object = map[string]any

// Two accounts.
const ours, theirs = 101, 102

// world is the whole service behind the GraphQL handler, with a rank source of
// id 3 and two users: ours and theirs, with all scopes in one account each.
type world struct {
	*store.Store
	auth     *auth.Authenticator
	admin    *auth.Admin
	root     *Resolver
	queue    *jobs.Queue
	handler  http.Handler
	us, them *auth.User
	our      string // token
	their    string
}

func newWorld(t *testing.T, url string) *world {
	t.Helper()
	s, err := store.Open(t.Context(), url, t.TempDir())
	must(t, err)
	t.Cleanup(func() { s.Close() })
	w := &world{Store: s}
	w.auth, err = auth.Open(t.Context(), s, "", t.TempDir())
	must(t, err)
	t.Cleanup(w.auth.Close)
	w.auth.GuessLimit = 0
	w.admin = auth.NewAdmin(w.auth)
	w.queue = jobs.New(s)
	w.queue.Poll = 20 * time.Millisecond
	t.Cleanup(w.queue.Stop)
	bucket, err := fileblob.OpenBucket(t.TempDir(), nil)
	must(t, err)
	t.Cleanup(func() { bucket.Close() })
	results := serp.New(s)
	w.root = &Resolver{Services: Services{
		Serp: results, Insights: insight.New(s, w.queue, results, fetchHere),
		Knowledge: knowledge.New(s, w.queue, bucket, readHere, 2),
		Drafts:    draft.New(s), Profiles: profile.New(s), Reference: reference.New(s),
		Data: dataquery.New(s, w.queue, w.auth.Key("page tokens"), 100), Access: w.admin,
	}}
	w.handler = NewHandler(w.root, Options{Auth: w.auth, Introspection: true})

	ctx := store.System(t.Context())
	s.RankSource.Create().SetID(3).SetName("GOOGLE_EN_US").ExecX(ctx)
	for _, id := range []int{ours, theirs} {
		_, err := w.admin.CreateAccount(ctx, nil, id, fmt.Sprintf("account-%d", id))
		must(t, err)
	}
	w.us, w.our = w.user(t, "us", []int{ours}, vocab.Scopes...)
	w.them, w.their = w.user(t, "them", []int{theirs}, vocab.Scopes...)
	return w
}

// fetchHere knows one page, whatever is asked for.
func fetchHere(_ context.Context, r crawl.Request) (*crawl.Response, error) {
	return &crawl.Response{URL: r.URL, ContentType: "text/html", Body: []byte(`<html lang="en"><title>Cold brew at home</title><h1>Cold brew</h1>
<p>Coffee that is made with cold water tastes smooth. It steeps for twelve hours, and the jar stays in the fridge.</p>`)}, nil
}

// readHere reads a file in this process: what is tested here is the way of a
// file, not its reading. The name of a file can ask for trouble.
func readHere(ctx context.Context, name string, f *os.File) (extract.Result, error) {
	if strings.HasPrefix(name, "bomb") {
		return extract.Result{}, &extract.Failure{Reason: "Reading the file took too much memory."}
	}
	info, err := f.Stat()
	if err != nil {
		return extract.Result{}, err
	}
	return extract.Read(ctx, name, f, info.Size())
}

// onBoth runs a test on SQLite and on PostgreSQL.
func onBoth(t *testing.T, test func(t *testing.T, w *world)) {
	t.Parallel()
	pgtest.Both(t, func(t *testing.T, url string) {
		test(t, newWorld(t, url))
	})
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// user makes a user and a token.
func (w *world) user(t *testing.T, name string, accounts []int, scopes ...string) (*auth.User, string) {
	t.Helper()
	ctx := store.System(t.Context())
	u, err := w.admin.CreateUser(ctx, nil, name, accounts, scopes)
	must(t, err)
	token, _, err := w.admin.CreateToken(ctx, nil, u.ID, nil)
	must(t, err)
	return u, token
}

// principal is who a token stands for.
func (w *world) principal(t *testing.T, token string) *auth.Principal {
	t.Helper()
	p, err := w.auth.Bearer(t.Context(), token)
	must(t, err)
	return p
}

// answer is what the handler says.
type answer struct {
	Status int
	Header http.Header
	Text   string
	Data   any
	Errors []failure
}

type failure struct {
	Message    string
	Path       []any
	Extensions struct {
		Code       string
		Fields     []struct{ Field, Message string }
		RetryAfter int
	}
}

// serve sends a request to a handler; every answer must be of GraphQL's shape.
func serve(t *testing.T, h http.Handler, r *http.Request) (a answer) {
	t.Helper()
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, r)
	if err := json.Unmarshal(rec.Body.Bytes(), &a); err != nil || (a.Data == nil) && len(a.Errors) == 0 {
		t.Fatalf("no GraphQL answer: %d %q (%v)", rec.Code, rec.Body, err)
	}
	a.Status, a.Header, a.Text = rec.Code, rec.Header(), rec.Body.String()
	for _, e := range a.Errors {
		if e.Extensions.Code == "" || e.Message == "" {
			t.Errorf("an error without a code: %s", a.Text)
		}
	}
	return a
}

func postOf(token string, body string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	return r
}

// post runs a document, with variables if they are given.
func (w *world) post(t *testing.T, token, document string, vars ...object) answer {
	t.Helper()
	body := object{"query": document}
	if vars != nil {
		body["variables"] = vars[0]
	}
	text, err := json.Marshal(body)
	must(t, err)
	return serve(t, w.handler, postOf(token, string(text)))
}

// ok is a post that has no errors.
func (w *world) ok(t *testing.T, token, document string, vars ...object) answer {
	t.Helper()
	a := w.post(t, token, document, vars...)
	if len(a.Errors) > 0 {
		t.Fatalf("%s: %s", document, a.Text)
	}
	return a
}

// fails is a post that ends in one error of the code, which names these fields.
func (w *world) fails(t *testing.T, token, code, fields, document string, vars ...object) answer {
	t.Helper()
	a := w.post(t, token, document, vars...)
	if len(a.Errors) != 1 || a.Errors[0].Extensions.Code != code || a.fields() != fields {
		t.Errorf("%s: want %s %s, got %s", document, code, fields, a.Text)
	}
	return a
}

// fields are the bad fields of the only error, sorted.
func (a answer) fields() string {
	var names []string
	for _, f := range a.Errors[0].Extensions.Fields {
		names = append(names, f.Field)
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// at is the value under a path such as drafts.data.0.id.
func (a answer) at(path string) any {
	v := a.Data
	for _, step := range strings.Split(path, ".") {
		switch node := v.(type) {
		case object:
			v = node[step]
		case []any:
			if i, err := strconv.Atoi(step); err == nil && i < len(node) {
				v = node[i]
				continue
			}
			return nil
		default:
			return nil
		}
	}
	return v
}

// text is the string under a path.
func (a answer) text(path string) string {
	s, _ := a.at(path).(string)
	return s
}

// is demands the JSON value under a path; single quotes stand for double ones.
func (a answer) is(t *testing.T, path, want string) {
	t.Helper()
	var value any
	must(t, json.Unmarshal([]byte(strings.ReplaceAll(want, "'", `"`)), &value))
	wanted, _ := json.Marshal(value)
	if got, _ := json.Marshal(a.at(path)); string(got) != string(wanted) {
		t.Errorf("%s: %s, want %s", path, got, wanted)
	}
}

// load imports n ranked queries of an account, in the week of 2026-01-11.
func (w *world) load(t *testing.T, account, n int, query string) {
	t.Helper()
	columns := []string{"account_id", "web_property_id", "time_period_start", "time_period_end", "query", "rank_standard"}
	_, err := facts.NewImporter(w.Store).Rows(t.Context(), vocab.KeywordRankings, t.Name(), uuid.NewString(), columns,
		func(yield func([]string, error) bool) {
			for i := range n {
				row := []string{strconv.Itoa(account), "201", "2026-01-11", "2026-01-17", fmt.Sprintf("%s%03d", query, i), "1"}
				if !yield(row, nil) {
					return
				}
			}
		}, facts.Options{Strict: true})
	must(t, err)
}

// finished waits for the end of an execution.
func (w *world) finished(t *testing.T, token, id string) answer {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		a := w.ok(t, token, `query($id: ID!) { execution(executionId: $id) { executionState message totalRowCount finished
			schema { name } page { results totalRowCount nextPageId schema { name type } } } }`, object{"id": id})
		if a.text("execution.executionState") != "IN_PROGRESS" {
			return a
		}
	}
	t.Fatal("the execution does not end")
	return answer{}
}

const submitted = `mutation { submitKeywordRankings(input: {account_id: %d, start_date: "2026-01-11", end_date: "2026-01-17"}) { executionId executionState } }`

// submit submits a query over a whole account and is its execution's id.
func (w *world) submit(t *testing.T, token string, account int) string {
	t.Helper()
	return w.ok(t, token, fmt.Sprintf(submitted, account)).text("submitKeywordRankings.executionId")
}

func as(ctx context.Context, p *auth.Principal) context.Context { return auth.With(ctx, p) }
