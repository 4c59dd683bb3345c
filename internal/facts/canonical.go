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
