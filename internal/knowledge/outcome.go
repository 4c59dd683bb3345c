package knowledge

import (
	"context"
	"time"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// outcome waits until a file was read, but no longer than Wait: then the source
// is answered as it is. A file that should not have been sent is not kept.
func (s *Service) outcome(ctx context.Context, id uuid.UUID) (*Source, error) {
	row, err := s.settled(ctx, id)
	if err != nil {
		return nil, store.Fault(ctx, err, noun)
	}
	if row.Status != vocab.KnowledgeError {
		return s.whole(ctx, row)
	}
	reason := *row.StatusReason
	switch row.Failure {
	case failedForeign:
		s.drop(ctx, row)
		return nil, fault.New(fault.Invalid, "file: %s", reason)
	case failedUnreadable:
		s.drop(ctx, row)
		return nil, fault.New(fault.Unprocessable, "%s", reason)
	}
	return nil, fault.New(fault.Internal, "%s", reason)
}

// settled is a source when its status is final or the wait is over. Another
// replica may be at work on it, so news of this process are not enough.
func (s *Service) settled(ctx context.Context, id uuid.UUID) (*db.KnowledgeSource, error) {
	changed, stop := s.news.follow(id)
	defer stop()
	over := time.NewTimer(s.Wait)
	defer over.Stop()
	look := time.NewTicker(uploadPoll)
	defer look.Stop()
	for waiting := true; ; {
		row, err := s.store.KnowledgeSource.Get(ctx, id)
		if err != nil || final(row.Status) || !waiting {
			return row, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-changed:
		case <-look.C:
		case <-over.C:
			waiting = false
		}
	}
}
