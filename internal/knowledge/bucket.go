package knowledge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/google/uuid"
	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/internal/store"
)

// keyOf is where the bytes of a blob are: named by us, never by a sender.
func keyOf(account int, id uuid.UUID) string { return fmt.Sprintf("%d/%s", account, id) }

// put stores bytes under a key, whole or not at all.
func (s *Service) put(ctx context.Context, key string, bytes io.Reader) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // which also gives up a writer that is not closed
	var file *os.File
	w, err := s.bucket.NewWriter(ctx, key, &blob.WriterOptions{
		ContentType: "application/octet-stream",
		BeforeWrite: func(as func(any) bool) error { as(&file); return nil },
	})
	if err != nil {
		return err
	}
	if _, err := io.Copy(w, bytes); err != nil {
		cancel()
		return errors.Join(err, w.Close())
	}
	if file != nil { // of a folder: the database must not know of bytes that a power cut takes
		if err := file.Sync(); err != nil {
			cancel()
			return errors.Join(err, w.Close())
		}
	}
	return w.Close()
}

// fetch is a blob as a file of this machine that nobody else can name. Close it.
func (s *Service) fetch(ctx context.Context, file *db.KnowledgeBlob) (*os.File, error) {
	f, err := TempFile(s.TempFolder)
	if err != nil {
		return nil, err
	}
	if err := s.bucket.Download(ctx, keyOf(file.AccountID, file.ID), f, nil); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	size, err := f.Seek(0, io.SeekEnd)
	if err == nil && size != file.Size {
		err = fmt.Errorf("knowledge: blob %s has %d bytes instead of %d", file.ID, size, file.Size)
	}
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// TempFile is an empty file in a folder that goes with its closing, or with the
// process. The folder "" is the system's.
func TempFile(folder string) (*os.File, error) {
	f, err := os.CreateTemp(folder, "contentgraph-*")
	if err == nil {
		os.Remove(f.Name()) // where open files cannot be removed, it stays
	}
	return f, err
}

// erase removes what is stored under a key, and what a killed process left
// beside it.
func (s *Service) erase(ctx context.Context, key string) error {
	list := s.bucket.List(&blob.ListOptions{Prefix: key})
	for {
		o, err := list.Next(ctx)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := s.bucket.Delete(ctx, o.Key); err != nil && gcerrors.Code(err) != gcerrors.NotFound {
			return err
		}
	}
}

// Where a blob store has its name, and a database that of its blob store.
const (
	storeKey     = "contentgraph-store-id"
	storeSetting = "blob_store_id"
)

// ErrOtherStore says that the files of a database are elsewhere.
var ErrOtherStore = errors.New("the database's files are in another blob store: set CONTENTGRAPH_BLOB_URL to that one, " +
	"or copy everything from there, the object " + storeKey + " too")

// Claim holds a database to its blob store, by a name that is made at the first
// start and kept in both. A replica with a folder of its own, say, would not
// find the files of the others.
func (s *Service) Claim(ctx context.Context) error {
	ctx = store.System(ctx)
	known, err := s.store.Setting.Get(ctx, storeSetting)
	if err != nil && !db.IsNotFound(err) {
		return fmt.Errorf("read the blob store's name: %w", err)
	}
	name, err := s.bucket.ReadAll(ctx, storeKey)
	switch missing := gcerrors.Code(err) == gcerrors.NotFound; {
	case missing && known != nil:
		return ErrOtherStore
	case missing:
		// Of two processes that start at the same time, one makes the name.
		err = s.bucket.WriteAll(ctx, storeKey, []byte(uuid.NewString()), &blob.WriterOptions{IfNotExist: true})
		if err == nil || gcerrors.Code(err) == gcerrors.FailedPrecondition {
			name, err = s.bucket.ReadAll(ctx, storeKey)
		}
	}
	if err != nil {
		return fmt.Errorf("the blob store does not answer: %w", err)
	}
	if known == nil {
		err := s.store.Setting.Create().SetID(storeSetting).SetValue(string(name)).Exec(ctx)
		if err != nil && !db.IsConstraintError(err) {
			return fmt.Errorf("keep the blob store's name: %w", err)
		}
		if known, err = s.store.Setting.Get(ctx, storeSetting); err != nil {
			return fmt.Errorf("read the blob store's name: %w", err)
		}
	}
	if known.Value != string(name) {
		return ErrOtherStore
	}
	return nil
}
