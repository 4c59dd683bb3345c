package app

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestSweepFolder: only old half-written files go.
func TestSweepFolder(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "7"), 0o700); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-2 * time.Hour)
	for name, when := range map[string]time.Time{"7/whole": old, "7/half.1f.tmp": old, "7/fresh.2f.tmp": time.Now()} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, when, when); err != nil {
			t.Fatal(err)
		}
	}
	if err := sweepFolder(folder, time.Now()); err != nil {
		t.Fatal(err)
	}
	for name, stays := range map[string]bool{"7/whole": true, "7/half.1f.tmp": false, "7/fresh.2f.tmp": true} {
		if _, err := os.Stat(filepath.Join(folder, name)); (err == nil) != stays {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := sweepFolder(filepath.Join(folder, "none"), time.Now()); err != nil {
		t.Errorf("a folder that is not there yet: %v", err)
	}
	for url, want := range map[string]string{"": "d/blobs", "file:///srv/files": "/srv/files", "s3://b": ""} {
		if got := (&Config{Data: "d", BlobURL: url}).blobFolder(); got != want {
			t.Errorf("%q: %q", url, got)
		}
	}
}
