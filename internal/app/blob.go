package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"gocloud.dev/blob"
	_ "gocloud.dev/blob/azureblob" // azblob://
	"gocloud.dev/blob/fileblob"
	_ "gocloud.dev/blob/gcsblob" // gs://
	_ "gocloud.dev/blob/s3blob"  // s3://
)

// folders are how files are kept on a disk. Half-written ones are beside the
// others, so that the last step is a renaming, and are found there.
var folders = fileblob.Options{CreateDir: true, DirFileMode: 0o700, NoTempDir: true, Metadata: fileblob.MetadataDontWrite}

// halfWrittenFor is how old a half-written file is before its writer is taken to
// be dead: an upload ends much sooner.
const halfWrittenFor = time.Hour

// sweepFolder removes the half-written files of writers that were killed. It
// knows those of fileblob by their ending; other stores drop theirs themselves.
func sweepFolder(folder string, now time.Time) error {
	return filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".tmp" {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			return err
		}
		info, err := d.Info()
		if err == nil && now.Sub(info.ModTime()) > halfWrittenFor {
			err = os.Remove(path)
		}
		if errors.Is(err, fs.ErrNotExist) { // renamed, or removed by another process
			return nil
		}
		return err
	})
}

// blobFolder is the folder of the blob store, "" when it is none.
func (c *Config) blobFolder() string {
	if c.BlobURL == "" {
		return filepath.Join(c.Data, "blobs")
	}
	if u, err := url.Parse(c.BlobURL); err == nil && u.Scheme == fileblob.Scheme {
		return filepath.FromSlash(u.Path)
	}
	return ""
}

// openBucket opens the blob store of a URL, by default a folder in the data folder.
func openBucket(ctx context.Context, text, data string) (*blob.Bucket, error) {
	if text == "" {
		return fileblob.OpenBucket(filepath.Join(data, "blobs"), &folders)
	}
	u, err := blobURL(text)
	if err != nil {
		return nil, err
	}
	if u.Scheme == fileblob.Scheme {
		return (&fileblob.URLOpener{Options: folders}).OpenBucketURL(ctx, u)
	}
	bucket, err := blob.OpenBucket(ctx, text)
	if err != nil {
		return nil, fmt.Errorf("open the blob store: %w", err)
	}
	return bucket, nil
}

// blobURL reads the URL of a blob store.
func blobURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err == nil {
		switch u.Scheme {
		case "s3", "gs", "azblob", fileblob.Scheme:
			return u, nil
		}
	}
	return nil, fmt.Errorf("--blob-url: %q is not s3://, gs://, azblob:// or file:///folder", text)
}
