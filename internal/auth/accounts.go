package auth

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/account"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/store"
)

// CreateAccount makes an account, or answers the one with that id as it is.
//
// Only the operator can: ids are chosen, and facts belong to the account that
// their file names, so an admin who chose an id could capture what the operator
// imports for the real owner later.
func (m *Admin) CreateAccount(ctx context.Context, by *Principal, id int, name string) (*db.Account, error) {
	if by != nil {
		return nil, fault.New(fault.Forbidden, "accounts are made by the operator, with `contentgraph account create`")
	}
	if err := entitled(ctx, by); err != nil {
		return nil, err
	}
	var bad []fault.Field
	if id < 1 || id > math.MaxInt32 { // a GraphQL Int
		bad = append(bad, fault.Field{Field: "id", Message: fmt.Sprintf("must be from 1 to %d", math.MaxInt32)})
	}
	if msg := nameFault(name); msg != "" {
		bad = append(bad, fault.Field{Field: "name", Message: msg})
	}
	if bad != nil {
		return nil, fault.WithFields(bad)
	}
	a, err := m.store.Account.Create().SetID(id).SetName(strings.TrimSpace(name)).SetCreated(m.Now()).Save(ctx)
	if db.IsConstraintError(err) {
		a, err = m.store.Account.Get(ctx, id)
	}
	return a, store.Fault(ctx, err, "account")
}

// ListAccounts are all accounts for the operator, the granted ones for an
// admin, ordered by id.
func (m *Admin) ListAccounts(ctx context.Context, by *Principal) ([]*db.Account, error) {
	if err := entitled(ctx, by); err != nil {
		return nil, err
	}
	all, err := m.store.Account.Query().Order(account.ByID()).All(ctx)
	if by != nil {
		all = slices.DeleteFunc(all, func(a *db.Account) bool { return !by.Accounts[a.ID] })
	}
	return all, store.Fault(ctx, err, "account")
}

// maxAccounts bounds a request, and with it the statements made of it.
const maxAccounts = 10000

// accountFaults names the accounts that cannot be given. An admin is not told
// which accounts of others exist.
func (m *Admin) accountFaults(ctx context.Context, by *Principal, accounts []int) (bad []fault.Field, err error) {
	if n := len(accounts); n == 0 || n > maxAccounts {
		return []fault.Field{{Field: "accounts", Message: fmt.Sprintf("must name 1 to %d accounts", maxAccounts)}}, nil
	}
	existing, err := m.store.Account.Query().Where(account.IDIn(distinct(accounts)...)).IDs(ctx)
	if err != nil {
		return nil, store.Fault(ctx, err, "account")
	}
	can := map[int]bool{}
	for _, id := range existing {
		can[id] = by == nil || by.Accounts[id]
	}
	for i, id := range accounts {
		if !can[id] {
			bad = append(bad, fault.Field{Field: fmt.Sprintf("accounts[%d]", i),
				Message: fmt.Sprintf("there is no account %d, or you have no access to it", id)})
		}
	}
	return bad, nil
}
