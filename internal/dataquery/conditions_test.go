package dataquery

import (
	"maps"
	"strconv"
	"strings"
	"testing"
)

// facts of one week; the number of a fact is its place, kept in organization_id.
var samples = map[string][]fact{
	kr: {
		{"rank_standard": "1", "rank_true": "9", "search_engine_name": "BING_EN_US", "rank_source_id": "41", "search_engine_country_code": "US",
			"search_engine_language_code": "en", "locode": "US NYC", "device": "DESKTOP", "root_domain": "Example.com", "subdomain": "shop.example.com",
			"result_type": "STANDARD_LINK", "keyword_group_ids": "9,900", "keyword_group_names": "Größe,shoes"},
		{"rank_true": "5", "search_engine_name": "GOOGLE_DE_DE", "rank_source_id": "42", "search_engine_country_code": "de",
			"search_engine_language_code": "zh-Hans", "locode": "DE", "device": "smartphone", "root_domain": "example.co.uk", "subdomain": "EXAMPLE.CO.UK",
			"result_type": "Ärger", "keyword_group_ids": "90", "keyword_group_names": "GRÖSSE"},
		{"web_property_id": "202", "rank_standard": "150", "device": "tablet", "keyword_group_names": "shoe"},
		{},
	},
	as: {
		{"locode": "us_nyc", "language": "EN_us", "ai_search_engine": "ChatGPT", "topic": " Shoes", "prompt": "Which shoes?", "prompt_type": "Branded",
			"intent": "Education", "persona": "Runner", "sentiment_brand": "Straße", "sentiment_value": "POSITIVE", "sentiment_category": "Price",
			"sentiment_source_domain": "a.example"},
		{"web_property_id": "202", "locode": "DE", "language": "hant_TW", "ai_search_engine": "gemini", "topic": "shoes", "prompt": "which shoes?",
			"prompt_type": "unbranded", "intent": "brand/service navigation", "persona": "runner", "sentiment_brand": "Strasse 2",
			"sentiment_value": "negative", "sentiment_category": "Quality", "sentiment_source_domain": "b.example"},
		{},
	},
	ac: {
		{"citation_url": "https://www.Shop.co.uk/a/", "citation_domain": "www.Shop.co.uk", "citation_attribution": "you"},
		{"citation_url": "https://shop.co.uk/a#top", "citation_domain": "shop.co.uk", "citation_attribution": "SEO Competitor"},
		{"citation_url": "https://shop.co.uk/a?b", "citation_domain": "eshop.co.uk", "citation_attribution": "Other", "prompt_type": "branded"},
		{},
	},
}

// Each line is a filter and the facts that it lets through.
func TestFilters(t *testing.T) {
	type line struct {
		in   object
		want string
	}
	table := map[string][]line{
		kr: {
			{nil, "0 1 2 3"},
			{object{"web_property_ids": 202}, "2"},
			{object{"web_property_ids": []int{201, 203}}, "0 1"},
			{object{"locodes": "us-nyc"}, "0"},
			{object{"locodes": []any{"us", "dE"}}, "1"},
			{object{"languages": []any{"EN", "ZH-hans"}}, "0 1"},
			{object{"languages": "zh"}, ""},
			{object{"countries": []any{"us", "DE"}}, "0 1"},
			{object{"devices": []any{"desktop", "Tablet"}}, "0 2"},
			{object{"min_rank": 1, "max_rank": 5}, "0 1"},
			{object{"max_rank": 1}, "0"},
			{object{"min_rank": 2}, "1 2 3"},
			{object{"min_rank": 101, "max_rank": 101}, "3"},
			{object{"min_rank": 101}, "2 3"},
			{object{"result_types": "standard_link"}, "0"},
			{object{"result_types": "ÄRGER"}, "1"},
			{object{"domains": "EXAMPLE.com"}, "0"},
			{object{"domains": []any{"shop.EXAMPLE.com", "example.co.uk"}}, "0 1"},
			{object{"domains": "ample.com"}, ""},
			{object{"keyword_group_ids": 90}, "1"},
			{object{"keyword_group_ids": []any{9, "90"}}, "0 1"},
			{object{"keyword_group_ids": 0x7fffffffffffffff}, ""},
			{object{"keyword_group_names": "grösse"}, "0 1"},
			{object{"keyword_group_names": " SHOES "}, "0"},
			{object{"keyword_group_names": []any{"shoe", "sho"}}, "2"},
			{object{"keyword_group_names": "%"}, ""},
			{object{"keyword_group_names": "shoe", "keyword_group_ids": 9}, "0"},
			{object{"keyword_group_names": "shoe", "keyword_group_ids": []any{}}, "2"},
			{object{"rank_source_ids": []any{41, "42"}}, "0 1"},
			{object{"rank_source_ids": []any{42, 99}}, "1"},
			{object{"rank_source_ids": 99}, ""},
			{object{"countries": "us", "devices": "smartphone"}, ""},
			{object{"countries": []any{"us", "de"}, "devices": "smartphone", "max_rank": 5}, "1"},
			{object{"limit": 2}, "0 1"},
			{object{"limit": 2, "min_rank": 2}, "1 2"},
		},
		as: {
			{nil, "0 1 2"},
			{object{"web_property_ids": "202"}, "1"},
			{object{"locodes": "US NYC"}, "0"},
			{object{"languages": "HANT_tw"}, "1"},
			{object{"languages": "en-US"}, ""},
			{object{"ai_search_engines": []any{"CHATGPT", "Gemini"}}, "0 1"},
			{object{"topics": "Shoes "}, "0"},
			{object{"topics": "shoes"}, "1"},
			{object{"prompts": "which shoes?"}, "1"},
			{object{"prompts": []any{"Which Shoes?", "which"}}, ""},
			{object{"prompt_type": "BRANDED"}, "0"},
			{object{"intents": "Brand/Service Navigation"}, "1"},
			{object{"personas": "Runner"}, "0"},
			{object{"sentiment_brands": "STRASSE"}, "0"},
			{object{"sentiment_values": []any{"positive", "neutral"}}, "0"},
			{object{"sentiment_categories": "quality"}, "1"},
			{object{"sentiment_source_domains": []any{"A.Example", "c.example"}}, "0"},
			{object{"topics": "shoes", "prompts": "which shoes?", "sentiment_values": "Negative"}, "1"},
		},
		ac: {
			{nil, "0 1 2 3"},
			{object{"domains": "shop.co.uk"}, "1"},
			{object{"domains": "WWW.shop.co.uk"}, "0"},
			{object{"root_domains": "Shop.co.uk"}, "0 1"},
			{object{"root_domains": "co.uk"}, ""},
			{object{"root_domains": "shop.co.uk", "domains": "www.shop.co.uk"}, "0"},
			{object{"citation_urls": "https://SHOP.co.uk/a/"}, "1"},
			{object{"citation_urls": []any{"https://www.shop.co.uk/a#x", "https://shop.co.uk/a?b"}}, "0 2"},
			{object{"citation_attributions": []any{"You", "seo competitor"}}, "0 1"},
			{object{"prompt_type": "branded"}, "2"},
		},
	}
	databases(t, func(t *testing.T, f *fixture) {
		f.queue.Start()
		for query, lines := range table {
			list := samples[query]
			for i, s := range list {
				sample := maps.Clone(rankings(1)[0])
				delete(sample, "rank_standard")
				delete(sample, "device")
				maps.Copy(sample, s)
				sample["organization_id"] = strconv.Itoa(i)
				if len(s) == 0 {
					delete(sample, "web_property_id")
				}
				list = append(list, sample)
			}
			f.load(t, query, list[len(samples[query]):], false)
			for _, c := range lines {
				got := column(t, query, "organization_id", f.result(t, viewer(), query, c.in))
				if strings.Join(got, " ") != c.want {
					t.Errorf("%s %v: facts %v, want %s", query, c.in, got, c.want)
				}
			}
		}
	})
}
