package draft

import (
	"context"
	"slices"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/draftversion"
	"github.com/contentgraph/contentgraph/internal/input"
	"github.com/contentgraph/contentgraph/internal/store"
)

// The bounds of a draft's content, in characters.
const (
	maxContentTitle    = 1_000
	maxMetaDescription = 5_000
	maxBodyCopy        = 2 << 20
)

// Content is the persisted text of a draft. All but VersionID is nil before
// the first save.
type Content struct {
	Title           *string
	MetaDescription *string
	BodyCopy        *string
	// VersionID is the draft's own: a save may demand it.
	VersionID uuid.UUID
	// Number counts the saves from 1.
	Number  *int
	Saved   *time.Time
	SavedBy *int
}

// newest is the order of saves.
var newest = draftversion.ByNumber(sql.OrderDesc())

// withoutBody are the columns of a save in a list.
var withoutBody = slices.DeleteFunc(slices.Clone(draftversion.Columns), func(c string) bool {
	return c == draftversion.FieldBodyCopy
})

func contentOf(version uuid.UUID, v *db.DraftVersion) *Content {
	return &Content{
		Title: v.Title, MetaDescription: v.MetaDescription, BodyCopy: v.BodyCopy,
		VersionID: version, Number: &v.Number, Saved: &v.Created, SavedBy: &v.CreatedBy,
	}
}

// Content is the newest save of a draft's content, or a NotFound fault for the draft.
func (s *Service) Content(ctx context.Context, id uuid.UUID) (*Content, error) {
	// The draft first: were a save to come between the two, the content would
	// carry a versionId that is already over, never one that it does not have.
	d, err := s.store.Draft.Get(ctx, id)
	if err != nil {
		return nil, store.Fault(ctx, err, noun)
	}
	v, err := s.store.DraftVersion.Query().Where(draftversion.DraftID(id)).Order(newest).First(ctx)
	switch {
	case db.IsNotFound(err):
		return &Content{VersionID: d.VersionID}, nil
	case err != nil:
		return nil, store.Fault(ctx, err, noun)
	}
	return contentOf(d.VersionID, v), nil
}

// Contents is the newest save of the content of each of the drafts, which the
// caller has read, by the draft's id.
func (s *Service) Contents(ctx context.Context, drafts []*db.Draft) (map[uuid.UUID]*Content, error) {
	found := make(map[uuid.UUID]*Content, len(drafts))
	ids := make([]uuid.UUID, len(drafts))
	for i, d := range drafts {
		ids[i], found[d.ID] = d.ID, &Content{VersionID: d.VersionID}
	}
	saves, err := s.store.DraftVersion.Query().Where(draftversion.DraftIDIn(ids...), func(v *sql.Selector) {
		later := sql.Table(draftversion.Table).As("later")
		v.Where(sql.NotExists(sql.Dialect(v.Dialect()).Select(later.C(draftversion.FieldNumber)).From(later).Where(sql.And(
			sql.ColumnsEQ(later.C(draftversion.FieldAccountID), v.C(draftversion.FieldAccountID)),
			sql.ColumnsEQ(later.C(draftversion.FieldDraftID), v.C(draftversion.FieldDraftID)),
			sql.ColumnsGT(later.C(draftversion.FieldNumber), v.C(draftversion.FieldNumber))))))
	}).All(ctx)
	for _, v := range saves {
		found[v.DraftID] = contentOf(found[v.DraftID].VersionID, v)
	}
	return found, store.Fault(ctx, err, noun)
}

// SaveContent makes the request the draft's content, as a version of its own;
// an absent field is null. With ifMatch, Precondition unless it holds the
// draft's versionId.
func (s *Service) SaveContent(ctx context.Context, id uuid.UUID, in map[string]any, ifMatch []string) (c *Content, err error) {
	err = s.store.Tx(ctx, func(tx *db.Client) error {
		d, err := s.lock(ctx, tx, id, ifMatch)
		if err != nil {
			return err
		}
		o := input.Of(in)
		create := tx.DraftVersion.Create().
			SetNillableTitle(o.Text("title", maxContentTitle)).
			SetNillableMetaDescription(o.Text("metaDescription", maxMetaDescription)).
			SetNillableBodyCopy(o.Text("bodyCopy", maxBodyCopy))
		if err := o.Err(); err != nil {
			return err
		}
		u := tx.Draft.UpdateOne(d)
		s.stamp(ctx, u.Mutation())
		if d, err = u.Save(ctx); err != nil {
			return err
		}
		number := 1
		last, err := tx.DraftVersion.Query().Where(draftversion.DraftID(id)).Order(newest).
			Select(draftversion.FieldNumber).First(ctx)
		if err == nil {
			number = last.Number + 1
		} else if !db.IsNotFound(err) {
			return err
		}
		v, err := create.SetID(d.VersionID).SetDraftID(id).SetNumber(number).
			SetCreated(d.Updated).SetCreatedBy(d.UpdatedBy).Save(ctx)
		if err != nil {
			return err
		}
		c = contentOf(d.VersionID, v)
		return nil
	})
	return c, store.Fault(ctx, err, noun)
}

// Versions is a page of the saves of a draft's content, newest first, without
// bodies, and their whole number. Fault: NotFound for the draft.
func (s *Service) Versions(ctx context.Context, id uuid.UUID, page input.Page) ([]*db.DraftVersion, int, error) {
	if _, err := s.Get(ctx, id); err != nil {
		return nil, 0, err
	}
	q := s.store.DraftVersion.Query().Where(draftversion.DraftID(id))
	items, err := q.Clone().Order(newest).Limit(page.Limit).Offset(page.Offset).Select(withoutBody...).All(ctx)
	total := page.Offset + len(items)
	if err == nil && !page.Ends(len(items)) {
		total, err = q.Count(ctx)
	}
	return items, total, store.Fault(ctx, err, noun)
}

// Version is one save of a draft's content, whole, or a NotFound fault.
func (s *Service) Version(ctx context.Context, id, versionID uuid.UUID) (*db.DraftVersion, error) {
	v, err := s.store.DraftVersion.Query().
		Where(draftversion.DraftID(id), draftversion.ID(versionID)).Only(ctx)
	return v, store.Fault(ctx, err, "draft version")
}
