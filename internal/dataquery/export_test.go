package dataquery

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/parquet-go/parquet-go"
	"pgregory.net/rapid"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/execution"
	"github.com/contentgraph/contentgraph/internal/facts"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

func TestScanner(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		rows [][]string // nil = bad
	}{
		{``, [][]string{}},
		{`["a","b"]`, [][]string{{"a", "b"}}},
		{`["",""],["c",","]`, [][]string{{"", ""}, {"c", ","}}},
		{`["\"","\\"],["\\\\\"","],["]`, [][]string{{`"`, `\`}, {`\\"`, `],[`}}},
		{`["\/\b\f\n\r\t","\u0001\u00e9é"]`, [][]string{{"/\b\f\n\r\t", "\x01éé"}}},
		{`["\ud83d\ude00","\ud83dx\ude00\ud83ddc00"]`, [][]string{{"😀", "\uFFFDx\uFFFD\uFFFDdc00"}}},
		{`["a"]`, nil},
		{`["a","b","c"]`, nil},
		{`["a","b"`, nil},
		{`["a","b],["c","d"]`, nil},
		{`["a","b\"]`, nil},
		{`["a","b"],`, nil},
		{`["a","b"]["c","d"]`, nil},
		{`["a", "b"]`, nil},
		{`["a",1]`, nil},
		{`{}`, nil},
	} {
		s, rows := newScanner([]byte(c.text)), [][]string{}
		for s.row() {
			var row []string
			for _, end := range []byte{',', ']'} {
				v := s.value(end)
				if s.escaped {
					v = unescape(nil, v)
				}
				row = append(row, string(v))
			}
			rows = append(rows, row)
		}
		if s.bad != (c.rows == nil) || !s.bad && text(rows) != text(c.rows) {
			t.Errorf("%s: %q, bad %v", c.text, rows, s.bad)
		}
	}
}

// Whatever is stored, the scanner reads what encoding/json reads.
func TestScannerReadsJSON(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var chunk, want [][]string
		for range rapid.IntRange(0, 4).Draw(t, "rows") {
			chunk = append(chunk, rapid.SliceOfN(rapid.String(), 3, 3).Draw(t, "row"))
		}
		body, _ := json.Marshal(chunk)
		json.Unmarshal(body, &want)
		s, got := newScanner(bytes.TrimSuffix(bytes.TrimPrefix(body, []byte("[")), []byte("]"))), [][]string{}
		if chunk == nil {
			s = newScanner(nil)
		}
		for s.row() {
			var row []string
			for _, end := range []byte{',', ',', ']'} {
				v := s.value(end)
				if s.escaped {
					v = unescape(nil, v)
				}
				row = append(row, string(v))
			}
			got = append(got, row)
		}
		if s.bad || text(got) != text(want) {
			t.Fatalf("%s: %q", body, got)
		}
	})
}

// The first rows of a chunk that is damaged may be written, but never as a whole file.
func TestDamagedExport(t *testing.T) {
	t.Parallel()
	columns := []vocab.Column{{Name: "a", Type: vocab.Integer}, {Name: "b", Type: vocab.Date}, {Name: "c", Type: vocab.Boolean}, {Name: "d", Type: vocab.Float}}
	const good = `["1","2026-01-02","true","1.5"]`
	for _, format := range Formats {
		for text, ok := range map[string]bool{
			good: true, good + `,["","","",""]`: true,
			good + `,["1","2026-01-02","true"]`: false, good + `,`: false,
			`["x","2026-01-02","true","1.5"]`: format != "parquet", `["1","2026-13-02","true","1.5"]`: format != "parquet",
			`["1","2026-01-02","yes","1.5"]`: format != "parquet", `["1","2026-01-02","true","x"]`: format != "parquet",
		} {
			f := newFile(format, columns, io.Discard)
			if _, err := f.chunk([]byte(text)); errors.Is(err, errDamaged) == ok {
				t.Errorf("%s of %s: %v", format, text, err)
			}
		}
	}
}

func (f *fixture) export(t tester, ctx context.Context, e *db.Execution, format string) []byte {
	t.Helper()
	x, err := f.Export(e, format)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := x.Write(ctx, &b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// parsed reads an export with nothing of ours, and checks its types.
func parsed(t tester, format string, columns []vocab.Column, body []byte) (rows [][]string) {
	t.Helper()
	check := func(err error) {
		if err != nil {
			t.Fatalf("%s: %v\n%.300q", format, err, body)
		}
	}
	switch format {
	case "csv":
		all, err := csv.NewReader(bytes.NewReader(body)).ReadAll()
		check(err)
		if !slices.EqualFunc(all[0], columns, func(name string, c vocab.Column) bool { return name == c.Name }) {
			t.Fatalf("header %q", all[0])
		}
		return all[1:]
	case "ndjson":
		for line := range strings.Lines(string(body)) {
			d := json.NewDecoder(strings.NewReader(line))
			d.UseNumber()
			var object map[string]any
			check(d.Decode(&object))
			at, row := -1, []string{}
			for _, c := range columns {
				key := strings.Index(line, `"`+c.Name+`":`)
				if key <= at {
					t.Fatalf("%s is not in its place: %s", c.Name, line)
				}
				v := object[c.Name]
				switch _, number := v.(json.Number); {
				case v == nil:
					v = ""
				case number != (c.Type == vocab.Integer || c.Type == vocab.Float):
					t.Fatalf("%s is %T", c.Name, v)
				}
				if _, truth := v.(bool); truth != (c.Type == vocab.Boolean && v != "") {
					t.Fatalf("%s is %T", c.Name, v)
				}
				row = append(row, fmt.Sprint(v))
			}
			if len(object) != len(columns) {
				t.Fatalf("%d keys", len(object))
			}
			rows = append(rows, row)
		}
		return rows
	}
	file, err := parquet.OpenFile(bytes.NewReader(body), int64(len(body)))
	check(err)
	kinds := map[vocab.Type]string{vocab.Integer: "INT(64,true)", vocab.Float: "DOUBLE", vocab.Boolean: "BOOLEAN", vocab.Date: "DATE", vocab.String: "STRING"}
	for i, field := range file.Schema().Fields() {
		if c := columns[i]; field.Name() != c.Name || field.Type().String() != kinds[c.Type] || !field.Optional() {
			t.Fatalf("column %d: %s %s, optional %v", i, field.Name(), field.Type(), field.Optional())
		}
	}
	r := parquet.NewReader(file)
	defer r.Close()
	batch := make([]parquet.Row, 10)
	for {
		n, err := r.ReadRows(batch)
		for _, values := range batch[:n] {
			var row []string
			for i, v := range values {
				switch {
				case v.IsNull():
					row = append(row, "")
				case columns[i].Type == vocab.Date:
					row = append(row, v.String())
					if v.Kind() == parquet.Int32 {
						row[i] = day(v.Int32())
					}
				case columns[i].Type == vocab.Float:
					row = append(row, strconv.FormatFloat(v.Double(), 'f', -1, 64))
				default:
					row = append(row, v.String())
				}
			}
			rows = append(rows, row)
		}
		if err == io.EOF {
			return rows
		}
		check(err)
	}
}

func day(n int32) string {
	return time.Unix(int64(n)*24*60*60, 0).UTC().Format(time.DateOnly)
}

// drawAny is any value that a column takes, in its canonical form.
func drawAny(t *rapid.T, c vocab.Column) string {
	if rapid.IntRange(0, 3).Draw(t, c.Name+" missing") == 0 {
		return ""
	}
	number := func(min, max int) string { return strconv.Itoa(rapid.IntRange(min, max).Draw(t, c.Name)) }
	switch {
	case c.Name == "msv_month":
		return "2026" + rapid.SampledFrom([]string{"01", "12"}).Draw(t, c.Name)
	case c.Name == "web_property_id":
		return number(1, 3)
	case strings.HasPrefix(c.Name, "rank_"):
		return number(1, 101)
	case c.Type == vocab.Integer:
		return strconv.FormatInt(rapid.Int64().Draw(t, c.Name), 10)
	case c.Type == vocab.Float:
		return strconv.FormatFloat(rapid.Float64Range(-1e15, 1e15).Draw(t, c.Name), 'f', -1, 64)
	case c.Type == vocab.Boolean:
		return strconv.FormatBool(rapid.Bool().Draw(t, c.Name))
	case c.Type == vocab.Date:
		return "2026-0" + number(1, 9) + "-1" + number(0, 9)
	case slices.Contains(c.Matches, vocab.Members):
		return rapid.SampledFrom([]string{"1", "1,2", `a "b",c`}).Draw(t, c.Name)
	}
	return rapid.OneOf(
		rapid.SampledFrom([]string{`"`, `""`, ",", "\n", "\r\n", "\r", "\t", `\`, `\n`, "null", "NULL", "0", " ", " x ", "\u2028", "\x7f", "\x01", "😀", "=1+1", "\uFEFF"}),
		rapid.StringOf(rapid.RuneFrom([]rune("ab,\"\n\r\\é👟 '\t"))),
		rapid.StringN(1, 10, -1),
	).Filter(func(s string) bool { return s == strings.ReplaceAll(s, "\x00", "") }).Draw(t, c.Name)
}

// Every format holds the rows of the pages, and imported in place of the facts
// gives those rows once more.
func TestFormatsHoldTheRows(t *testing.T) {
	databases(t, func(t *testing.T, f *fixture) {
		f.queue.Start()
		account := 5000
		rapid.Check(t, func(rt *rapid.T) {
			account++
			ctx := store.As(context.Background(), account, user)
			query := rapid.SampledFrom(all).Draw(rt, "query")
			var list []fact
			for range rapid.SampledFrom([]int{0, 1, 5, 20}).Draw(rt, "rows") {
				row := fact{}
				for _, c := range must(Lookup(query)).Dataset.Columns {
					row[c.Name] = drawAny(rt, c)
				}
				maps.Copy(row, fact{"account_id": strconv.Itoa(account), "time_period_start": "2026-01-11", "time_period_end": "2026-01-17", vocab.Frequency: "WEEKLY"})
				list = append(list, row)
			}
			if list != nil {
				f.load(rt, query, list, false)
			}
			in := object{"account_id": account}
			if query == kr {
				in["includeMsv"] = true
			}
			e := f.wait(rt, ctx, f.submit(rt, ctx, query, in))
			var rows [][]string
			for _, page := range f.pages(rt, ctx, e) {
				rows = append(rows, page...)
			}
			if len(rows) != len(list) {
				rt.Fatalf("%d rows of %d", len(rows), len(list))
			}
			imported := rapid.SampledFrom(Formats).Draw(rt, "imported again")
			for _, format := range Formats {
				body := f.export(rt, ctx, e, format)
				want := rows
				if format == "csv" {
					want = readCSV(rows)
				}
				same(rt, format, parsed(rt, format, Schema(e), body), want)
				if list == nil || format != imported {
					continue
				}
				path := filepath.Join(t.TempDir(), "export."+format)
				if err := os.WriteFile(path, body, 0o600); err != nil {
					rt.Fatal(err)
				}
				r, err := facts.NewImporter(f.store).File(context.Background(), must(Lookup(query)).Dataset, path, facts.Options{Replace: true, Strict: true})
				if err != nil || r.Rows != len(rows) || r.Unchanged {
					rt.Fatalf("%s imported: %+v, %v", format, r, err)
				}
				same(rt, format+" imported again", f.result(rt, ctx, query, in), rows)
			}
		})
	})
}

// readCSV is rows as encoding/csv reads them, which imports do not use.
func readCSV(rows [][]string) (read [][]string) {
	for _, row := range rows {
		row = slices.Clone(row)
		for i, v := range row {
			row[i] = strings.ReplaceAll(v, "\r\n", "\n")
		}
		read = append(read, row)
	}
	return read
}

func same(t tester, what string, got, want [][]string) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || !slices.Equal(got[i], want[i]) {
			t.Fatalf("%s, %d rows of %d: row %d of\n%sis of\n%s", what, len(got), len(want), i, text(got[min(i, len(got)):]), text(want[min(i, len(want)):]))
		}
	}
}

func TestExportOfManyChunks(t *testing.T) {
	databases(t, func(t *testing.T, f *fixture) {
		f = newFixture(t, f.store, 100)
		ctx := viewer()
		f.load(t, kr, rankings(1050), false)
		f.queue.Start()
		e := f.wait(t, ctx, f.submit(t, ctx, kr, nil))
		for _, format := range Formats {
			rows := parsed(t, format, Schema(e), f.export(t, ctx, e, strings.ToUpper(format)))
			if !slices.Equal(column(t, kr, "query", rows), queries(1050)) {
				t.Errorf("%s: %d rows", format, len(rows))
			}
		}
		x, err := f.Export(e, "csv")
		if err != nil || x.Name != "keyword_rankings_2026-01-11_2026-01-17.csv" {
			t.Errorf("%+v, %v", x, err)
		}

		// A chunk that is lost or damaged makes the export fail.
		chunk := f.store.ResultChunk.Query().Where().FirstX(store.System(ctx))
		for _, change := range []string{"update result_chunks set crc32 = 1 where chunk = 3", "delete from result_chunks where chunk = 3"} {
			if _, err := f.store.Writer.Exec(change); err != nil {
				t.Fatal(err)
			}
			for _, format := range Formats {
				x, err := f.Export(e, format)
				if err != nil {
					t.Fatal(err)
				}
				if err := x.Write(ctx, io.Discard); err == nil {
					t.Errorf("%s of %s after %s: no failure", format, chunk.ExecutionID, change)
				}
			}
		}
	})
}

// TestExportReadsAhead: nothing but the chunk that is written and the next is
// in memory, and the reader ends with the writer.
func TestExportReadsAhead(t *testing.T) {
	t.Parallel()
	e, err := newEncoder()
	if err != nil {
		t.Fatal(err)
	}
	e.add([]byte(`["1"]`), 1)
	c, err := e.cut(0, false)
	if err != nil {
		t.Fatal(err)
	}
	var read, written atomic.Int64
	chunk := func(context.Context, int) (*db.ResultChunk, error) {
		if n := read.Add(1); n > written.Load()+2 {
			t.Errorf("chunk %d is read while %d are written", n, written.Load())
		}
		return c, nil
	}
	columns := []vocab.Column{{Name: "a", Type: vocab.String}}
	gone := errors.New("the client has gone")
	for _, limit := range []int64{1000, 10} {
		read.Store(0)
		written.Store(0)
		f := &stopping{file: newCSVFile(columns, io.Discard), written: &written, limit: limit, err: gone}
		rows, err := writeChunks(t.Context(), f, 1000, chunk)
		if limit == 1000 && (err != nil || rows != 1000) || limit == 10 && (!errors.Is(err, gone) || read.Load() > 12) {
			t.Errorf("%d rows, %d chunks read, %v", rows, read.Load(), err)
		}
	}
	read.Store(0)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := writeChunks(ctx, newCSVFile(columns, io.Discard), 1000, chunk); !errors.Is(err, context.Canceled) {
		t.Errorf("of a client that had gone: %v", err)
	}
}

// stopping fails after so many chunks.
type stopping struct {
	file
	written *atomic.Int64
	limit   int64
	err     error
}

func (s *stopping) chunk(text []byte) (int, error) {
	if s.written.Load() >= s.limit {
		return 0, s.err
	}
	n, err := s.file.chunk(text)
	s.written.Add(1)
	return n, err
}

// TestExportKeepsNothing: what a file keeps between chunks does not grow with
// them, and a row group is bounded.
func TestExportKeepsNothing(t *testing.T) {
	t.Parallel()
	columns := []vocab.Column{{Name: "a", Type: vocab.String}, {Name: "b", Type: vocab.String}}
	line := fmt.Sprintf(`["%s","%s"]`, strings.Repeat("x", 200), strings.Repeat("y\\n", 100))
	chunk := []byte(strings.Repeat(line+",", 999) + line)
	text := newCSVFile(columns, io.Discard)
	lines := newNDJSONFile(columns, io.Discard)
	var out bytes.Buffer
	group := newParquetFile(columns, &out)
	for range 150 {
		for _, f := range []file{text, lines, group} {
			if _, err := f.chunk(chunk); err != nil {
				t.Fatal(err)
			}
		}
		if n := max(cap(text.out), cap(lines.out)); n > 2*writeBytes {
			t.Fatalf("a text file keeps %d bytes", n)
		}
		if group.rows >= groupRows || group.bytes >= groupBytes || cap(group.plain) > 2*len(chunk) || cap(group.columns[0].values) > 2*maxChunkRows {
			t.Fatalf("a row group keeps %d rows, %d bytes", group.rows, group.bytes)
		}
	}
	if err := group.close(); err != nil {
		t.Fatal(err)
	}
	file, err := parquet.OpenFile(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	if n, groups := file.NumRows(), len(file.RowGroups()); n != 150_000 || groups < 2 {
		t.Errorf("%d rows in %d row groups", n, groups)
	}
}

func TestExportsThatThereAreNot(t *testing.T) {
	databases(t, func(t *testing.T, f *fixture) {
		ctx := viewer()
		e := f.submit(t, ctx, kr, nil)
		for _, format := range []string{"", "xlsx", "json"} {
			_, err := f.Export(e, format)
			if flt := fault.Of(err); flt.Kind != fault.Invalid || flt.Fields[0] != (fault.Field{Field: "format", Message: "must be one of csv, ndjson, parquet"}) {
				t.Errorf("%q: %v", format, err)
			}
		}
		_, err := f.Export(e, "csv")
		wantCode(t, err, fault.Conflict, fault.CodeConflict)
		if _, err := f.CreateLink(ctx, ID(e), "CSV", uuid.New()); !fault.Is(err, fault.Conflict) {
			t.Errorf("link to a running execution: %v", err)
		}
		f.store.Execution.Update().Where(execution.ID(e.ID)).SetState(vocab.Failed).SetMessage("the reason").ExecX(store.System(ctx))
		e, err = f.Get(ctx, ID(e), "")
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.Export(e, "csv")
		wantCode(t, err, fault.Conflict, fault.CodeConflict)
		if !strings.Contains(fault.Of(err).Message, "the reason") {
			t.Error(err)
		}
	})
}
