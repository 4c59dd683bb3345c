package auth

import (
	"context"
	"maps"
	"slices"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/account"
	"github.com/contentgraph/contentgraph/ent/db/user"
	"github.com/contentgraph/contentgraph/internal/store"
)

// Self is the user that the caller is; it needs no scope.
func (m *Admin) Self(ctx context.Context, by *Principal) (*User, error) {
	if by == nil {
		return nil, nothingSent()
	}
	u, err := m.store.User.Query().Where(user.ID(by.UserID)).Only(ctx)
	if err != nil {
		return nil, store.Fault(ctx, err, "user")
	}
	return &User{ID: u.ID, Name: u.Name, Scopes: u.Scopes, Accounts: slices.Sorted(maps.Keys(by.Accounts)), Created: u.Created}, nil
}

// Granted are the caller's accounts among ids, by id; it needs no scope.
func (m *Admin) Granted(ctx context.Context, by *Principal, ids []int) (map[int]*db.Account, error) {
	if by == nil {
		return nil, nothingSent()
	}
	ids = slices.DeleteFunc(slices.Clone(ids), func(id int) bool { return !by.Accounts[id] })
	all, err := m.store.Account.Query().Where(account.IDIn(ids...)).All(ctx)
	found := make(map[int]*db.Account, len(all))
	for _, a := range all {
		found[a.ID] = a
	}
	return found, store.Fault(ctx, err, "account")
}
