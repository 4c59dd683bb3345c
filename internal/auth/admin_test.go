package auth

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/ent/db/credential"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

func TestOperator(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		a := must(h.admin.CreateAccount(h.op, nil, 101, " Acme "))(t)
		again := must(h.admin.CreateAccount(h.op, nil, 101, "Other"))(t)
		if a.Name != "Acme" || again.Name != "Acme" || again.ID != 101 {
			t.Errorf("%v %v", a, again)
		}
		if all := must(h.admin.ListAccounts(h.op, nil))(t); len(all) != 5 || all[4].ID != 101 {
			t.Errorf("%v", all)
		}
		_, err := h.admin.CreateAccount(h.op, nil, 0, " ")
		refused(t, err, fault.CodeInvalidRequest, "id: must be from 1 to 2147483647; name: must not be blank")

		ann := h.user(t, "ann", []int{101, 1, 101}, vocab.ScopeData, vocab.ScopeContentRead, vocab.ScopeData)
		bob := h.user(t, "bob", []int{2}, vocab.ScopeData)
		for _, name := range []string{"ann", " ann ", strconv.Itoa(ann.ID)} {
			u := must(h.admin.FindUser(h.op, nil, name))(t)
			if u.ID != ann.ID || !slices.Equal(u.Accounts, []int{1, 101}) || !slices.Equal(u.Scopes, []string{vocab.ScopeContentRead, vocab.ScopeData}) ||
				!u.Created.Equal(h.clock.now()) {
				t.Errorf("%s: %+v", name, u)
			}
		}
		for _, name := range []string{"", "nobody", "99999", "-1", "a\x00b", "\xff", strings.Repeat("9", 40)} {
			_, err := h.admin.FindUser(h.op, nil, name)
			refused(t, err, fault.CodeNotFound, "user not found")
		}
		all := must(h.admin.ListUsers(h.op, nil))(t)
		if len(all) != 2 || all[0].ID != ann.ID || !slices.Equal(all[0].Accounts, []int{1, 101}) || !slices.Equal(all[1].Accounts, []int{2}) {
			t.Errorf("%+v", all)
		}

		token, c := h.token(t, ann, nil)
		if c.Hint != token[39:] || *c.TokenHash != digestOf(token) || strings.Contains(c.String(), token) {
			t.Errorf("%v", c)
		}
		h.key(t, ann)
		h.key(t, bob)
		for _, test := range []struct {
			user int
			kind credential.Kind
			want int
		}{{0, "", 3}, {0, credential.KindKEY, 2}, {ann.ID, "", 2}, {ann.ID, credential.KindTOKEN, 1}, {bob.ID, credential.KindTOKEN, 0}} {
			if list := must(h.admin.ListCredentials(h.op, nil, test.user, test.kind))(t); len(list) != test.want {
				t.Errorf("%+v: %d credentials", test, len(list))
			}
		}
		_, err = h.admin.ListCredentials(h.op, nil, 999, "")
		refused(t, err, fault.CodeNotFound, "user")

		_, err = h.admin.Revoke(h.op, nil, c.ID, credential.KindKEY)
		refused(t, err, fault.CodeNotFound, "API key not found")
		_, err = h.admin.Revoke(h.op, nil, uuid.New(), credential.KindTOKEN)
		refused(t, err, fault.CodeNotFound, "token not found")
		first := must(h.admin.Revoke(h.op, nil, c.ID, credential.KindTOKEN))(t)
		h.clock.add(time.Hour)
		second := must(h.admin.Revoke(h.op, nil, c.ID, credential.KindTOKEN))(t)
		if first.Revoked == nil || !first.Revoked.Equal(*second.Revoked) {
			t.Errorf("revoked %v, then %v", first.Revoked, second.Revoked)
		}
		past := h.clock.now()
		_, _, err = h.admin.CreateToken(h.op, nil, ann.ID, &past)
		refused(t, err, fault.CodeInvalidRequest, "expires: must be in the future")
		_, _, err = h.admin.CreateToken(h.op, nil, 999, nil)
		refused(t, err, fault.CodeNotFound, "user not found")
	})
}

func TestCreateUserInput(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		h.user(t, "ann", []int{1}, vocab.ScopeData)
		one, data := []int{1}, []string{vocab.ScopeData}
		for _, test := range []struct {
			name, user string
			accounts   []int
			scopes     []string
			code       fault.Code
			fields     string
		}{
			{"taken", " ann", one, data, fault.CodeConflict, ""},
			{"blank", " ", one, data, fault.CodeInvalidRequest, "name"},
			{"long", strings.Repeat("x", 201), one, data, fault.CodeInvalidRequest, "name"},
			{"number", "17", one, data, fault.CodeInvalidRequest, "name"},
			{"signed number", "-17", one, data, fault.CodeInvalidRequest, "name"},
			{"control characters", "x\x1b[2Jy", one, data, fault.CodeInvalidRequest, "name"},
			{"NUL", "x\x00", one, data, fault.CodeInvalidRequest, "name"},
			{"not UTF-8", "x\xff", one, data, fault.CodeInvalidRequest, "name"},
			{"unknown accounts", "x", []int{99, 1, 0}, data, fault.CodeInvalidRequest, "accounts[0] accounts[2]"},
			{"no account", "x", nil, data, fault.CodeInvalidRequest, "accounts"},
			{"too many accounts", "x", make([]int, maxAccounts+1), data, fault.CodeInvalidRequest, "accounts"},
			{"unknown scope", "x", one, []string{vocab.ScopeData, "root"}, fault.CodeInvalidRequest, "scopes[1]"},
			{"no scope", "x", one, nil, fault.CodeInvalidRequest, "scopes"},
			{"everything", "", []int{99}, []string{"root"}, fault.CodeInvalidRequest, "scopes[0] name accounts[0]"},
		} {
			t.Run(test.name, func(t *testing.T) {
				_, err := h.admin.CreateUser(h.op, nil, test.user, test.accounts, test.scopes)
				refused(t, err, test.code, "")
				var fields []string
				for _, f := range fault.Of(err).Fields {
					fields = append(fields, f.Field)
				}
				if got := strings.Join(fields, " "); got != test.fields {
					t.Errorf("fields %q, want %q", got, test.fields)
				}
			})
		}
		if n := h.store.User.Query().CountX(t.Context()); n != 1 {
			t.Errorf("%d users: a refused one was made", n)
		}
	})
}

// An admin gains nothing that it does not have: no account, no scope, no
// sight of others.
func TestAdminLimits(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		boss := h.user(t, "boss", []int{1, 2}, vocab.ScopeAdmin, vocab.ScopeContentRead)
		within := h.user(t, "within", []int{2}, vocab.ScopeContentRead)
		across := h.user(t, "across", []int{2, 3}, vocab.ScopeContentRead)
		outside := h.user(t, "outside", []int{3}, vocab.ScopeContentRead)
		mighty := h.user(t, "mighty", []int{1}, vocab.ScopeContentRead, vocab.ScopeData)
		nowhere := h.user(t, "nowhere", []int{4}, vocab.ScopeAdmin, vocab.ScopeContentRead)
		h.store.Grant.Delete().ExecX(t.Context()) // and back, without those of nowhere
		for _, u := range []*User{boss, within, across, outside, mighty} {
			for _, id := range u.Accounts {
				h.store.Grant.Create().SetUserID(u.ID).SetAccountID(id).ExecX(t.Context())
			}
		}
		by := boss.principal()
		by.Accounts[3] = false
		ctx := With(t.Context(), by)

		names := ""
		for _, u := range must(h.admin.ListUsers(ctx, by))(t) {
			names += u.Name + " "
		}
		if names != "boss within mighty " {
			t.Errorf("the admin sees %s", names)
		}
		if all := must(h.admin.ListAccounts(ctx, by))(t); len(all) != 2 || all[0].ID != 1 || all[1].ID != 2 {
			t.Errorf("the admin sees the accounts %v", all)
		}
		_, err := h.admin.CreateAccount(ctx, by, 500, "mine")
		refused(t, err, fault.CodeForbidden, "operator")

		// Users.
		for _, scopes := range [][]string{{vocab.ScopeData}, {vocab.ScopeContentRead, vocab.ScopeContentWrite}, vocab.Scopes} {
			_, err := h.admin.CreateUser(ctx, by, "new", []int{1}, scopes)
			refused(t, err, fault.CodeInvalidRequest, "lack")
		}
		_, exists := h.admin.CreateUser(ctx, by, "new", []int{1, 3}, []string{vocab.ScopeContentRead})
		_, unknown := h.admin.CreateUser(ctx, by, "new", []int{1, 99}, []string{vocab.ScopeContentRead})
		refused(t, exists, fault.CodeInvalidRequest, "accounts[1]: there is no account 3, or you have no access to it")
		refused(t, unknown, fault.CodeInvalidRequest, "accounts[1]: there is no account 99, or you have no access to it")
		made := must(h.admin.CreateUser(ctx, by, "new", []int{2, 1}, []string{vocab.ScopeContentRead, vocab.ScopeAdmin}))(t)
		must(h.admin.FindUser(ctx, by, "new"))(t)

		// Credentials of others.
		for _, u := range []*User{across, outside, nowhere} {
			_, err := h.admin.FindUser(ctx, by, u.Name)
			refused(t, err, fault.CodeNotFound, "user not found")
			_, err = h.admin.FindUser(ctx, by, strconv.Itoa(u.ID))
			refused(t, err, fault.CodeNotFound, "user not found")
			_, _, err = h.admin.CreateToken(ctx, by, u.ID, nil)
			refused(t, err, fault.CodeNotFound, "user not found")
			_, _, _, err = h.admin.CreateKey(ctx, by, u.ID)
			refused(t, err, fault.CodeNotFound, "user not found")
			_, err = h.admin.ListCredentials(ctx, by, u.ID, "")
			refused(t, err, fault.CodeNotFound, "user not found")
			_, c := h.token(t, u, nil)
			_, err = h.admin.Revoke(ctx, by, c.ID, credential.KindTOKEN)
			refused(t, err, fault.CodeNotFound, "token not found")
		}
		// A token of a user with more scopes would raise the admin's own.
		_, _, err = h.admin.CreateToken(ctx, by, mighty.ID, nil)
		refused(t, err, fault.CodeForbidden, "the scope data")
		_, _, _, err = h.admin.CreateKey(ctx, by, mighty.ID)
		refused(t, err, fault.CodeForbidden, "the scope data")
		_, mightys := h.token(t, mighty, nil)
		must(h.admin.Revoke(ctx, by, mightys.ID, credential.KindTOKEN))(t) // that takes away

		for _, u := range []*User{boss, within, made} {
			_, c, err := h.admin.CreateToken(ctx, by, u.ID, nil)
			if err != nil {
				t.Fatal(err)
			}
			_, _, k, err := h.admin.CreateKey(ctx, by, u.ID)
			if err != nil {
				t.Fatal(err)
			}
			must(h.admin.Revoke(ctx, by, c.ID, credential.KindTOKEN))(t)
			must(h.admin.Revoke(ctx, by, k.ID, credential.KindKEY))(t)
		}
		if list := must(h.admin.ListCredentials(ctx, by, 0, ""))(t); len(list) != 7 {
			t.Errorf("the admin sees %d credentials", len(list))
		}

		// An admin of nothing sees nobody.
		lost := nowhere.principal()
		lost.Accounts = nil
		if all := must(h.admin.ListUsers(ctx, lost))(t); len(all) != 0 {
			t.Errorf("an admin without accounts sees %d users", len(all))
		}
		if all := must(h.admin.ListAccounts(ctx, lost))(t); len(all) != 0 {
			t.Errorf("an admin without accounts sees %d accounts", len(all))
		}
	})
}

// nil is the operator in a system context alone: to a request, nil is anonymous.
func TestAdminCallers(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		ann := h.user(t, "ann", []int{1}, vocab.ScopeContentRead, vocab.ScopeContentWrite, vocab.ScopeData)
		for _, caller := range []struct {
			ctx  context.Context
			by   *Principal
			code fault.Code
		}{
			{t.Context(), nil, fault.CodeMissingCredentials},
			{must(Allow(With(t.Context(), ann.principal()), 1, vocab.ScopeData))(t), nil, fault.CodeMissingCredentials},
			{t.Context(), ann.principal(), fault.CodeForbidden},
			{h.op, ann.principal(), fault.CodeForbidden},
		} {
			_, account := h.admin.CreateAccount(caller.ctx, caller.by, 77, "x")
			_, accounts := h.admin.ListAccounts(caller.ctx, caller.by)
			_, user := h.admin.CreateUser(caller.ctx, caller.by, "x", []int{1}, []string{vocab.ScopeData})
			_, users := h.admin.ListUsers(caller.ctx, caller.by)
			_, find := h.admin.FindUser(caller.ctx, caller.by, "ann")
			_, _, token := h.admin.CreateToken(caller.ctx, caller.by, ann.ID, nil)
			_, _, _, key := h.admin.CreateKey(caller.ctx, caller.by, ann.ID)
			_, list := h.admin.ListCredentials(caller.ctx, caller.by, 0, "")
			_, revoke := h.admin.Revoke(caller.ctx, caller.by, uuid.New(), credential.KindKEY)
			for _, err := range []error{account, accounts, user, users, find, token, key, list, revoke} {
				refused(t, err, caller.code, "")
			}
		}
	})
}

func TestParseExpiry(t *testing.T) {
	t.Parallel()
	now := newClock().now()
	for s, want := range map[string]time.Duration{"90d": 90 * 24 * time.Hour, "12h": 12 * time.Hour, "1h30m": 90 * time.Minute, "36500d": 36500 * 24 * time.Hour} {
		if at, err := ParseExpiry(s, now); err != nil || !at.Equal(now.Add(want)) {
			t.Errorf("%s: %v %v", s, at, err)
		}
	}
	if at, err := ParseExpiry("", now); at != nil || err != nil {
		t.Errorf("%v %v", at, err)
	}
	for _, bad := range []string{"0", "0d", "-1d", "-1h", "d", "x", "1.5d", "90", "36501d", "99999999999999999999d", "2540400h", "never"} {
		_, err := ParseExpiry(bad, now)
		refused(t, err, fault.CodeInvalidRequest, "expires")
	}
}
