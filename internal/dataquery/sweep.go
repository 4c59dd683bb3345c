package dataquery

import (
	"context"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/execution"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// How much one transaction of a sweep takes, so that it holds SQLite's only
// writer briefly.
const (
	sweepChunks     = 100
	sweepExecutions = 100
)

// Sweep removes the rows of executions that expired, failed or were removed, and
// these at once, others 30 days after expiry, altogether; and export links that
// nobody used in time. Several processes may sweep at once.
func (s *Service) Sweep(ctx context.Context) error {
	ctx = store.System(ctx)
	now := s.now()
	err := s.each(ctx, func(q *db.ExecutionQuery) *db.ExecutionQuery {
		return q.Where(execution.Purged(false),
			execution.Or(execution.ExpiresLTE(now), execution.State(vocab.Failed), execution.Removed(true)))
	}, s.purge)
	if err != nil {
		return err
	}
	err = s.each(ctx, func(q *db.ExecutionQuery) *db.ExecutionQuery {
		return q.Where(execution.Purged(true), execution.Or(execution.ExpiresLTE(now.Add(-kept)), execution.Removed(true)))
	}, s.remove)
	if err != nil {
		return err
	}
	return s.sweepLinks(ctx)
}

// each does with every execution of a selection what takes it out of that.
func (s *Service) each(ctx context.Context, of func(*db.ExecutionQuery) *db.ExecutionQuery,
	do func(context.Context, *db.Execution) error) error {
	for {
		list, err := of(s.store.Execution.Query()).Limit(sweepExecutions).All(ctx)
		if err != nil || len(list) == 0 {
			return err
		}
		for _, e := range list {
			if err := do(ctx, e); err != nil {
				return err
			}
		}
	}
}

// purge removes the rows of an execution, after making sure that nobody writes more.
func (s *Service) purge(ctx context.Context, e *db.Execution) error {
	if e.State == vocab.InProgress {
		if err := s.store.Tx(ctx, func(tx *db.Client) error {
			return s.abort(ctx, tx, e, "the query did not end before it expired")
		}); err != nil {
			return err
		}
	}
	if err := drop(ctx, e, s.store.Tx); err != nil {
		return err
	}
	return s.store.Execution.Update().Where(execution.ID(e.ID), execution.AccountID(e.AccountID)).
		SetPurged(true).Exec(ctx)
}

func (s *Service) remove(ctx context.Context, e *db.Execution) error {
	_, err := s.store.Execution.Delete().Where(execution.ID(e.ID), execution.AccountID(e.AccountID)).Exec(ctx)
	return err
}

// drop deletes the chunks of an execution, some at a time, each time in a transaction of tx.
func drop(ctx context.Context, e *db.Execution, tx func(context.Context, func(*db.Client) error) error) error {
	for {
		var n int64
		err := tx(ctx, func(tx *db.Client) error {
			res, err := tx.ExecContext(ctx, `delete from result_chunks
where account_id = $1 and execution_id = $2 and (attempt, chunk) in
  (select attempt, chunk from result_chunks where account_id = $1 and execution_id = $2 limit $3)`,
				e.AccountID, e.ID, sweepChunks)
			if err != nil {
				return err
			}
			n, err = res.RowsAffected()
			return err
		})
		if err != nil || n < sweepChunks {
			return err
		}
	}
}
