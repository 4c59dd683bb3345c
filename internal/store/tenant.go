package store

import (
	"context"
	"errors"
	"fmt"

	"entgo.io/ent"
	"entgo.io/ent/dialect/sql"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/contentprofile"
	"github.com/contentgraph/contentgraph/ent/db/draft"
	"github.com/contentgraph/contentgraph/ent/db/intercept"
	"github.com/contentgraph/contentgraph/ent/db/knowledgeblob"
	"github.com/contentgraph/contentgraph/ent/db/webproperty"
	"github.com/google/uuid"
)

// Viewer is on whose behalf storage is used: a user in one account.
type Viewer struct {
	Account int
	User    int
	system  bool
}

type viewerKey struct{}

// As returns a context that acts for a user in an account.
func As(ctx context.Context, account, user int) context.Context {
	return context.WithValue(ctx, viewerKey{}, Viewer{Account: account, User: user})
}

// System returns a context that acts for the installation, over all accounts.
// It is for commands and background work, never for a request.
func System(ctx context.Context) context.Context {
	return context.WithValue(ctx, viewerKey{}, Viewer{system: true})
}

// ViewerOf is the viewer of a context; the zero Viewer has no account.
func ViewerOf(ctx context.Context) Viewer {
	v, _ := ctx.Value(viewerKey{}).(Viewer)
	return v
}

// ErrNoViewer says that a tenant resource was used on nobody's behalf.
var ErrNoViewer = errors.New("store: no viewer in the context")

// shared are the resources without an owner; every other one is kept to the
// viewer's account, so that a new resource is safe until it is listed here.
var shared = map[string]bool{
	db.TypeAccount: true, db.TypeUser: true, db.TypeGrant: true, db.TypeCredential: true,
	db.TypeRankSource: true, db.TypeSetting: true, db.TypeJob: true,
	db.TypeRateWindow: true,
}

func guard(c *db.Client) {
	c.Intercept(intercept.TraverseFunc(func(ctx context.Context, q intercept.Query) error {
		v := ViewerOf(ctx)
		switch {
		case shared[q.Type()] || v.system:
			return nil
		case v.Account == 0:
			return fmt.Errorf("%w: read of %s", ErrNoViewer, q.Type())
		}
		q.WhereP(owned(v))
		return nil
	}))
	c.Use(func(next ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
			if err := keep(ctx, m); err != nil {
				return nil, err
			}
			return next.Mutate(ctx, m)
		})
	})
}

func owned(v Viewer) func(*sql.Selector) {
	return func(s *sql.Selector) { s.Where(sql.EQ(s.C("account_id"), v.Account)) }
}

// keep holds a mutation to the viewer's account: what is created belongs to
// it, what is changed must, and so must all that is referred to.
func keep(ctx context.Context, m ent.Mutation) error {
	v := ViewerOf(ctx)
	switch {
	case shared[m.Type()] || v.system:
		return nil
	case v.Account == 0:
		return fmt.Errorf("%w: change of %s", ErrNoViewer, m.Type())
	}
	if m.Op().Is(ent.OpCreate) {
		if a, ok := m.Field("account_id"); ok && a != v.Account {
			return fmt.Errorf("store: %s of account %v created by a viewer of account %d", m.Type(), a, v.Account)
		}
		if err := m.SetField("account_id", v.Account); err != nil {
			return err
		}
	} else {
		m.(interface{ WhereP(...func(*sql.Selector)) }).WhereP(owned(v))
	}
	return references(ctx, m)
}

// reference is a field that names another resource of the same account.
type reference struct {
	field  string
	exists func(ctx context.Context, c *db.Client, id ent.Value) (bool, error)
}

var referenced = map[string][]reference{
	db.TypeDraft: {
		{draft.FieldContentProfileID, func(ctx context.Context, c *db.Client, id ent.Value) (bool, error) {
			return c.ContentProfile.Query().Where(contentprofile.ID(id.(uuid.UUID))).Exist(ctx)
		}},
		{draft.FieldWebPropertyID, func(ctx context.Context, c *db.Client, id ent.Value) (bool, error) {
			return c.WebProperty.Query().Where(webproperty.Number(id.(int))).Exist(ctx)
		}},
	},
	db.TypeKnowledgeSource: {
		{"blob_id", func(ctx context.Context, c *db.Client, id ent.Value) (bool, error) {
			return c.KnowledgeBlob.Query().Where(knowledgeblob.ID(id.(uuid.UUID))).Exist(ctx)
		}},
	},
	db.TypeDraftVersion: {
		{"draft_id", func(ctx context.Context, c *db.Client, id ent.Value) (bool, error) {
			return c.Draft.Query().Where(draft.ID(id.(uuid.UUID))).Exist(ctx)
		}},
	},
}

// ErrForeignReference says that a resource names one that its account lacks.
var ErrForeignReference = errors.New("store: reference to nothing of this account")

// references is the last line behind the services, which check what clients
// name and answer kindly. The system viewer's rows are checked by its callers.
func references(ctx context.Context, m ent.Mutation) error {
	for _, r := range referenced[m.Type()] {
		id, ok := m.Field(r.field)
		if !ok {
			continue
		}
		found, err := r.exists(ctx, m.(interface{ Client() *db.Client }).Client(), id)
		if err != nil {
			return err
		}
		if !found {
			return fmt.Errorf("%w: %s.%s", ErrForeignReference, m.Type(), r.field)
		}
	}
	return nil
}
