package extract

import (
	"encoding/binary"
	"errors"
	"io"
	"strings"

	"github.com/richardlehane/mscfb"
)

// reasonPartly is for a file of which something could be read all the same.
const reasonPartly = "The file is damaged: a part of its text is missing."

// A container is an OLE compound file (.doc, .xls, protected OOXML), seen as
// the streams of its root storage; those of embedded objects are left out.
type container struct {
	in      *rationed
	size    int64
	streams map[string]*mscfb.File // by lower-case name: some writers change the case
}

// The library trusts the counts and chains of the file. Reading through a
// ration bounds what they can cost: directories are at most maxDirectory bytes
// (the memory of its walk is quadratic in nested storages: 8 bytes for every
// pair of entries), chains as long as the file.
const (
	maxDirectory = 512 << 10 // bytes: 4,096 entries
	maxStream    = 64 << 20  // bytes of one stream that are kept
	oleBlock     = 4096      // bytes read at a time, a multiple of all sector sizes
)

// openOLE opens a container. One that cannot be read is a fault of kind
// Unprocessable.
func openOLE(in *io.SectionReader) (c *container, err error) {
	r := &rationed{ReaderAt: in, reads: maxDirectory/128 + int(in.Size()/256), bytes: maxDirectory}
	defer func() {
		if p := recover(); p != nil || err != nil {
			c, err = nil, r.fault()
		}
	}()
	file, err := mscfb.New(r)
	if err != nil {
		return nil, err
	}
	c = &container{in: r, size: in.Size(), streams: map[string]*mscfb.File{}}
	for _, f := range file.File {
		if name := strings.ToLower(f.Name); len(f.Path) == 0 && !f.FileInfo().IsDir() && c.streams[name] == nil {
			c.streams[name] = f
		}
	}
	return c, nil
}

// has says whether there is a stream of that name, in any case.
func (c *container) has(name string) bool { return c.streams[strings.ToLower(name)] != nil }

// stream reads the first of the named streams that is there; nil when none is.
// torn says that its end is missing.
func (c *container) stream(names ...string) (b block, torn bool, err error) {
	var f *mscfb.File
	for _, name := range names {
		if f = c.streams[strings.ToLower(name)]; f != nil {
			break
		}
	}
	if f == nil {
		return nil, false, nil
	}
	size := min(f.Size, c.size, maxStream) // a stream is never larger than its file
	c.in.reads, c.in.bytes = oleBlock+int(size/32), 2*size+oleBlock
	defer func() {
		if p := recover(); p != nil {
			torn, err = true, c.in.err
		}
	}()
	b = make(block, 0, size)
	for int64(len(b)) < size {
		// Small steps: where a chain breaks, the library gives nothing of the step.
		n, e := f.Read(b[len(b):min(len(b)+oleBlock, cap(b))])
		b = b[:len(b)+n]
		if e != nil && e != io.EOF || n == 0 {
			break
		}
	}
	return b, int64(len(b)) < f.Size, c.in.err
}

// rationed is a file of which only so much may be read.
type rationed struct {
	io.ReaderAt
	reads int   // still allowed
	bytes int64 // still allowed, without the 4 bytes of a step along a chain
	err   error // of the file itself: nothing that its content explains
}

var errRation = errors.New("extract: more is read than a sound file needs")

func (r *rationed) ReadAt(p []byte, at int64) (int, error) {
	if r.reads--; len(p) > 4 {
		r.bytes -= int64(len(p))
	}
	if r.reads < 0 || r.bytes < 0 {
		return 0, errRation
	}
	n, err := r.ReaderAt.ReadAt(p, at)
	if n == len(p) {
		return n, nil
	}
	if err != nil && err != io.EOF && r.err == nil {
		r.err = err
	}
	return n, err
}

func (r *rationed) fault() error {
	if r.err != nil {
		return r.err
	}
	return unreadable(reasonDamaged)
}

// block is a piece of binary data whose numbers may be asked for at any place:
// outside they are 0.
type block []byte

// at is n bytes from offset i, nil when they are not all there.
func (b block) at(i, n int) block {
	if i < 0 || n < 0 || i > len(b) || n > len(b)-i {
		return nil
	}
	return b[i : i+n]
}

func (b block) u8(i int) int {
	if i < 0 || i >= len(b) {
		return 0
	}
	return int(b[i])
}

func (b block) u16(i int) int {
	if p := b.at(i, 2); p != nil {
		return int(binary.LittleEndian.Uint16(p))
	}
	return 0
}

func (b block) u32(i int) int {
	if p := b.at(i, 4); p != nil {
		return int(binary.LittleEndian.Uint32(p))
	}
	return 0
}
