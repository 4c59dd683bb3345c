package facts

import (
	"slices"
	"strings"
	"testing"

	"github.com/contentgraph/contentgraph/internal/vocab"
)

// values makes the values of a record from column=value pairs; account and
// period are there unless given.
func values(l *layout, pairs ...string) []string {
	v := make([]string, len(l.fields))
	pairs = append([]string{"account_id=7", "time_period_start=2026-01-11", "time_period_end=2026-01-17"}, pairs...)
	for _, p := range pairs {
		column, value, _ := strings.Cut(p, "=")
		v[l.index[column]] = value
	}
	return v
}

func TestRejectReasons(t *testing.T) {
	t.Parallel()
	l := newLayout(vocab.KeywordRankings)
	ai := newLayout(vocab.AISearchSentiments)
	for _, c := range []struct {
		layout *layout
		pairs  string
		want   string // "" = accepted
	}{
		{l, "", ""},
		{l, "account_id=", "account_id: is required"},
		{l, "account_id=x", "account_id: must be a whole number"},
		{l, "account_id=0", "account_id: must be from 1 to 2147483647"},
		{l, "account_id=99999999999999999999", "account_id: must be a whole number"},
		{l, "web_property_id=0", "web_property_id: must be from 1 to 2147483647"},
		{l, "web_property_id=-3", "web_property_id: must be from 1 to 2147483647"},
		{l, "rank_source_id=0", "rank_source_id: must be from 1 to 2147483647"},
		{l, "rank_standard=1.5", "rank_standard: must be a whole number"},
		{l, "rank_standard=+5", "rank_standard: must be a whole number"},
		{l, "rank_standard= 10 ", ""},
		{l, "rank_true=1e3", "rank_true: must be a whole number"},
		{l, "rank_true=0", "rank_true: must be at least 1"},
		{l, "rank_standard=-1", "rank_standard: must be at least 1"},
		{l, "account_id=2147483648", "account_id: must be from 1 to 2147483647"},
		{l, "cpc=NaN", "cpc: must be a number"},
		{l, "cpc=-Inf", "cpc: must be a number"},
		{l, "cpc=1e999", "cpc: must be a number"},
		{l, "cpc=0x1p-2", "cpc: must be a number"},
		{l, "cpc=1,5", "cpc: must be a number"},
		{l, "cpc=1e-3", ""},
		{l, "collection_date=2026-02-30", "collection_date: must be a date, yyyy-MM-dd, from 1900 to 2999"},
		{l, "collection_date=2026-1-3", "collection_date: must be a date, yyyy-MM-dd, from 1900 to 2999"},
		{l, "collection_date=0202-01-03", "collection_date: must be a date, yyyy-MM-dd, from 1900 to 2999"},
		{l, "time_period_start=", "time_period_start: is required"},
		{l, "time_period_start=11.01.2026", "time_period_start: must be a date, yyyy-MM-dd, from 1900 to 2999"},
		{l, "time_period_end=", "time_period_end: is required"},
		{l, "time_period_end=2026-01-10", "time_period_end: must not be before time_period_start"},
		{l, "msv_month=202613", "msv_month: must be a month, yyyyMM"},
		{l, "msv_month=202600", "msv_month: must be a month, yyyyMM"},
		{l, "msv_month=2026-01", "msv_month: must be a whole number"},
		{l, "msv_month=20261", "msv_month: must be a month, yyyyMM"},
		{l, "msv_month=202612", ""},
		{l, "title=a\x00b", "title: must not contain NUL characters"},
		{l, "title=a\xff", "title: must be valid UTF-8"},
		{l, "collection_frequency=MONTHLY", "collection_frequency: must be one of DAILY, WEEKLY"},
		{l, "collection_frequency=weekly", ""},
		{l, "collection_frequency=DAILY", "time_period_end: must be time_period_start when collection_frequency is DAILY"},
		{l, "collection_frequency=WEEKLY;time_period_start=2026-01-12;time_period_end=2026-01-18",
			"time_period_start: must be a Sunday and time_period_end the Saturday after it when collection_frequency is WEEKLY"},
		{l, "collection_frequency=WEEKLY;time_period_end=2026-01-24",
			"time_period_start: must be a Sunday and time_period_end the Saturday after it when collection_frequency is WEEKLY"},
		{l, "time_period_start=2026-01-12",
			"collection_frequency: is required for a period that is neither one day nor a week from Sunday to Saturday"},
		{l, "time_period_end=2026-01-11", ""},
		{ai, "sentiment_score=good", "sentiment_score: must be a number"},
		{ai, "ai_response_collected=yes", "ai_response_collected: must be true or false"},
		{ai, "ai_response_collected=TRUE", ""},
	} {
		var pairs []string
		if c.pairs != "" {
			pairs = strings.Split(c.pairs, ";")
		}
		_, _, reason := c.layout.row(values(c.layout, pairs...), make([]any, len(c.layout.columns)))
		if reason != c.want {
			t.Errorf("%q: %q, want %q", c.pairs, reason, c.want)
		}
	}
}

func TestCanonicalForms(t *testing.T) {
	t.Parallel()
	l, ai := newLayout(vocab.KeywordRankings), newLayout(vocab.AISearchSentiments)
	for _, c := range []struct {
		layout     *layout
		column, in string
		want       any
	}{
		{l, "rank_true", "007", int64(7)},
		{l, "average_search_volume", "-5", int64(-5)},
		{l, "rank_true", "", nil},
		{l, "cpc", "1.250", "1.25"},
		{l, "cpc", "10.0", "10"},
		{l, "cpc", "1e1", "10"},
		{l, "cpc", "1e21", "1000000000000000000000"},
		{l, "cpc", "1E-6", "0.000001"},
		{l, "cpc", "-0.0", "0"},
		{l, "cpc", "0.1000000000000000055", "0.1"},
		{l, "title", " kept as is ", " kept as is "},
		{l, "title", " ", " "},
		{l, "keyword_group_ids", " 1, 2 ,,3", "1,2,3"},
		{l, "keyword_group_names", " , ", nil},
		{l, "collection_frequency", "weekly", "WEEKLY"},
		{l, "collection_frequency", "", "WEEKLY"},
		{ai, "web_search_triggered", "True", "true"},
		{ai, "web_search_triggered", "0", "false"},
		{ai, "web_search_triggered", "", nil},
	} {
		out := make([]any, len(c.layout.columns))
		if _, _, reason := c.layout.row(values(c.layout, c.column+"="+c.in), out); reason != "" {
			t.Errorf("%s=%q: %s", c.column, c.in, reason)
		}
		if got := out[c.layout.at[c.layout.index[c.column]]]; got != c.want {
			t.Errorf("%s=%q is %#v, want %#v", c.column, c.in, got, c.want)
		}
	}
}

// Of the record before nothing stays, be it rejected or not.
func TestRecordsOneAfterTheOther(t *testing.T) {
	t.Parallel()
	l := newLayout(vocab.KeywordRankings)
	records := [][]string{
		{"device=Desktop", "rank_true=3", "web_property_id=4"}, {"device=Desktop", "rank_true=4"}, {"device=Desktop", "rank_true=x"}, {},
		{"rank_true=x"}, {"rank_true=5", "device=TABLET"}, {"time_period_end=2026-01-12"}, {"time_period_end=2026-01-12"}, {"account_id=8"},
		{"time_period_start=2026-01-18", "time_period_end=2026-01-24"}, {"keyword_group_names= A , b"}, {"keyword_group_names="},
	}
	for i, pairs := range append(records, records...) {
		got, want := make([]any, len(l.columns)), make([]any, len(l.columns))
		account, p, reason := l.row(values(l, pairs...), got)
		fresh := newLayout(vocab.KeywordRankings)
		wantAccount, wantP, wantReason := fresh.row(values(fresh, pairs...), want)
		if reason != wantReason || account != wantAccount || p != wantP || reason == "" && !slices.Equal(got, want) {
			t.Errorf("record %d, %q: %d %+v %q %v\nwant %d %+v %q %v", i, pairs, account, p, reason, got, wantAccount, wantP, wantReason, want)
		}
	}
}

func TestTwins(t *testing.T) {
	t.Parallel()
	l := newLayout(vocab.AISearchCitations)
	out := make([]any, len(l.columns))
	_, _, reason := l.row(values(l, "locode=us nyc", "language=en_us", "topic= a ", "prompt=b",
		"citation_url=https://A.example/", "citation_domain=shop.a.example"), out)
	if reason != "" {
		t.Fatal(reason)
	}
	want := map[string]any{
		"locode_place": "US-NYC", "language": "en_us", "language_fold": nil, "topic_trim": "a", "prompt_trim": nil,
		"citation_url_page": "https://a.example", "citation_domain_fold": nil, "citation_domain_registrable": "a.example",
		"persona": nil, "persona_trim": nil,
	}
	for i, column := range l.columns {
		if w, ok := want[column]; ok && out[i] != w {
			t.Errorf("%s is %#v, want %#v", column, out[i], w)
		}
	}
}

func TestEffectiveRank(t *testing.T) {
	t.Parallel()
	l := newLayout(vocab.KeywordRankings)
	for _, c := range []struct {
		pairs []string
		want  int64
	}{
		{nil, 101}, {[]string{"rank_true=4"}, 4}, {[]string{"rank_standard=3", "rank_true=4"}, 3}, {[]string{"rank_result_type=2"}, 101},
	} {
		out := make([]any, len(l.columns))
		l.row(values(l, c.pairs...), out)
		if out[l.rank] != c.want {
			t.Errorf("%v: %v, want %d", c.pairs, out[l.rank], c.want)
		}
	}
}

func TestWeek(t *testing.T) {
	t.Parallel()
	for start, want := range map[string]string{
		"2026-01-11": "2026-01-11", "2026-01-17": "2026-01-11", "2026-01-18": "2026-01-18", "2026-01-01": "2025-12-28",
	} {
		sunday, next := week(start)
		if got := sunday.Format("2006-01-02"); got != want || next.Sub(sunday).Hours() != 7*24 {
			t.Errorf("week of %s is %s..%s", start, got, next)
		}
	}
}
