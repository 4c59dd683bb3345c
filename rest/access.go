package rest

import (
	"net/http"
	"strconv"

	"github.com/go-chi/chi/v5"

	"github.com/contentgraph/contentgraph/internal/auth"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// user lets authenticated users pass, by the rules of the content API.
func (a *api) user(next http.Handler) http.Handler {
	return a.serve(func(w http.ResponseWriter, r *http.Request) error {
		p, err := a.Auth.Request(r)
		if err != nil {
			if fault.Is(err, fault.Unauthenticated) {
				w.Header().Set("WWW-Authenticate", "Bearer")
			}
			return err
		}
		if err := a.count(w, p, auth.Content); err != nil {
			return err
		}
		next.ServeHTTP(w, identified(r, p))
		return nil
	})
}

// dataUser lets users of the data API pass, by its rules.
func (a *api) dataUser(next http.Handler) http.Handler {
	return a.serve(func(w http.ResponseWriter, r *http.Request) error {
		p, err := a.Auth.DataRequest(r)
		if err != nil {
			return err
		}
		r = identified(r, p)
		if _, err := auth.AllowScope(r.Context(), vocab.ScopeData); err != nil {
			return err
		}
		next.ServeHTTP(w, r)
		return nil
	})
}

func identified(r *http.Request, p *auth.Principal) *http.Request {
	exchangeOf(r).user = p.UserID
	return r.WithContext(auth.With(r.Context(), p))
}

// account lets users pass who are granted the account of the path. Resolvers
// ask again; here it comes first, before anything else of the request is read.
func (a *api) account(next http.Handler) http.Handler {
	return a.serve(func(w http.ResponseWriter, r *http.Request) error {
		text := chi.URLParam(r, "accountId")
		id, err := strconv.Atoi(text)
		if err != nil || text[0] == '+' {
			return fault.BadField("accountId", "must be a whole number")
		}
		scope := vocab.ScopeContentWrite
		if reads(r) {
			scope = vocab.ScopeContentRead
		}
		if _, err := auth.Allow(r.Context(), id, scope); err != nil {
			return err
		}
		exchangeOf(r).account = id
		next.ServeHTTP(w, r)
		return nil
	})
}

// count takes a request out of the user's allowance and says what is left.
func (a *api) count(w http.ResponseWriter, p *auth.Principal, c auth.Class) error {
	if a.Limit == nil {
		return nil
	}
	left, err := a.Limit(p, c)
	if left.Limit > 0 {
		w.Header().Set("RateLimit-Policy", left.Policy())
		w.Header().Set("RateLimit", left.State())
	}
	return err
}
