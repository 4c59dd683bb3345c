package dataquery

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"github.com/contentgraph/contentgraph/internal/vocab"
)

// The alphabets of the property test: lists of spellings that are one value.
// They are written by hand, so that the oracle needs no folding of its own.
type alphabet [][]string

var (
	names = alphabet{
		{"Ärger", "ärger", "ÄRGER", "A\u0308rger"},
		{"Straße", "STRASSE", "strasse"},
		{"ΟΔΟΣ", "οδος", "οδοσ"},
		{"x_y", "X_Y"},
		{"x%", "X%"},
		{"xy", " xy", "XY\t", "XY"},
		{`"q" \ '`, `"Q" \ '`},
	}
	exact     = alphabet{{"shoes", " shoes", "shoes\n"}, {"Shoes"}, {"SHOES "}, {"schöne Schuhe"}, {"Schöne Schuhe"}}
	places    = alphabet{{"US NYC", "us-nyc", "US_NYC"}, {"US", "us", " Us"}, {"DE-BER", "de ber"}}
	languages = alphabet{{"en", "EN"}, {"zh-Hans", "ZH-HANS"}, {"zh_Hans"}, {"en_US", "EN_us"}}
	countries = alphabet{{"US", "us", "Us"}, {"DE", "de"}, {"ÖS", "ös"}}
	pages     = alphabet{
		{"https://a.example/x", "HTTPS://A.example/x", "https://a.example/x/", "https://a.example/x#top", "https://a.example/X/#"},
		{"https://a.example/x?y=1"},
		{"https://a.example", "https://a.example/"},
		{"http://a.example/x"},
	}
	hosts = alphabet{
		{"www.a.example", "WWW.a.example"}, {"a.example", "A.Example"}, {"aa.example"},
		{"shop.b.co.uk"}, {"b.co.uk", "B.CO.UK"}, {"c.github.io"}, {"d.github.io"}, {"192.0.2.7"},
	}
	registrables = map[string]string{
		"www.a.example": "a.example", "a.example": "a.example", "aa.example": "aa.example", "shop.b.co.uk": "b.co.uk",
		"b.co.uk": "b.co.uk", "c.github.io": "c.github.io", "d.github.io": "d.github.io", "192.0.2.7": "192.0.2.7",
	}
	groupIDs = alphabet{{"9"}, {"90"}, {"900"}, {"901"}}
	engines  = map[string]int{"BING_EN_US": 41, "GOOGLE_DE_DE": 42}
)

// closed is an alphabet of a closed list, and of a value that is not in it.
func closed(list []string) (a alphabet) {
	for _, v := range append([]string{"something else"}, list...) {
		a = append(a, []string{v, strings.ToUpper(v), strings.ToLower(v)})
	}
	return a
}

// one is the first spelling of a value's class.
func (a alphabet) one(v string) string {
	for _, class := range a {
		if slices.Contains(class, v) {
			return class[0]
		}
	}
	return "no class of " + v
}

// oracleFilter is how a filter of a request is generated and judged, written
// from the documentation and not from the specs.
type oracleFilter struct {
	values  alphabet                             // of the request; nil = another kind of filter
	matches func(f fact, values []string) bool   // any of the values
	draw    func(t *rapid.T, name string) object // for other kinds
	judge   func(f fact, in object) bool
}

// in says that one of the columns holds one of the values.
func in(a alphabet, columns ...string) oracleFilter {
	return oracleFilter{values: a, matches: func(f fact, values []string) bool {
		return slices.ContainsFunc(columns, func(c string) bool {
			v, ok := f[c]
			return ok && slices.ContainsFunc(values, func(want string) bool { return a.one(want) == a.one(v) })
		})
	}}
}

// member says that a comma list holds one of the values.
func member(a alphabet, column string) oracleFilter {
	return oracleFilter{values: a, matches: func(f fact, values []string) bool {
		return slices.ContainsFunc(strings.Split(f[column], ","), func(v string) bool {
			return v != "" && slices.ContainsFunc(values, func(want string) bool { return a.one(want) == a.one(v) })
		})
	}}
}

func rankOf(f fact) int {
	for _, c := range []string{"rank_standard", "rank_true"} {
		if n, err := strconv.Atoi(f[c]); err == nil {
			return n
		}
	}
	return 101
}

var oracle = map[string]map[string]oracleFilter{
	kr: {
		"locodes": in(places, "locode"), "languages": in(languages, "search_engine_language_code"),
		"result_types": in(names, "result_type"), "domains": in(hosts, "root_domain", "subdomain"),
		"keyword_group_ids": member(groupIDs, "keyword_group_ids"), "keyword_group_names": member(names, "keyword_group_names"),
		"devices": in(closed(vocab.Devices), "device"), "countries": in(countries, "search_engine_country_code"),
		"rank_source_ids": {values: alphabet{{"41"}, {"42"}, {"99"}}, matches: func(f fact, values []string) bool {
			return slices.Contains(values, strconv.Itoa(engines[f["search_engine_name"]]))
		}},
		"ranks": {draw: func(t *rapid.T, name string) object {
			least := rapid.IntRange(1, 101).Draw(t, "min_rank")
			o := object{"min_rank": least}
			if rapid.Bool().Draw(t, "max_rank given") {
				o["max_rank"] = strconv.Itoa(rapid.IntRange(least, 160).Draw(t, "max_rank"))
			}
			return o
		}, judge: func(f fact, in object) bool {
			most, err := strconv.Atoi(fmt.Sprint(in["max_rank"]))
			return rankOf(f) >= in["min_rank"].(int) && (err != nil || rankOf(f) <= most)
		}},
	},
	as: {
		"sentiment_brands": in(names, "sentiment_brand"), "sentiment_values": in(closed(vocab.SentimentValues), "sentiment_value"),
		"sentiment_categories": in(names, "sentiment_category"), "sentiment_source_domains": in(hosts, "sentiment_source_domain"),
	},
	ac: {
		"domains": in(hosts, "citation_domain"), "citation_urls": in(pages, "citation_url"),
		"citation_attributions": in(closed(vocab.CitationAttributions), "citation_attribution"),
		"root_domains": {values: hosts, matches: func(f fact, values []string) bool {
			v, ok := f["citation_domain"]
			return ok && slices.ContainsFunc(values, func(want string) bool {
				return registrables[hosts.one(want)] == registrables[hosts.one(v)]
			})
		}},
	},
}

func init() {
	for _, query := range ai {
		for name, f := range map[string]oracleFilter{
			"locodes": in(places, "locode"), "languages": in(languages, "language"), "ai_search_engines": in(names, "ai_search_engine"),
			"topics": in(exact, "topic"), "prompts": in(exact, "prompt"), "personas": in(exact, "persona"),
			"prompt_type": in(closed(vocab.PromptTypes), "prompt_type"), "intents": in(closed(vocab.Intents), "intent"),
		} {
			oracle[query][name] = f
		}
	}
}

// columnAlphabets are the values that facts have in the columns that filters read.
var columnAlphabets = map[string]alphabet{
	"locode": places, "search_engine_language_code": languages, "language": languages, "search_engine_country_code": countries,
	"device": closed(vocab.Devices), "result_type": names, "root_domain": hosts, "subdomain": hosts,
	"rank_standard": {{"1"}, {"2"}, {"50"}, {"101"}, {"150"}}, "rank_true": {{"1"}, {"3"}, {"100"}}, "search_engine_name": {{"BING_EN_US"}, {"GOOGLE_DE_DE"}},
	"ai_search_engine": names, "topic": exact, "prompt": exact, "persona": exact, "prompt_type": closed(vocab.PromptTypes),
	"intent": closed(vocab.Intents), "sentiment_brand": names, "sentiment_value": closed(vocab.SentimentValues),
	"sentiment_category": names, "sentiment_source_domain": hosts, "citation_url": pages, "citation_domain": hosts,
	"citation_attribution": closed(vocab.CitationAttributions),
	"cpc":                  {{"1.25"}, {"10"}}, "msv_month": {{"202601"}}, "web_search_triggered": {{"true"}, {"false"}},
}

// expected is what the documentation promises for a request over these facts,
// which are in the order in which they were imported.
func expected(query string, in object, current []fact) []fact {
	var rows []fact
	for _, f := range current {
		frequency, _ := in["collection_frequency"].(string)
		if frequency == "" {
			frequency = vocab.Weekly
		}
		if !strings.EqualFold(frequency, f["collection_frequency"]) ||
			f["time_period_start"] < in["start_date"].(string) || f["time_period_end"] > in["end_date"].(string) {
			continue
		}
		if p, ok := in["web_property_ids"]; ok && (f["web_property_id"] == "" || !strings.Contains(fmt.Sprint(p), f["web_property_id"])) {
			continue
		}
		holds := true
		for name, o := range oracle[query] {
			given, ok := in[name]
			switch {
			case name == "ranks":
				if _, ok := in["min_rank"]; ok {
					holds = holds && o.judge(f, in)
				}
			case ok && !(name == "keyword_group_names" && in["keyword_group_ids"] != nil):
				holds = holds && o.matches(f, stringsOf(given))
			}
		}
		if holds {
			rows = append(rows, f)
		}
	}
	slices.SortStableFunc(rows, func(a, b fact) int { return strings.Compare(a["time_period_start"], b["time_period_start"]) })
	if n, ok := in["limit"].(int); ok && n < len(rows) {
		rows = rows[:n]
	}
	return rows
}

func stringsOf(v any) (list []string) {
	values, ok := v.([]any)
	if !ok {
		values = []any{v}
	}
	for _, v := range values {
		list = append(list, fmt.Sprint(v))
	}
	return list
}

// slice is what --replace replaces.
func slice(f fact) string {
	return strings.Join([]string{f["web_property_id"], f["collection_frequency"], f["time_period_start"], f["time_period_end"]}, " ")
}
