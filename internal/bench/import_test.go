package bench

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/contentgraph/contentgraph/internal/draft"
	"github.com/contentgraph/contentgraph/internal/facts"
	"github.com/contentgraph/contentgraph/internal/reference"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// BenchmarkDraftsDuringImport writes drafts, one every few milliseconds, while
// 1,000,000 facts are imported into SQLite. The bar: p99 under 100 ms.
func BenchmarkDraftsDuringImport(b *testing.B) {
	const rows = 1_000_000
	ctx := store.System(context.Background())
	for range b.N {
		s, err := store.Open(ctx, "", b.TempDir())
		if err != nil {
			b.Fatal(err)
		}
		defer s.Close()
		source, err := reference.New(s).RankSources.Create(ctx, map[string]any{"name": "X"})
		if err != nil {
			b.Fatal(err)
		}
		done := make(chan error, 1)
		begin := time.Now()
		go func() {
			columns, src := rankings(rows)
			_, err := facts.NewImporter(s).Rows(ctx, vocab.KeywordRankings, "bench", "bench", columns, src, facts.Options{})
			done <- err
		}()
		drafts, as := draft.New(s), store.As(context.Background(), 7, 1)
		var waits []time.Duration
		for running := true; running; {
			select {
			case err := <-done:
				if err != nil {
					b.Fatal(err)
				}
				running = false
			case <-time.After(5 * time.Millisecond):
				start := time.Now()
				if _, err := drafts.Create(as, map[string]any{"topics": []any{"t"}, "rankSourceId": source.ID}); err != nil {
					b.Fatal(err)
				}
				waits = append(waits, time.Since(start))
			}
		}
		b.ReportMetric(rows/time.Since(begin).Seconds(), "rows/s")
		slices.Sort(waits)
		for _, p := range []int{50, 99, 100} {
			b.ReportMetric(float64(waits[(len(waits)-1)*p/100].Microseconds())/1000, fmt.Sprintf("ms-p%d", p))
		}
		b.ReportMetric(float64(len(waits)), "drafts")
		results.slower("a draft written, p99, while 1000000 facts are imported into SQLite, against 100 ms",
			[]time.Duration{waits[(len(waits)-1)*99/100]}, []time.Duration{100 * time.Millisecond}, 1)
	}
}

// rankings are rows as wide as real ones.
func rankings(n int) ([]string, iter.Seq2[[]string, error]) {
	columns := []string{"account_id", "web_property_id", "time_period_start", "time_period_end", "search_engine_name",
		"search_engine_country_code", "search_engine_language_code", "locode", "device", "query", "title", "normalized_url",
		"root_domain", "subdomain", "result_type", "rank_standard", "rank_true", "keyword_group_ids", "keyword_group_names"}
	return columns, func(yield func([]string, error) bool) {
		for i := range n {
			site := fmt.Sprintf("site%d.example", i%4000)
			if !yield([]string{"7", "1", "2026-01-11", "2026-01-17", "X", "US", "en", "US", "DESKTOP", fmt.Sprintf("query number %d", i/20),
				fmt.Sprintf("What everybody should know about query %d", i/20), fmt.Sprintf("https://www.%s/articles/%d", site, i),
				site, "www." + site, "STANDARD_LINK", strconv.Itoa(1 + i%20), strconv.Itoa(1 + i%20), "9,90", "group one,group two"}, nil) {
				return
			}
		}
	}
}
