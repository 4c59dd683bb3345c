package insight

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/internal/crawl"
	"github.com/contentgraph/contentgraph/internal/draft"
	"github.com/contentgraph/contentgraph/internal/jobs"
	"github.com/contentgraph/contentgraph/internal/pgtest"
	"github.com/contentgraph/contentgraph/internal/serp"
	"github.com/contentgraph/contentgraph/internal/store"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// fixed is an installation with account 7, a web of pages and a draft.
type installation struct {
	*Service
	t     *testing.T
	ctx   context.Context
	store *store.Store
	queue *jobs.Queue
	web   *web
	draft uuid.UUID
}

// web is pages by URL; a nil body answers with an error.
type web struct {
	sync.Mutex
	pages   map[string]string
	fetched []string
	etags   []string // that were sent along
}

func (w *web) fetch(_ context.Context, r crawl.Request) (*crawl.Response, error) {
	url, etag := r.URL, r.ETag
	w.Lock()
	defer w.Unlock()
	w.fetched, w.etags = append(w.fetched, url), append(w.etags, etag)
	html, ok := w.pages[url]
	switch {
	case !ok:
		return nil, &crawl.Failure{Reason: crawl.Status, Host: "gone.example", Status: 404}
	case etag != "" && etag == tagOf(html):
		return &crawl.Response{NotModified: true, URL: url}, nil
	}
	return &crawl.Response{Body: []byte(html), ContentType: "text/html; charset=utf-8", URL: url, ETag: tagOf(html)}, nil
}

func tagOf(html string) string { return fmt.Sprintf("%q", fmt.Sprint(len(html))) }

func both(t *testing.T, fn func(t *testing.T, in *installation)) {
	t.Parallel()
	pgtest.Both(t, func(t *testing.T, url string) {
		s, err := store.Open(context.Background(), url, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		fn(t, install(t, s))
	})
}

func install(t *testing.T, s *store.Store) *installation {
	in := &installation{t: t, ctx: store.As(context.Background(), 7, 1), store: s, queue: jobs.New(s), web: &web{pages: map[string]string{}}}
	all := store.System(context.Background())
	for _, id := range []int{7, 8} {
		s.Account.Create().SetID(id).SetName("a").SaveX(all)
	}
	s.RankSource.Create().SetID(1).SetName("GOOGLE_EN_US").SetLanguage("en").SetCountry("US").SaveX(all)
	s.WebProperty.Create().SetAccountID(7).SetNumber(3).SetName("ours").SetURL("https://www.ours.example/").SaveX(all)
	in.Service = New(s, in.queue, serp.New(s), in.web.fetch)
	in.Watch = 20 * time.Millisecond
	in.queue.Poll = 20 * time.Millisecond
	in.draft = in.newDraft(in.ctx)
	t.Cleanup(in.queue.Stop)
	return in
}

func (in *installation) newDraft(ctx context.Context) uuid.UUID {
	in.t.Helper()
	d, err := draft.New(in.store).Create(ctx, map[string]any{"topics": []any{"cold brew"}, "rankSourceId": 1})
	if err != nil {
		in.t.Fatal(err)
	}
	return d.ID
}

// ask is a request body.
func ask(topic map[string]any, types ...any) map[string]any {
	body := map[string]any{"input": map[string]any{"topic": topic}}
	if types != nil {
		body["request"] = map[string]any{"insights": types}
	}
	return map[string]any{"insight": body}
}

func coldBrew(urls ...any) map[string]any {
	topic := map[string]any{"phrases": []any{"cold brew"}, "rankSourceId": 1}
	if urls != nil {
		topic["competitorUrls"] = urls
	}
	return topic
}

// make asks for insights and waits until they are made.
func (in *installation) make(body map[string]any) map[string]*Insight {
	in.t.Helper()
	if _, err := in.Request(in.ctx, in.draft, body); err != nil {
		in.t.Fatal(err)
	}
	in.queue.Start()
	ctx, cancel := context.WithTimeout(in.ctx, 30*time.Second)
	defer cancel()
	updates, err := in.Updates(ctx, in.draft)
	if err != nil {
		in.t.Fatal(err)
	}
	var last []*Insight
	for last = range updates {
	}
	if !done(last) {
		in.t.Fatal("insights are not made in time")
	}
	found := map[string]*Insight{}
	for _, i := range last {
		found[i.Type] = i
	}
	return found
}

func html(title, meta string, blocks ...string) string {
	return fmt.Sprintf(`<html lang="en"><head><title>%s</title><meta name="description" content="%s"></head><body>
<nav><a href="/">Start</a> <a href="/shop">Navigation words everywhere</a></nav><main>%s</main>
<footer>Imprint and navigation words everywhere</footer></body></html>`, title, meta, strings.Join(blocks, "\n"))
}

func deref(p *string) string {
	if p == nil {
		return "null"
	}
	return *p
}
