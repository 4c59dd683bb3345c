package knowledge

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/ent/db/job"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// TestStoppedProcess hands its work back, and another one does it.
func TestStoppedProcess(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.Wait = 50 * time.Millisecond
		src, err := w.send("a.txt", "SLOW")
		must(t, err)
		until(t, "beginning", func() bool { return w.reader.reads.Load() == 1 })
		w.queue.Stop()
		if j := w.store.Job.Query().OnlyX(w.ctx); j.State != job.StateQUEUED || j.Failures != 0 {
			t.Errorf("%+v", j)
		}
		close(w.reader.gate)
		w.join(t, w.store)
		until(t, "reading", func() bool {
			got, err := w.Get(w.ctx, src.ID)
			return err == nil && got.Status == vocab.KnowledgeExtracted
		})
	})
}

// TestKilledUpload leaves a source without bytes and half a file, and both go.
func TestKilledUpload(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		_, file, err := w.register(w.ctx, "a.txt", "digest", 3)
		must(t, err)
		half := filepath.Join(w.folder, keyOf(ours, file.ID)+".1f.tmp")
		must(t, os.MkdirAll(filepath.Dir(half), 0o700))
		must(t, os.WriteFile(half, []byte("ha"), 0o600))
		must(t, w.Sweep(t.Context()))
		if n := w.counts(t); n != "1 sources 0 texts 0 passages 1 blobs" {
			t.Errorf("swept too soon: %s", n)
		}
		w.Now = func() time.Time { return time.Now().UTC().Add(pendingLimit + time.Second) }
		must(t, w.Sweep(t.Context()))
		if n := w.counts(t); n != "0 sources 0 texts 0 passages 0 blobs" {
			t.Errorf("not swept: %s", n)
		}
		until(t, "forgetting", func() bool { return len(w.files(t)) == 0 })
	})
}

// TestRemovedMeanwhile: an upload whose source is deleted before its bytes are
// there leaves none.
func TestRemovedMeanwhile(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		src, file, err := w.register(w.ctx, "a.txt", "digest", 3)
		must(t, err)
		must(t, w.Delete(w.ctx, src.ID))
		until(t, "forgetting", func() bool { return w.store.Job.Query().CountX(w.ctx) == 0 })
		if err := w.keep(w.ctx, src, file, strings.NewReader("abc")); err == nil {
			t.Error("kept")
		}
		if len(w.files(t)) != 0 {
			t.Error(w.files(t))
		}
	})
}

// TestForgetAgain: bytes that could not be removed are not forgotten.
func TestForgetAgain(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		src, err := w.send("a.txt", "a")
		must(t, err)
		sound := w.bucket
		w.bucket = folder(t, t.TempDir())
		must(t, w.bucket.Close())
		must(t, w.Delete(w.ctx, src.ID))
		until(t, "giving up", func() bool {
			return w.store.Job.Query().Where(job.StateEQ(job.StateDISCARDED)).CountX(w.ctx) == 1
		})
		w.queue.Stop()
		w.bucket = sound
		must(t, w.Sweep(t.Context()))
		w.join(t, w.store)
		until(t, "forgetting", func() bool { return len(w.files(t)) == 0 && w.store.Job.Query().CountX(w.ctx) == 0 })
	})
}

// TestDiscard tells the source why its file is not read.
func TestDiscard(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		src, err := w.send("a.txt", "a")
		must(t, err)
		must(t, w.bucket.Delete(w.ctx, keyOf(ours, *src.BlobID)))
		w.store.KnowledgeSource.UpdateOneID(src.ID).SetStatus(vocab.KnowledgeError).ExecX(w.ctx)
		w.store.KnowledgeText.DeleteOneID(src.ID).ExecX(w.ctx)
		_, err = w.Retry(w.ctx, src.ID)
		must(t, err)
		until(t, "giving up", func() bool {
			got := w.store.KnowledgeSource.GetX(w.ctx, src.ID)
			return got.Status == vocab.KnowledgeError && got.Failure == failedStorage && strings.Contains(*got.StatusReason, "try again later")
		})
	})
}

// TestClaim holds a database to one blob store.
func TestClaim(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		for range 2 {
			must(t, w.Claim(t.Context()))
		}
		name, err := os.ReadFile(filepath.Join(w.folder, storeKey))
		must(t, err)
		if _, err := uuid.ParseBytes(name); err != nil {
			t.Error(err)
		}
		other := &Service{store: w.store, bucket: folder(t, t.TempDir())}
		for range 2 { // with an empty store, and with one of another name
			if err := other.Claim(t.Context()); err != ErrOtherStore {
				t.Errorf("another store is taken: %v", err)
			}
			must(t, other.bucket.WriteAll(t.Context(), storeKey, []byte(uuid.NewString()), nil))
		}
		// A new database may begin with files that are there.
		w.store.Setting.Delete().ExecX(store.System(t.Context()))
		must(t, w.Claim(t.Context()))
	})
}
