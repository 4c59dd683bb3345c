// Package graph exposes the services as GraphQL. Every resolver authorises in
// its first line and then calls one service; it returns plain errors and never
// touches the operation it runs in, so that rest can call the very same ones.
// It holds no rules of any resource.
package graph

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/internal/auth"
	"github.com/contentgraph/contentgraph/internal/dataquery"
	"github.com/contentgraph/contentgraph/internal/draft"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/insight"
	"github.com/contentgraph/contentgraph/internal/knowledge"
	"github.com/contentgraph/contentgraph/internal/profile"
	"github.com/contentgraph/contentgraph/internal/reference"
	"github.com/contentgraph/contentgraph/internal/serp"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// Resolver is the root of all resolvers.
type Resolver struct {
	Services Services
	// BatchWait is how long an edge waits for its like in a list; 0 = 1 ms.
	BatchWait time.Duration
}

// Services are what the resolvers call.
type Services struct {
	Drafts    *draft.Service
	Profiles  *profile.Service
	Knowledge *knowledge.Service
	Insights  *insight.Service
	Serp      *serp.Service
	Reference *reference.Service
	Data      *dataquery.Service
	Access    *auth.Admin
}

// reading and writing authorise for an account's content.
func reading(ctx context.Context, account int) (context.Context, error) {
	return auth.Allow(ctx, account, vocab.ScopeContentRead)
}

func writing(ctx context.Context, account int) (context.Context, error) {
	return auth.Allow(ctx, account, vocab.ScopeContentWrite)
}

// knowing authorises for what the answer to a write holds as well.
func knowing(ctx context.Context, account int) (context.Context, error) {
	read, err := reading(ctx, account)
	if err != nil {
		return writing(ctx, account)
	}
	return read, nil
}

// submitting authorises a data query for the account that it names. Without a
// usable account the service answers what is wrong with it.
func submitting(ctx context.Context, in map[string]any) (context.Context, error) {
	if account, ok := dataquery.AccountOf(in); ok {
		return auth.Allow(ctx, account, vocab.ScopeData)
	}
	return auth.AllowScope(ctx, vocab.ScopeData)
}

// polling authorises for the account of an execution. One of an account that
// the caller lacks is as unknown as any other.
func polling(ctx context.Context, executionID string) (context.Context, error) {
	ctx, err := auth.AllowScope(ctx, vocab.ScopeData)
	if err != nil {
		return nil, err
	}
	_, account, _, ok := dataquery.ParseID(executionID)
	if !ok || !auth.From(ctx).Accounts[account] {
		return nil, fault.New(fault.NotFound, "there is no such execution").Coded(fault.CodeExecutionNotFound)
	}
	return auth.Allow(ctx, account, vocab.ScopeData)
}

// administering authorises for users, credentials and reference data.
func administering(ctx context.Context) (context.Context, error) {
	return auth.AllowScope(ctx, vocab.ScopeAdmin)
}

// accountsOf are the caller's accounts among ids, in their order.
func (r *Resolver) accountsOf(ctx context.Context, ids []int) ([]*db.Account, error) {
	keys := make([]in[int], len(ids))
	for i, id := range ids {
		keys[i] = in[int]{key: id}
	}
	list, errs := r.loaders(ctx).accounts.LoadMany(ctx, keys)()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(list, func(a *db.Account) bool { return a == nil }), nil
}

// oneOrAll is how services name one id, or all by 0; the id 0 itself is nobody's.
func oneOrAll(id *int) int {
	if id != nil && *id == 0 {
		return -1
	}
	return value(id)
}

// value is what a nullable argument holds, or the zero value.
func value[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}
