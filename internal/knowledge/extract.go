package knowledge

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/knowledgesource"
	"github.com/contentgraph/contentgraph/internal/extract"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/jobs"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// extractKind is the kind of jobs that have a file read.
const extractKind = "knowledge_extract"

// The kinds of failure that end with the status ERROR.
const (
	failedForeign    = "foreign"    // the content is of another kind than the name says
	failedUnreadable = "unreadable" // protected, damaged
	failedReading    = "reading"    // the reader crashed or met a limit
	failedStorage    = "storage"    // the bytes could not be had
)

// ask is what a job is about.
type ask struct {
	ID uuid.UUID `json:"id"`
}

// enqueue has a source's file read once the transaction is committed.
func (s *Service) enqueue(ctx context.Context, tx *db.Client, id uuid.UUID) error {
	_, err := s.queue.Enqueue(ctx, tx, extractKind, store.ViewerOf(ctx).Account, ask{id})
	return err
}

// extract has the file of a source read and keeps what it says. That a file
// cannot be read is an outcome as well; only what another attempt may help is
// an error.
func (s *Service) extract(ctx context.Context, l *jobs.Lease) error {
	ctx = store.As(ctx, l.Account, 0)
	var a ask
	if err := json.Unmarshal(l.Args, &a); err != nil {
		return jobs.Permanent(err)
	}
	src, err := s.store.KnowledgeSource.Get(ctx, a.ID)
	if db.IsNotFound(err) || err == nil && src.Status != vocab.KnowledgeStored {
		return nil // deleted
	}
	if err != nil {
		return err
	}
	found, err := s.readBlob(ctx, src)
	switch {
	case err == nil:
		err = s.write(ctx, src, contentOf(found), l.Tx, l.Finish)
	case failureOf(err) != "":
		err = s.refuse(ctx, src, err, l.Finish)
	}
	if errors.Is(err, errGone) {
		return nil
	}
	if err == nil {
		s.news.tell(src.ID)
	}
	return err
}

// refuse makes a source ERROR, for a reason that another attempt would meet again.
func (s *Service) refuse(ctx context.Context, src *db.KnowledgeSource, cause error, last transaction) error {
	failure := failureOf(cause)
	if failure == failedReading {
		slog.WarnContext(ctx, "knowledge: file not read", "source", src.ID, "error", cause)
	}
	return last(ctx, func(tx *db.Client) error {
		return tx.KnowledgeSource.Update().Where(knowledgesource.ID(src.ID), knowledgesource.Status(vocab.KnowledgeStored)).SetUpdated(s.Now()).
			SetStatus(vocab.KnowledgeError).SetFailure(failure).SetStatusReason(reasonOf(cause)).Exec(ctx)
	})
}

// readBlob has the file of a source read.
func (s *Service) readBlob(ctx context.Context, src *db.KnowledgeSource) (extract.Result, error) {
	file, err := s.store.KnowledgeBlob.Get(ctx, *src.BlobID)
	if err != nil {
		return extract.Result{}, err
	}
	f, err := s.fetch(ctx, file)
	if err != nil {
		return extract.Result{}, err
	}
	defer f.Close()
	return s.read(ctx, *src.FileName, f)
}

// failureOf is the kind of failure that another attempt would meet again, else "".
func failureOf(err error) string {
	var failed *extract.Failure
	switch {
	case fault.Is(err, fault.Invalid):
		return failedForeign
	case fault.Is(err, fault.Unprocessable):
		return failedUnreadable
	case errors.As(err, &failed):
		return failedReading
	}
	return ""
}

// reasonOf is the sentence that tells users why a file was not read.
func reasonOf(err error) string {
	var failed *extract.Failure
	if errors.As(err, &failed) {
		return failed.Reason
	}
	f := fault.Of(err)
	if len(f.Fields) == 1 { // of the file, which is all that was asked about
		return "The file " + f.Fields[0].Message + "."
	}
	return f.Message
}

// discard tells the source that its file is given up.
func (s *Service) discard(ctx context.Context, tx *db.Client, l *jobs.Lease, _ error) error {
	ctx = store.As(ctx, l.Account, 0)
	var a ask
	if err := json.Unmarshal(l.Args, &a); err != nil {
		return err
	}
	return tx.KnowledgeSource.Update().Where(knowledgesource.ID(a.ID), knowledgesource.Status(vocab.KnowledgeStored)).
		SetStatus(vocab.KnowledgeError).SetFailure(failedStorage).SetUpdated(s.Now()).
		SetStatusReason("The file could not be read at this time; try again later.").Exec(ctx)
}

// Retry has a file read again whose reading ended with ERROR. Faults: NotFound,
// Conflict in every other status.
func (s *Service) Retry(ctx context.Context, id uuid.UUID) (*Source, error) {
	var row *db.KnowledgeSource
	err := s.store.Tx(ctx, func(tx *db.Client) error {
		n, err := tx.KnowledgeSource.Update().Where(knowledgesource.ID(id), knowledgesource.Status(vocab.KnowledgeError)).
			SetStatus(vocab.KnowledgeStored).ClearStatusReason().SetFailure("").SetUpdated(s.Now()).Save(ctx)
		if err != nil {
			return err
		}
		if row, err = tx.KnowledgeSource.Get(ctx, id); err != nil {
			return err
		}
		if n == 0 {
			return fault.New(fault.Conflict, "only a source whose status is ERROR can be read again; this one is %s", row.Status)
		}
		return s.enqueue(ctx, tx, id)
	})
	if err != nil {
		return nil, store.Fault(ctx, err, noun)
	}
	s.queue.Wake(extractKind)
	s.news.tell(id)
	return &Source{KnowledgeSource: row}, nil
}
