package insight

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/contentgraph/contentgraph/internal/text"
)

var length = define(spec[LengthGuidance]{
	Type: "CONTENT_LENGTH_INSIGHT", Doc: "How long pages about the topic are.", Weight: 1, Needs: needsPages,
	Generate: func(_ context.Context, b *Brief) (LengthGuidance, error) {
		counts := map[text.Unit][]float64{}
		for _, p := range b.Pages {
			n, unit := text.Count(p.Text())
			counts[unit] = append(counts[unit], float64(n))
		}
		unit := text.WordUnit
		if len(counts[text.CharacterUnit]) > len(counts[unit]) {
			unit = text.CharacterUnit
		}
		return lengthOf(counts[unit], unit), nil
	},
	Check: func(g LengthGuidance, c *Copy) Check {
		n, _ := text.Count(c.content.Text())
		within := n >= g.RecommendedMin && n <= g.RecommendedMax
		score := lengthScore(float64(n), float64(g.RecommendedMin), float64(g.RecommendedMax))
		return Check{
			Details: map[string]any{
				"wordCount": n, "competitorMin": g.CompetitorMin, "competitorMedian": g.CompetitorMedian, "competitorMax": g.CompetitorMax,
				"recommendedMin": g.RecommendedMin, "recommendedMax": g.RecommendedMax, "pages": g.Pages, "withinRange": within, "unit": g.Unit,
			},
			Score:   &score,
			Summary: fmt.Sprintf("The text has %d %s; %d to %d are recommended.", n, g.Unit, g.RecommendedMin, g.RecommendedMax),
		}
	},
})

// lengthOf recommends what half of the pages have, at least 10 % around the
// median.
func lengthOf(counts []float64, unit text.Unit) LengthGuidance {
	slices.Sort(counts)
	median := percentile(counts, 50)
	return LengthGuidance{
		CompetitorMin: int(counts[0]), CompetitorMedian: int(math.Round(median)), CompetitorMax: int(counts[len(counts)-1]),
		RecommendedMin: int(math.Round(min(percentile(counts, 25), 0.9*median))),
		RecommendedMax: int(math.Round(max(percentile(counts, 75), 1.1*median))),
		Pages:          len(counts), Unit: string(unit),
	}
}

// percentile interpolates between the two nearest of sorted values (method 7 of
// Hyndman and Fan, Sample Quantiles in Statistical Packages, 1996).
func percentile(sorted []float64, p float64) float64 {
	at := p / 100 * float64(len(sorted)-1)
	low := int(at)
	if low+1 >= len(sorted) {
		return sorted[low]
	}
	return sorted[low] + (at-float64(low))*(sorted[low+1]-sorted[low])
}

// lengthScore is 1 within the range and falls to 0 at half or double.
func lengthScore(n, low, high float64) float64 {
	switch {
	case n < low:
		return max(0, 2*n/low-1)
	case n > high:
		return max(0, 2-n/high)
	}
	return 1
}

var readability = define(spec[ReadabilityGuidance]{
	Type: "READABILITY_INSIGHT", Doc: "How easily pages about the topic read.", Weight: 1, Needs: needsPages, Always: true,
	Generate: func(_ context.Context, b *Brief) (ReadabilityGuidance, error) {
		g := ReadabilityGuidance{Language: b.Language}
		var scores []float64
		for _, p := range b.Pages {
			r := text.Readable(b.Language, p.Text())
			g.Formula = r.Formula
			if r.Score != nil {
				scores = append(scores, *r.Score)
			} else {
				g.Reason = r.Reason
			}
		}
		if g.Formula == "" {
			return g, failure(CodeLanguage, "%s", g.Reason)
		}
		if g.Pages = len(scores); g.Pages > 0 {
			slices.Sort(scores)
			g.CompetitorMedian, g.Reason = new(round(percentile(scores, 50))), ""
		}
		return g, nil
	},
	Check: func(g ReadabilityGuidance, c *Copy) Check {
		body := c.content.Text()
		language := c.Language
		if own, sure := text.Detect(body); sure {
			language = own
		}
		return readabilityCheck(g, text.Readable(language, body), body)
	},
})

// farFrom is the distance to the competitors' median, in points of reading
// ease, at which the score is 0: two of the seven classes of Flesch's table.
const farFrom = 40

func readabilityCheck(g ReadabilityGuidance, r text.Readability, body string) Check {
	long := []string{}
	for _, s := range r.Long {
		long = append(long, body[s.Start:s.End])
	}
	details := map[string]any{
		"language": r.Language, "formula": r.Formula, "score": r.Score, "grade": r.Grade, "sentences": r.Sentences, "words": r.Words,
		"syllables": r.Syllables, "averageSentenceLength": r.AverageSentenceLength, "competitorMedian": g.CompetitorMedian,
		"longSentences": long,
	}
	out := Check{Details: details}
	switch {
	case r.Score == nil:
		details["reason"] = r.Reason
		out.Summary = r.Reason
	case g.CompetitorMedian != nil:
		score := max(0, 1-math.Abs(*r.Score-*g.CompetitorMedian)/farFrom)
		out.Score = &score
		out.Summary = fmt.Sprintf("The reading ease is %.0f; that of competitors is %.0f.", *r.Score, *g.CompetitorMedian)
	}
	return out
}
