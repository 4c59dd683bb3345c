package facts

import (
	"context"
	"database/sql"
	"errors"
	"math"

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
	how := asJSON
	if s.Postgres() {
		how = asText
	}
	st := selection(q, pin, how)
	defer forgetMembers(st.sets)
	unread := pin.Rows // those that pass are told one by one, the others with the pin's end
	for after, more := int64(-1), true; more && rows < limit; {
		want := min(limit-rows, rangeRows)
		read, last, err := st.read(ctx, s, after, want, fn)
		more = read == want
		if errors.Is(err, errSeparator) {
			st, more, err = selection(q, pin, asColumns), true, nil
		}
		if err != nil {
			return rows, err
		}
		rows, after = rows+read, last
		scanned := read
		if !more {
			scanned = unread
		}
		unread -= scanned
		if q.Scanned != nil {
			if err := q.Scanned(scanned); err != nil {
				return rows, err
			}
		}
	}
	return rows, nil
}

// read answers the number of rows and the line of the last one. errSeparator
// says that the next row cannot be read in this form.
func (st *statement) read(ctx context.Context, s *store.Store, after int64, limit int, fn func([]byte) error) (n int, last int64, err error) {
	st.args[len(st.args)-2], st.args[len(st.args)-1] = after, limit
	rows, err := s.Reader.QueryContext(ctx, st.text, st.args...)
	if err != nil {
		return 0, after, err
	}
	defer rows.Close()
	var line int64
	values := make([]sql.RawBytes, 1)
	if st.form == asColumns {
		values = make([]sql.RawBytes, st.columns)
	}
	into := []any{&line}
	for i := range values {
		into = append(into, &values[i])
	}
	var row []byte
	for ; rows.Next(); n++ {
		if err := rows.Scan(into...); err != nil {
			return n, after, err
		}
		if row, err = st.json(row[:0], values); err != nil {
			return n, after, err
		}
		if err := fn(row); err != nil {
			return n, after, err
		}
		after = line
	}
	return n, after, rows.Err()
}
