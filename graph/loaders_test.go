package graph

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/internal/auth"
)

// TestLoaders: a list costs the same number of statements whatever its length,
// and fifty drafts of one profile do not ask for it fifty times.
func TestLoaders(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		var statements atomic.Int64 // as ent makes them, one a query
		w.Intercept(db.InterceptFunc(func(next db.Querier) db.Querier {
			return db.QuerierFunc(func(ctx context.Context, q db.Query) (db.Value, error) {
				statements.Add(1)
				return next.Query(ctx, q)
			})
		}))
		w.ok(t, w.our, `mutation { createWebProperty(accountId: 101, input: {id: 5, name: "site"}) { id } }`)
		var profiles []string
		for i := range 10 {
			profiles = append(profiles, w.ok(t, w.our, `mutation($n: String!) { createContentProfile(accountId: 101, input: {name: $n}) { id } }`,
				object{"n": fmt.Sprint("profile ", i)}).text("createContentProfile.id"))
		}
		for i := range 50 {
			id := w.ok(t, w.our, `mutation($p: UUID!) { createDraft(accountId: 101, input: {topics: ["t"], rankSourceId: 3, webPropertyId: 5, contentProfileId: $p}) { id } }`,
				object{"p": profiles[i%10]}).text("createDraft.id")
			w.ok(t, w.our, `mutation($id: UUID!, $t: String!) { saveDraftContent(accountId: 101, id: $id, input: {title: $t}) { number } }`,
				object{"id": id, "t": fmt.Sprint("title of ", id)})
		}
		w.root.BatchWait = 300 * time.Millisecond // however busy the machine is
		const document = `query($n: Int!) { drafts(accountId: 101, limit: $n) { data { id contentProfileId rankSource { name } webProperty { name }
			contentProfile { id draftCount } content { title } } } }`
		count := func(n int) int64 {
			before := statements.Load()
			a := w.ok(t, w.our, document, object{"n": n})
			for i, item := range a.at("drafts.data").([]any) {
				d := answer{Data: item}
				if d.text("content.title") != "title of "+d.text("id") || d.text("contentProfile.id") != d.text("contentProfileId") ||
					d.at("contentProfile.draftCount") != 5.0 || d.text("webProperty.name") != "site" || d.text("rankSource.name") != "GOOGLE_EN_US" {
					t.Errorf("%d: %v", i, item)
				}
			}
			return statements.Load() - before
		}
		w.ok(t, w.our, `{ viewer { id } }`) // the login is remembered now
		if one, many := count(1), count(50); one > 7 || many != one {
			t.Errorf("%d statements for one draft, %d for fifty", one, many)
		}
	})
}

// TestWithoutLoaders calls an edge outside of a GraphQL request.
func TestWithoutLoaders(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	ctx := auth.With(t.Context(), w.principal(t, w.our))
	p, err := w.root.Mutation().CreateContentProfile(ctx, ours, object{"name": "p"})
	must(t, err)
	if n, err := w.root.ContentProfile().DraftCount(ctx, p); err != nil || n != 0 {
		t.Error(n, err)
	}
	if _, err := w.root.ContentProfile().DraftCount(auth.With(t.Context(), w.principal(t, w.their)), p); err == nil {
		t.Error("counted for another account")
	}
}
