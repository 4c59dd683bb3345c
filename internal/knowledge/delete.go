package knowledge

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/job"
	"github.com/contentgraph/contentgraph/ent/db/knowledgeblob"
	"github.com/contentgraph/contentgraph/ent/db/knowledgepassage"
	"github.com/contentgraph/contentgraph/ent/db/knowledgesource"
	"github.com/contentgraph/contentgraph/ent/db/knowledgetext"
	"github.com/contentgraph/contentgraph/internal/jobs"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// forgetKind is the kind of jobs that remove the bytes of a blob.
const forgetKind = "knowledge_forget"

// Delete removes a source with its text; with the last source of a file its
// bytes go, by a job of the same transaction. Fault: NotFound.
func (s *Service) Delete(ctx context.Context, id uuid.UUID) error {
	return store.Fault(ctx, s.remove(ctx, id), noun)
}

func (s *Service) remove(ctx context.Context, id uuid.UUID) error {
	err := s.store.Tx(ctx, func(tx *db.Client) error {
		src, err := tx.KnowledgeSource.Get(ctx, id)
		if err != nil {
			return err
		}
		// The source first: whoever writes its text has locked it.
		if err := tx.KnowledgeSource.DeleteOneID(id).Exec(ctx); err != nil {
			return err
		}
		if _, err := tx.KnowledgeText.Delete().Where(knowledgetext.ID(id)).Exec(ctx); err != nil {
			return err
		}
		if _, err := tx.KnowledgePassage.Delete().Where(knowledgepassage.SourceID(id)).Exec(ctx); err != nil {
			return err
		}
		if src.BlobID == nil {
			return nil
		}
		return s.release(ctx, tx, *src.BlobID)
	})
	if err == nil {
		s.queue.Wake(forgetKind)
		s.news.tell(id)
	}
	return err
}

// release counts one source less of a blob. Without any, the blob goes: another
// upload of the same bytes makes one of its own.
func (s *Service) release(ctx context.Context, tx *db.Client, id uuid.UUID) error {
	if err := tx.KnowledgeBlob.UpdateOneID(id).AddRefs(-1).Exec(ctx); err != nil {
		return err
	}
	n, err := tx.KnowledgeBlob.Delete().Where(knowledgeblob.ID(id), knowledgeblob.RefsLTE(0)).Exec(ctx)
	if err != nil || n == 0 {
		return err
	}
	_, err = s.queue.Enqueue(ctx, tx, forgetKind, store.ViewerOf(ctx).Account, ask{id})
	return err
}

// forget removes the bytes of a blob that nothing refers to.
func (s *Service) forget(ctx context.Context, l *jobs.Lease) error {
	var a ask
	if err := json.Unmarshal(l.Args, &a); err != nil {
		return jobs.Permanent(err)
	}
	return s.erase(ctx, keyOf(l.Account, a.ID))
}

// pendingLimit is when an upload that has not ended never will.
const pendingLimit = time.Hour

// Sweep removes what uploads of killed processes left, and asks again for bytes
// that could not be removed.
func (s *Service) Sweep(ctx context.Context) error {
	ctx = store.System(ctx)
	stuck, err := s.store.KnowledgeSource.Query().Where(knowledgesource.Status(vocab.KnowledgePending),
		knowledgesource.UpdatedLT(s.Now().Add(-pendingLimit))).Limit(1000).All(ctx)
	if err != nil {
		return err
	}
	for _, src := range stuck {
		if err := s.remove(store.As(ctx, src.AccountID, 0), src.ID); err != nil && !db.IsNotFound(err) {
			return err
		}
	}
	return s.store.Tx(ctx, func(tx *db.Client) error {
		given, err := tx.Job.Query().Where(job.Kind(forgetKind), job.StateEQ(job.StateDISCARDED)).Limit(1000).All(ctx)
		if err != nil {
			return err
		}
		for _, j := range given {
			n, err := tx.Job.Delete().Where(job.ID(j.ID)).Exec(ctx)
			if err != nil || n == 0 {
				return err
			}
			if _, err := s.queue.Enqueue(ctx, tx, forgetKind, j.AccountID, j.Args); err != nil {
				return err
			}
		}
		return nil
	})
}
