// Package profile keeps content profiles: reusable voice, audience and language
// rules of an account. It knows no transport; the viewer is in the context.
package profile

import (
	"context"
	"slices"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/contentprofile"
	"github.com/contentgraph/contentgraph/ent/db/draft"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/input"
	"github.com/contentgraph/contentgraph/internal/store"
)

const noun = "content profile"

// Service is what can be done with the content profiles of the viewer's account.
type Service struct {
	Now   func() time.Time
	NewID func() uuid.UUID

	store *store.Store
}

// New makes the service.
func New(s *store.Store) *Service {
	return &Service{
		Now:   func() time.Time { return time.Now().UTC().Truncate(time.Millisecond) },
		NewID: uuid.New,
		store: s,
	}
}

// List is a page of the profiles, newest change first, and their whole number.
func (s *Service) List(ctx context.Context, page input.Page) ([]*db.ContentProfile, int, error) {
	q := s.store.ContentProfile.Query()
	items, err := q.Clone().Order(contentprofile.ByUpdated(sql.OrderDesc()), contentprofile.ByID()).
		Limit(page.Limit).Offset(page.Offset).All(ctx)
	total := page.Offset + len(items)
	if err == nil && !page.Ends(len(items)) {
		total, err = q.Count(ctx)
	}
	return items, total, store.Fault(ctx, err, noun)
}

// Get is one profile, or a NotFound fault.
func (s *Service) Get(ctx context.Context, id uuid.UUID) (*db.ContentProfile, error) {
	p, err := s.store.ContentProfile.Get(ctx, id)
	return p, store.Fault(ctx, err, noun)
}

// ByIDs are the profiles of the ids that there are.
func (s *Service) ByIDs(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]*db.ContentProfile, error) {
	items, err := s.store.ContentProfile.Query().Where(contentprofile.IDIn(ids...)).All(ctx)
	byID := make(map[uuid.UUID]*db.ContentProfile, len(items))
	for _, p := range items {
		byID[p.ID] = p
	}
	return byID, store.Fault(ctx, err, noun)
}

// DraftCounts is the number of drafts that use each of the profiles; a profile
// that none uses is left out.
func (s *Service) DraftCounts(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]int, error) {
	var rows []struct {
		ID    uuid.UUID `sql:"content_profile_id"`
		Count int       `sql:"count"`
	}
	err := s.store.Draft.Query().Where(draft.ContentProfileIDIn(ids...)).
		GroupBy(draft.FieldContentProfileID).Aggregate(db.Count()).Scan(ctx, &rows)
	counts := make(map[uuid.UUID]int, len(rows))
	for _, r := range rows {
		counts[r.ID] = r.Count
	}
	return counts, store.Fault(ctx, err, noun)
}

// Create makes a profile of a request object. Faults: Invalid, Conflict when
// the name is taken.
func (s *Service) Create(ctx context.Context, in map[string]any) (*db.ContentProfile, error) {
	c := s.store.ContentProfile.Create()
	if err := read(in, c.Mutation(), true); err != nil {
		return nil, err
	}
	s.stamp(ctx, c.Mutation())
	updated, _ := c.Mutation().Updated()
	p, err := c.SetID(s.NewID()).SetCreated(updated).SetCreatedBy(store.ViewerOf(ctx).User).Save(ctx)
	return p, taken(ctx, err)
}

// Replace gives every field the value of the request; an absent one is null.
// With ifMatch, Precondition unless it holds the profile's versionId.
func (s *Service) Replace(ctx context.Context, id uuid.UUID, in map[string]any, ifMatch []string) (*db.ContentProfile, error) {
	return s.change(ctx, id, in, ifMatch, true)
}

// Update changes the fields that the request holds; null clears. With ifMatch,
// Precondition unless it holds the profile's versionId.
func (s *Service) Update(ctx context.Context, id uuid.UUID, in map[string]any, ifMatch []string) (*db.ContentProfile, error) {
	return s.change(ctx, id, in, ifMatch, false)
}

func (s *Service) change(ctx context.Context, id uuid.UUID, in map[string]any, ifMatch []string, whole bool) (p *db.ContentProfile, err error) {
	err = s.store.Tx(ctx, func(tx *db.Client) error {
		old, err := s.lock(ctx, tx, id, ifMatch)
		if err != nil {
			return err
		}
		u := tx.ContentProfile.UpdateOne(old)
		m := u.Mutation()
		if err := read(in, m, whole); err != nil {
			return err
		}
		if len(m.Fields())+len(m.ClearedFields()) == 0 {
			p = old
			return nil
		}
		s.stamp(ctx, m)
		p, err = u.Save(ctx)
		return err
	})
	return p, taken(ctx, err)
}

// Delete removes a profile; the drafts that use it keep none, which changes
// them. With ifMatch, Precondition unless it holds the profile's versionId.
func (s *Service) Delete(ctx context.Context, id uuid.UUID, ifMatch []string) error {
	err := s.store.Tx(ctx, func(tx *db.Client) error {
		release := func() error {
			return tx.Draft.Update().Where(draft.ContentProfileID(id)).ClearContentProfileID().
				SetVersionID(s.NewID()).SetUpdated(s.Now()).SetUpdatedBy(store.ViewerOf(ctx).User).Exec(ctx)
		}
		// A change of a draft locks the draft, then the profile that it names:
		// so do we. The second run is for drafts that took the profile meanwhile.
		if err := release(); err != nil {
			return err
		}
		if _, err := s.lock(ctx, tx, id, ifMatch); err != nil {
			return err
		}
		if err := tx.ContentProfile.DeleteOneID(id).Exec(ctx); err != nil {
			return err
		}
		return release()
	})
	return store.Fault(ctx, err, noun)
}

// lock reads a profile that nobody else can change before the transaction
// ends: on SQLite no other transaction runs.
func (s *Service) lock(ctx context.Context, tx *db.Client, id uuid.UUID, ifMatch []string) (*db.ContentProfile, error) {
	q := tx.ContentProfile.Query().Where(contentprofile.ID(id))
	if s.store.Postgres() {
		q.ForUpdate()
	}
	p, err := q.Only(ctx)
	if err == nil && ifMatch != nil && !slices.Contains(ifMatch, p.VersionID.String()) {
		err = fault.New(fault.Precondition, "the content profile has changed: its versionId is now %s", p.VersionID)
	}
	return p, err
}

// stamp records a change.
func (s *Service) stamp(ctx context.Context, m *db.ContentProfileMutation) {
	m.SetVersionID(s.NewID())
	m.SetUpdated(s.Now())
	m.SetUpdatedBy(store.ViewerOf(ctx).User)
}

// taken translates a storage error of a write; the name is all that can conflict.
func taken(ctx context.Context, err error) error {
	if db.IsConstraintError(err) {
		f := fault.New(fault.Conflict, "name: must be unique in the account").Because(err)
		f.Fields = []fault.Field{{Field: "name", Message: "must be unique in the account"}}
		return f
	}
	return store.Fault(ctx, err, noun)
}
