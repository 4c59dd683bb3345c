package knowledge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gocloud.dev/blob"
	"gocloud.dev/blob/fileblob"

	"github.com/contentgraph/contentgraph/internal/extract"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/jobs"
	"github.com/contentgraph/contentgraph/internal/pgtest"
	"github.com/contentgraph/contentgraph/internal/store"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

const ours, theirs, user = 101, 102, 7

// world is a service over a database, a folder of files and a reader whose
// answers the files ask for.
type world struct {
	*Service
	reader *reader
	ctx    context.Context // of our user
	their  context.Context // of a user of another account
	folder string          // of the blobs
}

// reader reads as the words of a file say; other files are text.
type reader struct {
	gate   chan struct{} // SLOW files wait for it
	broken atomic.Bool   // all fail, for no reason of theirs
	reads  atomic.Int64
}

func (r *reader) read(ctx context.Context, name string, f *os.File) (extract.Result, error) {
	r.reads.Add(1)
	content, err := io.ReadAll(f)
	if err != nil {
		return extract.Result{}, err
	}
	said := string(content)
	has := func(word string) bool { return strings.Contains(said, word) }
	if has("SLOW") {
		select {
		case <-r.gate:
		case <-ctx.Done():
			return extract.Result{}, ctx.Err()
		}
	}
	found := extract.Result{Type: strings.TrimPrefix(filepath.Ext(name), "."), Text: said}
	switch {
	case r.broken.Load():
		err = errors.New("no child process")
	case has("FOREIGN"):
		err = fault.New(fault.Invalid, "The file is a picture.")
	case has("LOCKED"):
		err = fault.New(fault.Unprocessable, "The file is protected by a password.")
	case has("BOMB"):
		err = &extract.Failure{Reason: "Reading the file took too much memory."}
	case has("SCANNED"):
		found.Text, found.Reason = "", "This PDF holds only images; text recognition is not available."
	case has("CUT"):
		found.Cut = true
	}
	return found, err
}

func onBoth(t *testing.T, test func(t *testing.T, w *world)) {
	t.Parallel()
	pgtest.Both(t, func(t *testing.T, url string) {
		test(t, newWorld(t, url))
	})
}

func newWorld(t *testing.T, url string) *world {
	t.Helper()
	s, err := store.Open(t.Context(), url, t.TempDir())
	must(t, err)
	t.Cleanup(func() { s.Close() })
	w := &world{reader: &reader{gate: make(chan struct{})}, folder: t.TempDir(),
		ctx: store.As(t.Context(), ours, user), their: store.As(t.Context(), theirs, user)}
	w.join(t, s)
	return w
}

// join makes a service, as another process would be, with workers.
func (w *world) join(t *testing.T, s *store.Store) {
	t.Helper()
	q := jobs.New(s)
	q.Poll, q.Backoff = 10*time.Millisecond, 10*time.Millisecond
	w.Service = New(s, q, folder(t, w.folder), w.reader.read, 2)
	w.Wait = 10 * time.Second // tests wait for outcomes, not for time
	t.Cleanup(q.Stop)
	q.Start()
}

func folder(t *testing.T, name string) *blob.Bucket {
	t.Helper()
	bucket, err := fileblob.OpenBucket(name, &fileblob.Options{NoTempDir: true, Metadata: fileblob.MetadataDontWrite})
	must(t, err)
	t.Cleanup(func() { bucket.Close() })
	return bucket
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// send uploads a file of our account.
func (w *world) send(name, content string) (*Source, error) {
	return w.Upload(w.ctx, Upload{Name: name, File: strings.NewReader(content), Size: int64(len(content))})
}

// files are the contents of all that is stored, but for the store's name.
func (w *world) files(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	must(t, filepath.Walk(w.folder, func(path string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() && info.Name() != storeKey {
			var content []byte
			if content, err = os.ReadFile(path); err == nil {
				key, _ := filepath.Rel(w.folder, path)
				all[key] = string(content)
			}
		}
		if errors.Is(err, fs.ErrNotExist) { // forgotten while we look
			err = nil
		}
		return err
	}))
	return all
}

// until waits for what jobs bring about.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatalf("%s did not happen", what)
}

// counts are the rows of everything.
func (w *world) counts(t *testing.T) string {
	t.Helper()
	ctx := store.System(t.Context())
	return fmt.Sprintf("%d sources %d texts %d passages %d blobs", w.store.KnowledgeSource.Query().CountX(ctx),
		w.store.KnowledgeText.Query().CountX(ctx), w.store.KnowledgePassage.Query().CountX(ctx), w.store.KnowledgeBlob.Query().CountX(ctx))
}

// wantFault demands a fault of the kind that says something.
func wantFault(t *testing.T, err error, kind fault.Kind, says string) {
	t.Helper()
	if !fault.Is(err, kind) && !(kind == fault.Internal && err != nil && fault.Of(err).Kind == kind) || !strings.Contains(fault.Of(err).Message, says) {
		t.Errorf("want a fault of status %d with %q, got %v", kind.Status(), says, err)
	}
}
