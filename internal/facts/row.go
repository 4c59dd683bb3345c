package facts

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/contentgraph/contentgraph/internal/vocab"
)

// rankSourceID is an input column that is no fact: the id that the rank source
// of the row shall have.
const rankSourceID = "rank_source_id"

// layout says where the values of a dataset stand: in a record as it is read
// and in a row as it is written. It remembers the last record, since many values
// of a record are those of the one before: use it for one file.
type layout struct {
	dataset *vocab.Dataset
	fields  []vocab.Column // of a record
	index   map[string]int // field by name
	columns []string       // of a row; the first three are line, import_no and slice
	at      []int          // column by field
	rank    int            // column of the effective rank; 0 = none

	account, property, start, end, frequency, rankStandard, rankTrue int // fields

	last []*cell // by field
	span span
}

// maxRemembered is the longest value that is remembered, so that memory is
// bounded whatever the file holds.
const maxRemembered = 4 << 10

// cell is what becomes of a value.
type cell struct {
	given string
	value string // in canonical form
	bad   string // why there is none; "" = there is
	row   []any  // the value and behind it its twins, as they are written
}

// span is the period of a record and what becomes of it.
type span struct {
	given, start, end string
	frequency         string
	bad               string
}

func newLayout(d *vocab.Dataset) *layout {
	l := &layout{dataset: d, index: map[string]int{}, columns: []string{"line", "import_no", "slice"}}
	for _, c := range d.Stored() {
		l.index[c.Name] = len(l.fields)
		l.fields = append(l.fields, c)
		l.at = append(l.at, len(l.columns))
		l.columns = append(l.columns, c.Name)
		for _, m := range c.Matches {
			l.columns = append(l.columns, c.Twin(m))
		}
	}
	if d.Ranked {
		l.rank = len(l.columns)
		l.columns = append(l.columns, vocab.EffectiveRank)
		l.index[rankSourceID] = len(l.fields)
		l.fields = append(l.fields, vocab.Column{Name: rankSourceID, Type: vocab.Integer})
	}
	for _, c := range l.fields {
		l.last = append(l.last, newCell(c))
	}
	l.account, l.property = l.index["account_id"], l.index["web_property_id"]
	l.start, l.end, l.frequency = l.index["time_period_start"], l.index["time_period_end"], l.index[vocab.Frequency]
	l.rankStandard, l.rankTrue = l.index["rank_standard"], l.index["rank_true"]
	return l
}

// period is the unit in which facts become current: see ent's FactSlice.
type period struct {
	property   int // 0 = none
	frequency  string
	start, end string
}

// row fills out, which is as long as the row, from a record, whose values it
// makes canonical. The reason for which the record is rejected names the column,
// and what it may hold.
func (l *layout) row(values []string, out []any) (account int, p period, reason string) {
	for i, v := range values {
		c := l.last[i]
		if len(v) > maxRemembered {
			c = newCell(l.fields[i])
		}
		if v != c.given {
			c.take(l.fields[i], v)
		}
		if c.bad != "" {
			return 0, p, l.fields[i].Name + ": " + c.bad
		}
		values[i] = c.value
		if i < len(l.at) {
			copy(out[l.at[i]:], c.row)
		}
	}
	account, _ = strconv.Atoi(values[l.account])
	p.property, _ = strconv.Atoi(values[l.property])
	if s := &l.span; s.start != values[l.start] || s.end != values[l.end] || s.given != values[l.frequency] {
		*s = span{given: values[l.frequency], start: values[l.start], end: values[l.end]}
		s.frequency, s.bad = frequency(s.given, s.start, s.end)
	}
	if l.span.bad != "" {
		return 0, p, l.span.bad
	}
	p.start, p.end, p.frequency = l.span.start, l.span.end, l.span.frequency
	out[l.at[l.frequency]] = p.frequency
	if l.rank > 0 {
		out[l.rank] = effectiveRank(values[l.rankStandard], values[l.rankTrue])
	}
	return account, p, ""
}

func newCell(column vocab.Column) *cell {
	c := &cell{row: make([]any, 1+len(column.Matches))}
	c.take(column, "")
	return c
}

func (c *cell) take(column vocab.Column, given string) {
	clear(c.row)
	c.given = strings.Clone(given) // not the record that it is part of
	if c.value, c.bad = canonical(column, c.given); c.value == "" {
		return
	}
	c.row[0] = c.value
	if column.Type == vocab.Integer {
		c.row[0], _ = strconv.ParseInt(c.value, 10, 64)
	}
	for i, m := range column.Matches {
		if twin := Fold(m, c.value); twin != c.value {
			c.row[1+i] = twin
		}
	}
}

func effectiveRank(ranks ...string) int64 {
	for _, r := range ranks {
		if r != "" {
			n, _ := strconv.ParseInt(r, 10, 64)
			return n
		}
	}
	return vocab.NotRanking
}

// frequency checks a period against its frequency, or finds the frequency of a
// record that gives none.
func frequency(given, start, end string) (f, bad string) {
	first, _ := date(start)
	last, _ := date(end)
	week := first.Weekday() == time.Sunday && last.Equal(first.AddDate(0, 0, 6))
	switch {
	case last.Before(first):
		return "", "time_period_end: must not be before time_period_start"
	case given == "" && week:
		return vocab.Weekly, ""
	case given == "" && start == end:
		return vocab.Daily, ""
	case given == "":
		return "", vocab.Frequency + ": is required for a period that is neither one day nor a week from Sunday to Saturday"
	case given == vocab.Weekly && !week:
		return "", "time_period_start: must be a Sunday and time_period_end the Saturday after it when collection_frequency is WEEKLY"
	case given == vocab.Daily && start != end:
		return "", "time_period_end: must be time_period_start when collection_frequency is DAILY"
	case given != vocab.Weekly && given != vocab.Daily:
		return "", fmt.Sprintf("%s: must be one of %s", vocab.Frequency, strings.Join(vocab.Frequencies, ", "))
	}
	return given, ""
}

// week is the Sunday that a date's week begins with, and the next one.
func week(start string) (sunday, next time.Time) {
	t, _ := date(start)
	sunday = t.AddDate(0, 0, -int(t.Weekday()))
	return sunday, sunday.AddDate(0, 0, 7)
}
