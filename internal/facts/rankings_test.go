package facts

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

func TestRankings(t *testing.T) {
	both(t, func(t *testing.T, s *store.Store) {
		head := "account_id,time_period_start,time_period_end,search_engine_name,query,normalized_url,rank_standard,rank_true,average_search_volume,cpc,competition,msv_month\n"
		mustImport(t, s, vocab.KeywordRankings, file(t, "a.csv", head+strings.Join([]string{
			"7,2026-01-11,2026-01-17,G,Old shoes,https://old.example/,1,,,,,",
			"7,2026-01-18,2026-01-24,G,shoes,https://b.example/,2,,900,1.25,0.5,202601",
			"7,2026-01-18,2026-01-24,G,shoes,https://a.example/,1,1,,,,",
			"7,2026-01-18,2026-01-24,G,shoes,https://c.example/,,,,,,",
			"7,2026-01-18,2026-01-24,G,Red_Shoes,https://a.example/red,,3,,,,",
			"7,2026-01-18,2026-01-24,G,red boots,https://a.example/boots,4,,,,,",
			"7,2026-01-25,2026-01-31,H,shoes,https://h.example/,1,,,,,",
			"8,2026-01-25,2026-01-31,G,shoes,https://foreign.example/,1,,,,,", "",
		}, "\n")), Options{})
		ctx := store.As(context.Background(), 7, 1)
		newest := func(engine string) *Rankings {
			t.Helper()
			r, err := NewestRankings(ctx, s, engine)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		of := func(r *Rankings, query string) string {
			t.Helper()
			list, err := r.Of(ctx, query)
			if err != nil {
				t.Fatal(err)
			}
			var all []string
			for _, k := range list {
				all = append(all, fmt.Sprint(k.Rank, " ", k.URL))
			}
			return strings.Join(all, ", ")
		}
		queries := func(engine string) string {
			t.Helper()
			var list []string
			if err := newest(engine).EachQuery(ctx, func(q string) { list = append(list, q) }); err != nil {
				t.Fatal(err)
			}
			slices.Sort(list)
			return strings.Join(list, ", ")
		}
		g := newest("G")
		for _, c := range []struct{ name, got, want string }{
			{"newest of the engine", g.Period, "2026-01-18"},
			{"of another engine", newest("H").Period, "2026-01-25"},
			{"of none", newest("X").Period, ""},
			{"by rank", of(g, "shoes"), "1 https://a.example/, 2 https://b.example/, 101 https://c.example/"},
			{"older periods do not count", of(g, "Old shoes"), ""},
			{"nothing of none", of(newest("X"), "shoes"), ""},
			{"each query once", queries("G"), "Red_Shoes, red boots, shoes"},
			{"no query of none", queries("X"), ""},
		} {
			if c.got != c.want {
				t.Errorf("%s: %q, want %q", c.name, c.got, c.want)
			}
		}
		list, _ := g.Of(ctx, "shoes")
		if k := list[1]; *k.AverageVolume != 900 || *k.CPC != 1.25 || *k.Competition != 0.5 || *k.MSVMonth != 202601 || k.ApproximateVolume != nil {
			t.Errorf("volumes %+v", k)
		}
		// What a replacement retires is gone at once.
		mustImport(t, s, vocab.KeywordRankings, file(t, "b.csv", head+"7,2026-01-18,2026-01-24,G,shoes,https://new.example/,5,,,,,\n"), Options{Replace: true})
		if got := of(newest("G"), "shoes"); got != "5 https://new.example/" {
			t.Errorf("after a replacement: %q", got)
		}
	})
}
