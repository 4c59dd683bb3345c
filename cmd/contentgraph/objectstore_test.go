package main

import (
	"encoding/xml"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// bucket is as much of the interface of S3 as the service needs.
type bucket struct {
	mu      sync.Mutex
	objects map[string][]byte
}

func (b *bucket) keys() (list []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for key := range b.objects {
		list = append(list, key)
	}
	slices.Sort(list)
	return list
}

func (b *bucket) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	key := strings.Trim(strings.TrimPrefix(r.URL.Path, "/files"), "/")
	content, there := b.objects[key]
	switch {
	case !strings.HasPrefix(r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 Credential=an-id/"):
		w.WriteHeader(http.StatusForbidden)
	case key == "":
		b.list(w, r.URL.Query().Get("prefix"))
	case r.Method == http.MethodPut && there && r.Header.Get("If-None-Match") == "*":
		w.WriteHeader(http.StatusPreconditionFailed)
		io.WriteString(w, `<Error><Code>PreconditionFailed</Code></Error>`)
	case r.Method == http.MethodPut:
		b.objects[key], _ = io.ReadAll(r.Body)
		w.Header().Set("ETag", `"x"`)
	case !there:
		w.WriteHeader(http.StatusNotFound)
		io.WriteString(w, `<Error><Code>NoSuchKey</Code></Error>`)
	case r.Method == http.MethodDelete:
		delete(b.objects, key)
		w.WriteHeader(http.StatusNoContent)
	default:
		http.ServeContent(w, r, "", time.Now(), strings.NewReader(string(content)))
	}
}

func (b *bucket) list(w http.ResponseWriter, prefix string) {
	type object struct {
		Key          string
		Size         int
		LastModified string
	}
	var answer struct {
		XMLName  xml.Name `xml:"ListBucketResult"`
		Contents []object
	}
	for key, content := range b.objects {
		if strings.HasPrefix(key, prefix) {
			answer.Contents = append(answer.Contents, object{key, len(content), "2026-01-01T00:00:00.000Z"})
		}
	}
	w.Header().Set("Content-Type", "application/xml")
	xml.NewEncoder(w).Encode(answer)
}

// TestObjectStore keeps files in a bucket, whose credentials come from the
// environment, as all tools of S3 take them.
func TestObjectStore(t *testing.T) {
	t.Parallel()
	b := &bucket{objects: map[string][]byte{}}
	s3 := httptest.NewServer(b)
	t.Cleanup(s3.Close)
	in := install(t, "")
	in.env = append(in.env, "AWS_ACCESS_KEY_ID=an-id", "AWS_SECRET_ACCESS_KEY=a-secret", "AWS_EC2_METADATA_DISABLED=true",
		"CONTENTGRAPH_BLOB_URL=s3://files?region=eu-central-1&use_path_style=true&request_checksum_calculation=when_required&endpoint="+s3.URL)
	a := in.user("7")
	s := in.serve()
	for _, name := range []string{"a.txt", "b.txt"} {
		if status, src := s.upload(a, name, []byte("What it says.")); status != 200 || src.Text != "What it says." {
			t.Fatalf("%d %+v", status, src)
		}
	}
	if status, _ := s.upload(a, "torn.pdf", []byte("%PDF-1.7\nnothing else")); status != 422 {
		t.Errorf("%d", status)
	}
	in.until("forgetting what was refused", func() bool { return len(b.keys()) == 2 })
	keys := b.keys()
	if !strings.HasPrefix(keys[0], "7/") || keys[1] != "contentgraph-store-id" || string(b.objects[keys[0]]) != "What it says." {
		t.Errorf("%q", keys)
	}
	s.kill()
	s = in.serve() // which finds the same store
	if len(in.files()) != 0 {
		t.Error("files are in the folder, too")
	}
	_, list := s.call("GET", "/v4/accounts/7/knowledge-sources", "", "Authorization", "Bearer "+a.token)
	for part := range strings.SplitSeq(list, `{"id":"`) {
		if id, _, ok := strings.Cut(part, `","kind"`); ok {
			s.call("DELETE", "/v4/accounts/7/knowledge-sources/"+id, "", "Authorization", "Bearer "+a.token)
		}
	}
	in.until("forgetting", func() bool { return len(b.keys()) == 1 })
}
