package dataquery

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/execution"
	"github.com/contentgraph/contentgraph/internal/facts"
	"github.com/contentgraph/contentgraph/internal/jobs"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// A batch of chunks is written at once when it has this many chunks or bytes:
// what a worker keeps in memory.
const (
	batchChunks = 8
	batchBytes  = 4 << 20
)

// run does one attempt at an execution: it reads the pinned facts and writes
// the matching rows as chunks, which nobody sees before the attempt finishes.
func (s *Service) run(ctx context.Context, l *jobs.Lease) error {
	e, err := s.store.Execution.Query().Where(execution.ID(l.ID), execution.AccountID(l.Account)).Only(ctx)
	switch {
	case db.IsNotFound(err) || err == nil && e.State != vocab.InProgress:
		return nil
	case err != nil:
		return err
	}
	spec, r, err := request(e)
	if err != nil {
		return jobs.Permanent(err)
	}
	// An attempt that was handed back has the same number as this one.
	if err := drop(ctx, e, l.Tx); err != nil {
		return err
	}
	w := &writer{lease: l, e: e}
	if w.encoder, err = newEncoder(); err != nil {
		return err
	}
	err = facts.Scan(ctx, s.store, facts.Query{
		Account: e.AccountID, Dataset: spec.Dataset, Columns: spec.columns(r),
		Pins: e.Pins, Where: conditions(spec, r), Limit: r.Int("limit"),
	}, func(row []byte) error { return w.add(ctx, row) })
	if err != nil {
		return err
	}
	return s.finish(ctx, w)
}

// finish writes the last batch and makes the attempt's chunks the result.
func (s *Service) finish(ctx context.Context, w *writer) error {
	if w.encoder.rows > 0 {
		if err := w.cut(); err != nil {
			return err
		}
	}
	return w.lease.Finish(ctx, func(tx *db.Client) error {
		if err := w.insert(ctx, tx); err != nil {
			return err
		}
		return tx.Execution.UpdateOneID(w.e.ID).Where(execution.AccountID(w.e.AccountID)).
			SetState(vocab.Completed).SetAttempt(w.lease.Attempt).SetChunks(w.chunks).SetWritten(w.rows).
			SetFinished(s.now()).Exec(ctx)
	})
}

// discard tells the caller that the execution is given up, without the cause.
func (s *Service) discard(ctx context.Context, tx *db.Client, l *jobs.Lease, _ error) error {
	return s.fail(ctx, tx, l.Account, l.ID, "the query could not be completed; submit it again or narrow its filters")
}

// fail ends an execution that still runs. The sweep removes what it wrote.
func (s *Service) fail(ctx context.Context, tx *db.Client, account int, id uuid.UUID, message string) error {
	return tx.Execution.Update().
		Where(execution.ID(id), execution.AccountID(account), execution.State(vocab.InProgress)).
		SetState(vocab.Failed).SetMessage(message).SetFinished(s.now()).Exec(ctx)
}

// writer cuts the rows of one attempt into chunks and writes them in batches.
type writer struct {
	lease   *jobs.Lease
	e       *db.Execution
	encoder *encoder
	batch   []*db.ResultChunk
	bytes   int // of the batch
	chunks  int // cut so far
	rows    int // in those
}

func (w *writer) add(ctx context.Context, row []byte) error {
	if err := w.encoder.add(row); err != nil {
		return err
	}
	if w.encoder.rows < chunkRows(w.e.PageRows) {
		return nil
	}
	if err := w.cut(); err != nil {
		return err
	}
	if len(w.batch) < batchChunks && w.bytes < batchBytes {
		return nil
	}
	err := w.lease.Tx(ctx, func(tx *db.Client) error {
		if err := w.insert(ctx, tx); err != nil {
			return err
		}
		return tx.Execution.UpdateOneID(w.e.ID).Where(execution.AccountID(w.e.AccountID)).SetWritten(w.rows).Exec(ctx)
	})
	w.batch, w.bytes = w.batch[:0], 0
	return err
}

func (w *writer) cut() error {
	c, err := w.encoder.cut(w.chunks)
	if err != nil {
		return err
	}
	w.batch = append(w.batch, c)
	w.bytes += len(c.Data)
	w.chunks++
	w.rows += c.Rows
	return nil
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
		values = append(values, fmt.Sprintf("($1, $2, $3, $%d, $%d, $%d, $%d, $%d)", n+1, n+2, n+3, n+4, n+5))
		args = append(args, c.ID, c.Rows, c.Length, int64(c.Crc32), c.Data)
	}
	_, err := tx.ExecContext(ctx, `insert into result_chunks
(account_id, execution_id, attempt, chunk, "rows", length, crc32, data) values `+strings.Join(values, ", "), args...)
	return err
}
