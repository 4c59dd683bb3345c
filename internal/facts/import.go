package facts

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"time"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// Importer brings facts into the store. It may be used by several goroutines.
type Importer struct {
	Store *store.Store
	Now   func() time.Time
	NewID func() uuid.UUID
	// Lease is how long an import that does not write is taken to be alive.
	Lease time.Duration
	// Grace is how long replaced facts stay, for queries that are just submitted.
	Grace time.Duration
}

// NewImporter makes an importer with the defaults: a lease of 30 s and a grace
// of 10 minutes.
func NewImporter(s *store.Store) *Importer {
	return &Importer{Store: s, Now: time.Now, NewID: uuid.New, Lease: 30 * time.Second, Grace: 10 * time.Minute}
}

// Options of an import.
type Options struct {
	// Replace makes the file the only current import of the slices (account,
	// web property, frequency, period) that it covers; else it adds to them.
	Replace bool
	// Strict imports nothing when any line is rejected.
	Strict bool
	// AccountID and WebPropertyID are for files without these columns; 0 = none.
	AccountID, WebPropertyID int
	// Rejects is the file that rejected lines are written to; "" = none. It is
	// made when the first line is rejected.
	Rejects string
	// Progress is told now and then how many bytes of the file are read, and
	// how many rows it gave so far.
	Progress func(done, total int64, rows int)
}

// Report says what an import did.
type Report struct {
	FileID   uuid.UUID // shared by the imports of all accounts of the file
	Rows     int       // imported, 0 when unchanged
	Rejected int       // lines
	Replaced int       // slices of earlier imports that are no longer current
	Accounts []int     // ascending
	// Unchanged says that the same bytes are current already.
	Unchanged bool
	Reasons   []Reject // of the first 20 rejected lines
	Ignored   []string // columns of the file that the dataset does not have
}

// Reject is a line that was not imported, and why.
type Reject struct {
	Line   int
	Reason string
}

// File imports a file, whole or not at all. The format follows from the name:
// .csv, .ndjson, .jsonl or .parquet, each also with .gz or .zst. A file that
// cannot be imported is an Invalid fault. The report is of use then, too.
func (im *Importer) File(ctx context.Context, d *vocab.Dataset, path string, o Options) (Report, error) {
	name := filepath.Base(path)
	f, err := formatOf(name)
	if err != nil {
		return Report{}, err
	}
	in, err := openMeter(path)
	if err != nil {
		return Report{}, unreadable(name, err)
	}
	defer in.file.Close()
	digest, err := digestOf(ctx, in)
	if err != nil {
		return Report{}, unreadable(name, err)
	}
	l := newLayout(d)
	src, err := open(l, f, in)
	if err != nil {
		return Report{}, unreadable(name, err)
	}
	defer src.close()
	r := &run{im: im, layout: l, options: o, name: name, digest: digest, src: src, meter: in}
	return r.do(ctx)
}

// Rows imports rows made by code, by the same rules as a file. columns names
// the values of every row; digest tells these rows from all others, as the hash
// of a file's bytes does. src may end in an error, which ends the import.
func (im *Importer) Rows(ctx context.Context, d *vocab.Dataset, name, digest string, columns []string, src iter.Seq2[[]string, error], o Options) (Report, error) {
	l := newLayout(d)
	rows, err := newRows(l, columns, src)
	if err != nil {
		return Report{}, err
	}
	defer rows.close()
	r := &run{im: im, layout: l, options: o, name: name, digest: digest, src: rows}
	return r.do(ctx)
}

func openMeter(path string) (*meter, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, err
	}
	return &meter{file: file, info: info}, nil
}

// digestOf hashes a file and goes back to its beginning.
func digestOf(ctx context.Context, in *meter) (string, error) {
	h := sha256.New()
	for block := int64(64 << 20); ; {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		n, err := io.CopyN(h, in, block)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil || n == 0 {
			return "", err
		}
	}
	in.done.Store(0)
	_, err := in.file.Seek(0, io.SeekStart)
	return hex.EncodeToString(h.Sum(nil)), err
}

// unreadable is the fault of a file that cannot be read or is not what its name
// says. Faults and the end of the context stay what they are.
func unreadable(name string, err error) error {
	var known *fault.Error
	switch {
	case errors.As(err, &known):
		e := fault.New(known.Kind, "%s: %s", name, known.Message)
		return e.Because(errors.Unwrap(known))
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return fault.New(fault.Invalid, "%s does not exist", name).Because(err)
	}
	return fault.New(fault.Invalid, "%s cannot be read: it is damaged or not what its name says", name).Because(err)
}
