package facts

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"iter"
)

// rowSource gives rows made by code. A line is the number of a row, from 1.
type rowSource struct {
	*header
	names  []string
	rec    record
	values []string
	pull   func() ([]string, error, bool)
	stop   func()
}

func newRows(l *layout, columns []string, src iter.Seq2[[]string, error]) (*rowSource, error) {
	h, err := l.header(columns)
	if err != nil {
		return nil, err
	}
	s := &rowSource{header: h, names: columns, rec: record{values: make([]string, len(l.fields))}}
	s.pull, s.stop = iter.Pull2(src)
	return s, nil
}

func (s *rowSource) close() { s.stop() }

func (s *rowSource) next() (*record, error) {
	values, err, more := s.pull()
	if !more {
		return nil, io.EOF
	}
	if err != nil {
		return nil, err
	}
	s.rec.line++
	s.rec.bad, s.values = "", values
	if len(values) != len(s.at) {
		s.rec.bad = fmt.Sprintf("has %d values where there are %d columns", len(values), len(s.at))
		return &s.rec, nil
	}
	for i, field := range s.at {
		if field >= 0 {
			s.rec.values[field] = values[i]
		}
	}
	return &s.rec, nil
}

func (s *rowSource) head(w *bufio.Writer) error {
	out := csv.NewWriter(w)
	defer out.Flush()
	return out.Write(append(s.names[:len(s.names):len(s.names)], rejectReason))
}

func (s *rowSource) reject(w *bufio.Writer, reason string) error {
	out := csv.NewWriter(w)
	defer out.Flush()
	return out.Write(append(s.values[:len(s.values):len(s.values)], reason))
}
