package insight

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/webproperty"
	"github.com/contentgraph/contentgraph/internal/facts"
	"github.com/contentgraph/contentgraph/internal/serp"
	"github.com/contentgraph/contentgraph/internal/text"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// competitors is how many URLs of result pages stand in for competitorUrls.
const competitors = 15

// Brief is what kinds may read. Parts that no kind of the request needs are empty.
type Brief struct {
	Topic    Topic
	Source   *db.RankSource
	Language string               // of the topic, in normal form; "" when unknown
	Pages    []*Page              // that could be read, in the order of the result page
	Missing  []vocab.GuidancePage // that could not
	Results  []*serp.Page         // one for each phrase
	Rankings *facts.Rankings
	Site     string // host of the web property without www, "" when unknown
	Profile  *db.ContentProfile
	Curve    []float64 // share of clicks by rank, from rank 1

	pagesFrom string // what named the pages: text or serp
}

// brief gathers what a request needs.
func (s *Service) brief(ctx context.Context, draft uuid.UUID, request json.RawMessage, need needs) (*Brief, error) {
	b := &Brief{Curve: s.Curve, pagesFrom: "text"}
	if err := json.Unmarshal(request, &b.Topic); err != nil {
		return nil, err
	}
	d, err := s.store.Draft.Get(ctx, draft)
	if err != nil {
		return nil, err
	}
	if b.Source, err = s.store.RankSource.Get(ctx, b.Topic.RankSourceID); err != nil {
		return nil, err
	}
	b.Language = text.Language(b.Source.Language)
	if d.ContentProfileID != nil {
		if b.Profile, err = s.store.ContentProfile.Get(ctx, *d.ContentProfileID); err != nil && !db.IsNotFound(err) {
			return nil, err
		}
	}
	if err := s.site(ctx, b, d); err != nil {
		return nil, err
	}
	urls := b.Topic.CompetitorURLs
	if len(urls) == 0 {
		urls = d.CompetitorUrls
	}
	if need&needsSERP != 0 || need&readsPages != 0 && len(urls) == 0 {
		if b.Results, err = s.serp.Pages(ctx, b.Source, b.Topic.Phrases); err != nil {
			return nil, err
		}
	}
	if need&needsRankings != 0 {
		if b.Rankings, err = facts.NewestRankings(ctx, s.store, b.Source.Name); err != nil {
			return nil, err
		}
	}
	if need&readsPages != 0 {
		if len(urls) == 0 {
			urls, b.pagesFrom = firstURLs(b.Results, competitors), "serp"
		}
		if b.Pages, b.Missing, err = s.pages.all(ctx, once(urls)); err != nil {
			return nil, err
		}
		if b.Language == "" {
			b.Language = commonLanguage(b.Pages)
		}
	}
	return b, nil
}

// site is where the account's own pages are: the request's web property, else
// the draft's.
func (s *Service) site(ctx context.Context, b *Brief, d *db.Draft) error {
	number := b.Topic.WebPropertyID
	if number == nil {
		number = d.WebPropertyID
	}
	if number == nil {
		return nil
	}
	p, err := s.store.WebProperty.Query().Where(webproperty.Number(*number)).Only(ctx)
	if db.IsNotFound(err) {
		return nil
	} else if err != nil {
		return err
	}
	for _, name := range []string{p.URL, p.Name} { // imports know the name alone, which often is the host
		if host := hostOf(name); host != "" {
			b.Site = host
			return nil
		}
	}
	return nil
}

// hostOf is the host of a URL or of a bare domain, without www; "" for a text.
func hostOf(s string) string {
	s = strings.TrimSpace(strings.ToLower(s))
	if !strings.Contains(s, "://") {
		s = "https://" + s
	}
	u, err := url.Parse(s)
	if err != nil || !strings.Contains(u.Hostname(), ".") || strings.ContainsAny(u.Hostname(), " ,") {
		return ""
	}
	return strings.TrimPrefix(u.Hostname(), "www.")
}

// own reports a URL of the account's site.
func (b *Brief) own(address string) bool {
	host := hostOf(address)
	return b.Site != "" && (host == b.Site || strings.HasSuffix(host, "."+b.Site))
}

// firstURLs takes the first URL of each page, then the second, and so on.
func firstURLs(pages []*serp.Page, limit int) []string {
	urls := []string{}
	for i := range limit {
		for _, p := range pages {
			of := p.URLs(limit)
			if i < len(of) && len(urls) < limit && !slices.Contains(urls, of[i]) {
				urls = append(urls, of[i])
			}
		}
	}
	return urls
}

// once are the different ones of a list, in its order.
func once(list []string) []string {
	var all []string
	for _, s := range list {
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// commonLanguage is that of most pages.
func commonLanguage(pages []*Page) string {
	count, best := map[string]int{}, ""
	for _, p := range pages {
		count[p.Language]++
		if p.Language != "" && count[p.Language] > count[best] {
			best = p.Language
		}
	}
	return best
}

// readable fails when there is no page at all.
func (b *Brief) readable() error {
	switch {
	case len(b.Pages) > 0:
		return nil
	case len(b.Missing) > 0:
		return failure(CodeFetchFailed, "%s", b.missing())
	}
	for _, r := range b.Results {
		if r.Problem != "" {
			return failure(CodeNoPages, "No competitor pages are known, and the search service did not help: %s", r.Problem)
		}
	}
	return failure(CodeNoPages, "No competitor pages are known: give competitorUrls, or import rankings or result pages for the topic.")
}

// accounts are all pages, those that could be read first.
func (b *Brief) accounts() []vocab.GuidancePage {
	list := make([]vocab.GuidancePage, 0, len(b.Pages)+len(b.Missing))
	for _, p := range b.Pages {
		list = append(list, vocab.GuidancePage{URL: p.Address, Title: p.Title, Fetched: p.Fetched})
	}
	return append(list, b.Missing...)
}

// source says what a kind was made from.
func (b *Brief) source(k *Kind) string {
	switch {
	case k.needs&needsPages != 0:
		return b.pagesFrom
	case k.needs&needsSERP != 0 && slices.ContainsFunc(b.Results, func(r *serp.Page) bool { return r.From != "" }):
		return "serp"
	case k.needs&readsPages != 0:
		return b.pagesFrom
	}
	return "rankings"
}
