package dataquery

import (
	"context"
	"crypto/sha256"
	"fmt"
	"hash"
	"strings"
	"time"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/execution"
	"github.com/contentgraph/contentgraph/internal/jobs"
)

// A batch of chunks is written at once when it has this many chunks or bytes:
// what a worker keeps in memory.
const (
	batchChunks = 8
	batchBytes  = 4 << 20
)

// progressEvery is how often progress is written while hardly any row passes
// the filters, and so hardly any batch is.
const progressEvery = 2 * time.Second

// writer cuts the rows of one attempt into chunks and writes them in batches.
type writer struct {
	lease   *jobs.Lease
	e       *db.Execution
	now     func() time.Time
	encoder *encoder
	digest  hash.Hash // over the digests of the pages
	batch   []*db.ResultChunk
	bytes   int       // of the batch
	chunks  int       // cut so far
	rows    int       // in those
	scanned int       // rows of the pins that were read, as far as is known
	told    time.Time // of the progress
}

func (s *Service) newWriter(l *jobs.Lease, e *db.Execution) (*writer, error) {
	w := &writer{lease: l, e: e, now: s.now, digest: sha256.New(), told: s.now()}
	var err error
	w.encoder, err = newEncoder()
	return w, err
}

// take packs a portion and, when that makes a batch full, writes the batch. It
// tells the progress now and then.
func (w *writer) take(ctx context.Context, p portion) error {
	w.scanned += p.scanned
	if p.rows > 0 {
		if err := w.encoder.add(p.text, p.rows); err != nil {
			return err
		}
	}
	if p.ends {
		if err := w.cut(p.last || (w.chunks+1)%pageChunks(w.e.PageRows) == 0); err != nil {
			return err
		}
	}
	if p.last && w.rows == 0 {
		w.digest.Write(noRows[:])
	}
	full := len(w.batch) >= batchChunks || w.bytes >= batchBytes
	if p.last || !full && w.now().Sub(w.told) < progressEvery {
		return nil
	}
	return w.flush(ctx)
}

func (w *writer) cut(last bool) error {
	c, err := w.encoder.cut(w.chunks, last)
	if err != nil {
		return err
	}
	w.digest.Write(c.PageDigest)
	w.batch = append(w.batch, c)
	w.bytes += len(c.Data)
	w.chunks++
	w.rows += c.Rows
	return nil
}

// flush writes the batch and the progress.
func (w *writer) flush(ctx context.Context) error {
	err := w.lease.Tx(ctx, func(tx *db.Client) error {
		if err := w.insert(ctx, tx); err != nil {
			return err
		}
		return tx.Execution.UpdateOneID(w.e.ID).Where(execution.AccountID(w.e.AccountID)).
			SetWritten(w.rows).SetScanned(max(w.scanned, w.rows)).Exec(ctx)
	})
	w.batch, w.bytes, w.told = w.batch[:0], 0, w.now()
	return err
}

// insert writes the batch in one statement.
func (w *writer) insert(ctx context.Context, tx *db.Client) error {
	if len(w.batch) == 0 {
		return nil
	}
	var values []string
	args := []any{w.e.AccountID, w.e.ID, w.lease.Attempt}
	for _, c := range w.batch {
		n := len(args)
		values = append(values, fmt.Sprintf("($1, $2, $3, $%d, $%d, $%d, $%d, $%d, $%d)", n+1, n+2, n+3, n+4, n+5, n+6))
		args = append(args, c.ID, c.Rows, c.Length, int64(c.Crc32), c.PageDigest, c.Data)
	}
	_, err := tx.ExecContext(ctx, `insert into result_chunks
(account_id, execution_id, attempt, chunk, "rows", length, crc32, page_digest, data) values `+strings.Join(values, ", "), args...)
	return err
}
