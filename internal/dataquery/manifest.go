package dataquery

import (
	"context"
	"encoding/hex"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/resultchunk"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// ManifestPage says what a page holds, without reading it.
type ManifestPage struct {
	Page   int // from 1
	Rows   int
	Digest string // that of Page, in hexadecimal
}

// Manifest is the pages of an execution in order; nil unless it is completed.
func (s *Service) Manifest(ctx context.Context, e *db.Execution) ([]*ManifestPage, error) {
	if e.State != vocab.Completed {
		return nil, nil
	}
	if e.Chunks == 0 {
		return []*ManifestPage{{Page: 1, Digest: hex.EncodeToString(noRows[:])}}, nil
	}
	ends, err := s.result(e).Where(resultchunk.PageDigestNotNil()).Select(resultchunk.FieldPageDigest).All(ctx)
	switch {
	case err != nil:
		return nil, store.Fault(ctx, err, "manifest")
	case len(ends) != pageCount(e):
		return nil, s.missing(ctx, e)
	}
	list := make([]*ManifestPage, len(ends))
	for i, c := range ends {
		list[i] = &ManifestPage{i + 1, min(e.PageRows, e.Written-i*e.PageRows), hex.EncodeToString(c.PageDigest)}
	}
	return list, nil
}

// Digest is the SHA-256, in hexadecimal, of the digests of all pages of an
// execution, each 32 bytes, one behind the other; nil unless it is completed.
func Digest(e *db.Execution) *string {
	if e.State != vocab.Completed {
		return nil
	}
	return new(hex.EncodeToString(e.Digest))
}

// Fraction is how much of an execution's work is done at least, from 0 to 1;
// nil when nothing is known.
func Fraction(e *db.Execution) *float64 {
	switch {
	case e.State == vocab.Completed:
		return new(1.0)
	case e.Scanned == 0:
		return nil
	}
	return new(min(1, float64(e.Scanned)/float64(e.Expected)))
}
