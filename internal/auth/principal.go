// Package auth says who calls and what the caller may do: credentials and their
// checks, grants of accounts, scopes, the limit on guessing, and the master key
// that seals secrets. Resolvers ask Allow first; services below them know only
// the store's viewer. The package knows no resource and writes no response.
package auth

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// Principal is an authenticated user and the credential that proved it. It is
// shared by requests: never change one.
type Principal struct {
	UserID     int
	Name       string
	Scopes     []string
	Accounts   map[int]bool // the granted accounts
	Credential uuid.UUID
	APIKey     string // empty for a Bearer token
}

// HasScope reports whether the user has the scope; no scope implies another.
func (p *Principal) HasScope(scope string) bool { return slices.Contains(p.Scopes, scope) }

type contextKey struct{}

// With returns a context whose requests are the principal's.
func With(ctx context.Context, p *Principal) context.Context {
	return context.WithValue(ctx, contextKey{}, p)
}

// From is the principal of a context, nil for an anonymous request.
func From(ctx context.Context) *Principal {
	p, _ := ctx.Value(contextKey{}).(*Principal)
	return p
}

// Allow lets the caller into an account and returns the context to work in,
// whose viewer is the user in that account. Errors, in this order:
// Unauthenticated for an anonymous caller, Forbidden without a grant of the
// account (which does not tell whether it exists), Forbidden without the scope.
func Allow(ctx context.Context, account int, scope string) (context.Context, error) {
	p := From(ctx)
	switch {
	case p == nil:
		return nil, nothingSent()
	case !p.Accounts[account]:
		return nil, fault.New(fault.Forbidden, "no access to account %d", account)
	case !p.HasScope(scope):
		return nil, lacking(scope)
	}
	return store.As(ctx, account, p.UserID), nil
}

// AllowScope is Allow for what belongs to no account. The viewer has none
// either, so that resources of accounts stay out of reach. An empty scope lets
// every authenticated user pass.
func AllowScope(ctx context.Context, scope string) (context.Context, error) {
	p := From(ctx)
	switch {
	case p == nil:
		return nil, nothingSent()
	case scope != "" && !p.HasScope(scope):
		return nil, lacking(scope)
	}
	return store.As(ctx, 0, p.UserID), nil
}

func lacking(scope string) error {
	if scope == vocab.ScopeData {
		return fault.New(fault.Forbidden, "the user has no Data API 2.0 entitlement (scope %s)", scope)
	}
	return fault.New(fault.Forbidden, "the user lacks the scope %s", scope)
}
