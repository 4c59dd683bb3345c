package extract

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/contentgraph/contentgraph/internal/fault"
)

// stream is a stream of a container to be written.
type stream struct {
	name string
	data []byte
}

// writeOLE writes a compound file of version 3. Streams are filled up with
// zeros to the 4,096 bytes from which on they lie in sectors of their own.
func writeOLE(streams ...stream) []byte {
	const sector, free, end, fatSector = 512, 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
	sectors := func(n int) int { return (n + sector - 1) / sector }
	directory := sectors(128 * (len(streams) + 1))
	total := directory
	for i, s := range streams {
		streams[i].data = append(bytes.Clone(s.data), make([]byte, max(4096-len(s.data), 0))...)
		total += sectors(len(streams[i].data))
	}
	fats := 1
	for fats*128 < total+fats {
		fats++
	}
	var fat []uint32
	chain := func(n int) (first uint32) {
		first = uint32(len(fat))
		for range n - 1 {
			fat = append(fat, uint32(len(fat)+1))
		}
		fat = append(fat, end)
		return first
	}
	for range fats {
		fat = append(fat, fatSector)
	}
	dirAt := chain(directory)
	entry := func(name string, kind byte, right, child, first uint32, size int) []byte {
		b := make([]byte, 128)
		copy(b, wide(name))
		binary.LittleEndian.PutUint16(b[64:], uint16(2*len(name)+2))
		b[66], b[67] = kind, 1
		for i, v := range []uint32{free, right, child} {
			binary.LittleEndian.PutUint32(b[68+4*i:], v)
		}
		binary.LittleEndian.PutUint32(b[116:], first)
		binary.LittleEndian.PutUint32(b[120:], uint32(size))
		return b
	}
	child := uint32(free)
	if len(streams) > 0 {
		child = 1
	}
	dir := entry("Root Entry", 5, free, child, end, 0)
	var body []byte
	for i, s := range streams {
		right := uint32(i + 2)
		if i == len(streams)-1 {
			right = free
		}
		dir = append(dir, entry(s.name, 2, right, free, chain(sectors(len(s.data))), len(s.data))...)
		body = append(body, s.data...)
		body = append(body, make([]byte, sectors(len(s.data))*sector-len(s.data))...)
	}
	dir = append(dir, make([]byte, directory*sector-len(dir))...)
	for len(fat) < fats*128 {
		fat = append(fat, free)
	}
	head := le("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", make([]byte, 16), uint16(0x3E), uint16(3), uint16(0xFFFE), uint16(9), uint16(6),
		make([]byte, 10), uint32(fats), dirAt, uint32(0), uint32(4096), uint32(end), uint32(0), uint32(end), uint32(0))
	for i := range 109 {
		at := uint32(free)
		if i < fats {
			at = uint32(i)
		}
		head = le(head, at)
	}
	return le(head, fat, dir, body)
}

// le puts values after each other, numbers in little endian.
func le(values ...any) (b []byte) {
	for _, v := range values {
		if s, ok := v.(string); ok {
			v = []byte(s)
		}
		var err error
		if b, err = binary.Append(b, binary.LittleEndian, v); err != nil {
			panic(err)
		}
	}
	return b
}

// wide is s in UTF-16.
func wide(s string) []byte { return le(utf16.Encode([]rune(s))) }

// extracted reads a file with one of the readers.
func extracted(t *testing.T, read reader, file []byte) (Result, error) {
	t.Helper()
	out := &text{}
	err := read(context.Background(), io.NewSectionReader(bytes.NewReader(file), 0, int64(len(file))), out)
	if errors.Is(err, errFull) {
		out.Cut, err = true, nil
	}
	return out.finish(), err
}

// wantText reads a file that is in order.
func wantText(t *testing.T, read reader, file []byte, want string) {
	t.Helper()
	got, err := extracted(t, read, file)
	if err != nil {
		t.Fatal(err)
	}
	if got.Text != want || got.Reason != "" || got.Cut {
		t.Errorf("got %q (%s), want %q", got.Text, got.Reason, want)
	}
}

// wantReason reads a file that cannot be read.
func wantReason(t *testing.T, read reader, file []byte, want string) {
	t.Helper()
	_, err := extracted(t, read, file)
	if !fault.Is(err, fault.Unprocessable) || !strings.Contains(err.Error(), want) {
		t.Errorf("got error %v, want %s", err, want)
	}
}

// damaged reads a file cut at many places and with bytes changed: it must end
// with a text or say that the file cannot be read.
func damaged(t *testing.T, read reader, file []byte) {
	t.Helper()
	try := func(b []byte) {
		if _, err := extracted(t, read, b); err != nil && !fault.Is(err, fault.Unprocessable) {
			t.Fatal(err)
		}
	}
	for i := range 100 {
		try(file[:len(file)*i/100])
	}
	for i := 0; i < len(file); i += 1 + len(file)/300 {
		for _, c := range []byte{0, 0x7F, 0xFF} {
			b := bytes.Clone(file)
			b[i] = c
			try(b)
		}
	}
}

func sectionOf(b []byte) *io.SectionReader {
	return io.NewSectionReader(bytes.NewReader(b), 0, int64(len(b)))
}

func TestStreams(t *testing.T) {
	t.Parallel()
	long := bytes.Repeat([]byte("0123456789abcdef"), 1000)
	file := writeOLE(stream{"wORDdOCUMENT", long}, stream{"1Table", []byte("table")})
	c, err := openOLE(sectionOf(file))
	if err != nil {
		t.Fatal(err)
	}
	if !c.has("WordDocument") || !c.has("1table") || c.has("Root Entry") || c.has("0Table") {
		t.Error("wrong streams", c.streams)
	}
	b, torn, err := c.stream("Workbook", "WordDocument")
	if !bytes.Equal(b, long) || torn || err != nil {
		t.Error(len(b), torn, err)
	}
	if b, torn, err = c.stream("Workbook"); b != nil || torn || err != nil {
		t.Error(len(b), torn, err)
	}
	c, err = openOLE(sectionOf(file[:len(file)-8000]))
	if err != nil {
		t.Fatal(err)
	}
	b, torn, err = c.stream("WordDocument")
	if !bytes.HasPrefix(long, b) || len(b) < 8000 || !torn || err != nil {
		t.Error(len(b), torn, err)
	}
}

func TestDamagedContainers(t *testing.T) {
	t.Parallel()
	file := writeOLE(stream{"WordDocument", bytes.Repeat([]byte("x"), 8192)})
	loop := bytes.Clone(file)
	binary.LittleEndian.PutUint32(loop[512+4*1:], 1) // the directory goes on with itself
	nested := writeOLE(make([]stream, 9000)...)
	for name, b := range map[string][]byte{
		"empty": nil, "signature": file[:8], "header": file[:512], "loop": loop, "nested": nested, "other": bytes.Repeat([]byte("a"), 5000),
	} {
		if _, err := openOLE(sectionOf(b)); !fault.Is(err, fault.Unprocessable) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for i := 0; i < 1536; i += 3 {
		for _, v := range []byte{0, 1, 0x7F, 0xFF} {
			b := bytes.Clone(file)
			b[i] = v
			if c, err := openOLE(sectionOf(b)); err == nil {
				_, _, _ = c.stream("WordDocument")
			}
		}
	}
}

// failing is a file whose reading fails.
type failing struct{ io.ReaderAt }

func (f failing) ReadAt(p []byte, at int64) (int, error) {
	if at > 1024 {
		return 0, io.ErrClosedPipe
	}
	return f.ReaderAt.ReadAt(p, at)
}

// A file that cannot be read at the moment is not taken for a damaged one.
func TestFailingFile(t *testing.T) {
	t.Parallel()
	file := writeOLE(stream{"WordDocument", nil}, stream{"x", nil}, stream{"y", nil}, stream{"z", nil}, stream{"Workbook", nil})
	in := io.NewSectionReader(failing{bytes.NewReader(file)}, 0, int64(len(file)))
	if _, err := openOLE(in); !errors.Is(err, io.ErrClosedPipe) {
		t.Error(err)
	}
}

func FuzzOLE(f *testing.F) {
	f.Add(writeOLE(stream{"WordDocument", []byte("x")}, stream{"1Table", nil}))
	f.Fuzz(func(t *testing.T, file []byte) {
		c, err := openOLE(sectionOf(file))
		if err != nil {
			return
		}
		for name := range c.streams {
			if b, _, err := c.stream(name); len(b) > len(file) || err != nil {
				t.Error(len(b), err)
			}
		}
	})
}
