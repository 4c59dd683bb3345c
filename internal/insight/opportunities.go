package insight

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/contentgraph/contentgraph/internal/facts"
)

// defaultCurve is the share of clicks by rank: ranks 1 to 10 as measured over
// 80 million keywords (J. Beus, Why (almost) everything you knew about Google
// CTR is no longer valid, SISTRIX 2020), ranks 11 to 20 assumed to fall on.
var defaultCurve = []float64{
	0.285, 0.157, 0.110, 0.080, 0.072, 0.051, 0.040, 0.032, 0.028, 0.025,
	0.012, 0.010, 0.009, 0.008, 0.007, 0.006, 0.006, 0.005, 0.005, 0.004,
}

const (
	maxOpportunities = 50
	maxTopicQueries  = 100
	firstGain        = 4  // from this rank on there is something to gain
	lastGain         = 20 // behind it, a page does not answer the query
	target           = 3  // the rank that potential is reckoned with
)

var opportunities = define(spec[OpportunityGuidance]{
	Type: "OPPORTUNITIES_SNIPPET", Doc: "Where the account's own pages could gain.", Needs: needsRankings,
	Generate: func(ctx context.Context, b *Brief) (OpportunityGuidance, error) {
		g := OpportunityGuidance{Opportunities: []Opportunity{}}
		switch {
		case b.Rankings.Period == "":
			return g, failure(CodeNoRankings, "There are no rankings of %s; import keyword rankings first.", b.Source.Name)
		case b.Site == "":
			return g, failure(CodeNoRankings, "The pages of the account are not known: name a web property that has a URL.")
		}
		queries, err := b.queries(ctx)
		if err != nil {
			return g, err
		}
		for _, q := range queries {
			rows, err := b.Rankings.Of(ctx, q)
			if err != nil {
				return g, err
			}
			g.Opportunities = append(g.Opportunities, b.gains(q, rows)...)
		}
		slices.SortStableFunc(g.Opportunities, func(a, b Opportunity) int { return cmp.Compare(b.Potential, a.Potential) })
		g.Opportunities = g.Opportunities[:min(maxOpportunities, len(g.Opportunities))]
		return g, nil
	},
	Check: func(g OpportunityGuidance, _ *Copy) Check {
		return Check{Details: g, Summary: ""}
	},
})

// queries are those of the rankings that hold all words of a phrase of the
// topic, those of the first phrase first.
func (b *Brief) queries(ctx context.Context) ([]string, error) {
	words := make([][]string, len(b.Topic.Phrases))
	for i, phrase := range b.Topic.Phrases {
		words[i] = strings.Fields(strings.ToLower(phrase))
	}
	return b.queriesLike(ctx, func(q string) int {
		q = strings.ToLower(q)
		return slices.IndexFunc(words, func(all []string) bool {
			return !slices.ContainsFunc(all, func(word string) bool { return !strings.Contains(q, word) })
		})
	})
}

// queriesLike are the queries of the rankings that are like a phrase of the
// topic, which like names by its number, -1 for none: phrase by phrase, each in
// the order of their characters.
func (b *Brief) queriesLike(ctx context.Context, like func(query string) int) ([]string, error) {
	of := make([][]string, len(b.Topic.Phrases))
	err := b.Rankings.EachQuery(ctx, func(q string) {
		if i := like(q); i >= 0 {
			of[i] = append(of[i], q)
		}
	})
	for _, list := range of {
		slices.Sort(list)
	}
	all := slices.Concat(of...)
	return all[:min(maxTopicQueries, len(all))], err
}

// gains are the opportunities of one query; rows are best rank first.
func (b *Brief) gains(query string, rows []facts.Ranking) []Opportunity {
	var list []Opportunity
	volume := volumeOf(rows)
	owned, others := map[string]bool{}, map[string]facts.Ranking{}
	best := -1
	for i, r := range rows {
		kind := strings.ToUpper(r.ResultType)
		switch {
		case b.own(r.URL):
			owned[kind] = true
			if best < 0 {
				best = i
			}
		case r.Rank <= lastGain && kind != "":
			if _, known := others[kind]; !known {
				others[kind] = r
			}
		}
	}
	if best >= 0 && rows[best].Rank >= firstGain && rows[best].Rank <= lastGain {
		r := rows[best]
		list = append(list, Opportunity{
			Query: query, Rank: &r.Rank, URL: &r.URL, ResultType: r.ResultType, SearchVolume: volume,
			Potential: b.clicks(volume, b.ctr(target)-b.ctr(r.Rank)),
			Reason:    fmt.Sprintf("The page is on rank %d; on rank %d more people would see it.", r.Rank, target),
		})
	}
	for kind, r := range others {
		if owned[kind] || asOrdinary(kind) {
			continue
		}
		list = append(list, Opportunity{
			Query: query, ResultType: r.ResultType, SearchVolume: volume, Potential: b.clicks(volume, b.ctr(r.Rank)),
			Reason: fmt.Sprintf("The result page has an item of type %s on rank %d that is not yours.", r.ResultType, r.Rank),
		})
	}
	slices.SortFunc(list, func(a, b Opportunity) int { return cmp.Compare(a.ResultType, b.ResultType) })
	return list
}

// asOrdinary reports the type of the plain results, which no page owns.
func asOrdinary(kind string) bool {
	return strings.Contains(kind, "STANDARD") || strings.Contains(kind, "ORGANIC") || strings.Contains(kind, "CLASSIC")
}

func (b *Brief) ctr(rank int) float64 {
	if rank < 1 || rank > len(b.Curve) {
		return 0
	}
	return b.Curve[rank-1]
}

// clicks are a month's, or those of 100 searches.
func (b *Brief) clicks(volume *int, share float64) float64 {
	searches := 100
	if volume != nil {
		searches = *volume
	}
	return math.Round(float64(searches)*max(0, share)*10) / 10
}

func volumeOf(rows []facts.Ranking) *int {
	for _, r := range rows {
		if r.AverageVolume != nil {
			return r.AverageVolume
		}
	}
	for _, r := range rows {
		if r.ApproximateVolume != nil {
			return r.ApproximateVolume
		}
	}
	return nil
}
