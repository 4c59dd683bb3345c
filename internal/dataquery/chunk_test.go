package dataquery

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/contentgraph/contentgraph/ent/db"
)

func encode(t tester, chunks ...[]string) Rows {
	t.Helper()
	e, err := newEncoder()
	if err != nil {
		t.Fatal(err)
	}
	var r Rows
	for i, rows := range chunks {
		for n, row := range rows {
			if n > 0 {
				row = "," + row
			}
			if err := e.add([]byte(row), 1); err != nil {
				t.Fatal(err)
			}
		}
		c, err := e.cut(i, i == len(chunks)-1)
		if err != nil {
			t.Fatal(err)
		}
		r.Chunks = append(r.Chunks, c)
	}
	return r
}

func TestRows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		chunks [][]string
		want   string
	}{
		{nil, `[]`},
		{[][]string{{`["a"]`}}, `[["a"]]`},
		{[][]string{{`["a"]`, `["b"]`}, {`["c"]`}}, `[["a"],["b"],["c"]]`},
	} {
		rows := encode(t, c.chunks...)
		for range 2 { // chunks can be read again
			var b strings.Builder
			n, err := rows.WriteTo(&b)
			if err != nil || b.String() != c.want || n != int64(b.Len()) {
				t.Errorf("%v: %s, %d bytes, %v", c.chunks, b.String(), n, err)
			}
		}
		var b strings.Builder
		if err := rows.MarshalGQLContext(context.Background(), &b); err != nil || b.String() != c.want {
			t.Errorf("GraphQL: %s, %v", b.String(), err)
		}
	}
	if err := new(Rows).UnmarshalGQLContext(context.Background(), "[]"); err == nil {
		t.Error("rows were taken as input")
	}
}

func TestDamagedRows(t *testing.T) {
	t.Parallel()
	good := []string{`["first"]`, `["second"]`}
	for name, damage := range map[string]func(c *db.ResultChunk){
		"digest":  func(c *db.ResultChunk) { c.Crc32++ },
		"longer":  func(c *db.ResultChunk) { c.Length-- },
		"shorter": func(c *db.ResultChunk) { c.Length++ },
		"cut":     func(c *db.ResultChunk) { c.Data = c.Data[:len(c.Data)/2] },
		"empty":   func(c *db.ResultChunk) { c.Data = nil },
		"changed": func(c *db.ResultChunk) { c.Data[3] ^= 0x10 },
	} {
		rows := encode(t, good, good)
		damage(rows.Chunks[1])
		var b strings.Builder
		if _, err := rows.WriteTo(&b); err == nil {
			t.Errorf("%s: written as %s", name, b.String())
		}
		if want := `[["first"],["second"]`; b.String() != want {
			t.Errorf("%s: wrote %s of the damaged chunk", name, b.String())
		}
		b.Reset()
		if err := rows.MarshalGQLContext(context.Background(), &b); err == nil || b.Len() > 0 {
			t.Errorf("%s: GraphQL wrote %q, %v", name, b.String(), err)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	row, _ := json.Marshal(strings.Fields(strings.Repeat("some value of a column ", 8)))
	chunk := bytes.Repeat(append(row, ','), maxChunkRows)
	e, _ := newEncoder()
	for i := 0; b.Loop(); i++ {
		e.add(chunk[:len(chunk)-1], maxChunkRows)
		e.cut(i, true)
	}
}
