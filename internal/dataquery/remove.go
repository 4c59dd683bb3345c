package dataquery

import (
	"context"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/execution"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// Cancel makes a running execution of the viewer FAILED and takes its job out
// of the queue. One that has ended stays as it is.
func (s *Service) Cancel(ctx context.Context, executionID, query string) (*db.Execution, error) {
	e, err := s.Get(ctx, executionID, query)
	if err != nil || e.State != vocab.InProgress {
		return e, err
	}
	if err := s.store.Tx(ctx, func(tx *db.Client) error {
		return s.abort(ctx, tx, e, "cancelled by the caller")
	}); err != nil {
		return nil, store.Fault(ctx, err, "execution")
	}
	return s.Get(ctx, executionID, query)
}

// abort ends an execution whose job may still run. The job goes first, in the
// order in which its worker locks the two.
func (s *Service) abort(ctx context.Context, tx *db.Client, e *db.Execution, message string) error {
	if err := s.queue.Cancel(ctx, tx, e.ID); err != nil {
		return err
	}
	return s.fail(ctx, tx, e.AccountID, e.ID, message)
}

// Remove cancels a running execution of the viewer, which then is FAILED, and
// takes away one that has ended: nobody finds it any more, and its rows go.
func (s *Service) Remove(ctx context.Context, executionID string) error {
	e, err := s.Get(ctx, executionID, "")
	if err != nil {
		return err
	}
	if e.State == vocab.InProgress {
		if e, err = s.Cancel(ctx, executionID, ""); err != nil || e.State == vocab.Failed {
			return err
		} // else it was completed meanwhile
	}
	hidden := s.store.Execution.Update().Where(execution.ID(e.ID), execution.AccountID(e.AccountID)).SetRemoved(true)
	if err := hidden.Exec(ctx); err != nil {
		return store.Fault(ctx, err, "execution")
	}
	// What an interruption leaves is swept.
	if err := s.purge(ctx, e); err != nil {
		return store.Fault(ctx, err, "execution")
	}
	return store.Fault(ctx, s.remove(ctx, e), "execution")
}
