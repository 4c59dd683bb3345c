package dataquery

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"testing"

	"github.com/klauspost/compress/flate"

	"bytes"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// BenchmarkExport writes chunks in memory, as wide as real ones, in each
// format; "text" is what inflating them alone takes.
func BenchmarkExport(b *testing.B) {
	columns := vocab.KeywordRankings.Columns
	chunks := wideChunks(b, columns, 50)
	rows := len(chunks) * maxChunkRows
	chunk := func(_ context.Context, n int) (*db.ResultChunk, error) { return chunks[n], nil }
	report := func(b *testing.B, bytes int64) {
		b.ReportMetric(float64(rows*b.N)/b.Elapsed().Seconds(), "rows/s")
		b.ReportMetric(float64(bytes)/float64(rows*b.N), "B/row")
	}
	b.Run("text", func(b *testing.B) {
		var text bytes.Buffer
		packed := flate.NewReader(nil)
		var n int64
		for b.Loop() {
			for _, c := range chunks {
				text.Reset()
				if err := inflate(&text, packed, c); err != nil {
					b.Fatal(err)
				}
				n += int64(text.Len())
			}
		}
		report(b, n)
	})
	for _, format := range Formats {
		b.Run(format, func(b *testing.B) {
			b.ReportAllocs()
			var n int64
			for b.Loop() {
				w := counter{}
				f := newFile(format, columns, &w)
				if _, err := writeChunks(b.Context(), f, len(chunks), chunk); err != nil {
					b.Fatal(err)
				}
				if err := f.close(); err != nil {
					b.Fatal(err)
				}
				n += w.n
			}
			report(b, n)
		})
	}
}

type counter struct{ n int64 }

func (c *counter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return io.Discard.Write(p)
}

// wideChunks are full chunks of rankings whose columns are all filled.
func wideChunks(b *testing.B, columns []vocab.Column, n int) []*db.ResultChunk {
	e, err := newEncoder()
	if err != nil {
		b.Fatal(err)
	}
	var chunks []*db.ResultChunk
	for i := range n * maxChunkRows {
		q, site := i/20, fmt.Sprintf("site%d.example", i%4000)
		row, _ := json.Marshal([]string{
			"7", "Account 7", "o-7", "Organization 7", "201", "Site of the account", "2026-01-11", "2026-01-17", "2026-01-17",
			"GOOGLE_EN_US", "GOOGLE", "US", "en", "US-NYC", "DESKTOP", fmt.Sprintf("query number %d", q),
			fmt.Sprintf("What everybody should know about query %d", q), fmt.Sprintf("https://www.%s/articles/%d", site, i),
			site, "www." + site, "STANDARD_LINK", strconv.Itoa(1 + i%20), strconv.Itoa(1 + i%23), strconv.Itoa(1 + i%3),
			"9,90", "group one,group two", strconv.Itoa(q * 37 % 90000), fmt.Sprintf("%d.%02d", q%9, q%97+1),
			fmt.Sprintf("0.%03d", q%999+1), strconv.Itoa(q * 41 % 70000), "202601",
		})
		if e.rows > 0 {
			row = append([]byte{','}, row...)
		}
		if err := e.add(row, 1); err != nil {
			b.Fatal(err)
		}
		if e.rows == maxChunkRows {
			c, err := e.cut(len(chunks), false)
			if err != nil {
				b.Fatal(err)
			}
			chunks = append(chunks, c)
		}
	}
	return chunks
}
