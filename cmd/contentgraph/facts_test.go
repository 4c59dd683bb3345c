package main

import (
	"encoding/csv"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// fact is a line of a fixture, by column.
type fact map[string]string

func fixture(t *testing.T, dataset string) (facts []fact) {
	t.Helper()
	f, err := os.Open("testdata/" + dataset + ".csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines[1:] {
		one := fact{}
		for i, name := range lines[0] {
			one[name] = line[i]
		}
		facts = append(facts, one)
	}
	return facts
}

func (f fact) rank() int {
	for _, column := range []string{"rank_standard", "rank_true"} {
		if n, err := strconv.Atoi(f[column]); err == nil {
			return n
		}
	}
	return 101
}

func (f fact) in(column string, values ...string) bool { return slices.Contains(values, f[column]) }

func (f fact) member(column, value string) bool {
	return slices.Contains(strings.Split(f[column], ","), value)
}

// page is the citation's URL without what does not tell pages apart.
func (f fact) page() string {
	u, _ := url.Parse(f["citation_url"])
	u.Fragment = ""
	return strings.ToLower(strings.TrimSuffix(u.String(), "/"))
}

type anyMap = map[string]any

// filters are requests, and which lines of the fixture they ask for.
var filters = map[string][]struct {
	ask  anyMap
	want func(f fact) bool
}{
	"keyword_rankings": {
		{anyMap{}, func(fact) bool { return true }},
		{anyMap{"includeMsv": true}, func(fact) bool { return true }},
		{anyMap{"max_rank": 10}, func(f fact) bool { return f.rank() <= 10 }},
		{anyMap{"min_rank": "11", "max_rank": 60}, func(f fact) bool { return f.rank() > 10 && f.rank() <= 60 }},
		{anyMap{"min_rank": 101}, func(f fact) bool { return f.rank() == 101 }},
		{anyMap{"domains": []string{"pots.example"}}, func(f fact) bool { return f["root_domain"] == "pots.example" }},
		{anyMap{"domains": []string{"BLOG.pots.example", "shop.tea.example"}}, func(f fact) bool { return f.in("subdomain", "blog.pots.example", "shop.Tea.example") }},
		{anyMap{"devices": []string{"tablet", "Desktop"}}, func(f fact) bool { return f.in("device", "TABLET", "DESKTOP") }},
		{anyMap{"countries": "de"}, func(f fact) bool { return f["search_engine_country_code"] == "DE" }},
		{anyMap{"languages": []string{"ZH-hant"}}, func(f fact) bool { return f["search_engine_language_code"] == "zh-Hant" }},
		{anyMap{"locodes": []string{"us-nyc", "de_ber"}}, func(f fact) bool { return f.in("locode", "US NYC", "DE-BER") }},
		{anyMap{"keyword_group_ids": []int{90}}, func(f fact) bool { return f.member("keyword_group_ids", "90") }},
		{anyMap{"keyword_group_names": []string{"TEA"}}, func(f fact) bool { return f.member("keyword_group_names", "tea") }},
		{anyMap{"keyword_group_ids": []int{9}, "keyword_group_names": []string{"tea pots"}}, func(f fact) bool { return f.member("keyword_group_ids", "9") }},
		{anyMap{"result_types": []string{"video"}, "web_property_ids": []int{2}}, func(f fact) bool { return f["result_type"] == "VIDEO" && f["web_property_id"] == "2" }},
	},
	"ai_search_citations": {
		{anyMap{}, func(fact) bool { return true }},
		{anyMap{"topics": []string{"tea"}}, func(f fact) bool { return f["topic"] == "tea" }},
		{anyMap{"prompts": []string{"Which pot, and why?"}, "prompt_type": "BRANDED"}, func(f fact) bool { return f["prompt"] == "Which pot, and why?" && f["prompt_type"] == "branded" }},
		{anyMap{"intents": []string{"brand/service navigation"}}, func(f fact) bool { return f["intent"] == "Brand/Service Navigation" }},
		{anyMap{"personas": []string{"Beginner"}}, func(f fact) bool { return f["persona"] == "Beginner" }},
		{anyMap{"domains": []string{"blog.tea.example"}}, func(f fact) bool { return f["citation_domain"] == "Blog.tea.example" }},
		{anyMap{"root_domains": []string{"tea.example"}}, func(f fact) bool { return f.in("citation_domain", "tea.example", "Blog.tea.example") }},
		{anyMap{"root_domains": []string{"example.co.uk"}}, func(f fact) bool { return f["citation_domain"] == "www.pots.example.co.uk" }},
		{anyMap{"citation_urls": []string{"https://tea.example/p/1/#frag"}}, func(f fact) bool { return f.page() == "https://tea.example/p/1" }},
		{anyMap{"citation_attributions": []string{"seo competitor"}}, func(f fact) bool { return f["citation_attribution"] == "SEO Competitor" }},
		{anyMap{"ai_search_engines": []string{"chatgpt search"}, "languages": []string{"EN_us"}}, func(f fact) bool { return f["ai_search_engine"] == "ChatGPT Search" && f["language"] == "en_US" }},
		{anyMap{"collection_frequency": "DAILY", "start_date": "2026-01-12", "end_date": "2026-01-14"}, func(fact) bool { return true }},
	},
}

// TestFacts imports the fixtures and compares all rows of each request, value
// by value, with the lines of the file.
func TestFacts(t *testing.T) {
	onBoth(t, func(t *testing.T, in *installation) {
		a := in.user("301")
		for dataset := range filters {
			in.run("import", dataset, absolute(t, "testdata/"+dataset+".csv"))
		}
		s := in.serve()
		for dataset, cases := range filters {
			all := fixture(t, dataset)
			for _, c := range cases {
				ask := anyMap{"account_id": 301, "start_date": "2026-01-11", "end_date": "2026-01-17", "collection_frequency": "WEEKLY"}
				if dataset == "ai_search_citations" {
					ask["end_date"] = "2026-01-24"
				}
				maps.Copy(ask, c.ask)
				var want [][]string
				for _, f := range all {
					frequency := f["collection_frequency"]
					if dataset == "keyword_rankings" {
						frequency = "WEEKLY"
					}
					if frequency == ask["collection_frequency"] && f["time_period_start"] >= ask["start_date"].(string) &&
						f["time_period_end"] <= ask["end_date"].(string) && c.want(f) {
						want = append(want, s.row(dataset, f, c.ask["includeMsv"] == true))
					}
				}
				slices.SortStableFunc(want, func(a, b []string) int { return strings.Compare(a[6], b[6]) }) // time_period_start
				got := s.rows(a, dataset, s.submit(a, dataset, ask))
				if len(want) == 0 {
					t.Errorf("%v asks for nothing of the fixture", c.ask)
				}
				if !slices.EqualFunc(got, want, slices.Equal) {
					t.Errorf("%s %v:\ngot  %q\nwant %q", dataset, c.ask, got, want)
				}
			}
		}
	})
}

// row is the line in the order of the documented columns.
func (s *server) row(dataset string, f fact, msv bool) (row []string) {
	columns := strings.Split(documented[dataset], ",")
	if dataset == "keyword_rankings" && !msv {
		columns = columns[:26]
	}
	for _, c := range columns {
		row = append(row, f[c])
	}
	return row
}

// documented is the order of columns in the specification.
var documented = map[string]string{
	"keyword_rankings": "account_id,account_name,organization_id,organization_name,web_property_id,web_property_name," +
		"time_period_start,time_period_end,collection_date,search_engine_name,search_engine,search_engine_country_code," +
		"search_engine_language_code,locode,device,query,title,normalized_url,root_domain,subdomain," +
		"result_type,rank_standard,rank_true,rank_result_type,keyword_group_ids,keyword_group_names," +
		"average_search_volume,cpc,competition,approximate_search_volume,msv_month",
	"ai_search_citations": "organization_name,organization_id,account_name,account_id,web_property_name,web_property_id," +
		"time_period_start,time_period_end,collection_frequency,locode,language,ai_search_engine,topic," +
		"prompt,prompt_type,intent,persona,citation_title,citation_url,citation_domain,citation_web_property_segment," +
		"citation_attribution,ai_response_collected,web_search_triggered",
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	abs, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return abs
}
