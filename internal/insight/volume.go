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
	keys := make([]string, len(b.Topic.Phrases))
	for i, p := range b.Topic.Phrases {
		keys[i] = b.key(p)
	}
	return b.queriesLike(ctx, func(q string) int { return slices.Index(keys, b.key(q)) })
}

// key is the same for texts with the same content words; one without any, as
// "The Who", is itself.
func (b *Brief) key(s string) string {
	stems := text.Terms(b.Language, s)
	if len(stems) == 0 {
		return strings.ToLower(s)
	}
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
