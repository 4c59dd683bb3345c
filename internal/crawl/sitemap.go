package crawl

import (
	"context"
	"errors"
	"net/http"
	"time"
)

// Bounds of sitemaps; the first two are those of the protocol.
const (
	maxSitemap     = 50 << 20 // bytes, as sent and decoded
	maxEntries     = 50_000   // in one file
	maxSitemaps    = 1000     // files of one index, and of those in it
	maxSitemapTime = 60 * time.Second
	maxLine        = 64 << 10 // bytes of the longest tag or text
)

// Entry is a page that a sitemap lists.
type Entry struct {
	URL      string
	Modified time.Time // zero when unknown
}

// errEnough ends the reading of sitemaps.
var errEnough = errors.New("crawl: enough entries")

// Sitemap reads a sitemap, or an index and all sitemaps that it lists, as XML
// or as text with a line for each page, each plain or packed by gzip. It calls
// fn for each page, each address once, in order, until there are limit of them
// or fn returns false. A sitemap of an index that cannot be read is left out;
// the error then joins the failures, after all others were read.
func (f *Fetcher) Sitemap(ctx context.Context, at string, limit int, fn func(Entry) bool) error {
	seen := make(map[string]bool)
	s := siteReader{fetcher: f, files: []string{at}, seen: map[string]bool{at: true}}
	s.each = func(e Entry) bool {
		if seen[e.URL] {
			return true
		}
		seen[e.URL] = true
		return len(seen) <= limit && fn(e) && len(seen) < limit
	}
	var errs []error
	for i := 0; i < len(s.files); i++ {
		switch err := s.read(ctx, s.files[i]); {
		case errors.Is(err, errEnough):
			return errors.Join(errs...)
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && i == 0:
			return err
		case err != nil && len(errs) < 100:
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// Sitemaps are the addresses of the sitemaps that the robots.txt of a site
// names, or the usual one when it names none.
func (f *Fetcher) Sitemaps(ctx context.Context, site string) ([]string, error) {
	u, failure := f.guard.parse(site)
	if failure != nil {
		return nil, failure
	}
	giveBack, err := f.turns.take(ctx, u.Hostname())
	if err != nil {
		return nil, err
	}
	defer func() { giveBack(f.Delay) }()
	timed, cancel := context.WithTimeout(ctx, f.limit)
	defer cancel()
	r, err := f.rule(timed, u)
	if err != nil {
		return nil, failed(ctx, u.Hostname(), err)
	}
	var all []string
	for _, s := range r.sitemaps {
		if at, err := u.Parse(s); err == nil {
			all = append(all, at.String())
		}
	}
	if len(all) == 0 {
		all = append(all, u.Scheme+"://"+u.Host+"/sitemap.xml")
	}
	return all, nil
}

// siteReader reads a sitemap and collects the sitemaps that an index lists.
type siteReader struct {
	fetcher *Fetcher
	files   []string
	seen    map[string]bool
	each    func(Entry) bool
}

func (s *siteReader) read(ctx context.Context, at string) error {
	start, failure := s.fetcher.guard.parse(at)
	if failure != nil {
		return failure
	}
	_, err := s.fetcher.follow(ctx, start, maxSitemapTime,
		func(req *http.Request) {
			req.Header.Set("Accept", "application/xml,text/xml,text/plain;q=0.9,*/*;q=0.5")
		},
		func(resp *http.Response) error {
			if resp.StatusCode != http.StatusOK {
				return statusFailure(resp)
			}
			content, err := body(resp, maxSitemap)
			if err == nil {
				err = s.parse(content, resp.Request.URL)
			}
			if errors.Is(err, errTooLarge) {
				return &Failure{Reason: TooLarge, Host: resp.Request.URL.Hostname(), cause: err}
			}
			return err
		})
	return err
}
