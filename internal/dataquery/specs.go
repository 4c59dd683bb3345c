package dataquery

import (
	"time"

	"github.com/contentgraph/contentgraph/internal/input"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// maxText bounds the characters of a text that the documentation leaves open.
const maxText = 4000

// Specs is every data query, in the documented order.
var Specs = []*Spec{KeywordRankings, AISearchSentiments, AISearchCitations}

// KeywordRankings asks for positions of result items.
var KeywordRankings = &Spec{
	Dataset: vocab.KeywordRankings,
	Filters: fields("search_engine_language_code", "en or zh-Hans",
		Filter{Name: "min_rank", Doc: "Best rank to answer; a row without a rank counts as 101.", Kind: Integer,
			Min: 1, Max: vocab.NotRanking, Default: 1, Targets: []Target{{Column: vocab.EffectiveRank, Bound: AtLeast}}},
		Filter{Name: "max_rank", Doc: "Worst rank to answer; a row without a rank counts as 101.", Kind: Integer,
			Min: 1, Targets: []Target{{Column: vocab.EffectiveRank, Bound: AtMost}}},
		texts("result_types", "Result types; case-insensitive.", to("result_type", vocab.Fold)),
		texts("domains", "Root domains or subdomains of result items; case-insensitive.",
			to("root_domain", vocab.Fold), to("subdomain", vocab.Fold)),
		Filter{Name: "includeMsv", Doc: "Adds the columns of monthly search volume data.", Kind: Boolean,
			Default: false, Adds: vocab.MSVColumns},
		ids("keyword_group_ids", "Keyword groups by id; takes priority over names.", to("keyword_group_ids", vocab.Members)),
		Filter{Name: "keyword_group_names", Doc: "Keyword groups by name, used only when keyword_group_ids is empty; case-insensitive.",
			Kind: Texts, Min: 1, Max: maxText, Unless: "keyword_group_ids", Targets: []Target{to("keyword_group_names", vocab.Members)}},
		Filter{Name: "rank_source_ids", Doc: "Rank sources (search engines) by id.", Kind: Integers,
			Min: 1, ByName: true, Targets: []Target{to("search_engine_name", vocab.Exact)}},
		choices("devices", "Devices.", vocab.Devices, "device"),
		Filter{Name: "countries", Doc: "Search engine country codes; case-insensitive.", Kind: Texts,
			Min: 2, Max: 2, Targets: []Target{to("search_engine_country_code", vocab.Fold)}},
	),
	Rules: []Rule{wholeWeeks, ordered, sevenDays, ranks},
}

// AISearchSentiments asks what AI search answers say of brands.
var AISearchSentiments = &Spec{
	Dataset: vocab.AISearchSentiments,
	Filters: aiFields(
		texts("sentiment_brands", "Brands; case-insensitive.", to("sentiment_brand", vocab.Fold)),
		choices("sentiment_values", "Sentiment values.", vocab.SentimentValues, "sentiment_value"),
		texts("sentiment_categories", "Sentiment categories; case-insensitive.", to("sentiment_category", vocab.Fold)),
		texts("sentiment_source_domains", "Domains of the sources; case-insensitive.", to("sentiment_source_domain", vocab.Fold)),
	),
	Rules: []Rule{wholeWeeks, ordered},
}

// AISearchCitations asks for the pages that AI search answers cite.
var AISearchCitations = &Spec{
	Dataset: vocab.AISearchCitations,
	Filters: aiFields(
		texts("root_domains", "Registrable domains of cited pages; case-insensitive.", to("citation_domain", vocab.Registrable)),
		texts("domains", "Hosts of cited pages, at subdomain level; case-insensitive.", to("citation_domain", vocab.Fold)),
		texts("citation_urls", "Cited pages; fragment, trailing slash and case do not matter.", to("citation_url", vocab.Page)),
		choices("citation_attributions", "Who the cited page belongs to.", vocab.CitationAttributions, "citation_attribution"),
	),
	Rules: []Rule{wholeWeeks, ordered},
}

// fields are the fields that all queries share, then those of one.
func fields(language, example string, more ...Filter) []Filter {
	return append([]Filter{
		{Name: "account_id", Doc: "Account whose facts are read.", Kind: Integer, Required: true, Min: 1},
		{Name: "start_date", Doc: "First day; a Sunday when collection_frequency is WEEKLY.", Kind: Date, Required: true},
		{Name: "end_date", Doc: "Last day; a Saturday when collection_frequency is WEEKLY.", Kind: Date, Required: true},
		{Name: vocab.Frequency, Doc: "How often the facts are collected.", Kind: Choice, Allowed: vocab.Frequencies, Default: vocab.Weekly},
		ids("web_property_ids", "Web properties by id."), // pins are chosen by it
		{Name: "locodes", Doc: "Location codes of a country, city, state or place; case-insensitive; space, hyphen and underscore are alike.",
			Kind: Texts, Min: 2, Max: 12, Targets: []Target{to("locode", vocab.Place)}},
		{Name: "languages", Doc: "Language codes such as " + example + "; case-insensitive.",
			Kind: Texts, Min: 2, Max: 7, Targets: []Target{to(language, vocab.Fold)}},
		{Name: "limit", Doc: "Most rows to answer.", Kind: Integer, Min: 1},
	}, more...)
}

// aiFields are the fields that the AI search queries share, then those of one.
func aiFields(more ...Filter) []Filter {
	return fields("language", "en_US or hant_TW", append([]Filter{
		texts("ai_search_engines", "AI search engines; case-insensitive.", to("ai_search_engine", vocab.Fold)),
		texts("topics", "Topics, compared exactly.", to("topic", vocab.Trim)),
		texts("prompts", "Prompts, compared exactly.", to("prompt", vocab.Trim)),
		{Name: "prompt_type", Doc: "Whether the prompt names the brand.", Kind: Choice, Allowed: vocab.PromptTypes,
			Targets: []Target{to("prompt_type", vocab.Fold)}},
		choices("intents", "Intents of the prompt.", vocab.Intents, "intent"),
		texts("personas", "User-defined personas, compared exactly.", to("persona", vocab.Trim)),
	}, more...)...)
}

func to(column string, m vocab.Match) Target { return Target{Column: column, Match: m} }

func ids(name, doc string, targets ...Target) Filter {
	return Filter{Name: name, Doc: doc, Kind: Integers, Min: 1, Targets: targets}
}

func texts(name, doc string, targets ...Target) Filter {
	return Filter{Name: name, Doc: doc, Kind: Texts, Min: 1, Max: maxText, Targets: targets}
}

func choices(name, doc string, allowed []string, column string) Filter {
	return Filter{Name: name, Doc: doc, Kind: Choices, Allowed: allowed, Targets: []Target{to(column, vocab.Fold)}}
}

var wholeWeeks = Rule{
	Doc: "When collection_frequency is WEEKLY or unset, start_date is a Sunday and end_date a Saturday.",
	Check: func(r Request, in *input.Object) {
		if r.Text(vocab.Frequency) != vocab.Weekly {
			return
		}
		if day, ok := r.day("start_date"); ok && day.Weekday() != time.Sunday {
			in.Fail("start_date", "must be a Sunday when collection_frequency is WEEKLY")
		}
		if day, ok := r.day("end_date"); ok && day.Weekday() != time.Saturday {
			in.Fail("end_date", "must be a Saturday when collection_frequency is WEEKLY")
		}
	},
}

var ordered = Rule{
	Doc: "start_date is not after end_date.",
	Check: func(r Request, in *input.Object) {
		start, end := r.Text("start_date"), r.Text("end_date")
		if start != "" && end != "" && start > end {
			in.Fail("end_date", "must not be before start_date")
		}
	},
}

var sevenDays = Rule{
	Doc: "The dates span at most 7 days, both included.",
	Check: func(r Request, in *input.Object) {
		start, hasStart := r.day("start_date")
		end, hasEnd := r.day("end_date")
		if hasStart && hasEnd && end.After(start.AddDate(0, 0, 6)) {
			in.Fail("end_date", "must be at most 6 days after start_date: a range has at most 7 days")
		}
	},
}

var ranks = Rule{
	Doc: "min_rank is not greater than max_rank.",
	Check: func(r Request, in *input.Object) {
		least, most := r.Int("min_rank"), r.Int("max_rank")
		if most != 0 && least > most {
			in.Fail("max_rank", "must not be less than min_rank")
		}
	},
}
