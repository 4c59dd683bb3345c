package input

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/internal/fault"
)

// decoded is a JSON object as a transport decodes it.
func decoded(t testing.TB, text string) map[string]any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var m map[string]any
	if err := d.Decode(&m); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return m
}

// faults are the bad fields, with what is said of them.
func faults(o *Object) []string {
	if o.Err() == nil {
		return nil
	}
	var out []string
	for _, f := range fault.Of(o.Err()).Fields {
		out = append(out, f.Field+" "+f.Message)
	}
	return out
}

// flat is a value without pointers, nil for none.
func flat(v any) any {
	r := reflect.ValueOf(v)
	if !r.IsValid() || (r.Kind() == reflect.Pointer || r.Kind() == reflect.Slice) && r.IsNil() {
		return nil
	}
	if r.Kind() == reflect.Pointer {
		return r.Elem().Interface()
	}
	return v
}

func TestRead(t *testing.T) {
	id := uuid.MustParse("00000000-0000-4000-8000-00000000abcd")
	choices := []string{"ONE", "Two"}
	text := func(o *Object) any { return flat(o.Text("f", 3)) }
	required := func(o *Object) any { return o.Required("f", 3) }
	oneOf := func(o *Object) any { return flat(o.OneOf("f", choices, false)) }
	folded := func(o *Object) any { return flat(o.OneOf("f", choices, true)) }
	whole := func(o *Object) any { return flat(o.Int("f", 1)) }
	between := func(o *Object) any { return flat(o.IntBetween("f", 1, 5)) }
	boolean := func(o *Object) any { return flat(o.Bool("f")) }
	identity := func(o *Object) any { return flat(o.UUID("f")) }
	address := func(o *Object) any { return flat(o.URL("f")) }
	texts := func(o *Object) any { return flat(o.Texts("f", 3, 1, 4)) }
	ints := func(o *Object) any { return flat(o.Ints("f", 2, 1)) }
	picks := func(o *Object) any { return flat(o.Choices("f", 2, choices, true)) }
	addresses := func(o *Object) any { return flat(o.URLs("f", 3)) }

	for i, c := range []struct {
		read  func(*Object) any
		in    string // the value of f; "" = absent
		want  any
		bad   string // the only fault
		loose bool
	}{
		{read: text, in: ``}, {read: text, in: `null`},
		{read: text, in: `""`, want: ""}, {read: text, in: `" é "`, want: " é "},
		{read: text, in: `"four"`, bad: "f must have at most 3 characters"},
		{read: text, in: `"a\u0000"`, bad: "f must not contain NUL characters"},
		{read: text, in: `5`, bad: "f must be a string"}, {read: text, in: `["a"]`, bad: "f must be a string"},
		{read: text, in: `5`, bad: "f must be a string", loose: true},

		{read: required, in: ``, want: "", bad: "f is required"}, {read: required, in: `null`, want: "", bad: "f is required"},
		{read: required, in: `" \t"`, want: "", bad: "f must not be blank"}, {read: required, in: `" a "`, want: "a"},
		{read: required, in: `true`, want: "", bad: "f must be a string"},

		{read: oneOf, in: `"ONE"`, want: "ONE"}, {read: oneOf, in: `"one"`, bad: "f must be one of ONE, Two"}, {read: oneOf, in: `null`},
		{read: folded, in: `" tWO "`, want: "Two"}, {read: folded, in: `""`, bad: "f must be one of ONE, Two"},

		{read: whole, in: ``}, {read: whole, in: `null`}, {read: whole, in: `1`, want: 1}, {read: whole, in: `9007199254740993`, want: 9007199254740993},
		{read: whole, in: `0`, bad: "f must be at least 1"}, {read: whole, in: `99999999999999999999`, bad: "f must be a whole number"},
		{read: whole, in: `1.5`, bad: "f must be a whole number"}, {read: whole, in: `"1"`, bad: "f must be a whole number"},
		{read: whole, in: `"12"`, want: 12, loose: true}, {read: whole, in: `"x"`, bad: "f must be a whole number", loose: true},
		{read: whole, in: `true`, bad: "f must be a whole number", loose: true},
		{read: between, in: `5`, want: 5}, {read: between, in: `6`, bad: "f must be from 1 to 5"}, {read: between, in: `-6`, bad: "f must be from 1 to 5"},

		{read: boolean, in: ``}, {read: boolean, in: `false`, want: false}, {read: boolean, in: `"true"`, bad: "f must be true or false"},
		{read: boolean, in: `"TRUE"`, want: true, loose: true}, {read: boolean, in: `"1"`, bad: "f must be true or false", loose: true},
		{read: boolean, in: `1`, bad: "f must be true or false", loose: true},

		{read: identity, in: `null`}, {read: identity, in: `"00000000-0000-4000-8000-00000000ABCD"`, want: id},
		{read: identity, in: `"{00000000-0000-4000-8000-00000000abcd}"`, bad: "f must be a UUID"},
		{read: identity, in: `""`, bad: "f must be a UUID"}, {read: identity, in: `7`, bad: "f must be a UUID"},

		{read: address, in: `null`}, {read: address, in: `" https://example.com/a?b#c "`, want: "https://example.com/a?b#c"},
		{read: address, in: `"HTTP://user@[::1]:80"`, want: "HTTP://user@[::1]:80"},
		{read: address, in: `"example.com"`, bad: "f must be an http or https URL"}, {read: address, in: `""`, bad: "f must be an http or https URL"},
		{read: address, in: `"ftp://example.com"`, bad: "f must be an http or https URL"}, {read: address, in: `"http://:80/"`, bad: "f must be an http or https URL"},
		{read: address, in: `"https:example.com"`, bad: "f must be an http or https URL"}, {read: address, in: `"http://a/b c"`, bad: "f must be an http or https URL"},
		{read: address, in: `"javascript:alert(1)//http://x"`, bad: "f must be an http or https URL"}, {read: address, in: `1`, bad: "f must be a string"},
		{read: address, in: `"http://a/` + strings.Repeat("b", 2048) + `"`, bad: "f must have at most 2048 characters"},

		{read: texts, in: ``}, {read: texts, in: `null`}, {read: texts, in: `[]`}, {read: texts, in: `["a"," b "]`, want: []string{"a", " b "}},
		{read: texts, in: `"a"`, bad: "f must be a list"}, {read: texts, in: `"a"`, want: []string{"a"}, loose: true},
		{read: texts, in: `["a","b","c","d"]`, bad: "f must have at most 3 items"},
		{read: texts, in: `["a",null]`, want: []string{"a"}, bad: "f[1] must be a string"},
		{read: texts, in: `["a"," "]`, want: []string{"a"}, bad: "f[1] must have 1 to 4 characters"},
		{read: texts, in: `["a\u0000","b"]`, want: []string{"b"}, bad: "f[0] must not contain NUL characters"},
		{read: ints, in: `[1,2]`, want: []int{1, 2}}, {read: ints, in: `3`, want: []int{3}, loose: true}, {read: ints, in: `"3"`, want: []int{3}, loose: true},
		{read: ints, in: `[0,5]`, want: []int{5}, bad: "f[0] must be at least 1"}, {read: ints, in: `[1,2,3]`, bad: "f must have at most 2 items"},
		{read: picks, in: `["one","TWO"]`, want: []string{"ONE", "Two"}}, {read: picks, in: `["x"]`, bad: "f[0] must be one of ONE, Two"},
		{read: picks, in: `[5]`, bad: "f[0] must be one of ONE, Two"},
		{read: addresses, in: `[]`}, {read: addresses, in: `[" http://a ","https://b"]`, want: []string{"http://a", "https://b"}},
		{read: addresses, in: `["http://a","b"]`, want: []string{"http://a", "b"}, bad: "f[1] must be an http or https URL"},
		{read: addresses, in: `["",5]`, bad: "f[0] must have 1 to 2048 characters; f[1] must be a string"},
	} {
		m := map[string]any{}
		if c.in != "" {
			m = decoded(t, `{"f":`+c.in+`}`)
		}
		o := Of(m)
		if c.loose {
			o.Loose()
		}
		got, bad := c.read(o), strings.Join(faults(o), "; ")
		if !reflect.DeepEqual(got, c.want) || bad != c.bad {
			t.Errorf("%d. %s: %#v (%s), want %#v (%s)", i, c.in, got, bad, c.want, c.bad)
		}
		if o.Failed("f") != (bad != "") || o.Has("f") != (c.in != "") || o.Set("f") != (c.in != "" && c.in != "null") {
			t.Errorf("%d. %s: failed %v, has %v, set %v", i, c.in, o.Failed("f"), o.Has("f"), o.Set("f"))
		}
	}
	if o := Of(map[string]any{"f": "a\xff"}); o.Text("f", 0) != nil || !o.Failed("f") {
		t.Error("invalid UTF-8 passes")
	}
}

func TestObjects(t *testing.T) {
	o := Of(decoded(t, `{"rules": [{"term": "a", "more": [{"n": 0}]}, 5, {"term": 7}, null], "rulesExtra": 1, "one": {}}`))
	for _, r := range o.Objects("rules", 4) {
		if r.Required("term", 9); r.Set("more") {
			for _, m := range r.Objects("more", 9) {
				m.Int("n", 1)
			}
		}
	}
	o.Objects("one", 1)
	want := []string{"rules[1] must be an object", "rules[3] must be an object", "rules[0].more[0].n must be at least 1",
		"rules[2].term must be a string", "one must be a list"}
	if got := faults(o); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	for name, want := range map[string]bool{"rules": true, "rules[0]": true, "rules[0].more": true, "rules[0].term": false, "rulesExtra": false, "rule": false} {
		if o.Failed(name) != want {
			t.Errorf("Failed(%s) = %v", name, !want)
		}
	}
	if Of(nil).Objects("rules", 1) != nil {
		t.Error("objects out of nothing")
	}
}

func TestEveryFaultIsNamed(t *testing.T) {
	o := Of(decoded(t, `{"a": 1, "b": "x", "c": [1]}`))
	o.Text("a", 1)
	o.Int("b", 1)
	o.Texts("c", 1, 1, 1)
	err := o.Err()
	if !fault.Is(err, fault.Invalid) || len(fault.Of(err).Fields) != 3 || !strings.Contains(fmt.Sprint(err), "a: must be a string; b: must be a whole number; c[0]: must be a string") {
		t.Error(err)
	}
	if Of(nil).Err() != nil {
		t.Error("a fault without a bad field")
	}
}
