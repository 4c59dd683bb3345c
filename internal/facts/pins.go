package facts

import (
	"context"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/factslice"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// Pins are the slices of the viewer's account that are current now, of one
// frequency, with periods inside start..end (yyyy-MM-dd) and, when any are
// given, of these web properties; in the order in which their rows are answered.
// It also counts their rows. c may be a transaction.
func Pins(ctx context.Context, c *db.Client, d *vocab.Dataset, frequency, start, end string, webProperties []int) ([]vocab.Pin, int, error) {
	q := c.FactSlice.Query().Where(
		factslice.Dataset(d.Name),
		factslice.Frequency(frequency),
		factslice.PeriodStartGTE(start),
		factslice.PeriodEndLTE(end),
		factslice.RetiredIsNil(),
	)
	if len(webProperties) > 0 {
		q.Where(factslice.WebPropertyIDIn(webProperties...))
	}
	current, err := q.Order(factslice.ByPeriodStart(), factslice.ByImportNo(), factslice.BySlice()).All(ctx)
	if err != nil {
		return nil, 0, err
	}
	pins, rows := []vocab.Pin{}, 0
	for _, s := range current {
		rows += s.Rows
		if n := len(pins); n == 0 || pins[n-1].Start != s.PeriodStart || pins[n-1].Import != s.ImportNo {
			pins = append(pins, vocab.Pin{Start: s.PeriodStart, Import: s.ImportNo})
		}
		last := &pins[len(pins)-1]
		last.Slices = append(last.Slices, s.Slice)
		last.Rows += s.Rows
	}
	return pins, rows, nil
}
