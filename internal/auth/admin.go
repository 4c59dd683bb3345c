package auth

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	entsql "entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/ent/db/grant"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// Admin manages accounts, users and credentials. Every method takes the caller:
//
//   - nil, in a context of store.System, is the operator at the command line,
//     without limits. (nil alone is not enough: an anonymous request has it too.)
//   - Any other caller needs the scope admin. It sees and manages the users all
//     of whose accounts are its own, everyone else is NotFound, and it hands on
//     nothing that it does not have: no other account, no other scope.
type Admin struct {
	Now    func() time.Time
	NewID  func() uuid.UUID
	Random io.Reader // for tokens, keys and secrets

	store *store.Store
	vault *vault
}

// NewAdmin makes the service over the store and master key of a.
func NewAdmin(a *Authenticator) *Admin {
	return &Admin{
		Now:   func() time.Time { return time.Now().UTC().Truncate(time.Millisecond) },
		NewID: uuid.New, Random: rand.Reader,
		store: a.store, vault: a.vault,
	}
}

// entitled reports whether the caller may use this service at all.
func entitled(ctx context.Context, by *Principal) error {
	switch {
	case by != nil && !by.HasScope(vocab.ScopeAdmin):
		return lacking(vocab.ScopeAdmin)
	case by == nil && store.ViewerOf(ctx) != store.ViewerOf(store.System(ctx)):
		return nothingSent()
	}
	return nil
}

// within keeps a query to the caller's users, by a column that holds user ids:
// those with an account of the caller's and none besides.
func within(by *Principal, column string) func(*entsql.Selector) {
	return func(s *entsql.Selector) {
		if by == nil {
			return
		}
		var own []any
		for id, granted := range by.Accounts {
			if granted {
				own = append(own, id)
			}
		}
		holders := func(p *entsql.Predicate) *entsql.Selector {
			return entsql.Select(grant.FieldUserID).From(entsql.Table(grant.Table)).Where(p)
		}
		s.Where(entsql.And(
			entsql.In(s.C(column), holders(entsql.In(grant.FieldAccountID, own...))),
			entsql.NotIn(s.C(column), holders(entsql.NotIn(grant.FieldAccountID, own...))),
		))
	}
}

// nameFault says what is wrong with a name of an account or a user.
func nameFault(name string) string {
	switch {
	case strings.TrimSpace(name) == "":
		return "must not be blank"
	case utf8.RuneCountInString(name) > 200:
		return "must have at most 200 characters"
	case !utf8.ValidString(name) || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }):
		return "must be printable text"
	}
	return ""
}

// scopeFaults names unknown scopes, and those that the caller cannot give.
func scopeFaults(by *Principal, scopes []string) (bad []fault.Field) {
	if n := len(scopes); n == 0 || n > 20 {
		return []fault.Field{{Field: "scopes", Message: "must name one or more of " + strings.Join(vocab.Scopes, ", ")}}
	}
	for i, scope := range scopes {
		at := fmt.Sprintf("scopes[%d]", i)
		switch {
		case !slices.Contains(vocab.Scopes, scope):
			bad = append(bad, fault.Field{Field: at, Message: "must be one of " + strings.Join(vocab.Scopes, ", ")})
		case by != nil && !by.HasScope(scope):
			bad = append(bad, fault.Field{Field: at, Message: fmt.Sprintf("cannot be %s: you lack this scope yourself", scope)})
		}
	}
	return bad
}
