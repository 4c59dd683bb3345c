package auth

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/grant"
	"github.com/contentgraph/contentgraph/ent/db/predicate"
	"github.com/contentgraph/contentgraph/ent/db/user"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/store"
)

// User is a user and the accounts granted, in ascending order.
type User struct {
	ID       int
	Name     string
	Scopes   []string
	Accounts []int
	Created  time.Time
}

// CreateUser makes a user who is granted accounts, at least one, and scopes, at
// least one of vocab.Scopes. The name is unique in the installation: Conflict.
func (m *Admin) CreateUser(ctx context.Context, by *Principal, name string, accounts []int, scopes []string) (*User, error) {
	if err := entitled(ctx, by); err != nil {
		return nil, err
	}
	name = strings.TrimSpace(name)
	bad := scopeFaults(by, scopes)
	if msg := nameFault(name); msg != "" {
		bad = append(bad, fault.Field{Field: "name", Message: msg})
	} else if _, err := strconv.Atoi(name); err == nil {
		// Commands take a name or an id: a name must never pass for another's id.
		bad = append(bad, fault.Field{Field: "name", Message: "must not be a number"})
	}
	unknown, err := m.accountFaults(ctx, by, accounts)
	if err != nil {
		return nil, err
	}
	if bad = append(bad, unknown...); len(bad) > 0 {
		return nil, fault.WithFields(bad)
	}
	made := &User{Name: name, Scopes: distinct(scopes), Accounts: distinct(accounts), Created: m.Now()}
	err = m.store.Tx(ctx, func(tx *db.Client) error {
		u, err := tx.User.Create().SetName(name).SetScopes(made.Scopes).SetCreated(made.Created).Save(ctx)
		if err != nil {
			return err
		}
		made.ID = u.ID
		for _, id := range made.Accounts {
			if err := tx.Grant.Create().SetID(m.NewID()).SetUserID(u.ID).SetAccountID(id).SetCreated(made.Created).Exec(ctx); err != nil {
				return err
			}
		}
		return nil
	})
	if db.IsConstraintError(err) {
		return nil, fault.New(fault.Conflict, "name: a user named %q exists already", name).Because(err)
	}
	if err != nil {
		return nil, store.Fault(ctx, err, "user")
	}
	return made, nil
}

// FindUser finds a user by id or by name.
func (m *Admin) FindUser(ctx context.Context, by *Principal, nameOrID string) (*User, error) {
	name := strings.TrimSpace(nameOrID)
	where := user.Name(name)
	if id, err := strconv.Atoi(name); err == nil {
		where = user.ID(id)
	} else if nameFault(name) != "" { // PostgreSQL would not even take it
		where = user.ID(0)
	}
	found, err := m.users(ctx, by, where)
	if err == nil && len(found) == 0 {
		err = fault.New(fault.NotFound, "user not found")
	}
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

// ListUsers are the caller's users, ordered by id.
func (m *Admin) ListUsers(ctx context.Context, by *Principal) ([]*User, error) {
	return m.users(ctx, by)
}

func (m *Admin) users(ctx context.Context, by *Principal, where ...predicate.User) ([]*User, error) {
	if err := entitled(ctx, by); err != nil {
		return nil, err
	}
	rows, err := m.store.User.Query().Where(append(where, within(by, user.FieldID))...).Order(user.ByID()).All(ctx)
	if err != nil {
		return nil, store.Fault(ctx, err, "user")
	}
	grants := m.store.Grant.Query().Where(within(by, grant.FieldUserID)).Order(grant.ByAccountID())
	if len(rows) == 1 {
		grants.Where(grant.UserID(rows[0].ID))
	}
	all, err := grants.All(ctx)
	if err != nil {
		return nil, store.Fault(ctx, err, "grant")
	}
	accounts := map[int][]int{}
	for _, g := range all {
		accounts[g.UserID] = append(accounts[g.UserID], g.AccountID)
	}
	users := make([]*User, len(rows))
	for i, u := range rows {
		users[i] = &User{ID: u.ID, Name: u.Name, Scopes: u.Scopes, Accounts: accounts[u.ID], Created: u.Created}
	}
	return users, nil
}

func distinct[T int | string](list []T) []T {
	return slices.Compact(slices.Sorted(slices.Values(list)))
}
