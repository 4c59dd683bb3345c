package dataquery

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/flate"

	"github.com/contentgraph/contentgraph/ent/db"
)

// Rows is a run of stored chunks, which holds at least one row each.
type Rows struct{ Chunks []*db.ResultChunk }

// WriteTo writes the rows as one JSON array of arrays of strings. A chunk is
// checked before any of it is written; a damaged one is an internal error.
func (r Rows) WriteTo(w io.Writer) (int64, error) {
	var text bytes.Buffer
	var written int64
	packed := flate.NewReader(nil)
	for i, c := range r.Chunks {
		text.Reset()
		text.WriteByte("[,"[min(i, 1)])
		if err := inflate(&text, packed, c); err != nil {
			return written, fmt.Errorf("chunk %d of execution %s: %w", c.ID, c.ExecutionID, err)
		}
		n, err := text.WriteTo(w)
		written += n
		if err != nil {
			return written, err
		}
	}
	end := "]"
	if len(r.Chunks) == 0 {
		end = "[]"
	}
	n, err := io.WriteString(w, end)
	return written + int64(n), err
}

var errDamaged = errors.New("the stored rows are damaged")

func inflate(text *bytes.Buffer, packed io.ReadCloser, c *db.ResultChunk) error {
	start := text.Len()
	text.Grow(c.Length + bytes.MinRead)
	if err := packed.(flate.Resetter).Reset(bytes.NewReader(c.Data), nil); err != nil {
		return err
	}
	// A chunk has no final block, so its end is unexpected to the reader.
	n, err := io.Copy(text, io.LimitReader(packed, int64(c.Length)+1))
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.Join(errDamaged, err)
	}
	if n != int64(c.Length) || crc32.ChecksumIEEE(text.Bytes()[start:]) != c.Crc32 {
		return errDamaged
	}
	return nil
}

// MarshalGQLContext writes the rows as a GraphQL scalar. Nothing is written
// when a chunk is damaged, so that the answer stays well-formed.
func (r Rows) MarshalGQLContext(_ context.Context, w io.Writer) error {
	var text bytes.Buffer
	if _, err := r.WriteTo(&text); err != nil {
		return err
	}
	_, err := text.WriteTo(w)
	return err
}

// UnmarshalGQLContext refuses: rows are never an input.
func (r *Rows) UnmarshalGQLContext(context.Context, any) error {
	return errors.New("rows are not an input")
}
