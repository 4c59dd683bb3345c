package app

import (
	"context"

	"github.com/contentgraph/contentgraph/internal/crawl"
	"github.com/contentgraph/contentgraph/internal/serp"
)

// searching asks a SearXNG instance for result pages.
func searching(address string) func(ctx context.Context, topic, language, country string) ([]serp.Result, error) {
	service := crawl.NewSearXNG(address)
	return func(ctx context.Context, topic, language, country string) ([]serp.Result, error) {
		found, err := service.Search(ctx, topic, language, country)
		results := make([]serp.Result, len(found))
		for i, f := range found {
			results[i] = serp.Result{Position: i + 1, URL: f.URL, Title: f.Title}
		}
		return results, err
	}
}
