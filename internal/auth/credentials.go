package auth

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/credential"
	"github.com/contentgraph/contentgraph/ent/db/user"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/store"
)

// An API key is "ck_" and 24 base62 characters. It is a name, not a secret; the
// secret has 40 base62 characters and is stored sealed.
const (
	keyPrefix    = "ck_"
	keyRandom    = 24
	secretLength = 40
)

func isAPIKey(s string) bool {
	return len(s) == len(keyPrefix)+keyRandom && strings.HasPrefix(s, keyPrefix) && isBase62(s[len(keyPrefix):])
}

// CreateToken makes a Bearer token for a user. The token is in the answer and
// never again; expires nil = never.
func (m *Admin) CreateToken(ctx context.Context, by *Principal, userID int, expires *time.Time) (string, *db.Credential, error) {
	if err := m.mayCreate(ctx, by, userID); err != nil {
		return "", nil, err
	}
	now := m.Now()
	create := m.store.Credential.Create().SetID(m.NewID()).SetUserID(userID).SetKind(credential.KindTOKEN).SetCreated(now)
	if expires != nil {
		if !expires.After(now) {
			return "", nil, fault.BadField("expires", "must be in the future")
		}
		create.SetExpires(expires.UTC().Truncate(time.Millisecond))
	}
	token, err := newToken(m.Random)
	if err != nil {
		return "", nil, err
	}
	c, err := create.SetTokenHash(digestOf(token)).SetHint(token[len(token)-hintLength:]).Save(ctx)
	if err != nil {
		return "", nil, store.Fault(ctx, err, "token")
	}
	return token, c, nil
}

// CreateKey makes an API key for a user. The secret is in the answer and never again.
func (m *Admin) CreateKey(ctx context.Context, by *Principal, userID int) (apiKey, secret string, c *db.Credential, err error) {
	if err := m.mayCreate(ctx, by, userID); err != nil {
		return "", "", nil, err
	}
	text, err := randomText(m.Random, keyRandom+secretLength)
	if err != nil {
		return "", "", nil, err
	}
	id := m.NewID()
	apiKey, secret = keyPrefix+text[:keyRandom], text[keyRandom:]
	c, err = m.store.Credential.Create().SetID(id).SetUserID(userID).SetKind(credential.KindKEY).SetCreated(m.Now()).
		SetAPIKey(apiKey).SetSealedSecret(m.vault.seal(id, secret)).Save(ctx)
	if err != nil {
		return "", "", nil, store.Fault(ctx, err, "API key")
	}
	return apiKey, secret, c, nil
}

// mayCreate refuses credentials of users out of the caller's sight, and of
// those with a scope that the caller lacks and would gain by them.
func (m *Admin) mayCreate(ctx context.Context, by *Principal, userID int) error {
	if err := entitled(ctx, by); err != nil {
		return err
	}
	u, err := m.store.User.Query().Where(user.ID(userID), within(by, user.FieldID)).Only(ctx)
	if err != nil {
		return store.Fault(ctx, err, "user")
	}
	for _, scope := range u.Scopes {
		if by != nil && !by.HasScope(scope) {
			return fault.New(fault.Forbidden, "the user has the scope %s, which you lack", scope)
		}
	}
	return nil
}

// ListCredentials are the credentials of a user, or with userID 0 of all users
// of the caller, oldest first; an empty kind means both.
func (m *Admin) ListCredentials(ctx context.Context, by *Principal, userID int, kind credential.Kind) ([]*db.Credential, error) {
	if err := entitled(ctx, by); err != nil {
		return nil, err
	}
	q := m.store.Credential.Query().Where(within(by, credential.FieldUserID))
	if userID != 0 {
		if _, err := m.FindUser(ctx, by, strconv.Itoa(userID)); err != nil {
			return nil, err
		}
		q.Where(credential.UserID(userID))
	}
	if kind != "" {
		q.Where(credential.KindEQ(kind))
	}
	list, err := q.Order(credential.ByCreated(), credential.ByID()).All(ctx)
	return list, store.Fault(ctx, err, "credential")
}

// Revoke ends a credential, on every replica within 5 seconds. A second time
// changes nothing. Of another kind or out of the caller's sight: NotFound.
func (m *Admin) Revoke(ctx context.Context, by *Principal, id uuid.UUID, kind credential.Kind) (*db.Credential, error) {
	if err := entitled(ctx, by); err != nil {
		return nil, err
	}
	what := map[credential.Kind]string{credential.KindTOKEN: "token", credential.KindKEY: "API key"}[kind]
	c, err := m.store.Credential.Query().Where(credential.ID(id), credential.KindEQ(kind), within(by, credential.FieldUserID)).Only(ctx)
	if err != nil {
		return nil, store.Fault(ctx, err, what)
	}
	if c.Revoked == nil {
		c, err = c.Update().SetRevoked(m.Now()).Save(ctx)
	}
	return c, store.Fault(ctx, err, what)
}

// ParseExpiry reads how long a token lives, such as 90d, 12h or 30m, as the
// moment when it ends; empty means for ever: nil.
func ParseExpiry(s string, now time.Time) (*time.Time, error) {
	if s == "" {
		return nil, nil
	}
	const most = 100 * 365 // days
	life, err := time.ParseDuration(s)
	if days, ok := strings.CutSuffix(s, "d"); ok {
		var n int
		if n, err = strconv.Atoi(days); n <= most {
			life = time.Duration(n) * 24 * time.Hour
		}
	}
	if err != nil || life <= 0 || life > most*24*time.Hour {
		return nil, fault.BadField("expires", "must be a time from now of at most 100 years, such as 90d or 12h")
	}
	at := now.Add(life)
	return &at, nil
}
