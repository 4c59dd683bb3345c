package rest

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"gocloud.dev/blob/fileblob"

	"github.com/contentgraph/contentgraph/graph"
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
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// Who calls. All but foreign are granted account 101, foreign 102.
const (
	writer   = "writer"   // content:read, content:write, data
	other    = "other"    // the same, another user
	reader   = "reader"   // content:read
	scribe   = "scribe"   // content:write
	dataless = "dataless" // content:read, content:write
	foreign  = "foreign"  // content:read, content:write, data
)

// world is the whole service over SQLite, with two accounts that have one of
// everything.
type world struct {
	*httptest.Server
	store  *store.Store
	auth   *auth.Authenticator
	queue  *jobs.Queue
	drafts *draft.Service
	files  string        // folder of the blob store
	slow   chan struct{} // files named slow are read when it is closed
	log    *log
	users  map[string]*user
	// names stand for identifiers in the paths and bodies of requests: {draft}
	// belongs to account 101, {theirDraft} to 102.
	names map[string]string
}

type user struct {
	id             int
	token          string
	apiKey, secret string
}

// signed is the query of a signed request.
func (u *user) signed() string {
	return "apiKey=" + u.apiKey + "&sig=" + auth.Sign(u.apiKey, u.secret, time.Now())
}

func newWorld(t *testing.T, set ...func(*Options)) *world {
	t.Helper()
	folder, op := t.TempDir(), store.System(t.Context())
	s, err := store.Open(t.Context(), "", folder)
	check(t, err)
	t.Cleanup(func() { s.Close() })
	a, err := auth.Open(t.Context(), s, "", folder)
	check(t, err)
	t.Cleanup(a.Close)
	a.GuessLimit = 0
	w := &world{store: s, auth: a, queue: jobs.New(s), log: &log{}, users: map[string]*user{}, names: map[string]string{},
		files: t.TempDir(), slow: make(chan struct{})}
	w.queue.Poll = 20 * time.Millisecond
	t.Cleanup(w.queue.Stop)

	results := serp.New(s)
	r := &graph.Resolver{Services: graph.Services{
		Serp: results, Insights: insight.New(s, w.queue, results, w.fetch),
		Drafts: draft.New(s), Profiles: profile.New(s), Reference: reference.New(s), Knowledge: w.knowledge(t),
		Data: dataquery.New(s, w.queue, []byte("a key of the tests"), 100), Access: auth.NewAdmin(a),
	}}
	w.drafts = r.Services.Drafts
	w.queue.Start()
	w.settle(t, op, r.Services)

	o := Options{
		Root: r, Loaders: r.WithLoaders, Auth: a, Exports: r.Services.Data, GraphQL: graph.NewHandler(r, graph.Options{Auth: a}),
		Log: slog.New(slog.NewTextHandler(w.log, nil)),
	}
	for _, f := range set {
		f(&o)
	}
	w.Server = httptest.NewServer(NewRouter(o))
	t.Cleanup(w.Close)
	return w
}

// fetch knows two pages on one topic.
func (w *world) fetch(_ context.Context, r crawl.Request) (*crawl.Response, error) {
	if !strings.HasSuffix(r.URL, ".example/a") && !strings.HasSuffix(r.URL, ".example/b") {
		return nil, &crawl.Failure{Reason: crawl.Status, Host: "none.example", Status: 404}
	}
	return &crawl.Response{URL: r.URL, ContentType: "text/html", Body: []byte(`<html lang="en"><title>Cold brew at home</title><h1>Cold brew</h1>
<p>Coffee that is made with cold water tastes smooth. It steeps for twelve hours, and the jar stays in the fridge.</p>`)}, nil
}

// knowledge reads files in this process: what is tested here is the way of a
// file, not its reading. The name of a file can ask for trouble.
func (w *world) knowledge(t *testing.T) *knowledge.Service {
	t.Helper()
	bucket, err := fileblob.OpenBucket(w.files, nil)
	check(t, err)
	t.Cleanup(func() { bucket.Close() })
	return knowledge.New(w.store, w.queue, bucket, func(ctx context.Context, name string, f *os.File) (extract.Result, error) {
		switch {
		case strings.HasPrefix(name, "bomb"):
			return extract.Result{}, &extract.Failure{Reason: "Reading the file took too much memory."}
		case strings.HasPrefix(name, "slow"):
			select {
			case <-w.slow:
			case <-ctx.Done():
				return extract.Result{}, ctx.Err()
			}
		}
		info, err := f.Stat()
		check(t, err)
		return extract.Read(ctx, name, f, info.Size())
	}, 2)
}

func (w *world) settle(t *testing.T, op context.Context, s graph.Services) {
	t.Helper()
	for _, id := range []int{101, 102} {
		_, err := s.Access.CreateAccount(op, nil, id, "Account")
		check(t, err)
	}
	for _, u := range []struct {
		name    string
		account int
		scopes  []string
	}{
		{writer, 101, []string{"content:read", "content:write", "data"}},
		{other, 101, []string{"content:read", "content:write", "data"}},
		{reader, 101, []string{"content:read"}},
		{scribe, 101, []string{"content:write"}},
		{dataless, 101, []string{"content:read", "content:write"}},
		{foreign, 102, []string{"content:read", "content:write", "data"}},
	} {
		made, err := s.Access.CreateUser(op, nil, u.name, []int{u.account}, u.scopes)
		check(t, err)
		token, _, err := s.Access.CreateToken(op, nil, made.ID, nil)
		check(t, err)
		key, secret, _, err := s.Access.CreateKey(op, nil, made.ID)
		check(t, err)
		w.users[u.name] = &user{made.ID, token, key, secret}
	}
	_, err := s.Reference.RankSources.Create(op, map[string]any{"name": "BING_EN_US", "engine": "BING", "country": "US", "language": "en"})
	check(t, err)
	for account, a := range map[int]struct{ user, prefix string }{101: {writer, ""}, 102: {foreign, "their"}} {
		ctx := store.As(t.Context(), account, w.users[a.user].id)
		name := func(noun string, id any) {
			if a.prefix != "" {
				noun = a.prefix + strings.ToUpper(noun[:1]) + noun[1:]
			}
			w.names["{"+noun+"}"] = fmt.Sprint(id)
		}
		_, err := s.Reference.WebProperties.Create(ctx, map[string]any{"id": account + 100, "name": "Site", "url": "https://example.com"})
		check(t, err)
		p, err := s.Profiles.Create(ctx, map[string]any{"name": fmt.Sprintf("Voice of %d", account), "audience": secretOf(account)})
		check(t, err)
		d, err := s.Drafts.Create(ctx, map[string]any{
			"draftTitle": secretOf(account), "topics": []any{"trail shoes"}, "rankSourceId": 1, "contentProfileId": p.ID.String(),
		})
		check(t, err)
		c, err := s.Drafts.SaveContent(ctx, d.ID, map[string]any{"title": "Trail shoes", "bodyCopy": secretOf(account)}, nil)
		check(t, err)
		k, err := s.Knowledge.Create(ctx, map[string]any{"kind": "TEXT", "text": secretOf(account), "fileName": secretOf(account)})
		check(t, err)
		name("draft", d.ID)
		name("knowledge", k.ID)
		name("version", c.VersionID)
		name("profile", p.ID)
		name("profileVersion", p.VersionID)
	}
	w.names["{nothing}"] = uuid.NewString()
}

// secretOf is a text that only an account's own answers may hold.
func secretOf(account int) string { return fmt.Sprintf("known to %d alone", account) }

// rankings imports n rankings of a week and an account.
func (w *world) rankings(t *testing.T, account, n int) {
	t.Helper()
	columns := []string{"account_id", "web_property_id", "time_period_start", "time_period_end", "search_engine_name", "query", "rank_standard", "cpc"}
	var rows iter.Seq2[[]string, error] = func(yield func([]string, error) bool) {
		for i := range n {
			id := fmt.Sprint(account)
			if !yield([]string{id, "201", "2026-11-08", "2026-11-14", "BING_EN_US", fmt.Sprintf("query %d \"quoted\" <é>", i), "3", "1.25"}, nil) {
				return
			}
		}
	}
	_, err := facts.NewImporter(w.store).Rows(t.Context(), vocab.KeywordRankings, "rows", fmt.Sprint(account, n), columns, rows, facts.Options{})
	check(t, err)
}

// log keeps what is logged.
type log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// scenario is one request and what its answer must be.
type scenario struct {
	call    string // method and path; {names} are those of the world
	as      string // sends this user's token
	signed  string // sends this user's signature in the query, and the gateway header
	headers map[string]string
	body    string // as JSON, with ' for "
	status  int
	has     []string          // of the body, with ' for "
	lacks   []string          // of the body
	sends   map[string]string // headers of the answer; "*" is any value, "" none
	loose   bool              // accepted although the document knows nothing of it
}

// answer is an answer that was read to its end.
type answer struct {
	*http.Response
	body string
}

// run sends the requests one after the other.
func (w *world) run(t *testing.T, list []scenario) {
	t.Helper()
	for _, s := range list {
		w.do(t, s)
	}
}

func (w *world) do(t *testing.T, s scenario) answer {
	t.Helper()
	a, r := w.send(t, s)
	label := fmt.Sprintf("%s as %s %.100s", s.call, s.as+s.signed, s.body)
	if a.StatusCode != s.status {
		t.Errorf("%s: status %d, want %d: %.500s", label, a.StatusCode, s.status, a.body)
		return a
	}
	for _, text := range s.has {
		if text = w.expand(strings.ReplaceAll(text, "'", `"`)); !strings.Contains(a.body, text) {
			t.Errorf("%s: the body lacks %s: %.500s", label, text, a.body)
		}
	}
	for _, text := range s.lacks {
		if text = w.expand(strings.ReplaceAll(text, "'", `"`)); strings.Contains(a.body, text) {
			t.Errorf("%s: the body has %s: %.500s", label, text, a.body)
		}
	}
	for name, want := range s.sends {
		got := strings.Join(a.Header.Values(name), ", ")
		if want = w.expand(want); want == "*" && got == "" || want != "*" && got != want {
			t.Errorf("%s: header %s is %q, want %q", label, name, got, want)
		}
	}
	if a.Header.Get(requestID) == "" {
		t.Errorf("%s: the answer has no request id", label)
	}
	if err := documented(r, a, a.StatusCode < 300 && !s.loose, []byte(w.expand(strings.ReplaceAll(s.body, "'", `"`)))); err != nil {
		t.Errorf("%s: not as documented: %.500s\n%.500s", label, err.Error(), a.body)
	}
	return a
}

func (w *world) send(t *testing.T, s scenario) (answer, *http.Request) {
	t.Helper()
	method, path, _ := strings.Cut(w.expand(s.call), " ")
	if s.signed != "" {
		path += map[bool]string{true: "&", false: "?"}[strings.Contains(path, "?")] + w.users[s.signed].signed()
	}
	body := strings.NewReader(w.expand(strings.ReplaceAll(s.body, "'", `"`)))
	r, err := http.NewRequestWithContext(t.Context(), method, w.URL+path, body)
	check(t, err)
	if s.body != "" {
		r.Header.Set("Content-Type", "application/json")
	} else {
		r.Body = http.NoBody
	}
	if s.as != "" {
		r.Header.Set("Authorization", "Bearer "+w.users[s.as].token)
	}
	if s.signed != "" {
		r.Header.Set(auth.GatewayHeader, w.users[s.signed].apiKey)
	}
	for name, value := range s.headers {
		r.Header.Set(name, w.expand(value))
		if value == "" {
			r.Header.Del(name)
		}
	}
	got, err := http.DefaultTransport.RoundTrip(r)
	check(t, err)
	defer got.Body.Close()
	var text bytes.Buffer
	_, err = text.ReadFrom(got.Body)
	check(t, err)
	return answer{got, text.String()}, r
}

func (w *world) expand(text string) string {
	for name, value := range w.names {
		text = strings.ReplaceAll(text, name, value)
	}
	return text
}
