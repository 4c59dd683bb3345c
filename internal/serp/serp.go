// Package serp answers what stands on the result page of a topic: from the
// account's own ranking facts, else from an imported snapshot, else from a
// search service when one is configured. It knows no transport; the viewer is
// in the context.
package serp

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/serpresult"
	"github.com/contentgraph/contentgraph/internal/facts"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/store"
)

// Service is what can be asked about result pages.
type Service struct {
	// Search asks a search service; nil = none is configured. Its error is
	// written for users.
	Search func(ctx context.Context, topic, language, country string) ([]Result, error)

	store *store.Store
}

// New makes the service.
func New(s *store.Store) *Service { return &Service{store: s} }

// Result is one item of a result page.
type Result struct {
	Position  int // from 1
	Type      string
	URL       string // "" for an item that leads nowhere
	Title     string
	Questions []string // of a People-also-ask box
}

// Where a page comes from.
const (
	FromRankings = "rankings"
	FromSnapshot = "snapshot"
	FromSearch   = "search"
)

// Page is the result page of a topic. From is "" when none is known.
type Page struct {
	Topic   string
	From    string
	Results []Result // by position
	// Questions are all that are known to be asked, most asked first, whatever
	// From is.
	Questions []string
	// Problem is a sentence when the search service was asked in vain.
	Problem string
}

// URLs are the first limit different URLs.
func (p *Page) URLs(limit int) []string {
	urls := []string{}
	for _, r := range p.Results {
		if len(urls) == limit {
			break
		}
		if r.URL != "" && !slices.Contains(urls, r.URL) {
			urls = append(urls, r.URL)
		}
	}
	return urls
}

// TopicURLs are the URLs of a topic's result page, by best rank.
type TopicURLs struct {
	Topic string
	URLs  []string
}

// The bounds of a request for URLs.
const (
	DefaultURLs = 15
	maxURLs     = 100
	maxTopics   = 50
	maxTopic    = 2000 // bytes
)

// URLs are the first limit URLs of each topic, in the order of the topics; nil
// stands for DefaultURLs. Fault: Invalid.
func (s *Service) URLs(ctx context.Context, rankSource int, topics []string, limit *int) ([]*TopicURLs, error) {
	n := DefaultURLs
	if limit != nil {
		n = *limit
	}
	var bad []fault.Field
	if n < 1 || n > maxURLs {
		bad = append(bad, fault.Field{Field: "limit", Message: "must be from 1 to 100"})
	}
	if len(topics) == 0 || len(topics) > maxTopics || slices.ContainsFunc(topics, func(t string) bool { return strings.TrimSpace(t) == "" }) {
		bad = append(bad, fault.Field{Field: "topic", Message: "must be given 1 to 50 times, not blank"})
	} else if slices.ContainsFunc(topics, func(t string) bool { return !utf8.ValidString(t) || strings.ContainsRune(t, 0) || len(t) > maxTopic }) {
		bad = append(bad, fault.Field{Field: "topic", Message: "must be UTF-8 without NUL characters, of at most 2000 bytes"})
	}
	source, err := s.store.RankSource.Get(ctx, rankSource)
	if db.IsNotFound(err) {
		bad = append(bad, fault.Field{Field: "rankSourceId", Message: "must be the id of a known rank source"})
	} else if err != nil {
		return nil, err
	}
	if bad != nil {
		return nil, fault.WithFields(bad)
	}
	pages, err := s.Pages(ctx, source, topics)
	if err != nil {
		return nil, store.Fault(ctx, err, "result page")
	}
	list := make([]*TopicURLs, len(pages))
	for i, p := range pages {
		list[i] = &TopicURLs{p.Topic, p.URLs(n)}
	}
	return list, nil
}

// Pages are the result pages of topics, each from the first source that has one.
func (s *Service) Pages(ctx context.Context, source *db.RankSource, topics []string) ([]*Page, error) {
	rankings, err := facts.NewestRankings(ctx, s.store, source.Name)
	if err != nil {
		return nil, err
	}
	pages := make([]*Page, len(topics))
	for i, topic := range topics {
		if pages[i], err = s.page(ctx, rankings, source, topic); err != nil {
			return nil, err
		}
	}
	return pages, s.search(ctx, source, pages)
}

func (s *Service) page(ctx context.Context, rankings *facts.Rankings, source *db.RankSource, topic string) (*Page, error) {
	p := &Page{Topic: topic}
	ranked, err := s.ranked(ctx, rankings, topic)
	if err != nil {
		return nil, err
	}
	p.take(FromRankings, ranked)
	snapshot, err := s.snapshot(ctx, source.ID, topic)
	if err != nil {
		return nil, err
	}
	p.take(FromSnapshot, snapshot)
	return p, nil
}

// searchAtOnce is how many topics the search service is asked for at a time.
const searchAtOnce = 5

// search asks the search service for the pages that no other source has, and
// for no more once it fails: an outage must not cost a wait for every topic.
func (s *Service) search(ctx context.Context, source *db.RankSource, pages []*Page) error {
	if s.Search == nil {
		return nil
	}
	var group errgroup.Group
	group.SetLimit(searchAtOnce)
	var problem atomic.Value // a string
	for _, p := range pages {
		if p.From != "" {
			continue
		}
		group.Go(func() error {
			if known, failed := problem.Load().(string); failed {
				p.Problem = known
				return nil
			}
			found, err := s.Search(ctx, strings.TrimSpace(p.Topic), source.Language, source.Country)
			if err != nil {
				p.Problem = err.Error()
				problem.Store(p.Problem)
			}
			p.take(FromSearch, found)
			return ctx.Err()
		})
	}
	return group.Wait()
}

// take makes results the page's unless it has some, and keeps their questions.
func (p *Page) take(from string, results []Result) {
	if p.From == "" && len(results) > 0 {
		p.From, p.Results = from, results
	}
	for _, r := range results {
		for _, q := range r.Questions {
			if !slices.ContainsFunc(p.Questions, func(known string) bool { return strings.EqualFold(known, q) }) {
				p.Questions = append(p.Questions, q)
			}
		}
	}
}

// ranked is the page by the ranking facts. Their queries are compared as they
// are, then in lower case, which is how most collectors keep them.
func (s *Service) ranked(ctx context.Context, rankings *facts.Rankings, topic string) ([]Result, error) {
	topic = strings.TrimSpace(topic)
	rows, err := rankings.Of(ctx, topic)
	if lower := strings.ToLower(topic); err == nil && len(rows) == 0 && lower != topic {
		rows, err = rankings.Of(ctx, lower)
	}
	var list []Result
	seen := map[string]bool{}
	for _, r := range rows { // best rank first, over all devices and places
		asked := asks(r.ResultType)
		key := r.URL
		if asked {
			key = r.Title
		}
		if r.Rank > 100 || key == "" || seen[r.ResultType+" "+key] {
			continue
		}
		seen[r.ResultType+" "+key] = true
		item := Result{Position: r.Rank, Type: r.ResultType, URL: r.URL, Title: r.Title}
		if asked && strings.TrimSpace(r.Title) != "" {
			item.Questions = []string{r.Title}
		}
		list = append(list, item)
	}
	return list, err
}

// asks reports the type of a People-also-ask item, as collectors name it.
func asks(resultType string) bool {
	t := strings.ToLower(resultType)
	return strings.Contains(t, "also_ask") || strings.Contains(t, "also ask") || strings.Contains(t, "question") || t == "paa"
}

func (s *Service) snapshot(ctx context.Context, rankSource int, topic string) ([]Result, error) {
	rows, err := s.store.SerpResult.Query().
		Where(serpresult.RankSourceID(rankSource), serpresult.Topic(fold(topic))).
		Order(serpresult.ByPosition(), serpresult.ByID()).All(ctx)
	list := make([]Result, len(rows))
	for i, r := range rows {
		list[i] = Result{r.Position, r.Type, r.URL, r.Title, r.Questions}
	}
	return list, err
}

// fold is the form in which topics are compared.
func fold(topic string) string { return strings.ToLower(strings.Join(strings.Fields(topic), " ")) }
