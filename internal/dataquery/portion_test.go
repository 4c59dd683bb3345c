package dataquery

import (
	"context"
	"crypto/sha256"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/contentgraph/contentgraph/ent/db"
)

// packer is a writer that is never full, so that it needs no database.
func packer(t *testing.T, pageRows int) *writer {
	t.Helper()
	e, err := newEncoder()
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	return &writer{e: &db.Execution{PageRows: pageRows}, now: func() time.Time { return now }, told: now, encoder: e, digest: sha256.New()}
}

// TestPortions: however large rows are, chunks have their number of rows.
func TestPortions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		size, rows int
		chunks     []int // rows
	}{
		{3, 0, nil},
		{3, 1, []int{1}},
		{3, 100, []int{100}},
		{3, 101, []int{100, 1}},
		{3, 300, []int{100, 100, 100}},
		{portionBytes / 99, 201, []int{100, 100, 1}},
		{portionBytes, 150, []int{100, 50}},
		{3 * portionBytes, 20, []int{20}},
	} {
		w := packer(t, 100)
		ps := newPortions(t.Context(), w)
		row := []byte(`["` + strings.Repeat("x", c.size) + `"]`)
		for range c.rows {
			if err := ps.add(row); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(ps.scan(c.rows), ps.end()); err != nil {
			t.Fatal(err)
		}
		ps.stop() // once more is without effect
		if len(w.batch) != len(c.chunks) || w.rows != c.rows || w.scanned != c.rows {
			t.Errorf("%d rows of %d bytes: %d chunks, %d rows, %d scanned", c.rows, c.size, len(w.batch), w.rows, w.scanned)
			continue
		}
		rows := Rows{w.batch}
		for i, chunk := range w.batch {
			if chunk.Rows != c.chunks[i] || chunk.PageDigest == nil {
				t.Errorf("%d rows of %d bytes: chunk %d has %d rows, digest %x", c.rows, c.size, i, chunk.Rows, chunk.PageDigest)
			}
		}
		var b strings.Builder
		if _, err := rows.WriteTo(&b); err != nil || b.String() != "["+strings.TrimSuffix(strings.Repeat(string(row)+",", c.rows), ",")+"]" {
			t.Errorf("%d rows of %d bytes: other rows, %v", c.rows, c.size, err)
		}
	}
}

// TestPortionsEnd: who fills portions is told of what goes wrong with packing
// them, and waits for nobody who is gone.
func TestPortionsEnd(t *testing.T) {
	t.Parallel()
	w := packer(t, 100)
	w.digest = nil // a chunk makes it panic
	ps := newPortions(context.Background(), w)
	defer ps.stop()
	var err error
	for i := 0; err == nil && i < 100_000; i++ {
		err = ps.add([]byte(`["x"]`))
	}
	if err == nil || !strings.HasPrefix(err.Error(), "panic: ") {
		t.Errorf("%v", err)
	}
	if again := ps.end(); again == nil {
		t.Error("the end of it succeeds")
	}
}
