package facts

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"
)

// ndjsonSource reads one JSON object a line.
type ndjsonSource struct {
	*header
	layout *layout
	lines  *lines
	done   func()
	rec    record
	raw    []byte
}

func newNDJSON(l *layout, in *lines, done func()) *ndjsonSource {
	return &ndjsonSource{
		header: &header{given: make([]bool, len(l.fields))}, layout: l, lines: in, done: done,
		rec: record{values: make([]string, len(l.fields))},
	}
}

func (s *ndjsonSource) close() { s.done() }

func (s *ndjsonSource) next() (*record, error) {
	s.raw = s.raw[:0]
	var err error
	for isBlank(s.raw) && err == nil {
		s.raw, err = s.lines.next(s.raw[:0])
	}
	s.rec.line = s.lines.n
	switch {
	case errors.Is(err, errLongLine):
		s.rec.bad = err.Error()
	case err != nil:
		return nil, err
	default:
		s.rec.bad = s.read()
	}
	return &s.rec, nil
}

func (s *ndjsonSource) read() (bad string) {
	if !utf8.Valid(s.raw) {
		return "is not valid UTF-8"
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(s.raw, &object); err != nil || object == nil {
		return "is not a JSON object"
	}
	clear(s.rec.values)
	seen := make([]bool, len(s.layout.fields))
	for name, value := range object {
		field := s.layout.field(name)
		if field < 0 {
			s.ignore(name)
			continue
		}
		if seen[field] {
			return s.layout.fields[field].Name + ": is there twice"
		}
		seen[field] = true
		text, ok := scalar(value)
		if !ok {
			return s.layout.fields[field].Name + ": must be a string, a number, true, false or null"
		}
		s.rec.values[field] = text
	}
	return ""
}

// scalar is the text of a JSON value, "" for null.
func scalar(value json.RawMessage) (text string, ok bool) {
	switch value[0] {
	case '"':
		if bytes.IndexByte(value, '\\') < 0 {
			return string(value[1 : len(value)-1]), true
		}
		err := json.Unmarshal(value, &text)
		return text, err == nil
	case 'n':
		return "", true
	case '{', '[':
		return "", false
	}
	return string(value), true
}

func (s *ndjsonSource) head(*bufio.Writer) error { return nil }

// reject writes the line as it was: JSON has no place for the reason beside it.
func (s *ndjsonSource) reject(w *bufio.Writer, _ string) error {
	w.WriteString(strings.TrimRight(string(s.raw), "\r\n"))
	return w.WriteByte('\n')
}
