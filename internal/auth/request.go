package auth

import (
	"net/http"
	"strings"

	"github.com/contentgraph/contentgraph/internal/fault"
)

// GatewayHeader must repeat the API key on the data API.
const GatewayHeader = "X-API-GATEWAY-KEY"

// Request authenticates a request to the content API or GraphQL: a Bearer token
// decides when one is sent, else the last apiKey and sig of the query. Errors
// are Unauthenticated, or RateLimited for failures beyond the guess limit.
func (a *Authenticator) Request(r *http.Request) (*Principal, error) {
	if token, sent := bearer(r); sent {
		if token == "" {
			return nil, missing("the Authorization header has no token behind Bearer")
		}
		p, err := a.Bearer(r.Context(), token)
		return p, a.limit(r, token, err)
	}
	apiKey, sig := pair(r)
	switch {
	case apiKey != "" && sig != "":
		p, err := a.Signed(r.Context(), apiKey, sig)
		return p, a.limit(r, apiKey, err)
	case apiKey != "":
		return nil, missing("the query parameter sig is missing beside apiKey")
	case sig != "":
		return nil, missing("the query parameter apiKey is missing beside sig")
	case r.Header.Get("Authorization") != "":
		return nil, fault.New(fault.Unauthenticated, "the Authorization header must have the scheme Bearer")
	}
	return nil, nothingSent()
}

// DataRequest authenticates a request to the data API: apiKey and sig in the
// query and the same key in the gateway header. Authorization is not looked at.
// Errors are as for Request.
func (a *Authenticator) DataRequest(r *http.Request) (*Principal, error) {
	apiKey, sig := pair(r)
	gateway := last(r.Header.Values(GatewayHeader))
	var lacks []string
	for _, part := range []struct{ value, name string }{
		{apiKey, "query parameter apiKey"}, {sig, "query parameter sig"}, {gateway, "header " + GatewayHeader},
	} {
		if part.value == "" {
			lacks = append(lacks, part.name)
		}
	}
	switch {
	case lacks != nil:
		return nil, missing("missing credentials: " + strings.Join(lacks, ", "))
	case gateway != apiKey:
		return nil, fault.New(fault.Unauthenticated, "the header %s must equal the query parameter apiKey", GatewayHeader).
			Coded(fault.CodeGatewayKeyMismatch)
	}
	p, err := a.Signed(r.Context(), apiKey, sig)
	return p, a.limit(r, apiKey, err)
}

// limit counts a failed attempt and, beyond the limit, answers it with
// RateLimited. Attempts that succeed are none of its business.
func (a *Authenticator) limit(r *http.Request, credential string, err error) error {
	if !fault.Is(err, fault.Unauthenticated) {
		return err
	}
	wait := a.guesses.fail(a.Now(), a.GuessLimit, "address "+guesser(a.Address(r)), guessName(credential))
	if wait > 0 {
		return fault.New(fault.RateLimited, "too many failed authentications; try again in %d s", wait).After(wait)
	}
	return err
}

// bearer is the token of the first Authorization header with that scheme.
func bearer(r *http.Request) (token string, sent bool) {
	for _, v := range r.Header.Values("Authorization") {
		scheme, rest, _ := strings.Cut(strings.TrimSpace(v), " ")
		if strings.EqualFold(scheme, "Bearer") {
			return strings.TrimSpace(rest), true
		}
	}
	return "", false
}

// pair is the last apiKey and the last sig: clients that try again add theirs
// to the end. What of the query cannot be decoded is passed over.
func pair(r *http.Request) (apiKey, sig string) {
	q := r.URL.Query()
	return last(q["apiKey"]), last(q["sig"])
}

func last(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return values[len(values)-1]
}

func missing(message string) error {
	return fault.New(fault.Unauthenticated, "%s", message).Coded(fault.CodeMissingCredentials)
}

func nothingSent() error {
	return missing("send the header Authorization: Bearer <token>, or the query parameters apiKey and sig")
}
