package dataquery

import (
	"slices"
	"strings"
	"testing"

	"github.com/contentgraph/contentgraph/internal/vocab"
)

// Every field of the documented request tables is there, and every target is a
// column of the dataset with the twin that it needs.
func TestSpecs(t *testing.T) {
	t.Parallel()
	common := "account_id start_date end_date collection_frequency web_property_ids locodes languages limit"
	shared := " ai_search_engines topics prompts prompt_type intents personas"
	want := map[string]string{
		kr: common + " min_rank max_rank result_types domains includeMsv keyword_group_ids keyword_group_names rank_source_ids devices countries",
		as: common + shared + " sentiment_brands sentiment_values sentiment_categories sentiment_source_domains",
		ac: common + shared + " root_domains domains citation_urls citation_attributions",
	}
	if len(Specs) != len(vocab.Datasets) {
		t.Errorf("%d specs for %d datasets", len(Specs), len(vocab.Datasets))
	}
	for _, spec := range Specs {
		var names []string
		for _, f := range spec.Filters {
			names = append(names, f.Name)
			if f.Doc == "" {
				t.Errorf("%s.%s: no doc line", spec.Name(), f.Name)
			}
			for _, target := range f.Targets {
				c, ok := spec.Dataset.Column(target.Column)
				ok = ok || target.Column == vocab.EffectiveRank && spec.Dataset.Ranked
				if !ok || target.Match != vocab.Exact && !slices.Contains(c.Matches, target.Match) {
					t.Errorf("%s.%s: no column %s with match %q", spec.Name(), f.Name, target.Column, target.Match)
				}
			}
		}
		if got := strings.Join(names, " "); got != want[spec.Name()] {
			t.Errorf("%s has fields\n%s, want\n%s", spec.Name(), got, want[spec.Name()])
		}
	}
}

func TestColumns(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		query string
		in    object
		want  int
		last  string
	}{
		{kr, nil, 26, "keyword_group_names"},
		{kr, object{"includeMsv": "true"}, 31, "msv_month"},
		{as, nil, 26, "web_search_triggered"},
		{ac, nil, 24, "web_search_triggered"},
	} {
		spec := query(t, c.query)
		r, err := Parse(spec, week(c.in))
		if err != nil {
			t.Fatal(err)
		}
		columns := spec.columns(r)
		if len(columns) != c.want || columns[c.want-1].Name != c.last {
			t.Errorf("%s %v: %d columns, last %s", c.query, c.in, len(columns), columns[len(columns)-1].Name)
		}
	}
}
