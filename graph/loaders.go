package graph

import (
	"cmp"
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/graph-gophers/dataloader/v7"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/internal/auth"
	"github.com/contentgraph/contentgraph/internal/draft"
	"github.com/contentgraph/contentgraph/internal/insight"
)

// in is a key within an account: a batch is cut by account, so that each part
// runs under the viewer of its own.
type in[K comparable] struct {
	account int
	key     K
}

type loader[K comparable, V any] = *dataloader.Loader[in[K], V]

// loaders gather what the edges of one operation need into one statement each.
type loaders struct {
	profiles   loader[uuid.UUID, *db.ContentProfile]
	counts     loader[uuid.UUID, int]
	contents   loader[*db.Draft, *draft.Content]
	insights   loader[uuid.UUID, []*insight.Insight]
	properties loader[int, *db.WebProperty]
	sources    loader[int, *db.RankSource]
	accounts   loader[int, *db.Account]
	users      loader[int, *auth.User]
}

type loadersKey struct{}

const (
	// batchWait is how long a key waits for others: the fields of a list's
	// items ask within microseconds.
	batchWait = time.Millisecond
	// maxBatch keeps a statement within what both databases take.
	maxBatch = 500
)

// WithLoaders gives a request its loaders. A resolver that is called without
// them makes its own, for a batch of one.
func (r *Resolver) WithLoaders(ctx context.Context) context.Context {
	return context.WithValue(ctx, loadersKey{}, r.newLoaders(batching{maxBatch, cmp.Or(r.BatchWait, batchWait)}))
}

func (r *Resolver) loaders(ctx context.Context) *loaders {
	if l, ok := ctx.Value(loadersKey{}).(*loaders); ok {
		return l
	}
	return r.newLoaders(batching{1, batchWait})
}

// batching says when a batch goes ahead: when it has so many keys, or so long
// after the first one.
type batching struct {
	most int
	wait time.Duration
}

func (r *Resolver) newLoaders(b batching) *loaders {
	return &loaders{
		profiles:   batched(b, reading, r.Services.Profiles.ByIDs),
		counts:     batched(b, knowing, r.Services.Profiles.DraftCounts),
		properties: batched(b, reading, r.Services.Reference.WebProperties.ByNumbers),
		sources:    batched(b, anyone, r.Services.Reference.RankSources.ByIDs),
		contents: batched(b, reading, func(ctx context.Context, drafts []*db.Draft) (map[*db.Draft]*draft.Content, error) {
			byID, err := r.Services.Drafts.Contents(ctx, drafts)
			found := make(map[*db.Draft]*draft.Content, len(drafts))
			for _, d := range drafts {
				found[d] = byID[d.ID]
			}
			return found, err
		}),
		insights: batched(b, reading, r.Services.Insights.ByDrafts),
		accounts: batched(b, anyone, func(ctx context.Context, ids []int) (map[int]*db.Account, error) {
			return r.Services.Access.Granted(ctx, auth.From(ctx), ids)
		}),
		users: batched(b, anyone, func(ctx context.Context, ids []int) (map[int]*auth.User, error) {
			all, err := r.Services.Access.ListUsers(ctx, auth.From(ctx))
			found := make(map[int]*auth.User, len(all))
			for _, u := range all {
				found[u.ID] = u
			}
			return found, err
		}),
	}
}

// anyone authorises every authenticated user, for what no account owns.
func anyone(ctx context.Context, _ int) (context.Context, error) { return auth.AllowScope(ctx, "") }

// batched makes a loader of a service's method. It keeps nothing between
// batches: a mutation's later fields must see what its earlier ones did.
func batched[K comparable, V any](
	b batching, allow func(context.Context, int) (context.Context, error), fetch func(context.Context, []K) (map[K]V, error),
) loader[K, V] {
	return dataloader.NewBatchedLoader(func(ctx context.Context, keys []in[K]) []*dataloader.Result[V] {
		wanted, seen := map[int][]K{}, map[in[K]]bool{}
		for _, k := range keys {
			if !seen[k] {
				seen[k] = true
				wanted[k.account] = append(wanted[k.account], k.key)
			}
		}
		found, failed := map[in[K]]V{}, map[int]error{}
		for account, list := range wanted {
			ctx, err := allow(ctx, account)
			if err == nil {
				var values map[K]V
				values, err = fetch(ctx, list)
				for k, v := range values {
					found[in[K]{account, k}] = v
				}
			}
			failed[account] = err
		}
		results := make([]*dataloader.Result[V], len(keys))
		for i, k := range keys {
			results[i] = &dataloader.Result[V]{Data: found[k], Error: failed[k.account]}
		}
		return results
	}, dataloader.WithCache(&dataloader.NoCache[in[K], V]{}), dataloader.WithWait[in[K], V](b.wait),
		dataloader.WithBatchCapacity[in[K], V](b.most))
}

// load asks a loader for one value; the zero value stands for none.
func load[K comparable, V any](ctx context.Context, l loader[K, V], account int, key K) (V, error) {
	return l.Load(ctx, in[K]{account, key})()
}
