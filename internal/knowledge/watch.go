package knowledge

import (
	"context"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

const (
	watchPoll  = time.Second           // how often a watched source is looked at
	uploadPoll = 50 * time.Millisecond // how often that of an upload is
)

// final reports a status that does not change by itself.
func final(status string) bool {
	return status == vocab.KnowledgeExtracted || status == vocab.KnowledgeError
}

// Watch sends the source as it is, and as it is after each change, until its
// status is final, it is deleted or ctx ends; then the channel is closed. A
// reader who is slow misses states between. Fault: NotFound.
func (s *Service) Watch(ctx context.Context, id uuid.UUID) (<-chan *Source, error) {
	changed, stop := s.news.follow(id)
	src, err := s.Get(ctx, id)
	if err != nil {
		stop()
		return nil, err
	}
	out := make(chan *Source)
	go func() {
		defer close(out)
		defer stop()
		for {
			select {
			case out <- src:
			case <-ctx.Done():
				return
			}
			if final(src.Status) {
				return
			}
			if src = s.next(ctx, src, changed); src == nil {
				return
			}
		}
	}()
	return out, nil
}

// next waits until a source has changed; nil when nothing more is to be told.
func (s *Service) next(ctx context.Context, last *Source, changed <-chan struct{}) *Source {
	tick := time.NewTicker(watchPoll)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-changed:
		case <-tick.C:
		}
		switch src, err := s.Get(ctx, last.ID); {
		case fault.Is(err, fault.NotFound) || ctx.Err() != nil:
			return nil
		case err != nil: // the database may be back at the next look
			slog.WarnContext(ctx, "knowledge: watched source not read", "error", err)
		case src.Status != last.Status || !src.Updated.Equal(last.Updated):
			return src
		}
	}
}
