package facts

import (
	"database/sql"
	"errors"
	"strings"

	"github.com/contentgraph/contentgraph/internal/vocab"
)

// form is how a row leaves the database. A single value a row takes half the
// time of one for each column.
type form int

const (
	asJSON    form = iota // SQLite: the JSON itself, which costs half of making it here
	asText                // PostgreSQL: one text, of values joined by the separator
	asColumns             // PostgreSQL: as they are, when a value holds the separator
)

// separator is the character that is for separating.
const separator = '\x1f'

// errSeparator says that a value holds the separator.
var errSeparator = errors.New("facts: a value holds the separator")

// row is the SQL of a row's values.
func (f form) row(columns []vocab.Column) string {
	var list []string
	for _, c := range columns {
		switch {
		case f != asJSON:
			list = append(list, c.Name)
		case c.Type == vocab.Integer:
			list = append(list, "coalesce(cast("+c.Name+" as text), '')")
		default:
			list = append(list, "coalesce("+c.Name+", '')")
		}
	}
	names := strings.Join(list, ", ")
	switch f {
	case asJSON:
		return "json_array(" + names + ")"
	case asText: // no value is written as ''
		return `format(E'` + strings.Repeat(`%s\x1f`, len(list)-1) + `%s', ` + names + ")"
	}
	return names
}

// json appends a row as a JSON array of strings.
func (st *statement) json(dst []byte, values []sql.RawBytes) ([]byte, error) {
	switch st.form {
	case asJSON:
		return append(dst, values[0]...), nil
	case asText:
		dst, n := appendStrings(append(dst, '['), values[0], true)
		if n != st.columns-1 {
			return dst, errSeparator
		}
		return append(dst, ']'), nil
	}
	for i, v := range values {
		dst = append(dst, "[,"[min(i, 1)])
		dst, _ = appendStrings(dst, v, false)
	}
	return append(dst, ']'), nil
}

// escaped are the bytes that cannot stand in a JSON string. Others can: facts
// are valid UTF-8 without NUL since their import.
var escaped = func() (list [256]bool) {
	for c := range ' ' {
		list[c] = true
	}
	list['"'], list['\\'] = true, true
	return list
}()

// appendStrings writes a JSON string. In a joined text each separator ends one
// and begins the next; it says how many there were.
func appendStrings(dst, s []byte, joined bool) (out []byte, separators int) {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	start := 0
	for i, c := range s {
		if !escaped[c] {
			continue
		}
		dst = append(dst, s[start:i]...)
		start = i + 1
		switch {
		case c == separator && joined:
			dst = append(dst, '"', ',', '"')
			separators++
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, '\\', 'n')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	return append(append(dst, s[start:]...), '"'), separators
}
