package facts

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/lib/pq"

	"github.com/contentgraph/contentgraph/internal/vocab"
)

// statement is SQL whose last two arguments are the line after which to read
// and the number of rows.
type statement struct {
	form    form
	columns int // of a row
	text    string
	args    []any
	sets    []int64 // of members, that it refers to
}

func selection(q Query, pin vocab.Pin, f form) *statement {
	st := &statement{form: f, columns: len(q.Columns)}
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
		f.row(q.Columns), q.Dataset.Table, strings.Join(where, " and "), st.arg(nil))
	return st
}

func (st *statement) arg(v any) string {
	st.args = append(st.args, v)
	return "$" + strconv.Itoa(len(st.args))
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
	if st.form != asJSON {
		list := st.arg(pq.Array(t.Texts)) + "::text[]"
		if t.Match == vocab.Members {
			return "exists (select 1 from unnest(string_to_array(" + column + ", ',')) as m(member) where ',' || member || ',' = any(" + list + "))"
		}
		// Not by an index of the column, which would be read and sorted again for
		// every range: rows are read in the order of the key.
		return column + " || '' = any(" + list + ")"
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
