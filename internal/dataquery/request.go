package dataquery

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/contentgraph/contentgraph/internal/input"
)

// Request is a validated request in canonical form: values by field name,
// defaults filled in, lists sorted and without repeats. It is kept with the
// execution as JSON.
type Request struct {
	Ints  map[string][]int    `json:"ints"`
	Texts map[string][]string `json:"texts"`
	Flags map[string]bool     `json:"flags"`
	// RankSources are the names that the ids of rank sources had at submit.
	RankSources []string `json:"rankSources,omitempty"`
}

// Int is the value of a field that holds a number; 0 when it is absent.
func (r Request) Int(name string) int { return first(r.Ints[name]) }

// Text is the value of a field that holds a date or a choice; "" when it is absent.
func (r Request) Text(name string) string { return first(r.Texts[name]) }

func (r Request) has(name string) bool { return len(r.Ints[name])+len(r.Texts[name]) > 0 }

func (r Request) day(name string) (time.Time, bool) {
	day, err := time.Parse(time.DateOnly, r.Text(name))
	return day, err == nil
}

func first[T any](values []T) (v T) {
	if len(values) > 0 {
		v = values[0]
	}
	return v
}

// Parse validates a request: a decoded JSON body or a GraphQL input, of which
// fields that the query does not have are ignored. The fault names every bad field.
func Parse(spec *Spec, in map[string]any) (Request, error) {
	o := input.Of(in).Loose()
	r := Request{Ints: map[string][]int{}, Texts: map[string][]string{}, Flags: map[string]bool{}}
	for _, f := range spec.Filters {
		switch {
		case o.Set(f.Name):
			f.read(o, r)
		case f.Required:
			o.Fail(f.Name, "is required")
		default:
			f.fill(r)
		}
	}
	for _, rule := range spec.Rules {
		rule.Check(r, o)
	}
	return r, o.Err()
}

// AccountOf is the account that a request names, for the check of grants that
// comes before validation.
func AccountOf(in map[string]any) (int, bool) {
	n := input.Of(in).Loose().Int("account_id", 1)
	if n == nil {
		return 0, false
	}
	return *n, true
}

func (f Filter) read(o *input.Object, r Request) {
	switch f.Kind {
	case Integer:
		most := f.Max
		if most == 0 {
			most = math.MaxInt
		}
		put(r.Ints, f.Name, list(o.IntBetween(f.Name, f.Min, most)))
	case Integers:
		put(r.Ints, f.Name, o.Ints(f.Name, MaxItems, f.Min))
	case Boolean:
		if b := o.Bool(f.Name); b != nil {
			r.Flags[f.Name] = *b
		}
	case Date:
		day := o.Text(f.Name, 0)
		if day == nil {
			return
		}
		if _, err := time.Parse(time.DateOnly, *day); err != nil {
			o.Fail(f.Name, "must be a date that exists, as yyyy-MM-dd")
			return
		}
		put(r.Texts, f.Name, list(day))
	case Choice:
		put(r.Texts, f.Name, list(o.OneOf(f.Name, f.Allowed, true)))
	case Choices:
		put(r.Texts, f.Name, o.Choices(f.Name, MaxItems, f.Allowed, true))
	case Texts:
		values := o.Texts(f.Name, MaxItems, f.Min, f.Max)
		for i, v := range values {
			values[i] = strings.TrimSpace(v)
		}
		put(r.Texts, f.Name, values)
	}
}

// fill puts the default in the place of an absent field.
func (f Filter) fill(r Request) {
	switch v := f.Default.(type) {
	case int:
		r.Ints[f.Name] = []int{v}
	case string:
		r.Texts[f.Name] = []string{v}
	case bool:
		r.Flags[f.Name] = v
	}
}

func put[T cmp.Ordered](values map[string][]T, name string, list []T) {
	if len(list) > 0 {
		slices.Sort(list)
		values[name] = slices.Compact(list)
	}
}

func list[T any](v *T) []T {
	if v == nil {
		return nil
	}
	return []T{*v}
}
