package dataquery

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"sync"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// Ahead returns a context in which Get reads the page that a token names, nil
// the first one, together with the execution, so that Page need not ask the
// database again. It is for one request; at its end, when the page is of no use
// any more, call done.
func Ahead(ctx context.Context, token *string) (_ context.Context, done func()) {
	a := &ahead{token: token, data: data.Get().(*[]byte)}
	return context.WithValue(ctx, aheadKey{}, a), func() { data.Put(a.data) }
}

// data is room for the data of pages, used again and again: it is most of what a
// request takes.
var data = sync.Pool{New: func() any { return new([]byte) }}

type aheadKey struct{}

// ahead is a page that was read before it was asked for.
type ahead struct {
	token  *string
	of     place // its first chunk
	chunks []*db.ResultChunk
	data   *[]byte // of the chunks
}

// aheadOf is what Ahead put into a context; nil when it did not.
func aheadOf(ctx context.Context) *ahead {
	a, _ := ctx.Value(aheadKey{}).(*ahead)
	return a
}

// aim says where the page of an execution begins; ok is false for a bad token.
func (s *Service) aim(a *ahead, id uuid.UUID) (ok bool) {
	if a.token == nil {
		a.of = place{execution: id}
		return true
	}
	a.of, ok = s.read(*a.token)
	return ok && a.of.execution == id
}

// lineAndPage is an execution of a user with the chunks of a page, which begins
// with chunk $5, when it is completed.
var lineAndPage = fmt.Sprintf(`select e.request, e.page_rows, e.state, e.message, e.expected, e.scanned, e.written, e.attempt,
  e.chunks, e.digest, e.created, e.finished, e.expires, e.purged,
  coalesce(c.chunk, -1), coalesce(c."rows", 0), coalesce(c.length, 0), coalesce(c.crc32, 0), c.page_digest, c.data
from executions e left join result_chunks c
  on c.account_id = e.account_id and c.execution_id = e.id and c.attempt = e.attempt and e.state = '%s'
  and c.chunk >= $5 and c.chunk < $5 + case when e.page_rows > %[2]d then e.page_rows / %[2]d else 1 end
where e.id = $1 and e.account_id = $2 and e.user_id = $3 and e.query = $4 and not e.removed`, vocab.Completed, maxChunkRows)

// getAhead finds an execution of the viewer, nil when there is none, and what of
// its page there is.
func (s *Service) getAhead(ctx context.Context, a *ahead, query string) (e *db.Execution, err error) {
	viewer := store.ViewerOf(ctx)
	rows, err := s.lineAndPage.Query(ctx, a.of.execution, viewer.Account, viewer.User, query, a.of.chunk)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	a.chunks, *a.data = nil, (*a.data)[:0]
	var packed sql.RawBytes
	for rows.Next() {
		e = &db.Execution{ID: a.of.execution, AccountID: viewer.Account, UserID: viewer.User, Query: query}
		c := &db.ResultChunk{AccountID: viewer.Account, ExecutionID: e.ID}
		if err := rows.Scan((*[]byte)(&e.Request), &e.PageRows, &e.State, &e.Message, &e.Expected, &e.Scanned, &e.Written, &e.Attempt,
			&e.Chunks, &e.Digest, &e.Created, &e.Finished, &e.Expires, &e.Purged,
			&c.ID, &c.Rows, &c.Length, &c.Crc32, &c.PageDigest, &packed); err != nil {
			return nil, err
		}
		if c.ID >= 0 {
			start := len(*a.data)
			*a.data = append(*a.data, packed...)
			c.Attempt, c.Data = e.Attempt, (*a.data)[start:]
			a.chunks = append(a.chunks, c)
		}
	}
	if e != nil {
		a.of.attempt = e.Attempt
	}
	slices.SortFunc(a.chunks, func(x, y *db.ResultChunk) int { return x.ID - y.ID })
	return e, rows.Err()
}
