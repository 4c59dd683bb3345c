package dataquery

import (
	"bytes"
	"io"
	"reflect"
	"strconv"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"github.com/contentgraph/contentgraph/internal/vocab"
)

// What a row group holds at most, but for the last chunk: a writer keeps a
// group in memory until it is whole.
const (
	groupRows  = 100_000
	groupBytes = 32 << 20 // of the text of the chunks
)

// dictionaryBytes is how large the dictionary of a column of a row group
// becomes before further values stand for themselves.
const dictionaryBytes = 1 << 20

var parquetCodec = &zstd.Codec{Level: zstd.SpeedFastest}

// parquetFile has a nullable column of its type for each column of the rows,
// in their order.
type parquetFile struct {
	out     io.Writer
	columns []parquetColumn
	w       *parquet.GenericWriter[any] // nil until the first chunk
	rows    int                         // of the row group
	bytes   int
	plain   []byte // the values of a chunk that had escapes
}

type parquetColumn struct {
	vocab.Column
	end    byte // what follows the value in a chunk
	values []parquet.Value
	last   []byte // the text of the last one
}

func newParquetFile(columns []vocab.Column, w io.Writer) *parquetFile {
	f := &parquetFile{out: w}
	for i, c := range columns {
		f.columns = append(f.columns, parquetColumn{Column: c, end: ends(columns)[i]})
	}
	return f
}

func (f *parquetFile) chunk(text []byte) (rows int, err error) {
	for i := range f.columns {
		f.columns[i].values = f.columns[i].values[:0]
	}
	f.plain = f.plain[:0]
	s := newScanner(text)
	for s.row() {
		for i := range f.columns {
			c := &f.columns[i]
			v := s.value(c.end)
			if s.escaped {
				start := len(f.plain)
				f.plain = unescape(f.plain, v)
				v = f.plain[start:]
			}
			if n := len(c.values); n > 0 && bytes.Equal(v, c.last) {
				c.values = append(c.values, c.values[n-1])
				continue
			}
			value, ok := c.parse(v)
			if !ok {
				s.bad = true
			}
			c.values, c.last = append(c.values, value), v
		}
		rows++
	}
	if s.bad {
		return rows, errDamaged
	}
	f.rows += rows
	f.bytes += len(text)
	return rows, f.write()
}

// write gives the values of a chunk to the writer.
func (f *parquetFile) write() error {
	f.begin()
	for i, w := range f.w.ColumnWriters() {
		if _, err := w.WriteRowValues(f.columns[i].values); err != nil {
			return err
		}
	}
	if f.rows < groupRows && f.bytes < groupBytes {
		return nil
	}
	f.rows, f.bytes = 0, 0
	return f.w.Flush()
}

// begin makes the writer, once there are values to choose encodings by.
func (f *parquetFile) begin() {
	if f.w != nil {
		return
	}
	var fields []parquet.Field
	for i := range f.columns {
		fields = append(fields, parquetField{f.columns[i].node(), f.columns[i].Name})
	}
	f.w = parquet.NewGenericWriter[any](f.out, parquet.NewSchema("rows", parquetRow{parquet.Group{}, fields}),
		parquet.CreatedBy("contentgraph", "", ""), parquet.WriteBufferSize(writeBytes),
		parquet.DataPageStatistics(false), // the page index has them
		parquet.DictionaryMaxBytes(dictionaryBytes), parquet.Compression(parquetCodec))
}

func (f *parquetFile) close() error {
	f.begin()
	return f.w.Close()
}

// node is the column's part of the schema. A dictionary is worth its while
// when values repeat.
func (c *parquetColumn) node() parquet.Node {
	var n parquet.Node
	switch c.Type {
	case vocab.Integer:
		n = parquet.Leaf(parquet.Int64Type)
	case vocab.Float:
		n = parquet.Leaf(parquet.DoubleType)
	case vocab.Boolean:
		return parquet.Optional(parquet.Leaf(parquet.BooleanType))
	case vocab.Date:
		n = parquet.Date()
	default:
		n = parquet.String()
	}
	distinct := map[string]bool{}
	for _, v := range c.values {
		distinct[v.String()] = true
	}
	if len(distinct) <= len(c.values)/2 {
		n = parquet.Encoded(n, &parquet.RLEDictionary)
	}
	return parquet.Optional(n)
}

// parse makes a value of its text, which it goes on using.
func (c *parquetColumn) parse(text []byte) (v parquet.Value, ok bool) {
	if len(text) == 0 {
		return parquet.NullValue(), true
	}
	switch c.Type {
	case vocab.Integer:
		n, err := strconv.ParseInt(string(text), 10, 64)
		v, ok = parquet.Int64Value(n), err == nil
	case vocab.Float:
		n, err := strconv.ParseFloat(string(text), 64)
		v, ok = parquet.DoubleValue(n), err == nil
	case vocab.Boolean:
		v, ok = parquet.BooleanValue(text[0] == 't'), string(text) == "true" || string(text) == "false"
	case vocab.Date:
		day, err := time.Parse(time.DateOnly, string(text))
		v, ok = parquet.Int32Value(int32(day.Unix()/(24*60*60))), err == nil
	default:
		v, ok = parquet.ByteArrayValue(text), true
	}
	return v.Level(0, 1, 0), ok
}

// parquetRow is a group whose fields keep their order.
type parquetRow struct {
	parquet.Group
	fields []parquet.Field
}

// Fields are the columns.
func (r parquetRow) Fields() []parquet.Field { return r.fields }

// parquetField is a column of the schema.
type parquetField struct {
	parquet.Node
	name string
}

// Name is the name of the column.
func (f parquetField) Name() string { return f.name }

// Value is for rows of Go structs, which nothing here writes.
func (parquetField) Value(reflect.Value) reflect.Value { return reflect.Value{} }
