package dataquery

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/flate"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// Formats are the formats of an export.
var Formats = []string{"csv", "ndjson", "parquet"}

// Export is a whole result as one file that can be imported again. What it
// keeps in memory does not grow with the number of rows.
type Export struct {
	Name   string // of the file, in ASCII
	Format string // one of Formats

	s       *Service
	e       *db.Execution
	columns []vocab.Column
}

// Export prepares the export of an execution that Get answered, in one of
// Formats, in any case. Faults are Invalid, of the field format, and Conflict
// for an execution that has no result.
func (s *Service) Export(e *db.Execution, format string) (*Export, error) {
	format, err := formatOf(format)
	if err != nil {
		return nil, err
	}
	if err := hasResult(e); err != nil {
		return nil, err
	}
	spec, r, err := request(e)
	if err != nil {
		return nil, err
	}
	name := spec.Name()
	for _, field := range []string{"start_date", "end_date"} {
		if date := r.Text(field); date != "" {
			name += "_" + date
		}
	}
	return &Export{Name: name + "." + format, Format: format, s: s, e: e, columns: spec.columns(r)}, nil
}

func formatOf(text string) (string, error) {
	for _, f := range Formats {
		if strings.EqualFold(f, text) {
			return f, nil
		}
	}
	return "", fault.BadField("format", "must be one of %s", strings.Join(Formats, ", "))
}

func hasResult(e *db.Execution) error {
	switch e.State {
	case vocab.InProgress:
		return fault.New(fault.Conflict, "the execution still runs; export it once it is %s", vocab.Completed)
	case vocab.Failed:
		return fault.New(fault.Conflict, "the execution failed: %s", Message(e))
	}
	return nil
}

// Write writes the file. Until w gets its first byte a fault may be NotFound,
// EXECUTION_EXPIRED; after that any failure leaves an incomplete file.
func (x *Export) Write(ctx context.Context, w io.Writer) error {
	f := newFile(x.Format, x.columns, w)
	chunks := func(ctx context.Context, n int) (*db.ResultChunk, error) {
		list, err := x.s.chunks(ctx, x.e, n, n+1)
		if err != nil {
			return nil, err
		}
		return list[0], nil
	}
	rows, err := writeChunks(ctx, f, x.e.Chunks, chunks)
	if err == nil && rows != x.e.Written {
		err = errDamaged
	}
	if err == nil {
		err = f.close()
	}
	if err != nil {
		return fmt.Errorf("export of execution %s: %w", x.e.ID, err)
	}
	return nil
}

// file writes rows in one format.
type file interface {
	// chunk writes the rows of a chunk's text, and answers how many they are.
	chunk(text []byte) (int, error)
	close() error
}

func newFile(format string, columns []vocab.Column, w io.Writer) file {
	switch format {
	case "csv":
		return newCSVFile(columns, w)
	case "ndjson":
		return newNDJSONFile(columns, w)
	}
	return newParquetFile(columns, w)
}

// inflated is the text of a chunk, or why there is none.
type inflated struct {
	text *bytes.Buffer
	err  error
}

// writeChunks writes n chunks. While one is written the next is read and
// inflated, and no more than that.
func writeChunks(ctx context.Context, f file, n int, chunk func(context.Context, int) (*db.ResultChunk, error)) (rows int, err error) {
	reading, stop := context.WithCancel(ctx)
	full, free := make(chan inflated), make(chan *bytes.Buffer, 2)
	free <- new(bytes.Buffer)
	free <- new(bytes.Buffer)
	go func() {
		defer close(full)
		packed := flate.NewReader(nil)
		for i := range n {
			select {
			case <-reading.Done():
				return
			case text := <-free:
				text.Reset()
				c, err := chunk(reading, i)
				if err == nil {
					err = inflate(text, packed, c)
				}
				select {
				case <-reading.Done():
					return
				case full <- inflated{text, err}:
				}
			}
		}
	}()
	defer func() {
		stop()
		for range full { // until the reader is gone
		}
	}()
	for i := range n {
		in, ok := <-full
		if !ok {
			return rows, ctx.Err()
		}
		if in.err != nil {
			return rows, fmt.Errorf("chunk %d: %w", i, in.err)
		}
		more, err := f.chunk(in.text.Bytes())
		if rows += more; err != nil {
			return rows, fmt.Errorf("chunk %d: %w", i, err)
		}
		free <- in.text
	}
	return rows, nil
}
