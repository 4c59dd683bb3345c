// Package knowledge keeps knowledge sources: texts, and files with what was
// read from them, that generated content draws on. The bytes of a file are in a
// blob store, once for each account; a job has them read, elsewhere, since they
// are a stranger's. The package knows no transport and no file format; the
// viewer is in the context.
package knowledge

import (
	"context"
	"os"
	"slices"
	"strings"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"
	"gocloud.dev/blob"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/knowledgesource"
	"github.com/contentgraph/contentgraph/internal/extract"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/input"
	"github.com/contentgraph/contentgraph/internal/jobs"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

const noun = "knowledge source"

// DefaultMaxUpload is the usual MaxUpload.
const DefaultMaxUpload = 25 << 20

// Service is what can be done with the knowledge sources of the viewer's account.
type Service struct {
	Now   func() time.Time
	NewID func() uuid.UUID
	// MaxUpload is the largest file in bytes.
	MaxUpload int64
	// Wait is how long an upload waits for its text; after that it answers
	// without, and the text follows.
	Wait time.Duration
	// TempFolder is where files are while they are read; "" is the system's.
	TempFolder string

	store  *store.Store
	queue  *jobs.Queue
	bucket *blob.Bucket
	read   Reader
	news   news
}

// Reader reads a file that has the name, as extract.Pool does: a fault Invalid
// for a file of another kind, Unprocessable for one that cannot be read, an
// *extract.Failure for one that reading failed on.
type Reader func(ctx context.Context, name string, f *os.File) (extract.Result, error)

// New makes the service; files are in the bucket, and so many are read at a time.
func New(s *store.Store, q *jobs.Queue, bucket *blob.Bucket, read Reader, readers int) *Service {
	svc := &Service{
		Now:       func() time.Time { return time.Now().UTC().Truncate(time.Millisecond) },
		NewID:     uuid.New,
		MaxUpload: DefaultMaxUpload,
		Wait:      2 * time.Second,
		store:     s, queue: q, bucket: bucket, read: read,
	}
	q.Handle(extractKind, jobs.Handler{Workers: readers, Run: svc.extract, Discard: svc.discard})
	q.Handle(forgetKind, jobs.Handler{Run: svc.forget})
	return svc
}

// Source is a knowledge source with what it says.
type Source struct {
	*db.KnowledgeSource
	// Text is nil in lists, and while nothing has been read.
	Text *string
}

// FileType is what the content of the file was found to be; nil for a text and
// before it is read.
func (s *Source) FileType() *string { return orNil(s.KnowledgeSource.FileType) }

func orNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// Filter narrows a list. None of a kind stand for all.
type Filter struct{ Statuses, Kinds []string }

// List is a page of the sources that pass the filter, newest first, without
// texts, and their whole number. Fault: Invalid for an unknown status or kind.
func (s *Service) List(ctx context.Context, f Filter, page input.Page) ([]*Source, int, error) {
	if err := f.check(); err != nil {
		return nil, 0, err
	}
	q := s.store.KnowledgeSource.Query()
	if len(f.Statuses) > 0 {
		q.Where(knowledgesource.StatusIn(f.Statuses...))
	}
	if len(f.Kinds) > 0 {
		q.Where(knowledgesource.KindIn(f.Kinds...))
	}
	rows, err := q.Clone().Order(knowledgesource.ByCreated(sql.OrderDesc()), knowledgesource.ByID()).
		Limit(page.Limit).Offset(page.Offset).All(ctx)
	items := make([]*Source, len(rows))
	for i, row := range rows {
		items[i] = &Source{KnowledgeSource: row}
	}
	total := page.Offset + len(items)
	if err == nil && !page.Ends(len(items)) {
		total, err = q.Count(ctx)
	}
	return items, total, store.Fault(ctx, err, noun)
}

func (f Filter) check() error {
	for _, c := range []struct {
		field          string
		given, allowed []string
	}{{"status", f.Statuses, vocab.KnowledgeStatuses}, {"kind", f.Kinds, vocab.KnowledgeKinds}} {
		for _, v := range c.given {
			if !slices.Contains(c.allowed, v) {
				return fault.BadField(c.field, "must be one of %s", strings.Join(c.allowed, ", "))
			}
		}
	}
	return nil
}

// Get is one source with its text, or a NotFound fault.
func (s *Service) Get(ctx context.Context, id uuid.UUID) (*Source, error) {
	row, err := s.store.KnowledgeSource.Get(ctx, id)
	if err != nil {
		return nil, store.Fault(ctx, err, noun)
	}
	return s.whole(ctx, row)
}

// whole adds its text to a source that was read.
func (s *Service) whole(ctx context.Context, row *db.KnowledgeSource) (*Source, error) {
	src := &Source{KnowledgeSource: row}
	if row.Status != vocab.KnowledgeExtracted {
		return src, nil
	}
	text, err := s.store.KnowledgeText.Get(ctx, row.ID)
	if err != nil { // deleted since, at worst
		return nil, store.Fault(ctx, err, noun)
	}
	src.Text = &text.Text
	return src, nil
}
