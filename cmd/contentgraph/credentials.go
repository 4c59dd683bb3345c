package main

import (
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/credential"
	"github.com/contentgraph/contentgraph/internal/app"
	"github.com/contentgraph/contentgraph/internal/auth"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// ofUser names the owner of a credential.
type ofUser struct {
	User string `required:"" placeholder:"NAME_OR_ID" help:"Name or id of the user."`
}

type tokenCommand struct {
	Create tokenCreate              `cmd:"" help:"Create a Bearer token, shown once."`
	List   listCommand[kindToken]   `cmd:"" help:"List tokens; their secrets are not kept."`
	Revoke revokeCommand[kindToken] `cmd:"" help:"Revoke a token on every replica within 5 seconds."`
}

type keyCommand struct {
	Create keyCreate              `cmd:"" help:"Create an API key with its secret, shown once."`
	List   listCommand[kindKey]   `cmd:"" help:"List API keys."`
	Revoke revokeCommand[kindKey] `cmd:"" help:"Revoke an API key on every replica within 5 seconds."`
}

type tokenCreate struct {
	printed
	ofUser
	Expires string `placeholder:"90d" help:"Time until it expires, such as 90d or 12h; never when absent."`
}

func (c tokenCreate) Run(s *session) error {
	return s.with(func(a *app.App) error {
		expires, err := auth.ParseExpiry(c.Expires, time.Now())
		if err != nil {
			return err
		}
		u, err := a.Access.FindUser(s.ctx, nil, c.User)
		if err != nil {
			return err
		}
		token, _, err := a.Access.CreateToken(s.ctx, nil, u.ID, expires)
		if err != nil {
			return err
		}
		return s.print(c.JSON, map[string]any{"token": token}, "%s", token)
	})
}

type keyCreate struct {
	printed
	ofUser
}

func (c keyCreate) Run(s *session) error {
	return s.with(func(a *app.App) error {
		u, err := a.Access.FindUser(s.ctx, nil, c.User)
		if err != nil {
			return err
		}
		key, secret, _, err := a.Access.CreateKey(s.ctx, nil, u.ID)
		if err != nil {
			return err
		}
		return s.print(c.JSON, map[string]any{"apiKey": key, "secret": secret}, "apiKey %s\nsecret %s", key, secret)
	})
}

// kindToken and kindKey tell the commands of both kinds of credentials apart.
type (
	kindToken struct{}
	kindKey   struct{}
)

func kindOf[K any]() credential.Kind {
	if _, ok := any(*new(K)).(kindToken); ok {
		return credential.KindTOKEN
	}
	return credential.KindKEY
}

type listCommand[K any] struct {
	printed
	User string `placeholder:"NAME_OR_ID" help:"Only this user's."`
}

func (c listCommand[K]) Run(s *session) error {
	return s.with(func(a *app.App) error {
		user := 0
		if c.User != "" {
			u, err := a.Access.FindUser(s.ctx, nil, c.User)
			if err != nil {
				return err
			}
			user = u.ID
		}
		list, err := a.Access.ListCredentials(s.ctx, nil, user, kindOf[K]())
		if err != nil {
			return err
		}
		rows := []map[string]any{}
		table := [][]string{{"ID", "USER", "NAME", "CREATED", "EXPIRES", "REVOKED", "LAST USED"}}
		for _, cr := range list {
			rows = append(rows, map[string]any{"id": cr.ID, "userId": cr.UserID, "hint": cr.Hint, "apiKey": cr.APIKey,
				"created": stamp(&cr.Created), "expires": stamp(cr.Expires), "revoked": stamp(cr.Revoked), "lastUsed": stamp(cr.LastUsed)})
			table = append(table, []string{cr.ID.String(), fmt.Sprint(cr.UserID), credentialName(cr),
				moment(&cr.Created), moment(cr.Expires), moment(cr.Revoked), moment(cr.LastUsed)})
		}
		return s.list(c.JSON, map[string]any{"credentials": rows}, table)
	})
}

func credentialName(c *db.Credential) string {
	if c.APIKey != nil {
		return *c.APIKey
	}
	return "..." + c.Hint
}

// stamp is a moment as the interfaces write it.
func stamp(t *time.Time) *string {
	if t == nil {
		return nil
	}
	return new(vocab.FormatTime(*t))
}

func moment(t *time.Time) string {
	if t == nil {
		return "-"
	}
	return t.UTC().Format("2006-01-02 15:04")
}

type revokeCommand[K any] struct {
	printed
	ID string `arg:"" help:"Id of the credential, as listed."`
}

func (c revokeCommand[K]) Run(s *session) error {
	id, err := uuid.Parse(c.ID)
	if err != nil {
		return fmt.Errorf("%q is not an id; see the list command", c.ID)
	}
	return s.with(func(a *app.App) error {
		cr, err := a.Access.Revoke(s.ctx, nil, id, kindOf[K]())
		if err != nil {
			return err
		}
		return s.print(c.JSON, map[string]any{"id": cr.ID, "revoked": stamp(cr.Revoked)}, "Revoked %s.", cr.ID)
	})
}
