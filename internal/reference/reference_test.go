package reference

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/input"
	"github.com/contentgraph/contentgraph/internal/pgtest"
	"github.com/contentgraph/contentgraph/internal/store"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

type object = map[string]any

var all = input.Page{Limit: 100}

func onBoth(t *testing.T, test func(t *testing.T, s *Service, ours, theirs context.Context)) {
	t.Parallel()
	pgtest.Both(t, func(t *testing.T, url string) {
		s, err := store.Open(t.Context(), url, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		test(t, New(s), store.As(t.Context(), 101, 7), store.As(t.Context(), 102, 8))
	})
}

// wantFault demands a fault of the kind that names exactly these fields.
func wantFault(t *testing.T, err error, kind fault.Kind, fields ...string) {
	t.Helper()
	if !fault.Is(err, kind) {
		t.Fatalf("want a fault of status %d, got %v", kind.Status(), err)
	}
	var got []string
	for _, f := range fault.Of(err).Fields {
		got = append(got, f.Field)
	}
	slices.Sort(got)
	slices.Sort(fields)
	if !slices.Equal(got, fields) {
		t.Errorf("bad fields %v, want %v: %v", got, fields, err)
	}
}

func TestRankSources(t *testing.T) {
	long := strings.Repeat("n", 201)
	onBoth(t, func(t *testing.T, s *Service, _, _ context.Context) {
		r, ctx := s.RankSources, t.Context() // of nobody: rank sources have no owner
		for _, c := range []struct {
			in   object
			want string // id name engine country language, or
			kind fault.Kind
			bad  []string
		}{
			{in: object{"name": " BING_EN_US ", "engine": "bing", "country": "US", "language": "en"}, want: "1 BING_EN_US bing US en"},
			{in: object{"name": "GOOGLE_EN_US", "id": 40}, want: "40 GOOGLE_EN_US   "},
			{in: object{"name": "GOOGLE_DE_DE", "engine": nil}, want: "41 GOOGLE_DE_DE   "},
			{in: object{"name": "GOOGLE_FR_FR", "id": 2}, want: "2 GOOGLE_FR_FR   "},
			{in: object{"name": "BING_EN_US", "engine": "other"}, want: "1 BING_EN_US bing US en"},
			{in: object{"name": "BING_EN_US", "id": 1}, want: "1 BING_EN_US bing US en"},
			{in: object{"name": "BING_EN_US", "id": 3}, kind: fault.Conflict, bad: []string{"id"}},
			{in: object{"name": "NEW", "id": 40}, kind: fault.Conflict, bad: []string{"id"}},
			{in: object{}, kind: fault.Invalid, bad: []string{"name"}},
			{in: object{"name": " ", "id": 0, "engine": 5}, kind: fault.Invalid, bad: []string{"name", "id", "engine"}},
			{in: object{"name": long, "id": 1 << 31, "engine": long, "country": long, "language": long}, kind: fault.Invalid,
				bad: []string{"name", "id", "engine", "country", "language"}},
		} {
			got, err := r.Create(ctx, c.in)
			if c.bad != nil {
				wantFault(t, err, c.kind, c.bad...)
				continue
			}
			if err != nil {
				t.Fatal(c.in, err)
			}
			got, err = r.Get(ctx, got.ID)
			if text := fmt.Sprint(got.ID, " ", got.Name, " ", got.Engine, " ", got.Country, " ", got.Language); err != nil || text != c.want {
				t.Errorf("%v: %q, want %q (%v)", c.in, text, c.want, err)
			}
		}
		_, err := r.Get(ctx, 3)
		wantFault(t, err, fault.NotFound)
		for _, c := range []struct {
			page input.Page
			want []int
		}{
			{all, []int{1, 2, 40, 41}}, {input.Page{Limit: 2, Offset: 1}, []int{2, 40}}, {input.Page{Limit: 2, Offset: 4}, nil},
		} {
			items, total, err := r.List(ctx, c.page)
			var got []int
			for _, item := range items {
				got = append(got, item.ID)
			}
			if err != nil || total != 4 || !slices.Equal(got, c.want) {
				t.Errorf("%+v: %v of %d (%v)", c.page, got, total, err)
			}
		}
		byID, err := r.ByIDs(ctx, []int{40, 3, 1, 40})
		if err != nil || len(byID) != 2 || byID[40].Name != "GOOGLE_EN_US" || byID[1].ID != 1 {
			t.Error(byID, err)
		}
	})
}

func TestWebProperties(t *testing.T) {
	long := strings.Repeat("n", 201)
	onBoth(t, func(t *testing.T, s *Service, ours, theirs context.Context) {
		w := s.WebProperties
		for _, c := range []struct {
			ctx  context.Context
			in   object
			want string // number name url, or
			kind fault.Kind
			bad  []string
		}{
			{ctx: ours, in: object{"name": " Shop ", "url": " https://shop.example "}, want: "1 Shop https://shop.example"},
			{ctx: ours, in: object{"name": "Shop", "id": 11, "url": nil}, want: "11 Shop "},
			{ctx: ours, in: object{"name": "Blog"}, want: "12 Blog "},
			{ctx: theirs, in: object{"name": "Blog"}, want: "1 Blog "},
			{ctx: theirs, in: object{"name": "Theirs", "id": 11}, want: "11 Theirs "},
			{ctx: ours, in: object{"name": "Again", "id": 11}, kind: fault.Conflict, bad: []string{"id"}},
			{ctx: ours, in: object{}, kind: fault.Invalid, bad: []string{"name"}},
			{ctx: ours, in: object{"name": "", "id": "11", "url": "shop.example"}, kind: fault.Invalid, bad: []string{"name", "id", "url"}},
			{ctx: ours, in: object{"name": long, "id": -1, "url": 5}, kind: fault.Invalid, bad: []string{"name", "id", "url"}},
		} {
			got, err := w.Create(c.ctx, c.in)
			if c.bad != nil {
				wantFault(t, err, c.kind, c.bad...)
				continue
			}
			if err != nil {
				t.Fatal(c.in, err)
			}
			byNumber, err := w.ByNumbers(c.ctx, []int{got.Number, 99})
			if got = byNumber[got.Number]; err != nil || len(byNumber) != 1 || fmt.Sprint(got.Number, " ", got.Name, " ", got.URL) != c.want {
				t.Errorf("%v: %v, want %q (%v)", c.in, byNumber, c.want, err)
			}
		}
		for _, c := range []struct {
			ctx   context.Context
			page  input.Page
			want  []int
			total int
		}{
			{ours, all, []int{1, 11, 12}, 3}, {ours, input.Page{Limit: 1, Offset: 1}, []int{11}, 3}, {theirs, all, []int{1, 11}, 2},
			{store.As(t.Context(), 103, 9), all, nil, 0},
		} {
			items, total, err := w.List(c.ctx, c.page)
			var got []int
			for _, item := range items {
				got = append(got, item.Number)
			}
			if err != nil || total != c.total || !slices.Equal(got, c.want) {
				t.Errorf("%+v: %v of %d (%v)", c.page, got, total, err)
			}
		}
		if byNumber, err := w.ByNumbers(theirs, []int{12, 11}); err != nil || len(byNumber) != 1 || byNumber[11].Name != "Theirs" {
			t.Error("another account's property:", byNumber, err)
		}
		_, err := w.Create(t.Context(), object{"name": "x"})
		if _, _, listing := w.List(t.Context(), all); !errors.Is(err, store.ErrNoViewer) || !errors.Is(listing, store.ErrNoViewer) {
			t.Error("for nobody:", err, listing)
		}
	})
}

// TestNumbersMeet lets creations without a number meet: each gets one of its
// own, and a name that several create is created once.
func TestNumbersMeet(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Service, ours, _ context.Context) {
		var mu sync.Mutex
		sources, sites := map[int]string{}, map[int]bool{}
		var wait sync.WaitGroup
		for i := range 8 {
			wait.Go(func() {
				r, err := s.RankSources.Create(ours, object{"name": fmt.Sprint("source ", i%4)})
				w, failed := s.WebProperties.Create(ours, object{"name": "site"})
				if err != nil || failed != nil {
					t.Error(err, failed)
					return
				}
				mu.Lock()
				defer mu.Unlock()
				sources[r.ID], sites[w.Number] = r.Name, true
			})
		}
		wait.Wait()
		if names := slices.Sorted(maps.Values(sources)); !slices.Equal(names, []string{"source 0", "source 1", "source 2", "source 3"}) {
			t.Error(sources)
		}
		if len(sites) != 8 || !sites[1] || !sites[8] {
			t.Error(sites)
		}
	})
}
