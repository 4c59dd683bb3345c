package knowledge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/contentgraph/contentgraph/ent/db/knowledgesource"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

func TestUpload(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.MaxUpload = 100
		kept := 0
		for _, c := range []struct {
			name      string
			replacing string
			content   string
			kind      fault.Kind // -1 for success
			says      string     // or the text
			kept      bool
		}{
			{"a.txt", "", "What it says", -1, "What it says", true},
			{`C:\my documents\b.TXT`, "", "bee", -1, "bee", true},
			{"", "c.md", "sea", -1, "sea", true},
			{"scan.pdf", "", "SCANNED", -1, "", true},
			{"d.txt", "", "", fault.Invalid, "file: must not be empty", false},
			{"", "", "x", fault.Invalid, "file: must have a file name", false},
			{"folder/", "", "x", fault.Invalid, "file: must have a file name", false},
			{".txt", "", "x", fault.Invalid, "file: must have a file name before", false},
			{"e.exe", "", "x", fault.Invalid, "file: must have one of the extensions .pdf", false},
			{"e.txt", "e.exe", "x", fault.Invalid, "fileName: must have one of the extensions", false},
			{"e.txt", " ", "x", fault.Invalid, "fileName: must not be blank", false},
			{"e\x00.txt", "", "x", fault.Invalid, "file: the name must not contain control", false},
			{"e\u202etxt.exe.txt", "", "x", fault.Invalid, "file: the name must not contain control", false},
			{"e\xff.txt", "", "x", fault.Invalid, "file: the name must be valid UTF-8", false},
			{strings.Repeat("a", 252) + ".txt", "", "x", fault.Invalid, "file: the name must have at most 255 bytes", false},
			{"f.pdf", "", "FOREIGN", fault.Invalid, "file: The file is a picture.", false},
			{"g.pdf", "", "LOCKED", fault.Unprocessable, "The file is protected by a password.", false},
			{"h.pdf", "", "BOMB", fault.Internal, "Reading the file took too much memory.", true},
			{"i.exe", "", strings.Repeat("x", 101), fault.TooLarge, "at most 100 bytes", false},
		} {
			u := Upload{Name: c.name, File: strings.NewReader(c.content), Size: int64(len(c.content))}
			if c.replacing != "" {
				u.FileName = &c.replacing
			}
			src, err := w.Upload(w.ctx, u)
			switch {
			case c.kind >= 0:
				wantFault(t, err, c.kind, c.says)
			case err != nil || src.Status != vocab.KnowledgeExtracted || *src.Text != c.says || (src.StatusReason != nil) != (c.says == ""):
				t.Errorf("%q: %+v %v", c.name, src, err)
			}
			if c.kept {
				kept++
			}
			if n := w.store.KnowledgeSource.Query().CountX(w.ctx); n != kept {
				t.Fatalf("after %q %q: %d sources, want %d", c.name, c.content, n, kept)
			}
		}
		until(t, "forgetting", func() bool { return len(w.files(t)) == kept })
		bad := w.store.KnowledgeSource.Query().Where(knowledgesource.Status(vocab.KnowledgeError)).OnlyX(w.ctx)
		if *bad.StatusReason != "Reading the file took too much memory." || bad.FileName == nil || *bad.FileName != "h.pdf" {
			t.Errorf("%+v", bad)
		}
		for key := range w.files(t) {
			if !strings.HasPrefix(key, "101/") || strings.Contains(key, ".") {
				t.Errorf("a file is named %s", key)
			}
		}
	})
}

// TestSameBytes are stored once in an account, as long as one source has them.
func TestSameBytes(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		one, err := w.send("one.txt", "the same")
		must(t, err)
		two, err := w.send("two.txt", "the same")
		must(t, err)
		if *one.BlobID != *two.BlobID || len(w.files(t)) != 1 {
			t.Errorf("stored twice: %v", w.files(t))
		}
		if _, err := w.Upload(w.their, Upload{Name: "three.txt", File: strings.NewReader("the same"), Size: 8}); err != nil || len(w.files(t)) != 2 {
			t.Errorf("accounts share bytes: %v", w.files(t))
		}
		must(t, w.Delete(w.ctx, one.ID))
		time.Sleep(50 * time.Millisecond) // for a job that there must not be
		if len(w.files(t)) != 2 {
			t.Error("the bytes went with the first source")
		}
		if got, err := w.Get(w.ctx, two.ID); err != nil || *got.Text != "the same" {
			t.Error(err)
		}
		must(t, w.Delete(w.ctx, two.ID))
		until(t, "forgetting", func() bool { return len(w.files(t)) == 1 })
		again, err := w.send("again.txt", "the same")
		if err != nil || *again.Text != "the same" || len(w.files(t)) != 2 {
			t.Error(again, err, w.files(t))
		}
	})
}

// TestCrowd uploads and deletes the same few files all at once.
func TestCrowd(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				for j := range 6 {
					content := fmt.Sprintf("content %d", (i+j)%3)
					src, err := w.send("a.txt", content)
					if err != nil {
						t.Error(err)
						return
					}
					if src.Text == nil || *src.Text != content {
						t.Errorf("%s reads %v", content, src.Text)
					}
					if j%3 != 2 {
						if err := w.Delete(w.ctx, src.ID); err != nil {
							t.Error(err)
						}
					}
				}
			})
		}
		wg.Wait()
		for _, b := range w.store.KnowledgeBlob.Query().AllX(w.ctx) {
			if n := w.store.KnowledgeSource.Query().CountX(w.ctx); b.Refs < 1 || b.Refs > n || !b.Stored {
				t.Errorf("%+v", b)
			}
		}
		until(t, "forgetting", func() bool { return len(w.files(t)) == 3 })
		for _, s := range w.store.KnowledgeSource.Query().AllX(w.ctx) {
			must(t, w.Delete(w.ctx, s.ID))
		}
		until(t, "forgetting all", func() bool { return len(w.files(t)) == 0 })
		if n := w.counts(t); n != "0 sources 0 texts 0 passages 0 blobs" {
			t.Error(n)
		}
	})
}

// TestSlow files are answered as they are; their text follows.
func TestSlow(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.Wait = 20 * time.Millisecond
		src, err := w.send("a.txt", "SLOW")
		if err != nil || src.Status != vocab.KnowledgeStored || src.Text != nil {
			t.Fatal(src, err)
		}
		wantFault(t, second(w.Retry(w.ctx, src.ID)), fault.Conflict, "this one is STORED")
		locked, err := w.send("b.txt", "SLOW LOCKED")
		must(t, err)
		w.Wait = time.Minute
		gone, leave := context.WithCancel(w.ctx)
		go func() {
			defer leave()
			for n := 0; n < 3 && w.ctx.Err() == nil; time.Sleep(time.Millisecond) {
				n, _ = w.store.KnowledgeSource.Query().Where(knowledgesource.Status(vocab.KnowledgeStored)).Count(w.ctx)
			}
		}()
		if _, err := w.Upload(gone, Upload{Name: "c.txt", File: strings.NewReader("SLOW too"), Size: 8}); !errors.Is(err, context.Canceled) {
			t.Errorf("an upload that was given up: %v", err)
		}
		close(w.reader.gate)
		until(t, "reading", func() bool {
			return strings.HasPrefix(w.counts(t), "3 sources 2 texts") && w.store.Job.Query().CountX(w.ctx) == 0
		})
		got, err := w.Get(w.ctx, locked.ID)
		if err != nil || got.Status != vocab.KnowledgeError || *got.StatusReason != "The file is protected by a password." || got.Text != nil {
			t.Errorf("%+v %v", got.KnowledgeSource, err)
		}
		again, err := w.Retry(w.ctx, locked.ID)
		if err != nil || again.Status != vocab.KnowledgeStored || again.StatusReason != nil {
			t.Errorf("%+v %v", again, err)
		}
		until(t, "reading again", func() bool {
			got, err := w.Get(w.ctx, locked.ID)
			return err == nil && got.Status == vocab.KnowledgeError
		})
		must(t, w.Delete(w.ctx, locked.ID))
	})
}

// TestTrouble that is nobody's fault ends with a reason, and with a retry well.
func TestTrouble(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.reader.broken.Store(true)
		_, err := w.send("a.txt", "sound")
		wantFault(t, err, fault.Internal, "could not be read at this time")
		if n := w.reader.reads.Load(); n != 5 {
			t.Errorf("read %d times", n)
		}
		w.reader.broken.Store(false)
		src := w.store.KnowledgeSource.Query().OnlyX(w.ctx)
		_, err = w.Retry(w.ctx, src.ID)
		must(t, err)
		until(t, "reading", func() bool {
			got, err := w.Get(w.ctx, src.ID)
			return err == nil && got.Text != nil && *got.Text == "sound"
		})
		wantFault(t, second(w.Retry(w.ctx, src.ID)), fault.Conflict, "EXTRACTED")

		// Bytes that cannot be stored or sent leave nothing.
		for _, f := range []io.ReadSeeker{failing{errors.New("connection lost")}, failing{context.Canceled}} {
			if _, err := w.Upload(w.ctx, Upload{Name: "b.txt", File: f, Size: 5}); err == nil {
				t.Error("no error")
			}
		}
		must(t, w.bucket.Close())
		_, err = w.send("c.txt", "nowhere")
		wantFault(t, err, fault.Internal, "the file could not be stored; try again")
		if n := w.counts(t); n != "1 sources 1 texts 1 passages 1 blobs" {
			t.Error(n)
		}
	})
}

type failing struct{ error }

func (f failing) Read([]byte) (int, error)       { return 0, f }
func (f failing) Seek(int64, int) (int64, error) { return 0, nil }

func second[T any](_ T, err error) error { return err }

// TestWatch sees every state once, and nothing after the last.
func TestWatch(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.Wait = 10 * time.Millisecond
		src, err := w.send("a.txt", "SLOW")
		must(t, err)
		news, err := w.Watch(w.ctx, src.ID)
		must(t, err)
		if s := <-news; s.Status != vocab.KnowledgeStored {
			t.Errorf("begins with %s", s.Status)
		}
		close(w.reader.gate)
		if s := <-news; s.Status != vocab.KnowledgeExtracted || *s.Text != "SLOW" {
			t.Errorf("goes on with %+v", s)
		}
		if s, more := <-news; more {
			t.Errorf("does not end: %+v", s)
		}
		news, err = w.Watch(w.ctx, src.ID)
		must(t, err)
		if s := <-news; *s.Text != "SLOW" {
			t.Error(s)
		}
		if _, more := <-news; more {
			t.Error("a final state is followed")
		}
	})
}

// TestWatchOtherProcess: changes by others are found, too, and a watch ends
// with the source or with its reader.
func TestWatchOtherProcess(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.queue.Stop()
		w.Wait = time.Millisecond
		var sources []*Source
		for i := range 3 {
			s, err := w.send("a.txt", fmt.Sprint("file ", i))
			must(t, err)
			sources = append(sources, s)
		}
		w.news.mu.Lock()
		if len(w.news.waiting) != 0 {
			t.Error("uploads that are answered are waited for")
		}
		w.news.mu.Unlock()
		ctx, leave := context.WithCancel(w.ctx)
		var watched []<-chan *Source
		for _, s := range sources {
			c, err := w.Watch(ctx, s.ID)
			must(t, err)
			<-c
			watched = append(watched, c)
		}
		other := &world{reader: w.reader, folder: w.folder, ctx: w.ctx}
		must(t, w.Delete(w.ctx, sources[1].ID))
		if s, more := <-watched[1]; more {
			t.Errorf("deleted, but %+v", s)
		}
		leave()
		if s, more := <-watched[2]; more {
			t.Errorf("left, but %+v", s)
		}
		watched[0], _ = w.Watch(w.ctx, sources[0].ID)
		<-watched[0]
		other.join(t, w.store)
		if s := <-watched[0]; s == nil || s.Status != vocab.KnowledgeExtracted {
			t.Errorf("%+v", s)
		}
		until(t, "forgetting followers", func() bool {
			w.news.mu.Lock()
			defer w.news.mu.Unlock()
			return len(w.news.waiting) == 0
		})
	})
}
