package auth

import (
	"context"
	"net/netip"
	"time"

	"github.com/contentgraph/contentgraph/ent/db/credential"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/store"
)

const (
	// cacheSize bounds each half of a cache; a window takes 6 kB.
	cacheSize = 1024
	// DefaultGuessLimit is the usual GuessLimit.
	DefaultGuessLimit = 20
)

// Authenticator turns credentials into principals. Set the fields before use.
type Authenticator struct {
	Now func() time.Time
	// GuessLimit is how many authentications may fail in a minute per address
	// and per key before further failures are told to wait; 0 = no limit.
	GuessLimit int
	// Proxies are the peers whose X-Forwarded-For is believed.
	Proxies []netip.Prefix

	store   *store.Store
	vault   *vault
	logins  *cache[*login]    // by token digest, API key or credential id
	absent  *cache[time.Time] // when a credential was looked for in vain
	windows *cache[*window]   // by credential id
	guesses guesses
	usage   *usage
}

// Open finds the master key (the given one, in base64 or hexadecimal, else the
// file master.key in the data folder, made when it is missing) and refuses to
// work with a key other than the one that the database was first used with.
// Close the Authenticator before the store.
func Open(ctx context.Context, s *store.Store, masterKey, dataFolder string) (*Authenticator, error) {
	v, err := openVault(ctx, s, masterKey, dataFolder)
	if err != nil {
		return nil, err
	}
	return &Authenticator{
		Now: time.Now, GuessLimit: DefaultGuessLimit,
		store: s, vault: v, usage: startUsage(s),
		logins: newCache[*login](cacheSize), absent: newCache[time.Time](cacheSize),
		windows: newCache[*window](cacheSize),
	}, nil
}

// Close writes what is known of last uses and stops.
func (a *Authenticator) Close() { a.usage.close() }

// Key derives a 32-byte key from the master key. Every purpose has its own,
// the same on all replicas.
func (a *Authenticator) Key(purpose string) []byte { return a.vault.key("app/" + purpose) }

// Bearer authenticates by token. Every failure is Unauthenticated, UNAUTHORIZED.
func (a *Authenticator) Bearer(ctx context.Context, token string) (*Principal, error) {
	digest, err := ParseToken(token)
	if err != nil {
		return nil, err
	}
	l, err := a.find(ctx, digest, credential.TokenHash(digest))
	if err != nil {
		return nil, err
	}
	if !a.use(l) {
		return nil, fault.New(fault.Unauthenticated, "the Bearer token is unknown, revoked or expired")
	}
	return l.principal, nil
}

// Signed authenticates by API key and signature. Every failure is
// Unauthenticated, INVALID_SIGNATURE: which keys exist is nobody's business.
func (a *Authenticator) Signed(ctx context.Context, apiKey, sig string) (*Principal, error) {
	var l *login
	if isAPIKey(apiKey) {
		var err error
		if l, err = a.find(ctx, apiKey, credential.APIKey(apiKey)); err != nil {
			return nil, err
		}
	}
	if l == nil || !l.window.accepts(sig, a.Now) || !a.use(l) {
		return nil, fault.New(fault.Unauthenticated, "the signature is wrong or older than 5 minutes, or the API key is unknown or revoked").
			Coded(fault.CodeInvalidSignature)
	}
	return l.principal, nil
}

// Renew is the principal as it is now, for connections that outlive the request
// which opened them. It fails, Unauthenticated, once the credential is revoked
// or expired; ask at least every few seconds.
func (a *Authenticator) Renew(ctx context.Context, p *Principal) (*Principal, error) {
	l, err := a.find(ctx, p.Credential.String(), credential.ID(p.Credential))
	if err != nil {
		return nil, err
	}
	if !a.use(l) {
		return nil, fault.New(fault.Unauthenticated, "the credential of this connection was revoked or has expired")
	}
	return l.principal, nil
}
