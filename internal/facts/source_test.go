package facts

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/contentgraph/contentgraph/internal/vocab"
)

// listing reads a source to its end: "line: value|value" of the given columns,
// or "line! reason".
func listing(t testing.TB, s source, l *layout, columns ...string) (got []string) {
	t.Helper()
	for {
		rec, err := s.next()
		if errors.Is(err, io.EOF) {
			return got
		}
		if err != nil {
			t.Fatal(err)
		}
		if rec.bad != "" {
			got = append(got, fmt.Sprintf("%d! %s", rec.line, rec.bad))
			continue
		}
		var v []string
		for _, c := range columns {
			v = append(v, rec.values[l.index[c]])
		}
		got = append(got, fmt.Sprintf("%d: %s", rec.line, strings.Join(v, "|")))
	}
}

func TestCSV(t *testing.T) {
	t.Parallel()
	l := newLayout(vocab.KeywordRankings)
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"plain", "query,title\na,b\nc,d\n", []string{"2: a|b", "3: c|d"}},
		{"no last line end", "query,title\na,b", []string{"2: a|b"}},
		{"CRLF", "query,title\r\na,b\r\n\"c\",\"d\"\r\n", []string{"2: a|b", "3: c|d"}},
		{"carriage return ends the file", "query,title\r\na,b\r", []string{"2: a|b"}},
		{"byte order mark", "\uFEFFquery,title\na,b\n", []string{"2: a|b"}},
		{"quoted header behind a mark", "\uFEFF\"query\",title\na,b\n", []string{"2: a|b"}},
		{"any order and case", " Title ,QUERY\na,b\n", []string{"2: b|a"}},
		{"unknown columns", "query,volume,title\na,1,b\n", []string{"2: a|b"}},
		{"blank lines", "query,title\n\na,b\n\r\n\nc,d\n\n", []string{"3: a|b", "6: c|d"}},
		{"empty values", "query,title\n,\n\"\",x\n", []string{"2: |", "3: |x"}},
		{"quotes", "query,title\n\"a \"\"b\"\"\",\"\"\"\"\n", []string{`2: a "b"|"`}},
		{"line ends inside", "query,title\n\"a\nb\r\nc\",d\ne,f\n", []string{"2: a\nb\r\nc|d", "5: e|f"}},
		{"commas inside", "query,title\n\"a,b\",\",\"\n", []string{"2: a,b|,"}},
		{"spaces are kept", "query,title\n a , b \n", []string{"2:  a | b "}},
		{"too few values", "query,title\na\nb,c\n", []string{"2! has 1 values where there are 2 columns", "3: b|c"}},
		{"too many values", "query,title\na,b,c\nb,c\n", []string{"2! has 3 values where there are 2 columns", "3: b|c"}},
		{"bare quote", "query,title\na\"x,b\nb,c\n", []string{"2! has a quote inside a value that does not begin with one", "3: b|c"}},
		{"text behind a quote", "query,title\n\"a\"x,b\nb,c\n", []string{"2! has text behind a closing quote", "3: b|c"}},
		{"a quote that is never closed costs its line", "query,title\na,\"b\nc,d\ne,f", []string{"2! has a quote that is never closed", "3: c|d", "4: e|f"}},
		{"one that is closed too late, too", "query,title\na,\"b\nc,d\ne,\"f\"\ng,h\n", []string{"2! has text behind a closing quote", "3: c|d", "4: e|f", "5: g|h"}},
		{"a quote open at the end", "query,title\na,\"", []string{"2! has a quote that is never closed"}},
	} {
		s, err := newCSV(l, newLines(strings.NewReader(c.text)), func() {})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := listing(t, s, l, "query", "title"); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestNDJSON(t *testing.T) {
	t.Parallel()
	l := newLayout(vocab.KeywordRankings)
	text := strings.Join([]string{
		"\uFEFF" + `{"query":"a","title":null,"rank_true":3,"cpc":1.50}`,
		``,
		`{"QUERY":"\u00e4\n\"","cpc":"2","web_search":true}`,
		`{"query":["a"]}`,
		`{"query":{"a":1}}`,
		`[1]`,
		`null`,
		`{"query":"a"`,
		`{"query":"a"} {"query":"b"}`,
		"{\"query\":\"\xff\"}",
		`{"query":"a","Query":"b"}`,
		`{"query":true,"rank_true":false}`,
	}, "\r\n")
	s := newNDJSON(l, newLines(strings.NewReader(text)), func() {})
	want := []string{
		"1: a||3|1.50", "3: ä\n\"|||2",
		"4! query: must be a string, a number, true, false or null",
		"5! query: must be a string, a number, true, false or null",
		"6! is not a JSON object", "7! is not a JSON object", "8! is not a JSON object", "9! is not a JSON object",
		"10! is not valid UTF-8", "11! query: is there twice", "12: true||false|",
	}
	if got := listing(t, s, l, "query", "title", "rank_true", "cpc"); !slices.Equal(got, want) {
		t.Errorf("%q,\nwant %q", got, want)
	}
	if !slices.Equal(s.ignored, []string{"web_search"}) {
		t.Errorf("ignored %q", s.ignored)
	}
}

// A line without end must not take all memory, and costs nothing but itself.
func TestLongLine(t *testing.T) {
	t.Parallel()
	l := newLayout(vocab.KeywordRankings)
	long := strings.Repeat("x", maxLine+1)
	want := []string{"2! " + errLongLine.Error(), "3: b"}
	c, err := newCSV(l, newLines(strings.NewReader("query\n"+long+"\nb\n")), func() {})
	if err != nil {
		t.Fatal(err)
	}
	if got := listing(t, c, l, "query"); !slices.Equal(got, want) {
		t.Errorf("CSV: %.100q", got)
	}
	j := newNDJSON(l, newLines(strings.NewReader("{}\n"+long+"\n{\"query\":\"b\"}\n")), func() {})
	if got := listing(t, j, l, "query"); !slices.Equal(got[1:], want) {
		t.Errorf("NDJSON: %.100q", got)
	}
	quoted := "query\n\"" + strings.Repeat("xxxxxxx\n", maxLine/8+1) + "b\n"
	c, err = newCSV(l, newLines(strings.NewReader(quoted)), func() {})
	if err != nil {
		t.Fatal(err)
	}
	got := listing(t, c, l, "query")
	if got[0] != "2! has a quote that is never closed" || len(got) != maxLine/8+2 || !strings.HasSuffix(got[len(got)-1], ": b") {
		t.Errorf("open quote: %d records, %.100q", len(got), got)
	}
}

func TestFormatOf(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]fileFormat{
		"a.csv": {".csv", ""}, "A.CSV.GZ": {".csv", ".gz"}, "a.ndjson": {".ndjson", ""}, "a.jsonl.zst": {".ndjson", ".zst"},
		"a.parquet": {".parquet", ""}, "a.parquet.gz": {".parquet", ".gz"},
		"a.csv.gz.rejected": {".csv", ""}, "a.parquet.rejected": {".ndjson", ""}, "a.jsonl.rejected.rejected": {".ndjson", ""},
	} {
		if got, err := formatOf(name); err != nil || got != want {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	for _, name := range []string{"a.txt", "a", "a.gz", "csv", "a.xlsx"} {
		if _, err := formatOf(name); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

// compressed writes a file under each of its compressed names.
func compressed(t testing.TB, path string) []string {
	t.Helper()
	plain, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var gz, zst bytes.Buffer
	g := gzip.NewWriter(&gz)
	z, _ := zstd.NewWriter(&zst)
	for _, w := range []io.WriteCloser{g, z} {
		if _, err := w.Write(plain); err != nil {
			t.Fatal(err)
		}
		w.Close()
	}
	paths := []string{path, path + ".gz", path + ".zst"}
	for i, text := range [][]byte{gz.Bytes(), zst.Bytes()} {
		if err := os.WriteFile(paths[i+1], text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return paths
}

// FuzzReader reads any bytes as each format: nothing may panic, and what
// encoding/csv takes is read alike.
func FuzzReader(f *testing.F) {
	f.Add([]byte("query,title\n\"a\"\"\nb\",c\n\nd,e"))
	f.Add([]byte("query,title\na,\"b\nc,d\n"))
	f.Add([]byte("{\"query\":\"a\",\"title\":1}\n[]\n"))
	f.Add([]byte("PAR1\x15\x04PAR1"))
	if parquet, err := os.ReadFile(writeParquet(f)); err == nil {
		f.Add(parquet)
	}
	l := newLayout(vocab.KeywordRankings)
	f.Fuzz(func(t *testing.T, text []byte) {
		if j := newNDJSON(l, newLines(bytes.NewReader(text)), func() {}); true {
			drain(j)
		}
		if p, err := newParquet(l, bytes.NewReader(text), int64(len(text)), func() {}); err == nil {
			drain(p)
		}
		c, err := newCSV(l, newLines(bytes.NewReader(text)), func() {})
		if err != nil {
			return
		}
		var got [][]string
		for line := 0; ; {
			rec, err := c.next()
			if err != nil {
				break
			}
			if rec.line <= line {
				t.Fatalf("line %d after %d", rec.line, line)
			}
			line = rec.line
			got = append(got, c.fields)
		}
		theirs := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(text, []byte("\uFEFF"))))
		theirs.FieldsPerRecord = -1
		if want, err := theirs.ReadAll(); err == nil && bytes.IndexByte(text, '\r') < 0 {
			if !slices.EqualFunc(got, want[1:], slices.Equal[[]string]) {
				t.Fatalf("%q, want %q", got, want[1:])
			}
		}
	})
}

func drain(s source) {
	w := bufio.NewWriter(io.Discard)
	for {
		if _, err := s.next(); err != nil {
			return
		}
		s.reject(w, "reason")
	}
}

func writeParquet(t testing.TB) string {
	path := filepath.Join(t.TempDir(), "facts.parquet")
	parquetFile(t, path)
	return path
}
