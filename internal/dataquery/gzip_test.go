package dataquery

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"hash/crc32"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// One gzip member that the standard library reads as what is answered plain.
func TestGzip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var chunks [][]string
		for range rapid.IntRange(0, 5).Draw(t, "chunks") {
			var rows []string
			for range rapid.IntRange(1, 20).Draw(t, "rows") {
				row, _ := json.Marshal(rapid.SliceOfN(rapid.String(), 1, 4).Draw(t, "row"))
				rows = append(rows, string(row))
			}
			chunks = append(chunks, rows)
		}
		around := func(name string) []byte { // often nothing, now and then more than a block holds
			n := rapid.SampledFrom([]int{0, 1, 11, 1000, maxStored - 1, maxStored, 2*maxStored + 1}).Draw(t, name)
			return []byte(strings.Repeat("x", n))
		}
		before, after := around("before"), around("after")
		rows := encode(t, chunks...)

		var plain bytes.Buffer
		plain.Write(before)
		rows.WriteTo(&plain)
		digest := sha256.Sum256(plain.Bytes()[len(before):])
		plain.Write(after)
		packed := bytes.NewReader(rows.AppendGzip(nil, before, after))
		r, err := gzip.NewReader(packed)
		if err != nil {
			t.Fatal(err)
		}
		r.Multistream(false)
		text, err := io.ReadAll(r)
		if err != nil || !bytes.Equal(text, plain.Bytes()) {
			t.Fatalf("%.100q, %v; want %.100q", text, err, plain.Bytes())
		}
		if packed.Len() > 0 {
			t.Fatalf("%d bytes follow", packed.Len())
		}
		if n := len(rows.Chunks); n > 0 && !bytes.Equal(rows.Chunks[n-1].PageDigest, digest[:]) || n == 0 && noRows != digest {
			t.Fatal("the digest is not that of the rows")
		}
	})
}

func TestGzipOfDamagedRows(t *testing.T) {
	t.Parallel()
	rows := encode(t, []string{`["first"]`}, []string{`["second"]`})
	rows.Chunks[1].Crc32++
	r, err := gzip.NewReader(bytes.NewReader(rows.AppendGzip(nil, nil, nil)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(r); err != gzip.ErrChecksum {
		t.Errorf("the reader does not notice: %v", err)
	}
}

func TestCombine(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "a")
		b := bytes.Repeat(rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "b"), rapid.IntRange(1, 50).Draw(t, "times"))
		want := crc32.ChecksumIEEE(append(bytes.Clone(a), b...))
		if got := combine(crc32.ChecksumIEEE(a), crc32.ChecksumIEEE(b), len(b)); got != want {
			t.Fatalf("%08x, want %08x", got, want)
		}
	})
}

func BenchmarkGzip(b *testing.B) {
	var row []string
	for i := range maxChunkRows {
		text, _ := json.Marshal(strings.Fields(strings.Repeat("some value of a column ", 8) + string(rune('a'+i%26))))
		row = append(row, string(text))
	}
	rows := encode(b, row)
	var member []byte
	for b.Loop() {
		member = rows.AppendGzip(member[:0], []byte(`{"results":`), []byte(`,"schema":[]}`))
	}
}
