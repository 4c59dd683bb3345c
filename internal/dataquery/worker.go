package dataquery

import (
	"context"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/execution"
	"github.com/contentgraph/contentgraph/internal/facts"
	"github.com/contentgraph/contentgraph/internal/jobs"
	"github.com/contentgraph/contentgraph/internal/vocab"
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
	w, err := s.newWriter(l, e)
	if err != nil {
		return err
	}
	if e.Scanned > 0 {
		if err := w.flush(ctx); err != nil { // the progress of the attempt before is over
			return err
		}
	}
	ps := newPortions(ctx, w)
	defer ps.stop()
	err = facts.Scan(ctx, s.store, facts.Query{
		Account: e.AccountID, Dataset: spec.Dataset, Columns: spec.columns(r),
		Pins: e.Pins, Where: conditions(spec, r), Limit: r.Int("limit"),
		Scanned: ps.scan,
	}, ps.add)
	if err == nil {
		err = ps.end()
	}
	if err != nil {
		return err
	}
	return s.finish(ctx, w)
}

// finish writes the last batch and makes the attempt's chunks the result.
func (s *Service) finish(ctx context.Context, w *writer) error {
	return w.lease.Finish(ctx, func(tx *db.Client) error {
		if err := w.insert(ctx, tx); err != nil {
			return err
		}
		return tx.Execution.UpdateOneID(w.e.ID).Where(execution.AccountID(w.e.AccountID)).
			SetState(vocab.Completed).SetAttempt(w.lease.Attempt).SetChunks(w.chunks).SetWritten(w.rows).SetDigest(w.digest.Sum(nil)).
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
