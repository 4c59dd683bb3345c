package rest

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/contentgraph/contentgraph/internal/fault"
)

// FuzzDecode: what is accepted is what the standard library accepts, within the
// limits; everything else is a fault for the client.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		"", "{}", " {\"a\":1}\n", `{"a":{"b":[1,2.50,true,null,"x"]}}`, `{"a":1,"a":2}`, `{"a":"\u0000\ud800"}`, "{} {}", "[]", "null", "{\"a\":\"\xff\"}",
		strings.Repeat(`{"a":`, 64) + "1" + strings.Repeat("}", 64), strings.Repeat(`{"a":`, 65) + "1" + strings.Repeat("}", 65), `{"a":"[[[\"{{{"}`, "\ufeff{}", `{"n":1e999}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		object, err := decode(body)
		var known *fault.Error
		if err != nil && (!errors.As(err, &known) || known.Kind != fault.Invalid || !utf8.ValidString(known.Message)) {
			t.Fatalf("not a fault of the client: %v", err)
		}
		var want map[string]any
		valid := utf8.Valid(body) && json.Unmarshal(body, &want) == nil && want != nil
		if err == nil && !valid && !strings.ContainsAny(string(body), "eE") { // numbers may be out of a float's range
			t.Fatalf("accepted: %q", body)
		}
		if err != nil && valid && !strings.Contains(err.Error(), "nested") {
			t.Fatalf("refused: %q: %v", body, err)
		}
		if err == nil && (object == nil || depth(object) > maxDepth) {
			t.Fatalf("accepted, %d deep: %q", depth(object), body)
		}
	})
}

func depth(v any) int {
	deepest := -1
	switch v := v.(type) {
	case map[string]any:
		deepest = 0
		for _, item := range v {
			deepest = max(deepest, depth(item))
		}
	case []any:
		deepest = 0
		for _, item := range v {
			deepest = max(deepest, depth(item))
		}
	}
	return deepest + 1
}
