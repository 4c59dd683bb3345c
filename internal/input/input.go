// Package input reads typed values out of a loosely typed request object: a
// decoded JSON body or a coerced GraphQL input, which carry the same names. It
// collects every bad field before it answers, so that a client learns of all of
// them at once. It knows nothing of transports and resources.
package input

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/internal/fault"
)

// Object is a request object that is being read.
type Object struct {
	values map[string]any
	prefix string
	loose  bool
	bad    *[]fault.Field
}

// Of begins to read m, in which a GraphQL input may hold pointers and typed slices.
func Of(m map[string]any) *Object {
	return &Object{values: m, bad: new([]fault.Field)}
}

// Loose also takes integers as strings of digits, booleans as "true" and
// "false" and one scalar where a list is meant, as known data API clients send.
func (o *Object) Loose() *Object { o.loose = true; return o }

// Err is the Invalid fault that names every bad field, or nil.
func (o *Object) Err() error {
	if len(*o.bad) == 0 {
		return nil
	}
	return fault.WithFields(*o.bad)
}

// Fail records that a field is bad.
func (o *Object) Fail(name, format string, args ...any) {
	*o.bad = append(*o.bad, fault.Field{Field: o.prefix + name, Message: fmt.Sprintf(format, args...)})
}

// Failed reports whether the field was recorded as bad.
func (o *Object) Failed(name string) bool {
	return slices.ContainsFunc(*o.bad, func(f fault.Field) bool {
		rest, ok := strings.CutPrefix(f.Field, o.prefix+name)
		return ok && (rest == "" || rest[0] == '[' || rest[0] == '.')
	})
}

// Has reports whether the field is present, null included.
func (o *Object) Has(name string) bool { _, ok := o.values[name]; return ok }

// Set reports whether the field is present and not null.
func (o *Object) Set(name string) bool { return plain(o.values[name]) != nil }

// Text is a string of at most max characters; nil when absent, null or bad.
func (o *Object) Text(name string, max int) *string {
	v := plain(o.values[name])
	if v == nil {
		return nil
	}
	s, ok := v.(string)
	if !ok {
		o.Fail(name, "must be a string")
		return nil
	}
	if msg := textFault(s, max); msg != "" {
		o.Fail(name, "%s", msg)
		return nil
	}
	return &s
}

// Required is a Text that must be there and not blank; it is trimmed.
func (o *Object) Required(name string, max int) string {
	s := o.Text(name, max)
	switch {
	case o.Failed(name):
		return ""
	case s == nil:
		o.Fail(name, "is required")
		return ""
	case strings.TrimSpace(*s) == "":
		o.Fail(name, "must not be blank")
		return ""
	}
	return strings.TrimSpace(*s)
}

func textFault(s string, max int) string {
	switch {
	case !utf8.ValidString(s):
		return "must be valid UTF-8"
	case strings.ContainsRune(s, 0):
		return "must not contain NUL characters"
	case max > 0 && utf8.RuneCountInString(s) > max:
		return fmt.Sprintf("must have at most %d characters", max)
	}
	return ""
}

// OneOf is a value of a closed list, in the list's own spelling whatever the
// case of the request when fold is set; nil when absent, null or bad.
func (o *Object) OneOf(name string, allowed []string, fold bool) *string {
	s := o.Text(name, 0)
	if s == nil {
		return nil
	}
	v, ok := lookup(*s, allowed, fold)
	if !ok {
		o.Fail(name, "must be one of %s", strings.Join(allowed, ", "))
		return nil
	}
	return &v
}

func lookup(s string, allowed []string, fold bool) (string, bool) {
	for _, a := range allowed {
		if s == a || fold && strings.EqualFold(strings.TrimSpace(s), a) {
			return a, true
		}
	}
	return "", false
}

// Int is a whole number of at least min; nil when absent, null or bad.
func (o *Object) Int(name string, min int) *int {
	return o.IntBetween(name, min, math.MaxInt)
}

// IntBetween is a whole number from min to max; nil when absent, null or bad.
func (o *Object) IntBetween(name string, min, max int) *int {
	v := plain(o.values[name])
	if v == nil {
		return nil
	}
	n, msg := o.whole(v, min, max)
	if msg != "" {
		o.Fail(name, "%s", msg)
		return nil
	}
	return &n
}

func (o *Object) whole(v any, min, max int) (int, string) {
	n, ok := 0, false
	switch v := v.(type) {
	case int:
		n, ok = v, true
	case json.Number:
		i, err := strconv.Atoi(v.String())
		n, ok = i, err == nil
	case string:
		i, err := strconv.Atoi(v)
		n, ok = i, err == nil && o.loose && v[0] != '+'
	}
	switch {
	case !ok:
		return 0, "must be a whole number"
	case max != math.MaxInt && (n < min || n > max):
		return 0, fmt.Sprintf("must be from %d to %d", min, max)
	case n < min:
		return 0, fmt.Sprintf("must be at least %d", min)
	}
	return n, ""
}

// Bool is a boolean; nil when absent, null or bad.
func (o *Object) Bool(name string) *bool {
	v := plain(o.values[name])
	if v == nil {
		return nil
	}
	b, ok := v.(bool)
	if s, isText := v.(string); isText && o.loose {
		parsed, err := strconv.ParseBool(strings.ToLower(s))
		b, ok = parsed, err == nil && len(s) > 1
	}
	if !ok {
		o.Fail(name, "must be true or false")
		return nil
	}
	return &b
}

// UUID is an identifier; nil when absent, null or bad.
func (o *Object) UUID(name string) *uuid.UUID {
	v := plain(o.values[name])
	if v == nil {
		return nil
	}
	if id, ok := v.(uuid.UUID); ok {
		return &id
	}
	s, _ := v.(string)
	id, err := uuid.Parse(s)
	if err != nil || len(s) != 36 {
		o.Fail(name, "must be a UUID")
		return nil
	}
	return &id
}

// Texts is a list of strings of min to max characters each; nil when absent,
// null or bad. Bad items are named by position.
func (o *Object) Texts(name string, maxItems, min, max int) []string {
	var out []string
	for i, v := range o.list(name, maxItems) {
		at := fmt.Sprintf("%s[%d]", name, i)
		s, ok := v.(string)
		if !ok {
			o.Fail(at, "must be a string")
			continue
		}
		if n := utf8.RuneCountInString(strings.TrimSpace(s)); n < min || max > 0 && n > max {
			o.Fail(at, "%s", characters(min, max))
			continue
		}
		if msg := textFault(s, 0); msg != "" {
			o.Fail(at, "%s", msg)
			continue
		}
		out = append(out, s)
	}
	return out
}

// characters says how long a text may be.
func characters(min, max int) string {
	switch max {
	case 0:
		return fmt.Sprintf("must have at least %d characters", min)
	case min:
		return fmt.Sprintf("must have exactly %d characters", min)
	}
	return fmt.Sprintf("must have %d to %d characters", min, max)
}

// Ints is a list of whole numbers of at least min; nil when absent, null or bad.
func (o *Object) Ints(name string, maxItems, min int) []int {
	var out []int
	for i, v := range o.list(name, maxItems) {
		n, msg := o.whole(v, min, math.MaxInt)
		if msg != "" {
			o.Fail(fmt.Sprintf("%s[%d]", name, i), "%s", msg)
			continue
		}
		out = append(out, n)
	}
	return out
}

// Choices is a list of values of a closed list, as OneOf reads them.
func (o *Object) Choices(name string, maxItems int, allowed []string, fold bool) []string {
	var out []string
	for i, v := range o.list(name, maxItems) {
		s, _ := v.(string)
		c, ok := lookup(s, allowed, fold)
		if !ok {
			o.Fail(fmt.Sprintf("%s[%d]", name, i), "must be one of %s", strings.Join(allowed, ", "))
			continue
		}
		out = append(out, c)
	}
	return out
}

// Objects is a list of nested objects, whose faults are collected here.
func (o *Object) Objects(name string, maxItems int) []*Object {
	var out []*Object
	for i, v := range o.list(name, maxItems) {
		at := fmt.Sprintf("%s[%d]", name, i)
		m, ok := v.(map[string]any)
		if !ok {
			o.Fail(at, "must be an object")
			continue
		}
		out = append(out, &Object{values: m, prefix: o.prefix + at + ".", loose: o.loose, bad: o.bad})
	}
	return out
}

// Object is a nested object, whose faults are collected here; an empty one when
// it is absent, null or bad.
func (o *Object) Object(name string) *Object {
	v := plain(o.values[name])
	m, ok := v.(map[string]any)
	if v != nil && !ok {
		o.Fail(name, "must be an object")
	}
	return &Object{values: m, prefix: o.prefix + name + ".", loose: o.loose, bad: o.bad}
}

func (o *Object) list(name string, maxItems int) []any {
	v := plain(o.values[name])
	if v == nil {
		return nil
	}
	items, ok := v.([]any)
	switch {
	case !ok && !o.loose:
		o.Fail(name, "must be a list")
		return nil
	case !ok:
		items = []any{v}
	}
	if maxItems > 0 && len(items) > maxItems {
		o.Fail(name, "must have at most %d items", maxItems)
		return nil
	}
	return items
}

// plain undoes what GraphQL coercion adds: pointers, typed slices, named
// strings. JSON values pass through.
func plain(v any) any {
	switch v := v.(type) {
	case nil, string, bool, int, json.Number, []any, map[string]any, uuid.UUID:
		return v
	}
	r := reflect.ValueOf(v)
	switch r.Kind() {
	case reflect.Pointer:
		if r.IsNil() {
			return nil
		}
		return plain(r.Elem().Interface())
	case reflect.Slice:
		if r.IsNil() {
			return nil
		}
		items := make([]any, r.Len())
		for i := range items {
			items[i] = plain(r.Index(i).Interface())
		}
		return items
	case reflect.String:
		return r.String()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return int(r.Int())
	}
	return v
}
