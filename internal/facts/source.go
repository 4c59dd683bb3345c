package facts

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/contentgraph/contentgraph/internal/fault"
)

// record is one line of a file: CSV record, JSON object or Parquet row.
type record struct {
	line   int
	values []string // by field of the layout, "" = none; valid until the next record
	bad    string   // why it cannot be read; "" = it can
}

// source reads records.
type source interface {
	// next is the next record, io.EOF after the last. Any other error says
	// that the file is damaged.
	next() (*record, error)
	// reject writes the last record so that it can be mended and imported.
	reject(w *bufio.Writer, reason string) error
	// head writes what a file of rejected lines begins with.
	head(w *bufio.Writer) error
	columns() *header
	close()
}

// header is the columns of a file.
type header struct {
	at      []int    // field by column of the file; -1 = unknown to the dataset
	given   []bool   // by field: the file has the column
	ignored []string // the unknown ones
}

func (h *header) columns() *header { return h }

// rejectReason is the column that files of rejected lines have in addition.
const rejectReason = "reject_reason"

// header finds the columns by name, in any order and any case.
func (l *layout) header(names []string) (*header, error) {
	h := &header{given: make([]bool, len(l.fields))}
	for _, name := range names {
		i := l.field(name)
		h.at = append(h.at, i)
		switch {
		case i < 0:
			h.ignore(name)
		case h.given[i]:
			return nil, fault.New(fault.Invalid, "column %s is there twice", l.fields[i].Name)
		default:
			h.given[i] = true
		}
	}
	return h, nil
}

func (l *layout) field(name string) int {
	if i, ok := l.index[strings.ToLower(strings.TrimSpace(name))]; ok {
		return i
	}
	return -1
}

// ignore keeps the first names only: a file of JSON lines may have any number.
func (h *header) ignore(name string) {
	if name != rejectReason && len(h.ignored) < 100 && !slices.Contains(h.ignored, name) {
		h.ignored = append(h.ignored, strings.ToValidUTF8(name, "\uFFFD"))
	}
}

// fileFormat is the kind of a file, by its name.
type fileFormat struct {
	kind       string // .csv, .ndjson or .parquet
	compressed string // "", .gz or .zst
}

func formatOf(name string) (fileFormat, error) {
	// Our own files of rejected lines can be imported once they are mended.
	name, rejected := strings.ToLower(name), false
	for strings.HasSuffix(name, ".rejected") {
		name, rejected = strings.TrimSuffix(name, ".rejected"), true
	}
	var f fileFormat
	for _, c := range []string{".gz", ".zst"} {
		if base, ok := strings.CutSuffix(name, c); ok {
			name, f.compressed = base, c
		}
	}
	for suffix, kind := range map[string]string{".csv": ".csv", ".ndjson": ".ndjson", ".jsonl": ".ndjson", ".parquet": ".parquet"} {
		if strings.HasSuffix(name, suffix) {
			f.kind = kind
		}
	}
	switch {
	case f.kind == "":
		return f, fault.New(fault.Invalid, "the name of the file must end in .csv, .ndjson, .jsonl or .parquet, each also with .gz or .zst")
	case rejected && f.kind == ".parquet":
		return fileFormat{kind: ".ndjson"}, nil
	case rejected:
		return fileFormat{kind: f.kind}, nil
	}
	return f, nil
}

// open begins to read a file of a format.
func open(l *layout, f fileFormat, in *meter) (source, error) {
	plain, closePlain, err := decompress(f.compressed, in)
	if err != nil {
		return nil, err
	}
	switch f.kind {
	case ".csv":
		return newCSV(l, newLines(plain), closePlain)
	case ".ndjson":
		return newNDJSON(l, newLines(plain), closePlain), nil
	}
	if f.compressed == "" {
		return newParquet(l, in, in.info.Size(), closePlain)
	}
	defer closePlain()
	// Parquet is read from its end, so it has to lie somewhere.
	temp, err := os.CreateTemp("", "contentgraph-*.parquet")
	if err != nil {
		return nil, err
	}
	remove := func() { temp.Close(); os.Remove(temp.Name()) }
	size, err := io.Copy(temp, plain)
	if err != nil {
		remove()
		return nil, err
	}
	s, err := newParquet(l, temp, size, remove)
	if err != nil {
		remove()
		return nil, err
	}
	return s, nil
}

// meter reads a file and counts the bytes, for the progress.
type meter struct {
	file *os.File
	info os.FileInfo // at the beginning
	done atomic.Int64
}

func (m *meter) Read(p []byte) (int, error) {
	n, err := m.file.Read(p)
	m.done.Add(int64(n))
	return n, err
}

func (m *meter) ReadAt(p []byte, at int64) (int, error) {
	n, err := m.file.ReadAt(p, at)
	m.done.Add(int64(n))
	return n, err
}

// changed reports whether somebody else has written to the file meanwhile.
func (m *meter) changed() bool {
	now, err := m.file.Stat()
	return err != nil || now.Size() != m.info.Size() || !now.ModTime().Equal(m.info.ModTime())
}

func decompress(how string, in io.Reader) (plain io.Reader, closePlain func(), err error) {
	switch how {
	case ".gz":
		z, err := gzip.NewReader(in)
		return z, func() {}, err
	case ".zst":
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20))
		if err != nil {
			return nil, nil, err
		}
		return z, z.Close, nil
	}
	return in, func() {}, nil
}

// maxLine bounds a line, and so the memory that a file without line ends takes.
const maxLine = 16 << 20

var errLongLine = fmt.Errorf("the line is longer than %d bytes", maxLine)

// lines reads the physical lines of a text and can take some back.
type lines struct {
	r    *bufio.Reader
	n    int    // number of the last line read
	back []byte // whole lines to be read again
}

func newLines(r io.Reader) *lines {
	l := &lines{r: bufio.NewReaderSize(r, 64<<10)}
	if bom, err := l.r.Peek(3); err == nil && string(bom) == "\uFEFF" {
		l.r.Discard(3)
	}
	return l
}

// next appends the next line to dst, with its end. The error is io.EOF after
// the last line, errLongLine for one that was skipped.
func (l *lines) next(dst []byte) ([]byte, error) {
	l.n++
	if len(l.back) > 0 {
		end := bytes.IndexByte(l.back, '\n') + 1
		if end == 0 {
			end = len(l.back)
		}
		dst = append(dst, l.back[:end]...)
		l.back = l.back[end:]
		return dst, nil
	}
	for length := 0; ; {
		part, err := l.r.ReadSlice('\n')
		if length += len(part); length <= maxLine {
			dst = append(dst, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && !errors.Is(err, io.EOF):
			return dst, err
		case length == 0:
			return dst, io.EOF
		case length > maxLine:
			return dst, errLongLine
		}
		return dst, nil
	}
}

// unread takes back whole lines that followed line n.
func (l *lines) unread(text []byte, n int) {
	l.back = append(bytes.Clone(text), l.back...)
	l.n = n
}

// isBlank reports a line of nothing but its end.
func isBlank(line []byte) bool { return len(bytes.TrimRight(line, "\r\n")) == 0 }
