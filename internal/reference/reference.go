// Package reference keeps what drafts and queries refer to by number: the rank
// sources that all accounts share, and the web properties of each account. It
// knows no transport, and not who may add to them.
package reference

import (
	"math"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/store"
)

// Service is what can be done with reference data.
type Service struct {
	RankSources   *RankSources
	WebProperties *WebProperties
}

// New makes the service.
func New(s *store.Store) *Service {
	return &Service{
		RankSources:   &RankSources{store: s},
		WebProperties: &WebProperties{NewID: uuid.New, store: s},
	}
}

const (
	maxText = 200
	maxID   = math.MaxInt32 // of a GraphQL Int
)

// next is the first number above all that a column holds.
func next(column string) db.AggregateFunc {
	return func(s *sql.Selector) string { return "coalesce(max(" + s.C(column) + "), 0) + 1" }
}

// again repeats a creation while others take the number that it chose.
func again(create func() error) (err error) {
	for range 10 {
		if err = create(); !db.IsConstraintError(err) {
			break
		}
	}
	return err
}

func takenID() error {
	f := fault.New(fault.Conflict, "id: is taken")
	f.Fields = []fault.Field{{Field: "id", Message: "is taken"}}
	return f
}
