package dataquery

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

func drawSpelling(t *rapid.T, a alphabet, name string) string {
	return rapid.SampledFrom(rapid.SampledFrom(a).Draw(t, name)).Draw(t, name)
}

var periods = []fact{
	{"time_period_start": "2026-01-11", "time_period_end": "2026-01-17", "collection_frequency": vocab.Weekly},
	{"time_period_start": "2026-01-18", "time_period_end": "2026-01-24", "collection_frequency": vocab.Weekly},
	{"time_period_start": "2026-01-11", "time_period_end": "2026-01-11", "collection_frequency": vocab.Daily},
	{"time_period_start": "2026-01-13", "time_period_end": "2026-01-13", "collection_frequency": vocab.Daily},
}

// drawFact draws a fact of which every fourth value is missing.
func drawFact(t *rapid.T, query string, account int) fact {
	f := fact{"account_id": strconv.Itoa(account)}
	for k, v := range rapid.SampledFrom(periods).Draw(t, "period") {
		f[k] = v
	}
	for _, c := range must(Lookup(query)).Dataset.Columns {
		a, ok := columnAlphabets[c.Name]
		switch {
		case c.Name == "web_property_id":
			a = alphabet{{"201"}, {"202"}}
		case c.Name == "keyword_group_ids" || c.Name == "keyword_group_names":
			a = map[bool]alphabet{true: groupIDs, false: names}[c.Name == "keyword_group_ids"]
			var list []string
			for range rapid.IntRange(0, 3).Draw(t, c.Name) {
				list = append(list, strings.TrimSpace(drawSpelling(t, a, c.Name)))
			}
			if list != nil {
				f[c.Name] = strings.Join(list, ",")
			}
			continue
		case !ok:
			continue
		}
		if rapid.IntRange(0, 3).Draw(t, c.Name+" missing") > 0 {
			f[c.Name] = drawSpelling(t, a, c.Name)
		}
		if id, ok := engines[f[c.Name]]; ok {
			f["rank_source_id"] = strconv.Itoa(id)
		}
	}
	return f
}

// drawRequest draws a valid request.
func drawRequest(t *rapid.T, query string, account int) object {
	in := object{"account_id": account}
	switch weeks := 2; rapid.IntRange(0, 4).Draw(t, "dates") {
	case 0:
		in["start_date"], in["end_date"], in["collection_frequency"] = "2026-01-11", "2026-01-13", "daily"
	case 1:
		in["start_date"], in["end_date"], in["collection_frequency"] = "2026-01-12", "2026-01-18", "DAILY"
	case 2:
		in["start_date"], in["end_date"] = "2026-01-18", "2026-01-24"
	default:
		if query == kr {
			weeks = 1
		}
		in["start_date"], in["end_date"] = "2026-01-11", map[int]string{1: "2026-01-17", 2: "2026-01-24"}[weeks]
	}
	if rapid.IntRange(0, 5).Draw(t, "properties given") == 0 {
		in["web_property_ids"] = rapid.SampledFrom([]any{"201", []any{202, "201"}, []int{203}}).Draw(t, "properties")
	}
	if rapid.IntRange(0, 3).Draw(t, "limit given") == 0 {
		in["limit"] = rapid.IntRange(1, 9).Draw(t, "limit")
	}
	if query == kr && rapid.Bool().Draw(t, "MSV") {
		in["includeMsv"] = "true"
	}
	var filters []string
	for name := range oracle[query] {
		filters = append(filters, name)
	}
	slices.Sort(filters)
	for range rapid.IntRange(0, 3).Draw(t, "filters") {
		name := rapid.SampledFrom(filters).Draw(t, "filter")
		f := oracle[query][name]
		if f.draw != nil {
			delete(in, "min_rank") // of an earlier draw of the same
			delete(in, "max_rank")
			for k, v := range f.draw(t, name) {
				in[k] = v
			}
			continue
		}
		var values []any
		for range rapid.IntRange(1, 3).Draw(t, "values") {
			class := rapid.SampledFrom(f.values).Filter(func(class []string) bool { return class[0] != "something else" })
			values = append(values, rapid.SampledFrom(class.Draw(t, name)).Draw(t, name))
		}
		in[name] = values
		if len(values) == 1 || name == "prompt_type" {
			in[name] = values[0]
		}
	}
	return in
}

// Random facts and random filters give what a naive reading of the
// documentation gives, on both databases.
func TestAgainstOracle(t *testing.T) {
	databases(t, func(t *testing.T, f *fixture) {
		f.queue.Start()
		account := 1000
		rapid.Check(t, func(rt *rapid.T) {
			account++
			ctx := store.As(context.Background(), account, user)
			query := rapid.SampledFrom(all).Draw(rt, "query")
			var current []fact
			for n := range rapid.IntRange(1, 2).Draw(rt, "imports") {
				var batch []fact
				covered := map[string]bool{}
				for i := range rapid.IntRange(1, 30).Draw(rt, "facts") {
					b := drawFact(rt, query, account)
					b["organization_id"] = fmt.Sprintf("import %d row %d", n, i)
					batch = append(batch, b)
					covered[slice(b)] = true
				}
				replace := n > 0 && rapid.Bool().Draw(rt, "replace")
				f.load(rt, query, batch, replace)
				if replace {
					current = slices.DeleteFunc(current, func(old fact) bool { return covered[slice(old)] })
				}
				current = append(current, batch...)
			}
			for range rapid.IntRange(1, 5).Draw(rt, "requests") {
				in := drawRequest(rt, query, account)
				columns := must(Lookup(query)).Dataset.Columns
				if in["includeMsv"] == nil && query == kr {
					columns = columns[:26]
				}
				rows := f.result(rt, ctx, query, in)
				want := [][]string{}
				for _, row := range expected(query, in, current) {
					var values []string
					for _, c := range columns {
						values = append(values, row[c.Name])
					}
					want = append(want, values)
				}
				if got, want := text(rows), text(want); got != want {
					request, _ := json.Marshal(in)
					rt.Fatalf("%s %s\ngot  %s\nwant %s", query, request, got, want)
				}
			}
		})
	})
}

func text(rows [][]string) string {
	var b strings.Builder
	for _, row := range rows {
		fmt.Fprintf(&b, "\n%q", row)
	}
	return b.String()
}
