// Package draft keeps drafts, pieces of content in the making, and every save
// of their content. It knows no transport; the viewer is in the context.
package draft

import (
	"context"
	"slices"
	"strings"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/draft"
	"github.com/contentgraph/contentgraph/ent/db/draftversion"
	"github.com/contentgraph/contentgraph/ent/db/guidance"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/input"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

const noun = "draft"

// Service is what can be done with the drafts of the viewer's account.
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

// Filter narrows a list. No statuses stand for all.
type Filter struct{ Statuses []string }

// List is a page of the drafts that pass the filter, newest change first, and
// their whole number. Fault: Invalid for an unknown status.
func (s *Service) List(ctx context.Context, f Filter, page input.Page) ([]*db.Draft, int, error) {
	q := s.store.Draft.Query()
	for _, status := range f.Statuses {
		if !slices.Contains(vocab.DraftStatuses, status) {
			return nil, 0, fault.BadField("status", "must be one of %s", strings.Join(vocab.DraftStatuses, ", "))
		}
	}
	if len(f.Statuses) > 0 {
		q.Where(draft.StatusIn(f.Statuses...))
	}
	items, err := q.Clone().Order(draft.ByUpdated(sql.OrderDesc()), draft.ByID()).
		Limit(page.Limit).Offset(page.Offset).All(ctx)
	total := page.Offset + len(items)
	if err == nil && !page.Ends(len(items)) {
		total, err = q.Count(ctx)
	}
	return items, total, store.Fault(ctx, err, noun)
}

// Get is one draft, or a NotFound fault.
func (s *Service) Get(ctx context.Context, id uuid.UUID) (*db.Draft, error) {
	d, err := s.store.Draft.Get(ctx, id)
	return d, store.Fault(ctx, err, noun)
}

// ByIDs are the drafts of the ids that there are.
func (s *Service) ByIDs(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]*db.Draft, error) {
	items, err := s.store.Draft.Query().Where(draft.IDIn(ids...)).All(ctx)
	byID := make(map[uuid.UUID]*db.Draft, len(items))
	for _, d := range items {
		byID[d.ID] = d
	}
	return byID, store.Fault(ctx, err, noun)
}

// Create makes a draft of a request object. Fault: Invalid, also for what
// names nothing of the account.
func (s *Service) Create(ctx context.Context, in map[string]any) (d *db.Draft, err error) {
	err = s.store.Tx(ctx, func(tx *db.Client) error {
		c := tx.Draft.Create()
		m := c.Mutation()
		if err := s.read(ctx, tx, in, m, true); err != nil {
			return err
		}
		s.stamp(ctx, m)
		updated, _ := m.Updated()
		d, err = c.SetID(s.NewID()).SetCreated(updated).SetCreatedBy(store.ViewerOf(ctx).User).Save(ctx)
		return err
	})
	return d, store.Fault(ctx, err, noun)
}

// Replace gives every field the value of the request; an absent one is null.
// With ifMatch, Precondition unless it holds the draft's versionId.
func (s *Service) Replace(ctx context.Context, id uuid.UUID, in map[string]any, ifMatch []string) (*db.Draft, error) {
	return s.change(ctx, id, in, ifMatch, true)
}

// Update changes the fields that the request holds; null clears. With ifMatch,
// Precondition unless it holds the draft's versionId.
func (s *Service) Update(ctx context.Context, id uuid.UUID, in map[string]any, ifMatch []string) (*db.Draft, error) {
	return s.change(ctx, id, in, ifMatch, false)
}

func (s *Service) change(ctx context.Context, id uuid.UUID, in map[string]any, ifMatch []string, whole bool) (d *db.Draft, err error) {
	err = s.store.Tx(ctx, func(tx *db.Client) error {
		old, err := s.lock(ctx, tx, id, ifMatch)
		if err != nil {
			return err
		}
		u := tx.Draft.UpdateOne(old)
		m := u.Mutation()
		if err := s.read(ctx, tx, in, m, whole); err != nil {
			return err
		}
		if len(m.Fields())+len(m.ClearedFields()) == 0 {
			d = old
			return nil
		}
		s.stamp(ctx, m)
		d, err = u.Save(ctx)
		return err
	})
	return d, store.Fault(ctx, err, noun)
}

// Delete removes a draft with all its content and insights. With ifMatch, Precondition
// unless it holds the draft's versionId.
func (s *Service) Delete(ctx context.Context, id uuid.UUID, ifMatch []string) error {
	err := s.store.Tx(ctx, func(tx *db.Client) error {
		// The lock keeps a save from adding a version that would stay behind.
		if _, err := s.lock(ctx, tx, id, ifMatch); err != nil {
			return err
		}
		if _, err := tx.DraftVersion.Delete().Where(draftversion.DraftID(id)).Exec(ctx); err != nil {
			return err
		}
		if _, err := tx.Guidance.Delete().Where(guidance.DraftID(id)).Exec(ctx); err != nil {
			return err
		}
		return tx.Draft.DeleteOneID(id).Exec(ctx)
	})
	return store.Fault(ctx, err, noun)
}

// lock reads a draft that nobody else can change before the transaction ends:
// on SQLite no other transaction runs.
func (s *Service) lock(ctx context.Context, tx *db.Client, id uuid.UUID, ifMatch []string) (*db.Draft, error) {
	q := tx.Draft.Query().Where(draft.ID(id))
	if s.store.Postgres() {
		q.ForUpdate()
	}
	d, err := q.Only(ctx)
	if err == nil && ifMatch != nil && !slices.Contains(ifMatch, d.VersionID.String()) {
		err = fault.New(fault.Precondition, "the draft has changed: its versionId is now %s", d.VersionID)
	}
	return d, err
}

// stamp records a change.
func (s *Service) stamp(ctx context.Context, m *db.DraftMutation) {
	m.SetVersionID(s.NewID())
	m.SetUpdated(s.Now())
	m.SetUpdatedBy(store.ViewerOf(ctx).User)
}
