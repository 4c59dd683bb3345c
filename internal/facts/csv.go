package facts

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/contentgraph/contentgraph/internal/fault"
)

// csvSource reads RFC 4180. It differs from encoding/csv in three points that
// imports need: a value keeps its carriage returns, a record that is malformed
// costs its first line only (so that one stray quote does not swallow the lines
// up to the next), and memory is bounded whatever the file holds.
type csvSource struct {
	*header
	lines *lines
	done  func()
	names []string
	rec   record

	raw    []byte   // the record as it stands in the file
	buf    []byte   // its values, unquoted, one behind the other
	ends   []int    // where each ends in buf
	fields []string // the values; nil when malformed
}

func newCSV(l *layout, in *lines, done func()) (*csvSource, error) {
	s := &csvSource{lines: in, done: done, rec: record{values: make([]string, len(l.fields))}}
	bad, err := s.read()
	switch {
	case errors.Is(err, io.EOF):
		return nil, fault.New(fault.Invalid, "the file is empty; it must begin with a line of column names")
	case err != nil:
		return nil, err
	case bad != "":
		return nil, fault.New(fault.Invalid, "the line of column names %s", bad)
	}
	s.names = s.fields
	s.header, err = l.header(s.names)
	return s, err
}

func (s *csvSource) close() { s.done() }

func (s *csvSource) next() (*record, error) {
	bad, err := s.read()
	if err != nil {
		return nil, err
	}
	if bad == "" && len(s.fields) != len(s.at) {
		bad = fmt.Sprintf("has %d values where there are %d columns", len(s.fields), len(s.at))
	}
	if s.rec.bad = bad; bad == "" {
		for i, field := range s.at {
			if field >= 0 {
				s.rec.values[field] = s.fields[i]
			}
		}
	}
	return &s.rec, nil
}

// read reads the next record that is not blank into fields.
func (s *csvSource) read() (bad string, err error) {
	s.raw, s.fields = s.raw[:0], nil
	for isBlank(s.raw) {
		if s.raw, err = s.lines.next(s.raw[:0]); err != nil {
			break
		}
	}
	s.rec.line = s.lines.n
	if errors.Is(err, errLongLine) {
		return err.Error(), nil
	}
	if err != nil {
		return "", err
	}
	first := len(s.raw)
	if bad, err = s.split(); bad != "" {
		if len(s.raw) > first {
			s.lines.unread(s.raw[first:], s.rec.line)
			s.raw = s.raw[:first]
		}
		return bad, err
	}
	all, start := string(s.buf), 0
	s.fields = make([]string, 0, len(s.ends))
	for _, end := range s.ends {
		s.fields = append(s.fields, all[start:end])
		start = end
	}
	return "", err
}

// split takes the record apart, reading on while a quoted value is open.
func (s *csvSource) split() (bad string, err error) {
	s.buf, s.ends = s.buf[:0], s.ends[:0]
	for at := 0; ; at++ { // at the beginning of a value, then at its end
		if at < len(s.raw) && s.raw[at] == '"' {
			if at, err = s.quoted(at + 1); err != nil {
				if errors.Is(err, io.EOF) || errors.Is(err, errLongLine) {
					return "has a quote that is never closed", nil
				}
				return "", err
			}
		} else {
			end := len(s.raw) - lineEnd(s.raw) - at
			if comma := bytes.IndexByte(s.raw[at:], ','); comma >= 0 {
				end = comma
			}
			value := s.raw[at : at+end]
			if bytes.IndexByte(value, '"') >= 0 {
				return "has a quote inside a value that does not begin with one", nil
			}
			s.buf = append(s.buf, value...)
			at += end
		}
		s.ends = append(s.ends, len(s.buf))
		switch rest := s.raw[at:]; {
		case len(rest) <= lineEnd(s.raw):
			return "", nil
		case rest[0] != ',':
			return "has text behind a closing quote", nil
		}
	}
}

// quoted reads a value from behind its opening quote and answers the place
// behind the closing one.
func (s *csvSource) quoted(at int) (int, error) {
	for {
		quote := bytes.IndexByte(s.raw[at:], '"')
		if quote < 0 {
			s.buf = append(s.buf, s.raw[at:]...)
			at = len(s.raw)
			if at > maxLine {
				return at, errLongLine
			}
			var err error
			if s.raw, err = s.lines.next(s.raw); err != nil {
				s.raw = s.raw[:at]
				return at, err
			}
			continue
		}
		s.buf = append(s.buf, s.raw[at:at+quote]...)
		at += quote + 1
		if at == len(s.raw) || s.raw[at] != '"' {
			return at, nil
		}
		s.buf = append(s.buf, '"')
		at++
	}
}

// reject writes the record with the columns of the file and one more that
// gives the reason. What could not be taken apart stands there as it was.
func (s *csvSource) reject(w *bufio.Writer, reason string) error {
	out := csv.NewWriter(w)
	defer out.Flush()
	if s.fields == nil {
		out.Flush()
		w.Write(s.raw[:len(s.raw)-lineEnd(s.raw)])
		w.WriteByte(',')
		return out.Write([]string{reason})
	}
	return out.Write(append(s.kept(s.fields), reason))
}

// head writes the line of column names of a file of rejected lines.
func (s *csvSource) head(w *bufio.Writer) error {
	out := csv.NewWriter(w)
	defer out.Flush()
	return out.Write(append(s.kept(s.names), rejectReason))
}

// kept is one value for each column, without a reason of an earlier import;
// values too many stay, for the reader to see.
func (s *csvSource) kept(values []string) []string {
	var list []string
	for i := range max(len(values), len(s.names)) {
		switch {
		case i < len(s.names) && strings.EqualFold(s.names[i], rejectReason):
		case i < len(values):
			list = append(list, values[i])
		default:
			list = append(list, "")
		}
	}
	return list
}

// lineEnd is the length of the end of the line that text ends with.
func lineEnd(text []byte) int {
	switch {
	case bytes.HasSuffix(text, []byte("\r\n")):
		return 2
	case bytes.HasSuffix(text, []byte("\n")), bytes.HasSuffix(text, []byte("\r")): // the latter ends the file
		return 1
	}
	return 0
}
