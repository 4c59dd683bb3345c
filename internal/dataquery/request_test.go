package dataquery

import (
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/contentgraph/contentgraph/internal/fault"
)

type object = map[string]any

func query(t testing.TB, name string) *Spec {
	t.Helper()
	spec, ok := Lookup(name)
	if !ok {
		t.Fatalf("no query %s", name)
	}
	return spec
}

// week is a valid request, changed by more.
func week(more object) object {
	in := object{"account_id": json.Number("101"), "start_date": "2026-01-11", "end_date": "2026-01-17"}
	maps.Copy(in, more)
	return in
}

// badFields names the bad fields of a fault, sorted and without repeats.
func badFields(t testing.TB, err error) []string {
	t.Helper()
	if err == nil {
		return nil
	}
	var f *fault.Error
	if !errors.As(err, &f) || f.Kind != fault.Invalid {
		t.Fatalf("not an Invalid fault: %v", err)
	}
	var names []string
	for _, b := range f.Fields {
		if b.Message == "" {
			t.Errorf("%s: no message", b.Field)
		}
		names = append(names, b.Field)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

const (
	kr = "keyword_rankings"
	as = "ai_search_sentiments"
	ac = "ai_search_citations"
)

var all = []string{kr, as, ac}
var ai = []string{as, ac}

func TestBadRequests(t *testing.T) {
	t.Parallel()
	long := make([]any, MaxItems+1)
	for i := range long {
		long[i] = json.Number("1")
	}
	for _, c := range []struct {
		name    string
		queries []string
		in      object
		bad     string // fields, by space
	}{
		{"nothing", all, object{"account_id": nil, "start_date": nil, "end_date": nil}, "account_id end_date start_date"},
		{"account zero", all, object{"account_id": json.Number("0")}, "account_id"},
		{"account negative", all, object{"account_id": "-3"}, "account_id"},
		{"account not whole", all, object{"account_id": json.Number("1.5")}, "account_id"},
		{"account too large", all, object{"account_id": json.Number("99999999999999999999")}, "account_id"},
		{"account text", all, object{"account_id": "mine"}, "account_id"},
		{"account list", all, object{"account_id": []any{json.Number("1")}}, "account_id"},
		{"start missing", all, object{"start_date": nil}, "start_date"},
		{"end missing", all, object{"end_date": nil}, "end_date"},
		{"start not a date", all, object{"start_date": "11.01.2026"}, "start_date"},
		{"start not padded", all, object{"start_date": "2026-1-11"}, "start_date"},
		{"start with time", all, object{"start_date": "2026-01-11T00:00:00Z"}, "start_date"},
		{"start empty", all, object{"start_date": ""}, "start_date"},
		{"end does not exist", all, object{"end_date": "2026-02-30"}, "end_date"},
		{"end number", all, object{"end_date": json.Number("20260117")}, "end_date"},
		{"start no Sunday, unset", all, object{"start_date": "2026-01-12"}, "start_date"},
		{"end no Saturday, unset", all, object{"end_date": "2026-01-16"}, "end_date"},
		{"start no Sunday", all, object{"start_date": "2026-01-12", "collection_frequency": "weekly"}, "start_date"},
		{"end no Saturday", all, object{"end_date": "2026-01-16", "collection_frequency": "WEEKLY"}, "end_date"},
		{"end before start", all, object{"start_date": "2026-01-18"}, "end_date"},
		{"end before start, daily", all, object{"start_date": "2026-01-18", "collection_frequency": "DAILY"}, "end_date"},
		{"two weeks", []string{kr}, object{"end_date": "2026-01-24"}, "end_date"},
		{"eight days", []string{kr}, object{"end_date": "2026-01-18", "collection_frequency": "DAILY"}, "end_date"},
		{"frequency", all, object{"collection_frequency": "MONTHLY"}, "collection_frequency"},
		{"frequency number", all, object{"collection_frequency": json.Number("7")}, "collection_frequency"},
		{"property zero", all, object{"web_property_ids": []any{json.Number("201"), json.Number("0")}}, "web_property_ids[1]"},
		{"property text", all, object{"web_property_ids": []any{"x"}}, "web_property_ids[0]"},
		{"too many", all, object{"web_property_ids": long}, "web_property_ids"},
		{"locode short", all, object{"locodes": []any{"US", "U"}}, "locodes[1]"},
		{"locode long", all, object{"locodes": []any{"US-NEW-YORK-1"}}, "locodes[0]"},
		{"locode number", all, object{"locodes": []any{json.Number("12")}}, "locodes[0]"},
		{"language short", all, object{"languages": []any{"e"}}, "languages[0]"},
		{"language long", all, object{"languages": []any{"zh-Hans1"}}, "languages[0]"},
		{"language blank", all, object{"languages": []any{"   "}}, "languages[0]"},
		{"limit zero", all, object{"limit": json.Number("0")}, "limit"},
		{"min_rank zero", []string{kr}, object{"min_rank": json.Number("0")}, "min_rank"},
		{"min_rank over 101", []string{kr}, object{"min_rank": json.Number("102")}, "min_rank"},
		{"max_rank zero", []string{kr}, object{"max_rank": json.Number("0")}, "max_rank"},
		{"min over max", []string{kr}, object{"min_rank": json.Number("11"), "max_rank": json.Number("10")}, "max_rank"},
		{"result type blank", []string{kr}, object{"result_types": []any{""}}, "result_types[0]"},
		{"domain number", []string{kr, ac}, object{"domains": []any{json.Number("1")}}, "domains[0]"},
		{"includeMsv", []string{kr}, object{"includeMsv": "yes"}, "includeMsv"},
		{"includeMsv number", []string{kr}, object{"includeMsv": json.Number("1")}, "includeMsv"},
		{"group id zero", []string{kr}, object{"keyword_group_ids": []any{json.Number("0")}}, "keyword_group_ids[0]"},
		{"group name blank", []string{kr}, object{"keyword_group_names": []any{" "}}, "keyword_group_names[0]"},
		{"group name blank, ids given", []string{kr}, object{"keyword_group_names": []any{" "}, "keyword_group_ids": []any{"1"}}, "keyword_group_names[0]"},
		{"rank source zero", []string{kr}, object{"rank_source_ids": []any{"0"}}, "rank_source_ids[0]"},
		{"device", []string{kr}, object{"devices": []any{"desktop", "WATCH"}}, "devices[1]"},
		{"country long", []string{kr}, object{"countries": []any{"USA"}}, "countries[0]"},
		{"country short", []string{kr}, object{"countries": []any{"U"}}, "countries[0]"},
		{"engine blank", ai, object{"ai_search_engines": []any{""}}, "ai_search_engines[0]"},
		{"topic object", ai, object{"topics": []any{object{}}}, "topics[0]"},
		{"prompt blank", ai, object{"prompts": []any{""}}, "prompts[0]"},
		{"prompt too long", ai, object{"prompts": []any{strings.Repeat("x", maxText+1)}}, "prompts[0]"},
		{"prompt_type", ai, object{"prompt_type": "brand"}, "prompt_type"},
		{"prompt_type list", ai, object{"prompt_type": []any{"branded", "unbranded"}}, "prompt_type"},
		{"intent", ai, object{"intents": []any{"Brand"}}, "intents[0]"},
		{"persona blank", ai, object{"personas": []any{"\t"}}, "personas[0]"},
		{"brand blank", []string{as}, object{"sentiment_brands": []any{""}}, "sentiment_brands[0]"},
		{"value", []string{as}, object{"sentiment_values": []any{"mixed"}}, "sentiment_values[0]"},
		{"category NUL", []string{as}, object{"sentiment_categories": []any{"a\x00"}}, "sentiment_categories[0]"},
		{"source domain", []string{as}, object{"sentiment_source_domains": []any{true}}, "sentiment_source_domains[0]"},
		{"root domain", []string{ac}, object{"root_domains": []any{""}}, "root_domains[0]"},
		{"url not UTF-8", []string{ac}, object{"citation_urls": []any{"https://a\xff"}}, "citation_urls[0]"},
		{"attribution", []string{ac}, object{"citation_attributions": []any{"Me"}}, "citation_attributions[0]"},
		{"five at once", []string{kr}, object{"account_id": "x", "start_date": "2026-01-12", "min_rank": "0",
			"devices": "watch", "countries": []any{"US", "usa"}}, "account_id countries[1] devices[0] min_rank start_date"},
		{"five at once", ai, object{"account_id": json.Number("0"), "end_date": "2026-13-01", "limit": "none",
			"prompt_type": "any", "intents": []any{"Other", "Fun"}}, "account_id end_date intents[1] limit prompt_type"},
	} {
		for _, name := range c.queries {
			t.Run(name+"/"+c.name, func(t *testing.T) {
				_, err := Parse(query(t, name), week(c.in))
				if got := strings.Join(badFields(t, err), " "); got != c.bad {
					t.Errorf("bad fields %q, want %q: %v", got, c.bad, err)
				}
			})
		}
	}
}

func TestGoodRequests(t *testing.T) {
	t.Parallel()
	branded := "Branded"
	for _, c := range []struct {
		name  string
		query string
		in    object
		field string
		want  any
	}{
		{"number", kr, object{"account_id": json.Number("7")}, "account_id", []int{7}},
		{"number as text", kr, object{"account_id": "7"}, "account_id", []int{7}},
		{"number of GraphQL", kr, object{"account_id": new(int64(7))}, "account_id", []int{7}},
		{"list of numbers and texts", kr, object{"web_property_ids": []any{"203", json.Number("201"), "203"}}, "web_property_ids", []int{201, 203}},
		{"one number for a list", kr, object{"web_property_ids": json.Number("201")}, "web_property_ids", []int{201}},
		{"one text for a list of numbers", kr, object{"rank_source_ids": "5"}, "rank_source_ids", []int{5}},
		{"typed list of GraphQL", kr, object{"keyword_group_ids": []int{9, 8}}, "keyword_group_ids", []int{8, 9}},
		{"one text for a list", as, object{"topics": " Shoes "}, "topics", []string{"Shoes"}},
		{"list", as, object{"topics": []any{"b", "a", "b"}}, "topics", []string{"a", "b"}},
		{"empty list", as, object{"topics": []any{}}, "topics", nil},
		{"null", as, object{"topics": nil}, "topics", nil},
		{"boolean", kr, object{"includeMsv": true}, "includeMsv", true},
		{"boolean as text", kr, object{"includeMsv": "TRUE"}, "includeMsv", true},
		{"boolean as text", kr, object{"includeMsv": "false"}, "includeMsv", false},
		{"boolean unset", kr, object{"includeMsv": nil}, "includeMsv", false},
		{"min_rank unset", kr, nil, "min_rank", []int{1}},
		{"min_rank null", kr, object{"min_rank": nil}, "min_rank", []int{1}},
		{"min_rank most", kr, object{"min_rank": "101"}, "min_rank", []int{101}},
		{"max_rank unset", kr, nil, "max_rank", nil},
		{"max_rank beyond", kr, object{"max_rank": "500"}, "max_rank", []int{500}},
		{"ranks equal", kr, object{"min_rank": "3", "max_rank": "3"}, "max_rank", []int{3}},
		{"frequency unset", kr, nil, "collection_frequency", []string{"WEEKLY"}},
		{"frequency in any case", kr, object{"collection_frequency": "daily"}, "collection_frequency", []string{"DAILY"}},
		{"closed lists in any case", kr, object{"devices": []any{"tablet", "Desktop"}}, "devices", []string{"DESKTOP", "TABLET"}},
		{"one device", kr, object{"devices": "smartphone"}, "devices", []string{"SMARTPHONE"}},
		{"intents", ac, object{"intents": "brand/service navigation"}, "intents", []string{"Brand/Service Navigation"}},
		{"prompt_type", ac, object{"prompt_type": &branded}, "prompt_type", []string{"branded"}},
		{"attributions", ac, object{"citation_attributions": []any{"seo competitor"}}, "citation_attributions", []string{"SEO Competitor"}},
		{"values", as, object{"sentiment_values": "Positive"}, "sentiment_values", []string{"positive"}},
		{"two characters", kr, object{"countries": "us", "locodes": "US", "languages": "en"}, "countries", []string{"us"}},
		{"longest", kr, object{"locodes": "US-NEW-YORK1", "languages": "zh-Hans"}, "languages", []string{"zh-Hans"}},
		{"two weeks", as, object{"end_date": "2026-01-24"}, "end_date", []string{"2026-01-24"}},
		{"daily any day", kr, object{"start_date": "2026-01-13", "end_date": "2026-01-13", "collection_frequency": "DAILY"}, "end_date", []string{"2026-01-13"}},
		{"daily seven days", kr, object{"start_date": "2026-01-13", "end_date": "2026-01-19", "collection_frequency": "DAILY"}, "end_date", []string{"2026-01-19"}},
		{"limit", ac, object{"limit": "25"}, "limit", []int{25}},
		{"unknown fields", ac, object{"min_rank": "none", "executionId": json.Number("1"), "nextPageId": true}, "min_rank", nil},
	} {
		t.Run(c.query+"/"+c.name, func(t *testing.T) {
			r, err := Parse(query(t, c.query), week(c.in))
			if err != nil {
				t.Fatal(err)
			}
			var got any
			if v, ok := r.Ints[c.field]; ok {
				got = v
			} else if v, ok := r.Texts[c.field]; ok {
				got = v
			} else if v, ok := r.Flags[c.field]; ok {
				got = v
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("%s = %#v, want %#v", c.field, got, c.want)
			}
			text, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			var again Request
			if err := json.Unmarshal(text, &again); err != nil || !reflect.DeepEqual(again, r) {
				t.Errorf("%#v came back from JSON as %#v (%v)", r, again, err)
			}
		})
	}
}

func TestAccountOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		value any
		want  int
	}{{json.Number("3"), 3}, {"3", 3}, {3, 3}, {nil, 0}, {"0", 0}, {true, 0}, {[]any{"3"}, 0}} {
		if got, ok := AccountOf(object{"account_id": c.value}); got != c.want || ok != (c.want > 0) {
			t.Errorf("%#v: %d %v, want %d", c.value, got, ok, c.want)
		}
	}
}
