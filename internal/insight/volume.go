package insight

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/contentgraph/contentgraph/internal/facts"
	"github.com/contentgraph/contentgraph/internal/text"
)

var searchVolume = define(spec[SearchVolumeGuidance]{
	Type: "MSV_SNIPPET", Doc: "How often the topic is searched for.", Needs: needsRankings,
	Generate: func(ctx context.Context, b *Brief) (SearchVolumeGuidance, error) {
		g := SearchVolumeGuidance{Phrases: []PhraseVolume{}}
		if b.Rankings.Period == "" {
			return g, failure(CodeNoRankings, "There are no rankings of %s; import keyword rankings with search volumes first.", b.Source.Name)
		}
		queries, err := b.variants(ctx)
		if err != nil {
			return g, err
		}
		for _, q := range queries {
			rows, err := b.Rankings.Of(ctx, q)
			if err != nil {
				return g, err
			}
			if v, known := phraseVolume(q, rows); known {
				g.Phrases = append(g.Phrases, v)
				g.Total += value(v.AverageSearchVolume)
			}
		}
		if len(g.Phrases) == 0 {
			return g, failure(CodeNoRankings, "The rankings of %s hold no search volume for the topic.", b.Source.Name)
		}
		slices.SortStableFunc(g.Phrases, func(a, b PhraseVolume) int {
			return cmp.Compare(value(b.AverageSearchVolume), value(a.AverageSearchVolume))
		})
		return g, nil
	},
	Check: func(g SearchVolumeGuidance, _ *Copy) Check { return Check{Details: g} },
})

// variants are the queries with the same content words as a phrase of the
// topic, in whatever form and order.
func (b *Brief) variants(ctx context.Context) ([]string, error) {
	wanted := map[string]bool{}
	var words []string
	for _, p := range b.Topic.Phrases {
		wanted[b.key(p)] = true
		words = append(words, p)
	}
	var all []string
	for _, p := range words {
		stems := text.Terms(b.Language, p)
		for i, s := range stems { // a query holds the beginning of each word whatever its form
			stems[i] = strings.TrimSuffix(s, "i")
		}
		found, err := b.Rankings.Queries(ctx, stems, maxTopicQueries*10)
		if err != nil {
			return nil, err
		}
		for _, q := range found {
			if wanted[b.key(q)] && !slices.Contains(all, q) && len(all) < maxTopicQueries {
				all = append(all, q)
			}
		}
	}
	return all, nil
}

func (b *Brief) key(s string) string {
	stems := text.Terms(b.Language, s)
	slices.Sort(stems)
	return strings.Join(slices.Compact(stems), " ")
}

func phraseVolume(query string, rows []facts.Ranking) (v PhraseVolume, known bool) {
	v.Phrase = query
	for _, r := range rows {
		if r.AverageVolume == nil && r.ApproximateVolume == nil {
			continue
		}
		v.AverageSearchVolume, v.ApproximateSearchVolume, v.CPC, v.Competition = r.AverageVolume, r.ApproximateVolume, r.CPC, r.Competition
		if r.MSVMonth != nil {
			v.MSVMonth = new(strconv.Itoa(*r.MSVMonth))
		}
		return v, true
	}
	return v, false
}

func value(p *int) int {
	if p == nil {
		return 0
	}
	return *p
}
