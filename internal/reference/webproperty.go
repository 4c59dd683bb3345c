package reference

import (
	"context"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/webproperty"
	"github.com/contentgraph/contentgraph/internal/input"
	"github.com/contentgraph/contentgraph/internal/store"
)

// WebProperties are the sites of the viewer's account. Clients call a
// property's number its id.
type WebProperties struct {
	NewID func() uuid.UUID

	store *store.Store
}

// List is a page of the properties by number, and their whole number.
func (s *WebProperties) List(ctx context.Context, page input.Page) ([]*db.WebProperty, int, error) {
	q := s.store.WebProperty.Query()
	items, err := q.Clone().Order(webproperty.ByNumber()).Limit(page.Limit).Offset(page.Offset).All(ctx)
	total := page.Offset + len(items)
	if err == nil && !page.Ends(len(items)) {
		total, err = q.Count(ctx)
	}
	return items, total, store.Fault(ctx, err, "web property")
}

// ByNumbers are the properties of the numbers that there are.
func (s *WebProperties) ByNumbers(ctx context.Context, numbers []int) (map[int]*db.WebProperty, error) {
	items, err := s.store.WebProperty.Query().Where(webproperty.NumberIn(numbers...)).All(ctx)
	byNumber := make(map[int]*db.WebProperty, len(items))
	for _, w := range items {
		byNumber[w.Number] = w
	}
	return byNumber, store.Fault(ctx, err, "web property")
}

// Create makes a web property of a request object, with the account's next
// free number when the request has none. Faults: Invalid; Conflict when the
// account has a property of that number.
func (s *WebProperties) Create(ctx context.Context, in map[string]any) (w *db.WebProperty, err error) {
	o := input.Of(in)
	id, name, url := o.IntBetween("id", 1, maxID), o.Required("name", maxText), o.URL("url")
	if err := o.Err(); err != nil {
		return nil, err
	}
	create := func() error {
		return s.store.Tx(ctx, func(tx *db.Client) (err error) {
			n := id
			if n == nil {
				free, err := tx.WebProperty.Query().Aggregate(next(webproperty.FieldNumber)).Int(ctx)
				if err != nil {
					return err
				}
				n = &free
			}
			w, err = tx.WebProperty.Create().SetID(s.NewID()).SetNumber(*n).SetName(name).SetNillableURL(url).Save(ctx)
			return err
		})
	}
	if id == nil {
		err = again(create)
	} else if err = create(); db.IsConstraintError(err) {
		err = takenID()
	}
	return w, store.Fault(ctx, err, "web property")
}
