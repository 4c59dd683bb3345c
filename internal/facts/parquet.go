package facts

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/contentgraph/contentgraph/internal/fault"
)

// parquetSource reads flat columns of any type that has a text form. A line is
// the number of a row, from 1.
type parquetSource struct {
	*header
	layout *layout
	done   func()
	groups []parquet.RowGroup // still to be read
	rows   parquet.Rows       // of the group that is being read; nil = none
	batch  []parquet.Row
	n, at  int
	text   []func(parquet.Value) string // by column
	rec    record
}

func newParquet(l *layout, in io.ReaderAt, size int64, done func()) (s *parquetSource, err error) {
	defer caught(&err)
	file, err := parquet.OpenFile(in, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, err
	}
	s = &parquetSource{
		layout: l, done: done, groups: file.RowGroups(), batch: make([]parquet.Row, 256),
		rec: record{values: make([]string, len(l.fields))},
	}
	var names []string
	for _, path := range file.Schema().Columns() {
		leaf, _ := file.Schema().Lookup(path...)
		if flat := len(path) == 1 && leaf.MaxRepetitionLevel == 0; !flat && l.field(path[0]) >= 0 {
			return nil, fault.New(fault.Invalid, "column %s must hold single values, not lists or groups", path[0])
		}
		names = append(names, strings.Join(path, "."))
		s.text = append(s.text, textOf(leaf.Node.Type()))
	}
	s.header, err = l.header(names)
	return s, err
}

// caught turns a panic of the Parquet library over a damaged file into an error.
func caught(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("damaged Parquet file: %v", p)
	}
}

func (s *parquetSource) close() {
	if s.rows != nil {
		s.rows.Close()
	}
	s.done()
}

func (s *parquetSource) next() (rec *record, err error) {
	defer caught(&err)
	for s.at == s.n {
		if err := s.read(); err != nil {
			return nil, err
		}
	}
	clear(s.rec.values)
	for _, v := range s.batch[s.at] {
		if field := s.header.at[v.Column()]; field >= 0 && !v.IsNull() {
			s.rec.values[field] = s.text[v.Column()](v)
		}
	}
	s.at++
	s.rec.line++
	return &s.rec, nil
}

// read reads the next batch, which may be empty at the end of a group.
func (s *parquetSource) read() error {
	if s.rows == nil {
		if len(s.groups) == 0 {
			return io.EOF
		}
		s.rows, s.groups = s.groups[0].Rows(), s.groups[1:]
	}
	var err error
	s.at = 0
	s.n, err = s.rows.ReadRows(s.batch)
	if err == io.EOF || err == nil && s.n == 0 {
		err = s.rows.Close()
		s.rows = nil
	}
	return err
}

// textOf is how the values of a type read in a CSV file.
func textOf(t parquet.Type) func(parquet.Value) string {
	var logical format.LogicalTypeValue
	if l := t.LogicalType(); l != nil {
		logical = l.Value
	}
	switch l := logical.(type) {
	case *format.DateType:
		return func(v parquet.Value) string {
			return time.Unix(int64(v.Int32())*24*60*60, 0).UTC().Format(time.DateOnly)
		}
	case *format.TimestampType: // only ever the day of a date column
		unit := int64(l.Unit.Value.Duration())
		return func(v parquet.Value) string {
			perSecond := int64(time.Second) / unit
			return time.Unix(v.Int64()/perSecond, v.Int64()%perSecond*unit).UTC().Format(time.DateOnly)
		}
	case *format.DecimalType:
		scale := min(max(int(l.Scale), 0), 38) // as the format bounds it
		return func(v parquet.Value) string { return decimal(v, scale) }
	case *format.UUIDType:
		return func(v parquet.Value) string {
			id, _ := uuid.FromBytes(v.ByteArray())
			return id.String()
		}
	case *format.IntType:
		if !l.IsSigned && t.Kind() == parquet.Int64 {
			return func(v parquet.Value) string { return strconv.FormatUint(v.Uint64(), 10) }
		}
		if !l.IsSigned {
			return func(v parquet.Value) string { return strconv.FormatUint(uint64(v.Uint32()), 10) }
		}
	}
	switch t.Kind() {
	case parquet.Float:
		return func(v parquet.Value) string { return strconv.FormatFloat(float64(v.Float()), 'f', -1, 32) }
	case parquet.Double: // of an integer column, too, as data frames write those with gaps
		return func(v parquet.Value) string { return strconv.FormatFloat(v.Double(), 'f', -1, 64) }
	case parquet.Int96: // a time stamp of old: nanoseconds of the day, then the Julian day
		return func(v parquet.Value) string {
			return time.Unix((int64(v.Int96()[2])-2440588)*24*60*60, 0).UTC().Format(time.DateOnly)
		}
	}
	return parquet.Value.String
}

// decimal is an unscaled number with the point set.
func decimal(v parquet.Value, scale int) string {
	n := new(big.Int)
	switch v.Kind() {
	case parquet.Int32:
		n.SetInt64(int64(v.Int32()))
	case parquet.Int64:
		n.SetInt64(v.Int64())
	default: // big-endian two's complement
		b := v.ByteArray()
		n.SetBytes(b)
		if len(b) > 0 && b[0] >= 0x80 {
			n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
		}
	}
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)
	text := new(big.Rat).SetFrac(n, unit).FloatString(scale)
	if scale > 0 {
		text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	}
	return text
}

func (s *parquetSource) head(*bufio.Writer) error { return nil }

// reject writes the row as a JSON line.
func (s *parquetSource) reject(w *bufio.Writer, reason string) error {
	object := map[string]string{rejectReason: reason}
	for i, v := range s.rec.values {
		if v != "" {
			object[s.layout.fields[i].Name] = v
		}
	}
	line, err := json.Marshal(object)
	if err != nil {
		return err
	}
	w.Write(line)
	return w.WriteByte('\n')
}
