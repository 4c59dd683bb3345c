package dataquery

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/contentgraph/contentgraph/internal/vocab"
)

// writeBytes is about what a text file gives to its writer at once.
const writeBytes = 256 << 10

// csvFile is RFC 4180 with the column names on top and "\n" at the end of each
// line. Values are as stored; an empty one is NULL.
type csvFile struct {
	w     io.Writer
	ends  []byte // what follows each value of a row in a chunk
	out   []byte
	plain []byte // the last value that had escapes
}

func newCSVFile(columns []vocab.Column, w io.Writer) *csvFile {
	f := &csvFile{w: w, ends: ends(columns)}
	for i, c := range columns {
		f.out = append(append(f.out, c.Name...), csvEnd(f.ends[i]))
	}
	return f
}

// ends is what follows each value of a row.
func ends(columns []vocab.Column) []byte {
	return append(bytes.Repeat([]byte{','}, len(columns)-1), ']')
}

func csvEnd(end byte) byte {
	if end == ']' {
		return '\n'
	}
	return ','
}

func (f *csvFile) chunk(text []byte) (rows int, err error) {
	s := newScanner(text)
	for s.row() {
		for _, end := range f.ends {
			v := s.value(end)
			switch {
			case s.escaped:
				f.plain = unescape(f.plain[:0], v)
				f.value(f.plain)
			case bytes.IndexByte(v, ',') < 0: // what else wants quotes is escaped in a chunk
				f.out = append(f.out, v...)
			default:
				f.value(v)
			}
			f.out = append(f.out, csvEnd(end))
		}
		rows++
		if len(f.out) >= writeBytes && !s.bad {
			if err := f.flush(); err != nil {
				return rows, err
			}
		}
	}
	if s.bad {
		return rows, errDamaged
	}
	return rows, nil
}

// value writes a value in quotes if it needs them.
func (f *csvFile) value(v []byte) {
	if !bytes.ContainsAny(v, "\",\r\n") {
		f.out = append(f.out, v...)
		return
	}
	f.out = append(f.out, '"')
	for {
		n := bytes.IndexByte(v, '"')
		if n < 0 {
			break
		}
		f.out = append(append(f.out, v[:n]...), '"', '"')
		v = v[n+1:]
	}
	f.out = append(append(f.out, v...), '"')
}

func (f *csvFile) flush() error {
	_, err := f.w.Write(f.out)
	f.out = f.out[:0]
	return err
}

func (f *csvFile) close() error { return f.flush() }

// ndjsonFile is one JSON object a line, its keys in the order of the columns.
// Numbers and booleans are the stored text; an empty value is null.
type ndjsonFile struct {
	w       io.Writer
	columns []ndjsonColumn
	out     []byte
}

type ndjsonColumn struct {
	key    []byte // with what stands before it and the colon
	quoted bool
	end    byte // what follows the value in a chunk
}

func newNDJSONFile(columns []vocab.Column, w io.Writer) *ndjsonFile {
	f := &ndjsonFile{w: w}
	before := byte('{')
	for i, c := range columns {
		name, _ := json.Marshal(c.Name) // strings always can be
		key := append(append([]byte{before}, name...), ':')
		f.columns = append(f.columns, ndjsonColumn{key, c.Type == vocab.String || c.Type == vocab.Date, ends(columns)[i]})
		before = ','
	}
	return f
}

func (f *ndjsonFile) chunk(text []byte) (rows int, err error) {
	s := newScanner(text)
	for s.row() {
		for i := range f.columns {
			c := &f.columns[i]
			v := s.value(c.end)
			f.out = append(f.out, c.key...)
			switch {
			case len(v) == 0:
				f.out = append(f.out, "null"...)
			case c.quoted: // a JSON string already
				f.out = append(append(append(f.out, '"'), v...), '"')
			default:
				f.out = append(f.out, v...)
			}
		}
		f.out = append(f.out, '}', '\n')
		rows++
		if len(f.out) >= writeBytes && !s.bad {
			if err := f.flush(); err != nil {
				return rows, err
			}
		}
	}
	if s.bad {
		return rows, errDamaged
	}
	return rows, nil
}

func (f *ndjsonFile) flush() error {
	if len(f.out) == 0 {
		return nil
	}
	_, err := f.w.Write(f.out)
	f.out = f.out[:0]
	return err
}

func (f *ndjsonFile) close() error { return f.flush() }
