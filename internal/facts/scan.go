package facts

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/lib/pq"

	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// Test is one comparison with a column. All that it gives must hold; one that
// gives no value and no bound holds for no row, and a column without value
// passes none.
type Test struct {
	Column   string
	Match    vocab.Match // Texts are compared with the twin column of this match
	Texts    []string    // one of these, in comparison form; for Members one of these is contained
	Ints     []int       // one of these
	Min, Max *int        // inclusive
}

// Condition holds when any of its tests does.
type Condition []Test

// Query says which rows to read.
type Query struct {
	Account int
	Dataset *vocab.Dataset
	Columns []vocab.Column // in the order of a row's values
	Pins    []vocab.Pin    // where to read, in this order
	Where   []Condition    // all must hold
	Limit   int            // 0 = none
	// Scanned is told after each statement how many more rows of the pins have
	// been looked at for certain; over a whole scan that is all of them, unless
	// Limit ended it. Its error ends the scan and is returned. nil = nobody asks.
	Scanned func(rows int) error
}

// rangeRows bounds one statement, so that none holds a snapshot of the
// database for long.
const rangeRows = 20_000

// Scan calls fn with each row as a JSON array of strings, "" for no value, in
// the order of the pins, then by line. The row is valid until fn returns; an
// error of fn ends the scan and is returned.
func Scan(ctx context.Context, s *store.Store, q Query, fn func(row []byte) error) error {
	left := q.Limit
	if left == 0 {
		left = math.MaxInt
	}
	for _, pin := range q.Pins {
		read, err := scanPin(ctx, s, q, pin, left, fn)
		if err != nil {
			return err
		}
		if left -= read; left == 0 {
			return nil
		}
	}
	return nil
}

// scanPin reads at most limit rows of a pin, and says how many there were.
func scanPin(ctx context.Context, s *store.Store, q Query, pin vocab.Pin, limit int, fn func(row []byte) error) (rows int, err error) {
	st := selection(q, pin, s.Postgres())
	defer forgetMembers(st.sets)
	unread := pin.Rows // those that pass are told one by one, the others with the pin's end
	for after := int64(-1); rows < limit; {
		want := min(limit-rows, rangeRows)
		read, last, err := st.read(ctx, s, after, want, fn)
		if err != nil {
			return rows, err
		}
		rows += read
		scanned := read
		if read < want {
			scanned = unread
		}
		unread -= scanned
		if q.Scanned != nil {
			if err := q.Scanned(scanned); err != nil {
				return rows, err
			}
		}
		if read < want {
			break
		}
		after = last
	}
	return rows, nil
}

// statement is SQL whose last two arguments are the line after which to read
// and the number of rows.
type statement struct {
	postgres bool
	columns  int // of a row on PostgreSQL; SQLite makes the JSON itself
	text     string
	args     []any
	sets     []int64 // of members, that it refers to
}

func selection(q Query, pin vocab.Pin, postgres bool) *statement {
	st := &statement{postgres: postgres, columns: len(q.Columns)}
	where := []string{
		"account_id = " + st.arg(q.Account),
		"time_period_start = " + st.arg(pin.Start),
		"import_no = " + st.arg(pin.Import),
		"slice in (" + integers(pin.Slices) + ")",
	}
	for _, c := range q.Where {
		where = append(where, st.any(c))
	}
	where = append(where, "line > "+st.arg(nil))
	st.text = fmt.Sprintf("select line, %s from %s where %s order by line limit %s",
		st.row(q.Columns), q.Dataset.Table, strings.Join(where, " and "), st.arg(nil))
	return st
}

func (st *statement) arg(v any) string {
	st.args = append(st.args, v)
	return "$" + strconv.Itoa(len(st.args))
}

// row lists the columns; SQLite makes the JSON itself, which costs half of
// making it here.
func (st *statement) row(columns []vocab.Column) string {
	var list []string
	for _, c := range columns {
		switch {
		case st.postgres:
			list = append(list, c.Name)
		case c.Type == vocab.Integer:
			list = append(list, "coalesce(cast("+c.Name+" as text), '')")
		default:
			list = append(list, "coalesce("+c.Name+", '')")
		}
	}
	if st.postgres {
		return strings.Join(list, ", ")
	}
	return "json_array(" + strings.Join(list, ", ") + ")"
}

func (st *statement) any(c Condition) string {
	alternatives := []string{"1 = 0"}
	for _, t := range c {
		alternatives = append(alternatives, st.test(t))
	}
	return "(" + strings.Join(alternatives, " or ") + ")"
}

func (st *statement) test(t Test) string {
	column := t.Column
	if t.Match != vocab.Exact {
		column = "coalesce(" + vocab.Column{Name: t.Column}.Twin(t.Match) + ", " + t.Column + ")"
	}
	var all []string
	if len(t.Texts) > 0 {
		all = append(all, st.texts(t, column))
	}
	if len(t.Ints) > 0 {
		all = append(all, column+" in ("+integers(t.Ints)+")")
	}
	if t.Min != nil {
		all = append(all, column+" >= "+strconv.Itoa(*t.Min))
	}
	if t.Max != nil {
		all = append(all, column+" <= "+strconv.Itoa(*t.Max))
	}
	if all == nil {
		return "1 = 0"
	}
	return "(" + strings.Join(all, " and ") + ")"
}

// texts gives all values as one argument, since both databases bound the
// number of arguments.
func (st *statement) texts(t Test, column string) string {
	if st.postgres {
		list := st.arg(pq.Array(t.Texts)) + "::text[]"
		if t.Match == vocab.Members {
			return "exists (select 1 from unnest(string_to_array(" + column + ", ',')) as m(member) where ',' || member || ',' = any(" + list + "))"
		}
		return column + " = any(" + list + ")"
	}
	if t.Match == vocab.Members {
		id := keepMembers(t.Texts)
		st.sets = append(st.sets, id)
		return hasMember + "(" + column + ", " + st.arg(id) + ") = 1"
	}
	values, _ := json.Marshal(t.Texts) // strings always can be
	return column + " in (select value from json_each(" + st.arg(string(values)) + "))"
}

func integers(list []int) string {
	var b []byte
	for i, n := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(n), 10)
	}
	if b == nil {
		return "null" // "in ()" is no SQL; null equals nothing
	}
	return string(b)
}

// read answers the number of rows and the line of the last one.
func (st *statement) read(ctx context.Context, s *store.Store, after int64, limit int, fn func([]byte) error) (n int, line int64, err error) {
	st.args[len(st.args)-2], st.args[len(st.args)-1] = after, limit
	rows, err := s.Reader.QueryContext(ctx, st.text, st.args...)
	if err != nil {
		return 0, 0, err
	}
	defer rows.Close()
	values := make([]sql.RawBytes, 1)
	if st.postgres {
		values = make([]sql.RawBytes, st.columns)
	}
	into := []any{&line}
	for i := range values {
		into = append(into, &values[i])
	}
	var buf []byte
	for ; rows.Next(); n++ {
		if err := rows.Scan(into...); err != nil {
			return n, line, err
		}
		row := []byte(values[0])
		if st.postgres {
			buf = appendArray(buf[:0], values)
			row = buf
		}
		if err := fn(row); err != nil {
			return n, line, err
		}
	}
	return n, line, rows.Err()
}

func appendArray(dst []byte, values []sql.RawBytes) []byte {
	dst = append(dst, '[')
	for i, v := range values {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(dst, v)
	}
	return append(dst, ']')
}

// appendString writes a JSON string. Only what JSON forbids is escaped: facts
// are valid UTF-8 without NUL since their import.
func appendString(dst, s []byte) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	start := 0
	for i, c := range s {
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, s[start:i]...)
		start = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	return append(append(dst, s[start:]...), '"')
}
