package input

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"
)

// TestMain makes the properties deterministic; -rapid.seed=N looks further.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.seed", "1"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

type named string

// coerced gives a JSON value a form that GraphQL may give it instead: pointers,
// sized integers, named strings, typed slices.
func coerced(t *rapid.T, v any) any {
	switch x := v.(type) {
	case nil:
		return rapid.SampledFrom([]any{nil, (*string)(nil), (*int)(nil), (*bool)(nil), []string(nil), []*int(nil), (*[]string)(nil)}).Draw(t, "null")
	case json.Number:
		n, err := x.Int64()
		if err != nil {
			return x
		}
		i := int(n)
		p := &i
		return rapid.SampledFrom([]any{x, i, n, p, &n, &p, &x}).Draw(t, "number")
	case string:
		s, p := named(x), &x
		return rapid.SampledFrom([]any{x, &x, s, &s, &p}).Draw(t, "text")
	case bool:
		return rapid.SampledFrom([]any{x, &x}).Draw(t, "bool")
	case map[string]any:
		m := map[string]any{}
		for _, k := range slices.Sorted(maps.Keys(x)) {
			m[k] = coerced(t, x[k])
		}
		return rapid.SampledFrom([]any{m, &m}).Draw(t, "object")
	case []any:
		return typed(t, x)
	}
	return v
}

// typed makes a typed slice, if the items are of one type.
func typed(t *rapid.T, items []any) any {
	if len(items) == 0 {
		return rapid.SampledFrom([]any{[]any{}, []string{}, []*int{}, &[]bool{}}).Draw(t, "empty")
	}
	kind := reflect.TypeOf(items[0])
	for _, item := range items {
		if item == nil || reflect.TypeOf(item) != kind {
			return items
		}
	}
	if kind == reflect.TypeFor[json.Number]() {
		kind = reflect.TypeFor[int]()
	}
	pointers := rapid.Bool().Draw(t, "pointers")
	of := kind
	if pointers {
		of = reflect.PointerTo(kind)
	}
	out := reflect.MakeSlice(reflect.SliceOf(of), 0, len(items))
	for _, item := range items {
		if n, ok := item.(json.Number); ok {
			i, err := n.Int64()
			if err != nil {
				return items
			}
			item = int(i)
		}
		if list, ok := item.([]any); ok {
			item = append([]any{}, list...)
		}
		v := reflect.New(kind)
		v.Elem().Set(reflect.ValueOf(item))
		if pointers {
			out = reflect.Append(out, v)
		} else {
			out = reflect.Append(out, v.Elem())
		}
	}
	return out.Interface()
}

// value is an arbitrary JSON value as a decoder with UseNumber gives it.
func value(depth int) *rapid.Generator[any] {
	number := rapid.Custom(func(t *rapid.T) any {
		if rapid.IntRange(0, 5).Draw(t, "odd") == 0 {
			return json.Number(rapid.SampledFrom([]string{"1.5", "-0", "1e2", "99999999999999999999"}).Draw(t, "odd number"))
		}
		return json.Number(fmt.Sprint(rapid.IntRange(-3, 200).Draw(t, "number")))
	})
	text := rapid.Custom(func(t *rapid.T) any {
		return rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", " ", "one", "TWO", "true", "7", "https://a.example/b",
			"00000000-0000-4000-8000-00000000abcd", "a\x00", "\xff"})).Draw(t, "text")
	})
	boolean := rapid.Custom(func(t *rapid.T) any { return rapid.Bool().Draw(t, "bool") })
	kinds := []*rapid.Generator[any]{rapid.Just(any(nil)), number, text, boolean}
	if depth > 0 {
		kinds = append(kinds,
			rapid.Custom(func(t *rapid.T) any {
				items := rapid.SliceOfN(rapid.SampledFrom(kinds).Draw(t, "kind of items"), 0, 4).Draw(t, "items")
				return append([]any{}, items...)
			}),
			rapid.Custom(func(t *rapid.T) any { return []any{object(depth-1).Draw(t, "item")} }))
	}
	return rapid.OneOf(kinds...)
}

func object(depth int) *rapid.Generator[map[string]any] {
	return rapid.MapOfN(rapid.SampledFrom([]string{"f", "g", "h"}), value(depth), 0, 3)
}

// readAll reads every field in every way, each with faults of its own.
func readAll(m map[string]any, loose bool) (out []string) {
	for _, name := range []string{"f", "g", "h"} {
		for _, read := range []func(o *Object) any{
			func(o *Object) any { return flat(o.Text(name, 5)) },
			func(o *Object) any { return o.Required(name, 5) },
			func(o *Object) any { return flat(o.OneOf(name, []string{"one", "two"}, true)) },
			func(o *Object) any { return flat(o.IntBetween(name, 1, 100)) },
			func(o *Object) any { return flat(o.Bool(name)) },
			func(o *Object) any { return flat(o.UUID(name)) },
			func(o *Object) any { return flat(o.URL(name)) },
			func(o *Object) any { return flat(o.Texts(name, 3, 1, 4)) },
			func(o *Object) any { return flat(o.Ints(name, 3, 1)) },
			func(o *Object) any { return flat(o.Choices(name, 3, []string{"one", "two"}, false)) },
			func(o *Object) any { return flat(o.URLs(name, 3)) },
			func(o *Object) any {
				var nested []string
				for _, n := range o.Objects(name, 3) {
					n.Int("f", 2)
					nested = append(nested, readAll(n.values, loose)...)
				}
				return nested
			},
		} {
			o := Of(m)
			if loose {
				o.Loose()
			}
			out = append(out, fmt.Sprintf("%#v %q has=%v set=%v", read(o), faults(o), o.Has(name), o.Set(name)))
		}
	}
	return out
}

// TestFormsAgree: whatever the form of a request object, it reads the same.
func TestFormsAgree(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := object(2).Draw(t, "object")
		c := plain(coerced(t, m)).(map[string]any)
		loose := rapid.Bool().Draw(t, "loose")
		want, got := readAll(m, loose), readAll(c, loose)
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("JSON    %s\nGraphQL %s", want[i], got[i])
			}
		}
	})
}

// TestUUIDForms: GraphQL decodes an identifier before it is read.
func TestUUIDForms(t *testing.T) {
	id := uuid.New()
	p, text := &id, id.String()
	for _, form := range []any{id, p, &p, text, &text, named(text)} {
		o := Of(map[string]any{"f": form})
		if got := o.UUID("f"); got == nil || *got != id || o.Err() != nil {
			t.Errorf("%T: %v %v", form, got, o.Err())
		}
	}
	for _, none := range []any{nil, (*uuid.UUID)(nil), (*string)(nil)} {
		o := Of(map[string]any{"f": none})
		if got := o.UUID("f"); got != nil || o.Err() != nil || o.Set("f") {
			t.Errorf("%T: %v %v", none, got, o.Err())
		}
	}
}

// TestPlainIsSettled: undoing coercion twice is undoing it once.
func TestPlainIsSettled(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		once := plain(coerced(t, value(2).Draw(t, "value")))
		if twice := plain(once); !reflect.DeepEqual(once, twice) {
			t.Fatalf("%#v, then %#v", once, twice)
		}
	})
}

// FuzzRead: no JSON object makes a reader panic, or read a value and fail.
func FuzzRead(f *testing.F) {
	for _, text := range []string{`{}`, `{"f":null,"g":[],"h":{}}`, `{"f":[null,[1],{"f":[{}]}]}`, `{"f":-0.0e5,"g":"\ud800","h":"true"}`, `{"f":["http://[::1"]}`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var m map[string]any
		if json.Unmarshal([]byte(text), &m) != nil {
			return
		}
		m = decoded(t, text)
		readAll(m, false)
		readAll(m, true)
		for name := range m {
			o := Of(m)
			if o.Text(name, 9) != nil && o.Failed(name) {
				t.Errorf("%s: %q is read and fails", text, name)
			}
		}
	})
}
