package facts

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

func TestScanConditions(t *testing.T) {
	both(t, func(t *testing.T, s *store.Store) {
		text := "account_id,time_period_start,time_period_end,query,device,locode,keyword_group_names,rank_standard,rank_true\n"
		for i, row := range []string{
			"a,DESKTOP,US-NYC,\"Shoes,Red Boots\",1,2",
			"b,desktop,us nyc,Boots,,5",
			"c,Tablet,DE,,7,",
			"d,,,shoes,,",
		} {
			text += []string{"7,2026-01-11,2026-01-17,", "7,2026-01-18,2026-01-24,"}[i/3] + row + "\n"
		}
		text += "8,2026-01-11,2026-01-17,x,DESKTOP,US-NYC,Shoes,1,1\n"
		mustImport(t, s, vocab.KeywordRankings, file(t, "a.csv", text), Options{})
		p, _ := pins(t, s, vocab.KeywordRankings, 7, vocab.Weekly)
		device := func(v ...string) Test { return Test{Column: "device", Match: vocab.Fold, Texts: v} }
		for _, c := range []struct {
			name  string
			where []Condition
			limit int
			want  string
		}{
			{"none", nil, 0, "a b c d"},
			{"limit", nil, 3, "a b c"},
			{"limit within a pin", nil, 1, "a"},
			{"limit over all", nil, 9, "a b c d"},
			{"folded, from twin and column", []Condition{{device("desktop")}}, 0, "a b"},
			{"one of several", []Condition{{device("tablet", "desktop")}}, 0, "a b c"},
			{"exact", []Condition{{Test{Column: "device", Texts: []string{"DESKTOP"}}}}, 0, "a"},
			{"place", []Condition{{Test{Column: "locode", Match: vocab.Place, Texts: []string{"US-NYC"}}}}, 0, "a b"},
			{"member", []Condition{{Test{Column: "keyword_group_names", Match: vocab.Members, Texts: []string{Member("shoes")}}}}, 0, "a d"},
			{"no part of a member", []Condition{{Test{Column: "keyword_group_names", Match: vocab.Members, Texts: []string{Member("shoe"), Member("red")}}}}, 0, ""},
			{"one of several members", []Condition{{Test{Column: "keyword_group_names", Match: vocab.Members, Texts: []string{Member("Boots"), Member("shoes")}}}}, 0, "a b d"},
			{"integers", []Condition{{Test{Column: "rank_true", Ints: []int{5, 2}}}}, 0, "a b"},
			{"minimum", []Condition{{Test{Column: vocab.EffectiveRank, Min: new(5)}}}, 0, "b c d"},
			{"maximum", []Condition{{Test{Column: vocab.EffectiveRank, Max: new(5)}}}, 0, "a b"},
			{"both bounds", []Condition{{Test{Column: vocab.EffectiveRank, Min: new(5), Max: new(7)}}}, 0, "b c"},
			{"all of a test", []Condition{{Test{Column: "rank_true", Ints: []int{5, 2}, Max: new(4)}}}, 0, "a"},
			{"no value", []Condition{{Test{Column: "device"}}}, 0, ""},
			{"no test", []Condition{{}}, 0, ""},
			{"alternatives", []Condition{{device("tablet"), Test{Column: "query", Texts: []string{"d"}}}}, 0, "c d"},
			{"all conditions", []Condition{{device("desktop")}, {Test{Column: vocab.EffectiveRank, Min: new(2)}}}, 0, "b"},
			{"hostile values", []Condition{{device("'; drop table accounts; --", "\"\\{}", "tablet")}}, 0, "c"},
			{"many values", []Condition{{device(append(strings.Split(strings.Repeat("x ", 70_000), " "), "tablet")...)}}, 0, "c"},
			{"limit of what passes", []Condition{{device("desktop", "tablet")}}, 2, "a b"},
		} {
			got := scan(t, s, Query{Account: 7, Dataset: vocab.KeywordRankings, Pins: p, Where: c.where, Limit: c.limit}, "query")
			if q := strings.ReplaceAll(joined(got), "\n", " "); q != c.want {
				t.Errorf("%s: %q, want %q", c.name, q, c.want)
			}
		}
		// Pins of one account read nothing of another.
		if got := scan(t, s, Query{Account: 9, Dataset: vocab.KeywordRankings, Pins: p}, "query"); len(got) != 0 {
			t.Errorf("account 9 reads %q", got)
		}
		if got := scan(t, s, Query{Account: 7, Dataset: vocab.KeywordRankings, Pins: []vocab.Pin{{Start: "2026-01-11", Import: 1}}}, "query"); len(got) != 0 {
			t.Errorf("a pin without slices reads %q", got)
		}
	})
}

func TestScanValues(t *testing.T) {
	both(t, func(t *testing.T, s *store.Store) {
		title := "quote \" back\\slash </script>&amp; é \u2028\u2029 👟 "
		for c := rune(1); c < 0x20; c++ {
			title += string(c)
		}
		title += "\u007f\u0080\uFFFD"
		src := func(yield func([]string, error) bool) {
			yield([]string{"7", "3", "2026-01-11", "2026-01-17", title, "1.50", "12", " a , b ", "201"}, nil)
		}
		columns := []string{"account_id", "web_property_id", "time_period_start", "time_period_end", "title", "cpc", "rank_true", "keyword_group_names", "average_search_volume"}
		if _, err := NewImporter(s).Rows(context.Background(), vocab.KeywordRankings, "demo", "1", columns, src, Options{}); err != nil {
			t.Fatal(err)
		}
		got := weekly(t, s, vocab.KeywordRankings, 7)[0]
		want := map[string]string{
			"account_id": "7", "web_property_id": "3", "time_period_start": "2026-01-11", "time_period_end": "2026-01-17",
			"title": title, "cpc": "1.5", "rank_true": "12", "keyword_group_names": "a,b", "average_search_volume": "201",
			vocab.Frequency: "WEEKLY",
		}
		for i, c := range vocab.KeywordRankings.Stored() {
			if got[i] != want[c.Name] {
				t.Errorf("%s is %q, want %q", c.Name, got[i], want[c.Name])
			}
		}
	})
}

// A value that holds the very character which separates values stands in the
// way of no row, not even when it comes late, and is counted as any other.
func TestScanSeparator(t *testing.T) {
	both(t, func(t *testing.T, s *store.Store) {
		const n, odd = 3000, 1234
		src := func(yield func([]string, error) bool) {
			for i := range n {
				query := fmt.Sprint("q", i)
				if i >= odd && i%2 == 0 {
					query += "\x1f\x1f"
				}
				if !yield([]string{"7", "2026-01-11", "2026-01-17", query}, nil) {
					return
				}
			}
		}
		columns := []string{"account_id", "time_period_start", "time_period_end", "query"}
		if _, err := NewImporter(s).Rows(context.Background(), vocab.KeywordRankings, "demo", "1", columns, src, Options{}); err != nil {
			t.Fatal(err)
		}
		p, _ := pins(t, s, vocab.KeywordRankings, 7, vocab.Weekly)
		query, _ := vocab.KeywordRankings.Column("query")
		account, _ := vocab.KeywordRankings.Column("account_id")
		for _, columns := range [][]vocab.Column{{query}, {account, query, account}} {
			for _, limit := range []int{0, odd, odd + 1, odd + 2, n} {
				var rows, scanned int
				q := Query{Account: 7, Dataset: vocab.KeywordRankings, Columns: columns, Pins: p, Limit: limit,
					Scanned: func(n int) error { scanned += n; return nil }}
				err := Scan(context.Background(), s, q, func(row []byte) error {
					var values []string
					err := json.Unmarshal(row, &values)
					want := fmt.Sprint("q", rows)
					if rows >= odd && rows%2 == 0 {
						want += "\x1f\x1f"
					}
					if len(values) != len(columns) || values[len(values)/2] != want {
						return fmt.Errorf("row %d is %q", rows, values)
					}
					rows++
					return err
				})
				if want := cmp.Or(limit, n); err != nil || rows != want || scanned != want {
					t.Errorf("limit %d: %d rows, %d scanned, %v", limit, rows, scanned, err)
				}
			}
		}
	})
}

// More rows than one statement reads, over slices, pins and imports.
func TestScanOverRanges(t *testing.T) {
	both(t, func(t *testing.T, s *store.Store) {
		const n = 2*rangeRows + 7
		src := func(yield func([]string, error) bool) {
			for i := range n {
				week := []string{"2026-01-11", "2026-01-17"}
				if i%1000 == 999 {
					week = []string{"2026-01-18", "2026-01-24"}
				}
				if !yield([]string{"7", fmt.Sprint(i%3 + 1), week[0], week[1], fmt.Sprint(i)}, nil) {
					return
				}
			}
		}
		columns := []string{"account_id", "web_property_id", "time_period_start", "time_period_end", "query"}
		if _, err := NewImporter(s).Rows(context.Background(), vocab.KeywordRankings, "demo", "1", columns, src, Options{}); err != nil {
			t.Fatal(err)
		}
		rows := weekly(t, s, vocab.KeywordRankings, 7, "time_period_start", "query")
		if len(rows) != n {
			t.Fatalf("%d rows", len(rows))
		}
		var want [][]string
		for _, late := range []bool{false, true} {
			for i := range n {
				if (i%1000 == 999) == late {
					want = append(want, []string{map[bool]string{false: "2026-01-11", true: "2026-01-18"}[late], fmt.Sprint(i)})
				}
			}
		}
		if joined(rows) != joined(want) {
			t.Error("the order is wrong")
		}
		p, _ := pins(t, s, vocab.KeywordRankings, 7, vocab.Weekly)
		q := Query{Account: 7, Dataset: vocab.KeywordRankings, Columns: vocab.KeywordRankings.Columns[:2], Pins: p}
		for _, limit := range []int{rangeRows, rangeRows + 1, n - 1} {
			q.Limit = limit
			got := 0
			if err := Scan(context.Background(), s, q, func([]byte) error { got++; return nil }); err != nil || got != limit {
				t.Errorf("limit %d: %d rows, %v", limit, got, err)
			}
		}
		q.Limit = 0
		for name, c := range map[string]struct {
			where     []Condition
			limit     int
			told, all int
		}{
			"everything":    {nil, 0, 3, n},
			"hardly any":    {[]Condition{{Test{Column: "query", Texts: []string{"5"}}}}, 0, 2, n},
			"nothing":       {[]Condition{{}}, 0, 2, n},
			"up to a limit": {nil, rangeRows + 1, 2, rangeRows + 1},
		} {
			q := q
			q.Where, q.Limit = c.where, c.limit
			told, all := 0, 0
			q.Scanned = func(rows int) error { told++; all += rows; return nil }
			if err := Scan(context.Background(), s, q, func([]byte) error { return nil }); err != nil || told != c.told || all != c.all {
				t.Errorf("%s: told %d times of %d rows, %v; want %d of %d", name, told, all, err, c.told, c.all)
			}
		}
		stop := errors.New("stop")
		if err := Scan(context.Background(), s, q, func([]byte) error { return stop }); !errors.Is(err, stop) {
			t.Errorf("the error of fn: %v", err)
		}
		q.Scanned = func(int) error { return stop }
		if err := Scan(context.Background(), s, q, func([]byte) error { return nil }); !errors.Is(err, stop) {
			t.Errorf("the error of Scanned: %v", err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		err := Scan(ctx, s, q, func([]byte) error { cancel(); return nil })
		if err == nil {
			t.Error("a cancelled scan succeeds")
		}
	})
}
