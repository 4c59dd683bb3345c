package knowledge

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"log/slog"
	"time"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/knowledgeblob"
	"github.com/contentgraph/contentgraph/ent/db/knowledgesource"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// Upload is a file as it was sent.
type Upload struct {
	Name     string  // as its sender calls it, "" without a name
	FileName *string // replaces Name
	File     io.ReadSeeker
	Size     int64 // in bytes
}

// Upload makes a source of a file and waits a while for its text. Faults:
// TooLarge; Invalid for a bad name, an empty file and one of another kind than
// its name says; Unprocessable for one that cannot be read, of which nothing is
// kept; Internal where reading it failed, whose source is kept for a retry.
func (s *Service) Upload(ctx context.Context, u Upload) (*Source, error) {
	if u.Size > s.MaxUpload {
		return nil, fault.New(fault.TooLarge, "the file must have at most %d bytes", s.MaxUpload)
	}
	name, err := fileName(u.Name, u.FileName)
	if err != nil {
		return nil, err
	}
	if u.Size == 0 {
		return nil, fault.BadField("file", "must not be empty")
	}
	digest, err := sum(u)
	if err != nil {
		return nil, err
	}
	src, file, err := s.register(ctx, name, digest, u.Size)
	if err != nil {
		return nil, store.Fault(ctx, err, noun)
	}
	if !file.Stored {
		if err := s.keep(ctx, src, file, u.File); err != nil {
			return nil, err
		}
	}
	s.queue.Wake(extractKind)
	return s.outcome(ctx, src.ID)
}

// sum is the SHA-256 of a file in hexadecimal.
func sum(u Upload) (string, error) {
	h := sha256.New()
	if _, err := u.File.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	if _, err := io.CopyN(h, u.File, u.Size); err != nil {
		return "", err
	}
	_, err := u.File.Seek(0, io.SeekStart)
	return hex.EncodeToString(h.Sum(nil)), err
}

// register makes the source of a file, and its blob unless the account has the
// same bytes. Where they are stored already the source is ready to be read.
func (s *Service) register(ctx context.Context, name, digest string, size int64) (src *db.KnowledgeSource, file *db.KnowledgeBlob, err error) {
	for range 3 { // another upload of the same bytes may be a moment quicker
		err = s.store.Tx(ctx, func(tx *db.Client) (err error) {
			if file, err = s.refer(ctx, tx, digest, size); err != nil {
				return err
			}
			now := s.Now()
			c := tx.KnowledgeSource.Create().SetID(s.NewID()).SetKind(vocab.KnowledgeFile).SetFileName(name).SetBlobID(file.ID).
				SetCreated(now).SetCreatedBy(store.ViewerOf(ctx).User).SetUpdated(now)
			if file.Stored {
				c.SetStatus(vocab.KnowledgeStored)
			}
			if src, err = c.Save(ctx); err != nil || !file.Stored {
				return err
			}
			return s.enqueue(ctx, tx, src.ID)
		})
		if !db.IsConstraintError(err) {
			break
		}
	}
	return src, file, err
}

// refer counts one source more of a blob, which it makes if there is none. The
// row is locked until the transaction ends.
func (s *Service) refer(ctx context.Context, tx *db.Client, digest string, size int64) (*db.KnowledgeBlob, error) {
	n, err := tx.KnowledgeBlob.Update().Where(knowledgeblob.Sha256(digest)).AddRefs(1).Save(ctx)
	switch {
	case err != nil:
		return nil, err
	case n == 0:
		return tx.KnowledgeBlob.Create().SetID(s.NewID()).SetSha256(digest).SetSize(size).SetCreated(s.Now()).Save(ctx)
	}
	return tx.KnowledgeBlob.Query().Where(knowledgeblob.Sha256(digest)).Only(ctx)
}

// putLimit bounds how long bytes may take to the blob store. It is well below
// pendingLimit.
const putLimit = 10 * time.Minute

// keep stores the bytes of a source's blob and gives the source to the readers.
// Two uploads may store the same at the same time.
func (s *Service) keep(ctx context.Context, src *db.KnowledgeSource, file *db.KnowledgeBlob, bytes io.Reader) error {
	timed, cancel := context.WithTimeout(ctx, putLimit)
	defer cancel()
	err := s.put(timed, keyOf(file.AccountID, file.ID), bytes)
	if err == nil {
		err = s.store.Tx(ctx, func(tx *db.Client) error {
			if err := tx.KnowledgeBlob.UpdateOneID(file.ID).SetStored(true).Exec(ctx); err != nil {
				return err
			}
			if err := tx.KnowledgeSource.UpdateOneID(src.ID).Where(knowledgesource.Status(vocab.KnowledgePending)).
				SetStatus(vocab.KnowledgeStored).SetUpdated(s.Now()).Exec(ctx); err != nil {
				return err
			}
			return s.enqueue(ctx, tx, src.ID)
		})
	}
	if err == nil {
		s.news.tell(src.ID)
		return nil
	}
	s.drop(ctx, src)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return fault.New(fault.Internal, "the file could not be stored; try again").Because(err)
}

// drop removes a source that came to nothing, even if nobody waits any more,
// and the bytes of one that somebody else removed while they were on their way.
// What remains because that fails is swept.
func (s *Service) drop(ctx context.Context, src *db.KnowledgeSource) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	err := s.remove(ctx, src.ID)
	if db.IsNotFound(err) && src.BlobID != nil {
		var there bool
		if there, err = s.store.KnowledgeBlob.Query().Where(knowledgeblob.ID(*src.BlobID)).Exist(ctx); err == nil && !there {
			err = s.erase(ctx, keyOf(src.AccountID, *src.BlobID))
		}
	}
	if err != nil && !db.IsNotFound(err) {
		slog.WarnContext(ctx, "knowledge: source not removed", "source", src.ID, "error", err)
	}
}
