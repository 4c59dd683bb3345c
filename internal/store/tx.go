package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/lib/pq"
	"modernc.org/sqlite"
	sqlitelib "modernc.org/sqlite/lib"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/internal/fault"
)

// Tx runs fn in a transaction, again when the database asks for a retry, so fn
// must have no effect outside tx. Inside fn use tx alone: on SQLite a write
// through any other client waits for this very transaction.
func (s *Store) Tx(ctx context.Context, fn func(tx *db.Client) error) error {
	var err error
	for try := range 6 {
		if err = s.once(ctx, fn); !retryable(err) || try == 5 {
			break
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Duration(rand.IntN(10<<try)+1) * time.Millisecond):
		}
	}
	if retryable(err) {
		return busy(err)
	}
	return err
}

// Yield lets the writers go first who wait for SQLite's write lock in any
// process. Bulk writers call it between their transactions.
func (s *Store) Yield(ctx context.Context) {
	if s.line != nil {
		s.line.yield(ctx)
	}
}

func busy(err error) error {
	return fault.New(fault.Unavailable, "the database is busy; try again").Because(err).After(1)
}

func (s *Store) once(ctx context.Context, fn func(tx *db.Client) error) error {
	if s.line != nil {
		s.line.enter()
		defer s.line.leave()
	}
	tx, err := s.Client.Tx(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback() // without effect after Commit
	if err := fn(tx.Client()); err != nil {
		return err
	}
	return tx.Commit()
}

// retryable reports a serialization failure or a deadlock.
func retryable(err error) bool {
	var e *pq.Error
	return errors.As(err, &e) && (e.Code == "40001" || e.Code == "40P01")
}

// locked reports that another process held SQLite's write lock for longer than
// the busy timeout.
func locked(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && e.Code()&0xff == sqlitelib.SQLITE_BUSY
}

// Fault translates a storage error for clients; what names the resource. It is
// called once, where a service hands an error out.
func Fault(ctx context.Context, err error, what string) error {
	var known *fault.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return err
	case ctx.Err() != nil: // drivers hide it behind errors of their own
		return fmt.Errorf("%w: %w", ctx.Err(), err)
	case locked(err):
		return busy(err)
	case db.IsNotFound(err):
		return fault.New(fault.NotFound, "%s not found", what).Because(err)
	case db.IsConstraintError(err):
		return fault.New(fault.Conflict, "%s conflicts with one that exists", what).Because(err)
	}
	return err
}
