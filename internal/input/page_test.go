package input

import (
	"testing"

	"github.com/contentgraph/contentgraph/internal/fault"
)

func TestPageOf(t *testing.T) {
	n := func(i int) *int { return &i }
	for _, c := range []struct {
		limit, offset *int
		want          Page
		bad           int // fields
	}{
		{nil, nil, Page{20, 0}, 0}, {n(1), n(0), Page{1, 0}, 0}, {n(100), n(1 << 40), Page{100, 1 << 40}, 0},
		{n(0), nil, Page{}, 1}, {n(101), n(5), Page{}, 1}, {nil, n(-1), Page{}, 1}, {n(-1), n(-1), Page{}, 2},
	} {
		got, err := PageOf(c.limit, c.offset)
		if got != c.want || (err != nil) != (c.bad > 0) || c.bad > 0 && (!fault.Is(err, fault.Invalid) || len(fault.Of(err).Fields) != c.bad) {
			t.Errorf("%+v %v, want %+v with %d bad fields", got, err, c.want, c.bad)
		}
	}
	_, err := PageOf(n(101), n(-1))
	if f := fault.Of(err).Fields; f[0].Field != "limit" || f[0].Message != "must be from 1 to 100" || f[1].Field != "offset" || f[1].Message != "must be at least 0" {
		t.Error(err)
	}
}

// TestEnds compares with the list itself: when the end shows, the total is known.
func TestEnds(t *testing.T) {
	for total := range 8 {
		for limit := 1; limit < 4; limit++ {
			for offset := range 10 {
				n := min(max(total-offset, 0), limit)
				if (Page{limit, offset}).Ends(n) && offset+n != total {
					t.Errorf("%d items at %d+%d do not show a total of %d", n, offset, limit, total)
				}
			}
		}
	}
	if !(Page{20, 0}).Ends(0) || !(Page{20, 20}).Ends(3) || (Page{20, 0}).Ends(20) || (Page{20, 20}).Ends(0) {
		t.Error("a list is counted without need, or not when needed")
	}
}
