package facts

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/contentgraph/contentgraph/internal/vocab"
)

// rankSourceID is an input column that is no fact: the id that the rank source
// of the row shall have.
const rankSourceID = "rank_source_id"

// layout says where the values of a dataset stand: in a record as it is read
// and in a row as it is written.
type layout struct {
	dataset *vocab.Dataset
	fields  []vocab.Column // of a record
	index   map[string]int // field by name
	columns []string       // of a row; the first three are line, import_no and slice
	at      []int          // column by field
	rank    int            // column of the effective rank; 0 = none
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
	return l
}

// period is the unit in which facts become current: see ent's FactSlice.
type period struct {
	property   int // 0 = none
	frequency  string
	start, end string
}

// row fills out, which is as long as the row and all nil, from a record. The
// reason for which the record is rejected names the column, and what it may hold.
func (l *layout) row(values []string, out []any) (account int, p period, reason string) {
	for i, c := range l.fields {
		v, bad := canonical(c, values[i])
		if bad != "" {
			return 0, p, c.Name + ": " + bad
		}
		values[i] = v
		if v != "" && i < len(l.at) {
			l.put(c, v, out[l.at[i]:])
		}
	}
	account, _ = strconv.Atoi(l.value(values, "account_id"))
	p.property, _ = strconv.Atoi(l.value(values, "web_property_id"))
	p.start, p.end = l.value(values, "time_period_start"), l.value(values, "time_period_end")
	if p.frequency, reason = frequency(l.value(values, vocab.Frequency), p.start, p.end); reason != "" {
		return 0, p, reason
	}
	out[l.at[l.index[vocab.Frequency]]] = p.frequency
	if l.rank > 0 {
		out[l.rank] = effectiveRank(l.value(values, "rank_standard"), l.value(values, "rank_true"))
	}
	return account, p, ""
}

func (l *layout) value(values []string, column string) string { return values[l.index[column]] }

// put writes a value and behind it its twins, where they differ.
func (l *layout) put(c vocab.Column, v string, out []any) {
	out[0] = v
	if c.Type == vocab.Integer {
		out[0], _ = strconv.ParseInt(v, 10, 64)
	}
	for i, m := range c.Matches {
		if twin := Fold(m, v); twin != v {
			out[1+i] = twin
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

// canonical is the one form in which a value is stored, or what the column may
// hold. "" is no value.
func canonical(c vocab.Column, v string) (value, bad string) {
	switch {
	case !utf8.ValidString(v):
		return "", "must be valid UTF-8"
	case strings.IndexByte(v, 0) >= 0:
		return "", "must not contain NUL characters"
	case c.Type != vocab.String:
		v = strings.TrimSpace(v)
	}
	switch c.Name {
	case "account_id", "time_period_start", "time_period_end":
		if v == "" {
			return "", "is required"
		}
	case vocab.Frequency:
		return strings.ToUpper(strings.TrimSpace(v)), ""
	}
	if v == "" {
		return "", ""
	}
	switch c.Type {
	case vocab.Integer:
		return integer(c.Name, v)
	case vocab.Float:
		return float(v)
	case vocab.Boolean:
		return boolean(v)
	case vocab.Date:
		if _, ok := date(v); !ok {
			return "", "must be a date, yyyy-MM-dd, from 1900 to 2999"
		}
	}
	for _, m := range c.Matches {
		if m == vocab.Members {
			return list(v), ""
		}
	}
	return v, ""
}

func integer(column, v string) (string, string) {
	n, err := strconv.ParseInt(v, 10, 64)
	switch {
	case err != nil || v[0] == '+':
		return "", "must be a whole number"
	case (n < 1 || n > math.MaxInt32) && (column == "account_id" || column == "web_property_id" || column == rankSourceID):
		return "", fmt.Sprintf("must be from 1 to %d", math.MaxInt32) // a GraphQL Int
	case n < 1 && strings.HasPrefix(column, "rank_"):
		return "", "must be at least 1"
	case column == "msv_month" && (len(v) != 6 || n%100 < 1 || n%100 > 12 || n < 190000):
		return "", "must be a month, yyyyMM"
	}
	return strconv.FormatInt(n, 10), ""
}

func float(v string) (string, string) {
	f, err := strconv.ParseFloat(v, 64)
	if err != nil || strings.Trim(v, "0123456789.+-eE") != "" { // neither NaN, infinite nor hexadecimal
		return "", "must be a number"
	}
	if f == 0 {
		return "0", "" // also of -0
	}
	return strconv.FormatFloat(f, 'f', -1, 64), ""
}

func boolean(v string) (string, string) {
	switch strings.ToLower(v) {
	case "true", "1":
		return "true", ""
	case "false", "0":
		return "false", ""
	}
	return "", "must be true or false"
}

// date takes years that a fact can have, so that a misprint is found.
func date(v string) (time.Time, bool) {
	t, err := time.Parse(time.DateOnly, v)
	return t, err == nil && t.Year() >= 1900 && t.Year() <= 2999
}

func list(v string) string {
	var members []string
	for m := range strings.SplitSeq(v, ",") {
		if m = strings.TrimSpace(m); m != "" {
			members = append(members, m)
		}
	}
	return strings.Join(members, ",")
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
