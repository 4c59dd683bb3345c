package insight

import (
	"bytes"
	"compress/flate"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/fetchedpage"
	"github.com/contentgraph/contentgraph/internal/crawl"
	"github.com/contentgraph/contentgraph/internal/htmldoc"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// How long a page that was fetched is good, and one that could not be.
const (
	freshFor    = 24 * time.Hour
	failedFor   = 10 * time.Minute
	fetchAtOnce = 5
)

// Fetch fetches a page, or hears that it is as the validators say. Its error is
// a sentence for users, unless ctx has ended.
type Fetch func(ctx context.Context, r crawl.Request) (*crawl.Response, error)

// Page is a competitor's page.
type Page struct {
	*htmldoc.Page
	Address string // as it was asked for
	Fetched time.Time

	prepared prepared
}

// pages fetches pages and keeps them for the account.
type pages struct {
	store *store.Store
	fetch Fetch
	now   func() time.Time
}

// all are the pages of urls that could be read, and those that could not, each
// in the order of urls.
func (p *pages) all(ctx context.Context, urls []string) (list []*Page, missing []vocab.GuidancePage, err error) {
	found := make([]*Page, len(urls))
	failed := make([]string, len(urls))
	var group errgroup.Group
	group.SetLimit(fetchAtOnce)
	for i, url := range urls {
		group.Go(func() (err error) {
			found[i], failed[i], err = p.one(ctx, url)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, nil, err
	}
	missing = []vocab.GuidancePage{}
	for i, page := range found {
		if page != nil {
			list = append(list, page)
		} else {
			missing = append(missing, vocab.GuidancePage{URL: urls[i], Fetched: p.now(), Error: &failed[i]})
		}
	}
	return list, missing, nil
}

// one is a page, or the reason why it cannot be read. Only trouble with the
// storage and the end of ctx are errors.
func (p *pages) one(ctx context.Context, url string) (page *Page, failed string, err error) {
	known, err := p.store.FetchedPage.Query().Where(fetchedpage.URLHash(hashOf(url))).Only(ctx)
	if err != nil && !db.IsNotFound(err) {
		return nil, "", err
	}
	if known != nil && p.good(known) {
		page, err := read(known)
		return page, known.FailureMessage, err
	}
	request := crawl.Request{URL: url}
	if known != nil && len(known.Page) > 0 {
		request.ETag, request.LastModified = known.Etag, known.LastModified
	}
	answer, err := p.fetch(ctx, request)
	switch {
	case ctx.Err() != nil:
		return nil, "", ctx.Err()
	case err != nil:
		reason := strings.ReplaceAll(strings.ToValidUTF8(err.Error(), "\uFFFD"), "\x00", "\uFFFD") // it may name a stranger's host
		return nil, reason, p.keep(ctx, url, nil, reason, &crawl.Response{})
	case answer.NotModified && known != nil:
		if err := p.store.FetchedPage.UpdateOne(known).SetFetched(p.now()).Exec(ctx); err != nil && !db.IsNotFound(err) {
			return nil, "", err
		}
		known.Fetched = p.now()
		page, err := read(known)
		return page, "", err
	}
	page = &Page{Page: htmldoc.Parse(answer.Body, answer.ContentType, answer.URL), Address: url, Fetched: p.now()}
	if strings.TrimSpace(page.Text()) == "" {
		const empty = "The page holds no text."
		return nil, empty, p.keep(ctx, url, nil, empty, answer)
	}
	return page, "", p.keep(ctx, url, page.Page, "", answer)
}

// good reports whether a page need not be asked for again.
func (p *pages) good(known *db.FetchedPage) bool {
	limit := freshFor
	if known.Failure != "" {
		limit = failedFor
	}
	return p.now().Sub(known.Fetched) < limit
}

// keep stores what was fetched in the place of what was there.
func (p *pages) keep(ctx context.Context, url string, page *htmldoc.Page, failure string, answer *crawl.Response) error {
	var packed []byte
	if page != nil {
		var err error
		if packed, err = pack(page); err != nil {
			return err
		}
	}
	code := ""
	if failure != "" {
		code = CodeFetchFailed
	}
	err := p.store.Tx(ctx, func(tx *db.Client) error {
		if _, err := tx.FetchedPage.Delete().Where(fetchedpage.URLHash(hashOf(url))).Exec(ctx); err != nil {
			return err
		}
		return tx.FetchedPage.Create().SetURL(url).SetURLHash(hashOf(url)).SetFinalURL(plain(answer.URL)).SetEtag(plain(answer.ETag)).
			SetLastModified(plain(answer.LastModified)).SetPage(packed).SetFailure(code).SetFailureMessage(failure).SetFetched(p.now()).Exec(ctx)
	})
	if db.IsConstraintError(err) { // another job has just fetched it
		return nil
	}
	return err
}

// plain is a stranger's text when a database can hold it: PostgreSQL takes
// UTF-8 without NUL alone, and headers can be anything. A validator that is
// changed would be useless, so that it is dropped.
func plain(s string) string {
	if !utf8.ValidString(s) || strings.ContainsRune(s, 0) {
		return ""
	}
	return s
}

func hashOf(url string) string {
	sum := sha256.Sum256([]byte(url))
	return hex.EncodeToString(sum[:])
}

// read is a page as it is stored, nil when it could not be fetched.
func read(row *db.FetchedPage) (*Page, error) {
	if row.Failure != "" {
		return nil, nil
	}
	var page htmldoc.Page
	plain := flate.NewReader(bytes.NewReader(row.Page))
	err := json.NewDecoder(plain).Decode(&page)
	return &Page{Page: &page, Address: row.URL, Fetched: row.Fetched}, err
}

func pack(page *htmldoc.Page) ([]byte, error) {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestSpeed)
	if err != nil {
		return nil, err
	}
	err = errors.Join(json.NewEncoder(w).Encode(page), w.Close())
	return b.Bytes(), err
}

// staleAfter is when a page that nobody asked for again goes.
const staleAfter = 30 * 24 * time.Hour

// Sweep removes pages that were fetched long ago.
func (s *Service) Sweep(ctx context.Context) error {
	_, err := s.store.FetchedPage.Delete().Where(fetchedpage.FetchedLT(s.Now().Add(-staleAfter))).Exec(store.System(ctx))
	return err
}
