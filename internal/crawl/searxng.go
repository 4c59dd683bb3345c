package crawl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Found is a result of a search.
type Found struct{ URL, Title string }

// SearXNG is a search service of one's own. Its address comes from the
// configuration, so that the guard of fetches does not apply; what it answers
// is a stranger's all the same.
type SearXNG struct {
	base   *url.URL
	client *http.Client
}

// Bounds of a search.
const (
	searchTime = 10 * time.Second
	searchBody = 2 << 20
	searchMost = 100 // results
)

// CheckSearXNG reports an address that cannot be one; "" stands for none.
func CheckSearXNG(address string) error {
	if address == "" {
		return nil
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return errors.New("must be an http or https URL")
	}
	return nil
}

// NewSearXNG takes the address of an instance that CheckSearXNG has passed.
func NewSearXNG(address string) *SearXNG {
	u, err := url.Parse(address)
	if err != nil {
		u = &url.URL{}
	}
	return &SearXNG{base: u.JoinPath("search"), client: &http.Client{
		Timeout:       searchTime,
		Transport:     &http.Transport{Proxy: nil, MaxIdleConnsPerHost: 4, IdleConnTimeout: 30 * time.Second},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// sentence is an error for users.
type sentence string

func (s sentence) Error() string { return string(s) }

// Search asks for a phrase, in a language (en) and country (US) when they are
// known. Its error is a sentence for users.
func (s *SearXNG) Search(ctx context.Context, phrase, language, country string) ([]Found, error) {
	query := url.Values{"q": {phrase}, "format": {"json"}, "pageno": {"1"}, "categories": {"general"}}
	if language != "" {
		query.Set("language", language)
		if country != "" {
			query.Set("language", language+"-"+strings.ToUpper(country))
		}
	}
	u := *s.base
	u.RawQuery = query.Encode()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, sentence("The address of the search service is wrong.")
	}
	r.Header.Set("Accept", "application/json")
	resp, err := s.client.Do(r)
	if err != nil {
		return nil, sentence("The search service cannot be reached.")
	}
	defer resp.Body.Close()
	switch resp.StatusCode {
	case http.StatusOK:
	case http.StatusTooManyRequests:
		return nil, sentence("The search service has had too many requests; try again later.")
	case http.StatusForbidden:
		return nil, sentence("The search service does not answer in JSON; allow the format json in its settings.")
	default:
		return nil, sentence(fmt.Sprintf("The search service answered with status %d.", resp.StatusCode))
	}
	var answer struct {
		Results []struct {
			URL   string `json:"url"`
			Title string `json:"title"`
		} `json:"results"`
		Unresponsive [][]any `json:"unresponsive_engines"`
	}
	if err := json.NewDecoder(io.LimitReader(resp.Body, searchBody)).Decode(&answer); err != nil {
		return nil, sentence("The search service did not answer in JSON.")
	}
	list := []Found{}
	for _, f := range answer.Results {
		if u, err := url.Parse(f.URL); err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && len(list) < searchMost {
			list = append(list, Found{f.URL, f.Title})
		}
	}
	if len(list) == 0 && len(answer.Unresponsive) > 0 {
		return nil, sentence("The search service found nothing, since none of its engines answered.")
	}
	return list, nil
}
