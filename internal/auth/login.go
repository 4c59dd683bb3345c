package auth

import (
	"context"
	"time"

	entsql "entgo.io/ent/dialect/sql"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/account"
	"github.com/contentgraph/contentgraph/ent/db/credential"
	"github.com/contentgraph/contentgraph/ent/db/grant"
	"github.com/contentgraph/contentgraph/ent/db/predicate"
	"github.com/contentgraph/contentgraph/internal/store"
)

const (
	// loginAge is how long a revoked credential or a withdrawn grant may still
	// work, on any replica. Expiry is exact.
	loginAge = 5 * time.Second
	// absentAge spares the database a flood of one unknown credential.
	absentAge = time.Second
)

// login is a credential as the database had it at a moment.
type login struct {
	principal *Principal
	window    *window // of an API key
	expires   *time.Time
	read      time.Time
	lastUse
}

// use checks the expiry and notes the use. A nil login is of no use.
func (a *Authenticator) use(l *login) bool {
	now := a.Now()
	if l == nil || l.expires != nil && !now.Before(*l.expires) {
		return false
	}
	a.usage.note(&l.lastUse, l.principal.Credential, now)
	return true
}

// find is the login for a name of a credential; nil when there is none or it
// was revoked.
func (a *Authenticator) find(ctx context.Context, name string, where predicate.Credential) (*login, error) {
	now := a.Now()
	if l, ok := a.logins.get(name); ok && fresh(l.read, now, loginAge) {
		return l, nil
	}
	if sought, ok := a.absent.get(name); ok && fresh(sought, now, absentAge) {
		return nil, nil
	}
	l, err := a.read(ctx, where)
	switch {
	case err != nil:
		return nil, store.Fault(ctx, err, "credential")
	case l == nil:
		a.absent.put(name, now)
		return nil, nil
	}
	l.read = now // taken before the database was asked
	a.logins.put(name, l)
	return l, nil
}

// fresh also refuses what is from the future: the clock was set back.
func fresh(at, now time.Time, age time.Duration) bool {
	past := now.Sub(at)
	return 0 <= past && past < age
}

// read loads a login.
func (a *Authenticator) read(ctx context.Context, where predicate.Credential) (*login, error) {
	c, err := a.store.Credential.Query().Where(where, credential.RevokedIsNil()).Only(ctx)
	var p *Principal
	if err == nil {
		p, err = a.principal(ctx, c)
	}
	if db.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	l := &login{principal: p, expires: c.Expires, lastUse: lastUse{written: c.LastUsed}}
	if p.APIKey != "" {
		l.window, err = a.windowOf(c)
	}
	return l, err
}

// windowOf is the one window of an API key. It stays good as long as it is
// remembered, since a credential never changes its secret.
func (a *Authenticator) windowOf(c *db.Credential) (*window, error) {
	if w, ok := a.windows.get(c.ID.String()); ok {
		return w, nil
	}
	secret, err := a.vault.open(c.ID, c.SealedSecret)
	if err != nil {
		return nil, err
	}
	return a.windows.keep(c.ID.String(), newWindow(*c.APIKey, secret)), nil
}

func (a *Authenticator) principal(ctx context.Context, c *db.Credential) (*Principal, error) {
	u, err := a.store.User.Get(ctx, c.UserID)
	if err != nil {
		return nil, err
	}
	ids, err := a.store.Grant.Query().Where(grant.UserID(u.ID), ofExistingAccount).Select(grant.FieldAccountID).Ints(ctx)
	if err != nil {
		return nil, err
	}
	p := &Principal{UserID: u.ID, Name: u.Name, Scopes: u.Scopes, Accounts: make(map[int]bool, len(ids)), Credential: c.ID}
	for _, id := range ids {
		p.Accounts[id] = true
	}
	if c.APIKey != nil {
		p.APIKey = *c.APIKey
	}
	return p, nil
}

// ofExistingAccount keeps to grants of accounts that there are, so that any
// other one is refused instead of answered as if it were empty.
func ofExistingAccount(s *entsql.Selector) {
	t := entsql.Table(account.Table)
	s.Where(entsql.In(s.C(grant.FieldAccountID), entsql.Select(t.C(account.FieldID)).From(t)))
}
