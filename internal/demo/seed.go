package demo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/credential"
	"github.com/contentgraph/contentgraph/ent/db/setting"
	"github.com/contentgraph/contentgraph/internal/auth"
	"github.com/contentgraph/contentgraph/internal/draft"
	"github.com/contentgraph/contentgraph/internal/facts"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/input"
	"github.com/contentgraph/contentgraph/internal/jobs"
	"github.com/contentgraph/contentgraph/internal/knowledge"
	"github.com/contentgraph/contentgraph/internal/profile"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// Rows is about how many facts Seed imports.
const Rows = 200_000

const userName = "demo"

// Seed brings the demonstration data into a database, or finds it there; it
// refuses one with accounts or users that are not the demonstration's. The
// progress is told rows imported so far; it may be nil.
func Seed(ctx context.Context, s *store.Store, access *auth.Admin, progress func(rows int)) error {
	ctx = store.System(ctx)
	if err := claim(ctx, s); err != nil {
		return err
	}
	if err := seedFacts(ctx, facts.NewImporter(s), progress); err != nil {
		return err
	}
	user, err := demoUser(ctx, access)
	if err != nil {
		return err
	}
	for n, c := range companies {
		if err := c.seedContent(store.As(ctx, c.account, user.ID), s, n); err != nil {
			return fmt.Errorf("account %d: %w", c.account, err)
		}
	}
	return nil
}

// Settings of a database that holds the demonstration, and of one that was
// served to other machines.
const (
	mark   = "demo"
	public = "public"
)

// claim marks an empty database, so that nobody's accounts become part of the
// demonstration.
func claim(ctx context.Context, s *store.Store) error {
	return s.Tx(ctx, func(tx *db.Client) error {
		marks, err := tx.Setting.Query().Where(setting.IDIn(mark, public)).IDs(ctx)
		if err != nil || slices.Equal(marks, []string{mark}) {
			return err
		}
		accounts, err := tx.Account.Query().Count(ctx)
		if err != nil {
			return err
		}
		users, err := tx.User.Query().Count(ctx)
		if err != nil {
			return err
		}
		if accounts+users+len(marks) > 0 {
			return errors.New("this database holds accounts or users of its own, or was served to other machines; give the demonstration another one: --data FOLDER")
		}
		return tx.Setting.Create().SetID(mark).SetValue("1").Exec(ctx)
	})
}

// Expose notes that a database is served to other machines, which one of the
// demonstration must not be.
func Expose(ctx context.Context, s *store.Store) error {
	ctx = store.System(ctx)
	return s.Tx(ctx, func(tx *db.Client) error {
		marks, err := tx.Setting.Query().Where(setting.IDIn(mark, public)).IDs(ctx)
		switch {
		case err != nil:
			return err
		case slices.Contains(marks, mark):
			return errors.New("this database holds the demonstration, whose credentials were printed: it is served on a loopback address only")
		case slices.Contains(marks, public):
			return nil
		}
		return tx.Setting.Create().SetID(public).SetValue("1").Exec(ctx)
	})
}

// seedFacts also makes the accounts, web properties and rank sources.
func seedFacts(ctx context.Context, im *facts.Importer, progress func(rows int)) error {
	before := 0
	for _, c := range companies {
		for _, d := range vocab.Datasets {
			columns, rows := c.rows(d)
			o := facts.Options{Strict: true, Progress: func(_, _ int64, rows int) {
				if progress != nil {
					progress(before + rows)
				}
			}}
			r, err := im.Rows(ctx, d, "demo", fmt.Sprintf("demo-1-%d-%s", c.account, d.Name), columns, rows, o)
			if err != nil {
				return fmt.Errorf("%s of account %d: %w", d.Name, c.account, err)
			}
			before += r.Rows
		}
	}
	return nil
}

func demoUser(ctx context.Context, access *auth.Admin) (*auth.User, error) {
	u, err := access.FindUser(ctx, nil, userName)
	if !fault.Is(err, fault.NotFound) {
		return u, err
	}
	return access.CreateUser(ctx, nil, userName, []int{Coffee, Outdoors}, vocab.Scopes)
}

// Credentials are what a visitor of the demonstration signs in with.
type Credentials struct{ Token, APIKey, Secret string }

// NewCredentials makes a fresh pair for the demonstration's user and revokes
// the ones of earlier starts.
func NewCredentials(ctx context.Context, access *auth.Admin) (c Credentials, err error) {
	ctx = store.System(ctx)
	user, err := demoUser(ctx, access)
	if err != nil {
		return c, err
	}
	for _, kind := range []credential.Kind{credential.KindTOKEN, credential.KindKEY} {
		old, err := access.ListCredentials(ctx, nil, user.ID, kind)
		if err != nil {
			return c, err
		}
		for _, o := range old {
			if _, err := access.Revoke(ctx, nil, o.ID, kind); err != nil {
				return c, err
			}
		}
	}
	if c.Token, _, err = access.CreateToken(ctx, nil, user.ID, nil); err != nil {
		return c, err
	}
	c.APIKey, c.Secret, _, err = access.CreateKey(ctx, nil, user.ID)
	return c, err
}

// seedContent makes the profiles, drafts and knowledge sources of an account
// that has no drafts. Ids and times are the same at every first start.
func (c company) seedContent(ctx context.Context, s *store.Store, n int) error {
	profiles, drafts := profile.New(s), draft.New(s)
	sources := knowledge.New(s, jobs.New(s), nil, nil, 1) // of texts, which nobody has to read
	if _, total, err := drafts.List(ctx, draft.Filter{}, input.Page{Limit: 1}); err != nil || total > 0 {
		return err
	}
	ids, clock := 0, time.Date(2026, time.November, 2+n, 9, 0, 0, 0, time.UTC)
	newID := func() uuid.UUID {
		ids++
		return uuid.NewSHA1(uuid.NameSpaceURL, fmt.Appendf(nil, "https://%s/demo/%d", c.host, ids))
	}
	now := func() time.Time { clock = clock.Add(37 * time.Minute); return clock }
	profiles.NewID, profiles.Now, drafts.NewID, drafts.Now = newID, now, newID, now
	sources.NewID, sources.Now = newID, now

	var made []*db.ContentProfile
	for _, in := range c.profileInputs() {
		p, err := profiles.Create(ctx, in)
		if err != nil {
			return err
		}
		made = append(made, p)
	}
	for i, topic := range c.topics {
		d, err := drafts.Create(ctx, c.draftInput(i, topic, made))
		if err != nil {
			return err
		}
		if i%3 == 2 {
			continue // not written yet
		}
		if _, err := drafts.SaveContent(ctx, d.ID, c.content(topic), nil); err != nil {
			return err
		}
	}
	for _, in := range c.knowledgeInputs() {
		if _, err := sources.Create(ctx, in); err != nil {
			return err
		}
	}
	return nil
}
