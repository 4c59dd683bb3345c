package dataquery

import (
	"context"
	"encoding/hex"
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
	Digest string // SHA-256 of Rows as WriteTo writes them, in hexadecimal
}

// Page reads a page of a completed execution that Get answered: the first one,
// or the one that token names. A bad token is an Invalid fault with code
// INVALID_PAGE_TOKEN.
func (s *Service) Page(ctx context.Context, e *db.Execution, token *string) (*Page, error) {
	if err := completed(e); err != nil {
		return nil, err
	}
	if token == nil {
		return s.page(ctx, e, 0)
	}
	first, err := s.chunkOf(e, *token)
	if err != nil {
		return nil, err
	}
	return s.page(ctx, e, first)
}

// PageNumber reads a page of a completed execution by its number, the first
// being 1. A fault is NotFound when there is no such page.
func (s *Service) PageNumber(ctx context.Context, e *db.Execution, number int) (*Page, error) {
	if err := completed(e); err != nil {
		return nil, err
	}
	if n := pageCount(e); number < 1 || number > n {
		return nil, fault.New(fault.NotFound, "there is no page %d; the execution has pages 1 to %d", number, n)
	}
	return s.page(ctx, e, (number-1)*pageChunks(e.PageRows))
}

// PageAt is Page or, when a number is given, PageNumber; both at once are Invalid.
func (s *Service) PageAt(ctx context.Context, e *db.Execution, token *string, number *int) (*Page, error) {
	switch {
	case number == nil:
		return s.Page(ctx, e, token)
	case token != nil:
		return nil, fault.BadField("number", "must not be given together with nextPageId")
	}
	return s.PageNumber(ctx, e, *number)
}

func completed(e *db.Execution) error {
	if e.State != vocab.Completed {
		return fault.New(fault.Conflict, "the execution has no results: it is %s", e.State)
	}
	return nil
}

// pageCount is the number of pages of a result; one without rows has an empty page.
func pageCount(e *db.Execution) int {
	return max(1, (e.Written+e.PageRows-1)/e.PageRows)
}

// page reads the page that begins with a chunk.
func (s *Service) page(ctx context.Context, e *db.Execution, first int) (*Page, error) {
	end := min(first+pageChunks(e.PageRows), e.Chunks)
	chunks, err := s.chunks(ctx, e, first, end)
	if err != nil {
		return nil, err
	}
	p := &Page{Rows: Rows{chunks}, Total: e.Written, Schema: Schema(e), Digest: hex.EncodeToString(noRows[:])}
	if len(chunks) > 0 {
		p.Digest = hex.EncodeToString(chunks[len(chunks)-1].PageDigest)
	}
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
	if a := aheadOf(ctx); a != nil && a.of == (place{e.ID, e.Attempt, first}) && len(a.chunks) == end-first {
		return a.chunks, nil
	}
	chunks, err := s.result(e).Where(resultchunk.IDGTE(first), resultchunk.IDLT(end)).All(ctx)
	switch {
	case err != nil:
		return nil, store.Fault(ctx, err, "page")
	case len(chunks) < end-first:
		return nil, s.missing(ctx, e)
	}
	return chunks, nil
}

// result is the chunks of the attempt that finished, in order.
func (s *Service) result(e *db.Execution) *db.ResultChunkQuery {
	return s.store.ResultChunk.Query().
		Where(resultchunk.AccountID(e.AccountID), resultchunk.ExecutionID(e.ID), resultchunk.Attempt(e.Attempt)).
		Order(db.Asc(resultchunk.FieldID))
}

// missing says why rows are not there: since e was read, the execution expired
// or was removed, or else they are lost.
func (s *Service) missing(ctx context.Context, e *db.Execution) error {
	if _, err := s.Get(ctx, ID(e), e.Query); err != nil {
		return err
	}
	return fmt.Errorf("execution %s: not all of its rows are there", e.ID)
}
