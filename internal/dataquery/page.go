package dataquery

import (
	"context"
	"fmt"
	"slices"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/resultchunk"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// The most rows of a chunk and of a page.
const (
	maxChunkRows = 1000
	maxPageRows  = 50_000
)

// ValidPageRows reports whether pages may have n rows: 100, 200, 500, 1000 or a
// multiple of 1000 up to 50,000.
func ValidPageRows(n int) bool {
	return slices.Contains([]int{100, 200, 500}, n) || n > 0 && n <= maxPageRows && n%maxChunkRows == 0
}

// chunkRows is the rows of each full chunk, pageChunks the chunks of each full page.
func chunkRows(pageRows int) int  { return min(pageRows, maxChunkRows) }
func pageChunks(pageRows int) int { return pageRows / chunkRows(pageRows) }

// Page is one page of a result.
type Page struct {
	Rows   Rows
	Next   *string // token of the next page; nil on the last one
	Total  int     // rows over all pages
	Schema []vocab.Column
}

// Page reads a page of a completed execution that Get answered: the first one,
// or the one that token names. A bad token is an Invalid fault with code
// INVALID_PAGE_TOKEN.
func (s *Service) Page(ctx context.Context, e *db.Execution, token *string) (*Page, error) {
	if e.State != vocab.Completed {
		return nil, fault.New(fault.Conflict, "the execution has no results: it is %s", e.State)
	}
	first := 0
	if token != nil {
		var err error
		if first, err = s.chunkOf(e, *token); err != nil {
			return nil, err
		}
	}
	end := min(first+pageChunks(e.PageRows), e.Chunks)
	chunks, err := s.chunks(ctx, e, first, end)
	if err != nil {
		return nil, err
	}
	p := &Page{Rows: Rows{chunks}, Total: e.Written, Schema: Schema(e)}
	if end < e.Chunks {
		p.Next = new(s.token(e, end))
	}
	return p, nil
}

// chunks reads the chunks from first to before end of the attempt that finished.
func (s *Service) chunks(ctx context.Context, e *db.Execution, first, end int) ([]*db.ResultChunk, error) {
	if first == end {
		return nil, nil
	}
	chunks, err := s.store.ResultChunk.Query().
		Where(resultchunk.AccountID(e.AccountID), resultchunk.ExecutionID(e.ID), resultchunk.Attempt(e.Attempt),
			resultchunk.IDGTE(first), resultchunk.IDLT(end)).
		Order(db.Asc(resultchunk.FieldID)).All(ctx)
	switch {
	case err != nil:
		return nil, store.Fault(ctx, err, "page")
	case len(chunks) == end-first:
		return chunks, nil
	case !s.now().Before(e.Expires): // swept since e was read
		return nil, expired()
	}
	return nil, fmt.Errorf("execution %s: chunks %d to %d are not all there", e.ID, first, end-1)
}
