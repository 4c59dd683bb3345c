package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/ent/db/job"
	"github.com/contentgraph/contentgraph/ent/db/knowledgesource"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// source is the answer to an upload.
type source struct{ ID, Text, Status, StatusReason string }

// upload sends a file; without an answer the status is 0.
func (s *server) upload(a access, name string, content []byte) (status int, src source) {
	var body bytes.Buffer
	m := multipart.NewWriter(&body)
	w, _ := m.CreateFormFile("file", name)
	w.Write(content)
	m.Close()
	r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, s.base+"/v4/accounts/7/knowledge-sources", &body)
	if err != nil {
		return 0, src
	}
	r.Header.Set("Content-Type", m.FormDataContentType())
	r.Header.Set("Authorization", "Bearer "+a.token)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, src
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	json.Unmarshal(text, &src)
	return answer.StatusCode, src
}

// prose is n bytes of text that all differ.
func prose(n int) []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "Sentence %d tells of %x and of %d pots. ", i, i*7919, i%1000)
	}
	return b.Bytes()[:n]
}

// pdf is a small one that says something.
func pdf(text string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	content := "BT /F1 24 Tf 72 700 Td (" + text + ") Tj ET"
	var at []int
	for i, object := range []string{
		"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
		fmt.Sprintf("<</Length %d>>stream\n%s\nendstream", len(content), content),
		"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
	} {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	xref := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, n := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", n)
	}
	fmt.Fprintf(&b, "trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, xref)
	return b.Bytes()
}

// TestUploads sends good and bad files to a whole service.
func TestUploads(t *testing.T) {
	onBoth(t, func(t *testing.T, in *installation) {
		a, s := in.user("7"), in.serve()
		for name, c := range map[string]struct {
			content []byte
			status  int
			says    string
		}{
			"pots.pdf":   {pdf("Moka pots"), 200, "Moka pots"},
			"pots.txt":   {[]byte("caf\xe9 au lait, s'il vous pla\xeet, un caf\xe9 tr\xe8s serr\xe9"), 200, "café au lait"},
			"pots.md":    {[]byte("# Pots\n\n*Moka*"), 200, "Pots\n\nMoka"},
			"torn.pdf":   {[]byte("%PDF-1.7\nnothing else"), 422, ""},
			"wrong.docx": {pdf("Moka pots"), 400, ""},
			"none.csv":   {nil, 400, ""},
			"pots.exe":   {[]byte("x"), 400, ""},
		} {
			if status, src := s.upload(a, name, c.content); status != c.status || !strings.Contains(src.Text, c.says) {
				t.Errorf("%s: %d %+v", name, status, src)
			}
		}
		in.until("forgetting what was refused", func() bool { return len(in.files()) == 3 })
		in.noOrphans()
	})
}

// files are the keys in the folder of blobs.
func (in *installation) files() (keys []string) {
	folder := filepath.Join(in.dir, "data", "blobs")
	filepath.Walk(folder, func(path string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() && info.Name() != "contentgraph-store-id" {
			key, _ := filepath.Rel(folder, path)
			keys = append(keys, key)
		}
		return nil
	})
	return keys
}

// noOrphans demands that every file is known, whole, and known once.
func (in *installation) noOrphans() {
	in.t.Helper()
	st, ctx := in.open(), store.System(context.Background())
	for _, key := range in.files() {
		id, err := uuid.Parse(filepath.Base(key))
		if err != nil {
			in.t.Errorf("an orphan: %s", key)
			continue
		}
		b := st.KnowledgeBlob.GetX(ctx, id)
		if info, err := os.Stat(filepath.Join(in.dir, "data", "blobs", key)); err != nil || info.Size() != b.Size || b.Refs < 1 {
			in.t.Errorf("%s: %+v %v", key, b, err)
		}
	}
	if left, _ := os.ReadDir(filepath.Join(in.dir, "data", "tmp")); len(left) > 0 {
		in.t.Errorf("%d temporary files are left", len(left))
	}
}

// TestKilledReading kills the server while a file is read; the next one reads it.
func TestKilledReading(t *testing.T) {
	onBoth(t, func(t *testing.T, in *installation) {
		a, s := in.user("7"), in.serve()
		st, ctx := in.open(), store.System(context.Background())
		answered := make(chan int)
		go func() {
			status, _ := s.upload(a, "big.txt", prose(24<<20))
			answered <- status
		}()
		in.until("reading", func() bool { return st.Job.Query().Where(job.StateEQ(job.StateRUNNING)).CountX(ctx) > 0 })
		s.kill()
		if status := <-answered; status != 0 {
			t.Fatalf("too late to interrupt: %d", status)
		}
		if src := st.KnowledgeSource.Query().OnlyX(ctx); src.Status != vocab.KnowledgeStored {
			t.Fatalf("killed, but the source is %s", src.Status)
		}
		in.serve()
		in.until("reading again", func() bool {
			return st.KnowledgeSource.Query().Where(knowledgesource.Status(vocab.KnowledgeExtracted), knowledgesource.Cut(true)).CountX(ctx) == 1
		})
		if n := st.KnowledgeText.Query().CountX(ctx); n != 1 {
			t.Errorf("%d texts", n)
		}
		in.noOrphans()
	})
}

// TestOtherBlobStore: a process whose files are elsewhere does not serve.
func TestOtherBlobStore(t *testing.T) {
	t.Parallel()
	in := install(t, "")
	in.serve().kill()
	other := in.command("serve", "--blob-url=file://"+filepath.Join(in.dir, "elsewhere"))
	if out, err := other.CombinedOutput(); err == nil || !strings.Contains(string(out), "another blob store: set CONTENTGRAPH_BLOB_URL") {
		t.Errorf("%v %s", err, out)
	}
	in.serve("--blob-url=file://" + filepath.Join(in.dir, "data", "blobs"))
}
