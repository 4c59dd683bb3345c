package auth

import (
	"testing"

	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

func TestAllow(t *testing.T) {
	t.Parallel()
	reader := &Principal{UserID: 7, Scopes: []string{vocab.ScopeContentRead}, Accounts: map[int]bool{101: true, 103: false}}
	for _, test := range []struct {
		name    string
		by      *Principal
		account int
		scope   string
		code    fault.Code
		text    string
	}{
		{"anonymous", nil, 102, vocab.ScopeData, fault.CodeMissingCredentials, "Bearer"},
		{"foreign account before scope", reader, 102, vocab.ScopeData, fault.CodeForbidden, "no access to account 102"},
		{"grant that is none", reader, 103, vocab.ScopeContentRead, fault.CodeForbidden, "no access to account 103"},
		{"account zero", reader, 0, vocab.ScopeContentRead, fault.CodeForbidden, "no access to account 0"},
		{"scope", reader, 101, vocab.ScopeContentWrite, fault.CodeForbidden, "content:write"},
		{"data scope", reader, 101, vocab.ScopeData, fault.CodeForbidden, "Data API 2.0 entitlement"},
		{"no scope named", reader, 101, "", fault.CodeForbidden, "scope"},
	} {
		t.Run(test.name, func(t *testing.T) {
			ctx := t.Context()
			if test.by != nil {
				ctx = With(ctx, test.by)
			}
			_, err := Allow(ctx, test.account, test.scope)
			refused(t, err, test.code, test.text)
		})
	}
	ctx, err := Allow(With(t.Context(), reader), 101, vocab.ScopeContentRead)
	if err != nil {
		t.Fatal(err)
	}
	if v := store.ViewerOf(ctx); v.Account != 101 || v.User != 7 {
		t.Errorf("viewer %+v", v)
	}
}

func TestAllowScope(t *testing.T) {
	t.Parallel()
	_, err := AllowScope(t.Context(), "")
	refused(t, err, fault.CodeMissingCredentials, "")
	ctx := With(t.Context(), &Principal{UserID: 7, Scopes: []string{vocab.ScopeData}})
	_, err = AllowScope(ctx, vocab.ScopeAdmin)
	refused(t, err, fault.CodeForbidden, "admin")
	if ctx, err = AllowScope(ctx, ""); err != nil {
		t.Fatal(err)
	}
	if v := store.ViewerOf(ctx); v.Account != 0 || v.User != 7 {
		t.Errorf("viewer %+v", v)
	}
}

func TestFromIsNilForAnonymous(t *testing.T) {
	t.Parallel()
	if From(t.Context()) != nil || From(With(t.Context(), nil)) != nil {
		t.Error("a principal out of nothing")
	}
}
