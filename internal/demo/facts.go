package demo

import (
	"fmt"
	"hash/fnv"
	"iter"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/contentgraph/contentgraph/internal/vocab"
)

// rows makes one account's facts of a dataset: the columns, and the rows.
func (c company) rows(d *vocab.Dataset) ([]string, iter.Seq2[[]string, error]) {
	switch d {
	case vocab.KeywordRankings:
		return rankingColumns, c.emit(d, c.rankings)
	case vocab.AISearchSentiments:
		return append(answerColumns, "sentiment_brand", "sentiment_value", "sentiment_score", "sentiment_category",
			"sentiment_snippet", "sentiment_source_url", "sentiment_source_domain"), c.emit(d, c.sentiments)
	}
	return append(answerColumns, "citation_title", "citation_url", "citation_domain",
		"citation_web_property_segment", "citation_attribution"), c.emit(d, c.citations)
}

// emit lets a week's maker write all weeks. The seed depends on the account and
// the dataset alone, so that the rows are the same wherever they are made.
func (c company) emit(d *vocab.Dataset, week func(r *rand.Rand, n int, yield func(...string) bool) bool) iter.Seq2[[]string, error] {
	return func(yield func([]string, error) bool) {
		h := fnv.New64a()
		h.Write([]byte(d.Name))
		r := rand.New(rand.NewPCG(uint64(c.account), h.Sum64()))
		for n := range Weeks {
			if !week(r, n, func(row ...string) bool { return yield(row, nil) }) {
				return
			}
		}
	}
}

var rankingColumns = []string{"account_id", "account_name", "organization_id", "organization_name", "web_property_id",
	"web_property_name", "time_period_start", "time_period_end", "collection_date", "search_engine_name", "search_engine",
	"search_engine_country_code", "search_engine_language_code", "rank_source_id", "locode", "device", "query", "title",
	"normalized_url", "root_domain", "subdomain", "result_type", "rank_standard", "rank_true", "rank_result_type",
	"keyword_group_ids", "keyword_group_names", "average_search_volume", "cpc", "competition", "approximate_search_volume", "msv_month"}

var queries = []string{"best %s", "%s for beginners", "how to choose a %s", "%s near me", "cheap %s", "%s review", "buy %s online", "%s tips"}

// rankings are the first results of each query, on two engines and two devices.
func (c company) rankings(r *rand.Rand, week int, yield func(...string) bool) bool {
	const results = 20
	start, end := Week(week)
	pages := c.site()
	head := func(query string, e engine, device string) []string {
		return append(make([]string, 0, len(rankingColumns)), strconv.Itoa(c.account), c.name, c.organization, c.name,
			strconv.Itoa(c.property), c.host, start, end, end, e.name, e.engine, e.country, e.language, strconv.Itoa(e.id),
			"US", device, query)
	}
	for t, topic := range c.topics {
		for q, form := range queries {
			query := fmt.Sprintf(form, topic)
			volume := 10 * (1 + (t*37+q*101)%900)
			searches, cpc, competition := strconv.Itoa(volume), decimal(volume%400), decimal(volume%100)
			groupIDs := fmt.Sprintf("%d,%d", 100+t, 200+q%3)
			groupNames := topic + "," + []string{"research", "compare", "buy"}[q%3]
			for _, e := range engines {
				for _, device := range []string{"DESKTOP", "SMARTPHONE"} {
					own := 1 + r.IntN(2*results) // beyond the results: not ranking
					for rank := 1; rank <= results; rank++ {
						url, pageTitle := rival(c.rivals[r.IntN(len(c.rivals))], topic, rank)
						if rank == own {
							p := pages[1+3*t+r.IntN(3)]
							url, pageTitle = p.URL, p.Title
						}
						kind := "STANDARD_LINK"
						if rank > 3 && r.IntN(9) == 0 {
							kind = []string{"IMAGE_RESULT", "VIDEO", "LOCAL", "ANSWER_BOX"}[r.IntN(4)]
						}
						if !yield(append(head(query, e, device), pageTitle, url, root(hostOf(url)), hostOf(url), kind,
							strconv.Itoa(rank), strconv.Itoa(rank+r.IntN(3)), strconv.Itoa(1+rank/5),
							groupIDs, groupNames, searches, cpc, competition, searches, "202608")...) {
							return false
						}
					}
					if own > results && !yield(append(head(query, e, device), "", "", "", "", "", "", "", "",
						groupIDs, groupNames, searches, cpc, competition, searches, "202608")...) {
						return false
					}
				}
			}
		}
	}
	return true
}

// decimal writes hundredths.
func decimal(n int) string { return strconv.FormatFloat(float64(n)/100, 'f', -1, 64) }

func rival(host, topic string, n int) (url, pageTitle string) {
	slug := strings.ReplaceAll(topic, " ", "-")
	forms := []string{"The %d best picks for %s", "%d things to know about %s", "We tried %d ways to %s"}
	return fmt.Sprintf("https://%s/%s/%d", host, slug, 1+n%7), fmt.Sprintf(forms[n%3], 3+n%9, topic)
}

func hostOf(url string) string {
	host, _, _ := strings.Cut(strings.TrimPrefix(url, "https://"), "/")
	return host
}

// root is the registrable domain of a host of this demonstration.
func root(host string) string {
	parts := strings.Split(host, ".")
	return strings.Join(parts[len(parts)-2:], ".")
}
