package dataquery

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/execution"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/jobs"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// How long executions last.
const (
	Valid = 7 * 24 * time.Hour  // from submit: identifier, rows and page tokens
	kept  = 30 * 24 * time.Hour // after that: the line that says "expired"
)

const jobKind = "execution"

// Service runs data queries for users, who see only their own executions.
type Service struct {
	Now func() time.Time

	store       *store.Store
	queue       *jobs.Queue
	macs        *sync.Pool // of page tokens
	pageRows    int
	lineAndPage *store.Prepared
}

// New makes the service and registers its job handler with q. The key signs
// page tokens. pageRows, one of ValidPageRows, is the page size of the
// executions submitted from now on.
func New(s *store.Store, q *jobs.Queue, key []byte, pageRows int) *Service {
	svc := &Service{Now: time.Now, store: s, queue: q, macs: macsOf(key), pageRows: pageRows, lineAndPage: s.Prepared(lineAndPage)}
	q.Handle(jobKind, jobs.Handler{Run: svc.run, Discard: svc.discard})
	return svc
}

func (s *Service) now() time.Time { return s.Now().UTC().Truncate(time.Millisecond) }

// Get finds an execution of the viewer. query is the query whose path is used,
// "" for any. A fault is NotFound, with code EXECUTION_EXPIRED when it was the
// viewer's and its time is over, else EXECUTION_NOT_FOUND.
func (s *Service) Get(ctx context.Context, executionID, query string) (*db.Execution, error) {
	viewer := store.ViewerOf(ctx)
	name, account, id, ok := ParseID(executionID)
	if !ok || account != viewer.Account || query != "" && query != name {
		return nil, notFound()
	}
	e, err := s.find(ctx, id, name)
	switch now := s.now(); {
	case err != nil:
		return nil, store.Fault(ctx, err, "execution")
	case e == nil:
		return nil, notFound()
	case !now.Before(e.Expires.Add(kept)):
		return nil, notFound()
	case !now.Before(e.Expires):
		return nil, expired()
	}
	return e, nil
}

// find is the execution of the viewer, nil when there is none.
func (s *Service) find(ctx context.Context, id uuid.UUID, query string) (*db.Execution, error) {
	if a := aheadOf(ctx); a != nil && s.aim(a, id) {
		return s.getAhead(ctx, a, query)
	}
	e, err := s.store.Execution.Query().
		Where(execution.ID(id), execution.UserID(store.ViewerOf(ctx).User), execution.Query(query), execution.Removed(false)).Only(ctx)
	if db.IsNotFound(err) {
		return nil, nil
	}
	return e, err
}

func notFound() error {
	return fault.New(fault.NotFound, "there is no such execution").Coded(fault.CodeExecutionNotFound)
}

func expired() error {
	return fault.New(fault.NotFound, "the execution has expired; results are kept for 7 days after submit").
		Coded(fault.CodeExecutionExpired)
}

// List is a part of the viewer's executions that have not expired, newest
// first, and how many there are in all.
func (s *Service) List(ctx context.Context, limit, offset int) ([]*db.Execution, int, error) {
	own := s.store.Execution.Query().
		Where(execution.UserID(store.ViewerOf(ctx).User), execution.ExpiresGT(s.now()), execution.Removed(false))
	total, err := own.Clone().Count(ctx)
	if err != nil {
		return nil, 0, store.Fault(ctx, err, "executions")
	}
	list, err := own.Order(db.Desc(execution.FieldCreated), db.Desc(execution.FieldID)).
		Limit(limit).Offset(offset).All(ctx)
	return list, total, store.Fault(ctx, err, "executions")
}

// Message says for clients why an execution failed; "" when it did not.
func Message(e *db.Execution) string {
	if e.Message == nil {
		return ""
	}
	return *e.Message
}

// Schema is the columns of an execution's rows, in order.
func Schema(e *db.Execution) []vocab.Column {
	var r struct{ Flags map[string]bool } // of Request, all that columns depend on
	spec, ok := Lookup(e.Query)
	if !ok || json.Unmarshal(e.Request, &r) != nil {
		return nil
	}
	return spec.columns(Request{Flags: r.Flags})
}

// request is what was asked by an execution.
func request(e *db.Execution) (*Spec, Request, error) {
	var r Request
	spec, ok := Lookup(e.Query)
	if !ok {
		return nil, r, fault.New(fault.Internal, "there is no query %s", e.Query)
	}
	return spec, r, json.Unmarshal(e.Request, &r)
}
