package input

import (
	"fmt"

	"github.com/contentgraph/contentgraph/internal/fault"
)

// The bounds of an offset list.
const (
	DefaultLimit = 20
	MaxLimit     = 100
)

// Page is the part of an offset list that is asked for.
type Page struct{ Limit, Offset int }

// PageOf is the page of a request; nil stands for the default.
func PageOf(limit, offset *int) (Page, error) {
	p := Page{Limit: DefaultLimit}
	var bad []fault.Field
	if limit != nil {
		if p.Limit = *limit; p.Limit < 1 || p.Limit > MaxLimit {
			bad = append(bad, fault.Field{Field: "limit", Message: fmt.Sprintf("must be from 1 to %d", MaxLimit)})
		}
	}
	if offset != nil {
		if p.Offset = *offset; p.Offset < 0 {
			bad = append(bad, fault.Field{Field: "offset", Message: "must be at least 0"})
		}
	}
	if bad != nil {
		return Page{}, fault.WithFields(bad)
	}
	return p, nil
}

// Ends reports whether n items read for the page show where the list ends: its
// total is then Offset + n, without counting.
func (p Page) Ends(n int) bool { return n < p.Limit && (n > 0 || p.Offset == 0) }
