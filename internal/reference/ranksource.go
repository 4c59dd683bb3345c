package reference

import (
	"context"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/ranksource"
	"github.com/contentgraph/contentgraph/internal/input"
	"github.com/contentgraph/contentgraph/internal/store"
)

// RankSources are search engines in a country and language, shared by all accounts.
type RankSources struct{ store *store.Store }

// List is a page of the rank sources by id, and their whole number.
func (s *RankSources) List(ctx context.Context, page input.Page) ([]*db.RankSource, int, error) {
	q := s.store.RankSource.Query()
	items, err := q.Clone().Order(ranksource.ByID()).Limit(page.Limit).Offset(page.Offset).All(ctx)
	total := page.Offset + len(items)
	if err == nil && !page.Ends(len(items)) {
		total, err = q.Count(ctx)
	}
	return items, total, store.Fault(ctx, err, "rank source")
}

// Get is one rank source, or a NotFound fault.
func (s *RankSources) Get(ctx context.Context, id int) (*db.RankSource, error) {
	r, err := s.store.RankSource.Get(ctx, id)
	return r, store.Fault(ctx, err, "rank source")
}

// ByIDs are the rank sources of the ids that there are.
func (s *RankSources) ByIDs(ctx context.Context, ids []int) (map[int]*db.RankSource, error) {
	items, err := s.store.RankSource.Query().Where(ranksource.IDIn(ids...)).All(ctx)
	byID := make(map[int]*db.RankSource, len(items))
	for _, r := range items {
		byID[r.ID] = r
	}
	return byID, store.Fault(ctx, err, "rank source")
}

// Create makes a rank source of a request object, or answers the one of that
// name as it is. Faults: Invalid; Conflict when the id is another's, or the
// name has another id.
func (s *RankSources) Create(ctx context.Context, in map[string]any) (r *db.RankSource, err error) {
	o := input.Of(in)
	id, name := o.IntBetween("id", 1, maxID), o.Required("name", maxText)
	engine, country, language := o.Text("engine", maxText), o.Text("country", maxText), o.Text("language", maxText)
	if err := o.Err(); err != nil {
		return nil, err
	}
	err = again(func() error {
		return s.store.Tx(ctx, func(tx *db.Client) (err error) {
			r, err = tx.RankSource.Query().Where(ranksource.Name(name)).Only(ctx)
			switch {
			case err == nil && id != nil && r.ID != *id:
				return takenID()
			case !db.IsNotFound(err):
				return err
			}
			n, err := s.number(ctx, tx, id)
			if err != nil {
				return err
			}
			r, err = tx.RankSource.Create().SetID(n).SetName(name).
				SetNillableEngine(engine).SetNillableCountry(country).SetNillableLanguage(language).Save(ctx)
			return err
		})
	})
	return r, store.Fault(ctx, err, "rank source")
}

// number is the id asked for, which must be free, or the next free one.
func (s *RankSources) number(ctx context.Context, tx *db.Client, id *int) (int, error) {
	if id == nil {
		return tx.RankSource.Query().Aggregate(next(ranksource.FieldID)).Int(ctx)
	}
	if taken, err := tx.RankSource.Query().Where(ranksource.ID(*id)).Exist(ctx); err != nil {
		return 0, err
	} else if taken {
		return 0, takenID()
	}
	return *id, nil
}
