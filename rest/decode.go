package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/contentgraph/contentgraph/internal/fault"
)

// maxDepth is how deep a JSON body may be nested.
const maxDepth = 64

// object reads the JSON object that is the body of a request.
func (a *api) object(w http.ResponseWriter, r *http.Request) (map[string]any, error) {
	if r.ContentLength > a.MaxBody {
		return nil, a.tooLarge()
	}
	if err := mediaType(r); err != nil {
		return nil, err
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, a.MaxBody))
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over):
		return nil, a.tooLarge()
	case err != nil:
		return nil, fault.New(fault.Invalid, "the body could not be read to its end").Because(err)
	}
	return decode(body)
}

func (a *api) tooLarge() error {
	return fault.New(fault.TooLarge, "the body must have at most %d bytes", a.MaxBody)
}

// mediaType refuses a body that is said to be something other than JSON.
func mediaType(r *http.Request) error {
	if coding := r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return fault.New(fault.Unsupported, "the body must not be compressed")
	}
	given := r.Header.Get("Content-Type")
	if given == "" {
		return nil
	}
	want := "application/json"
	kind, params, err := mime.ParseMediaType(given)
	if r.Method == http.MethodPatch && kind == "application/merge-patch+json" {
		want = kind
	}
	if charset, sent := params["charset"]; err != nil || kind != want || sent && !strings.EqualFold(charset, "utf-8") {
		return fault.New(fault.Unsupported, "the Content-Type must be %s in UTF-8", want)
	}
	return nil
}

// decode reads one JSON object. Numbers stay as they are written, of repeated
// names the last one counts. Faults are Invalid and say where the text is bad.
func decode(body []byte) (map[string]any, error) {
	if !utf8.Valid(body) {
		return nil, badJSON(invalidAt(body), "is not valid UTF-8")
	}
	if at := tooDeep(body); at >= 0 {
		return nil, badJSON(at, "is nested deeper than %d levels", maxDepth)
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var v any
	var syntax *json.SyntaxError
	switch err := d.Decode(&v); {
	case errors.Is(err, io.EOF):
		return nil, fault.New(fault.Invalid, "the body must be a JSON object; it is empty")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, badJSON(len(body), "ends too early")
	case errors.As(err, &syntax):
		return nil, badJSON(int(syntax.Offset)-1, "is not JSON: %s", syntax)
	case err != nil:
		return nil, badJSON(int(d.InputOffset()), "is not JSON")
	}
	object, ok := v.(map[string]any)
	if !ok {
		return nil, fault.New(fault.Invalid, "the body must be a JSON object")
	}
	at := int(d.InputOffset())
	if rest := bytes.TrimLeft(body[at:], " \t\r\n"); len(rest) > 0 {
		return nil, badJSON(len(body)-len(rest), "goes on behind the object")
	}
	return object, nil
}

func badJSON(at int, format string, args ...any) error {
	f := fault.New(fault.Invalid, format, args...)
	f.Message = "the body " + f.Message + ", at byte " + strconv.Itoa(at)
	return f
}

// invalidAt is where text stops being UTF-8.
func invalidAt(text []byte) int {
	at := 0
	for {
		c, size := utf8.DecodeRune(text[at:])
		if c == utf8.RuneError && size <= 1 {
			return at
		}
		at += size
	}
}

// tooDeep is where brackets outside of strings are nested too deep, -1 if nowhere.
func tooDeep(text []byte) int {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > maxDepth {
				return i
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return -1
}

// page reads the parameters of an offset list, of which the last of each
// counts; their bounds are checked behind the resolver.
func page(r *http.Request) (limit, offset *int, err error) {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, nil, fault.New(fault.Invalid, "the query string cannot be decoded")
	}
	var bad []fault.Field
	number := func(name string) *int {
		values := query[name]
		if len(values) == 0 {
			return nil
		}
		text := values[len(values)-1]
		n, err := strconv.Atoi(text)
		if err != nil || text[0] == '+' {
			bad = append(bad, fault.Field{Field: name, Message: "must be a whole number"})
		}
		return &n
	}
	limit, offset = number("limit"), number("offset")
	if bad != nil {
		err = fault.WithFields(bad)
	}
	return limit, offset, err
}

// several reads a parameter that may be repeated or hold a comma list. Blank
// items stand for nothing.
func several(query url.Values, name string) (items []string) {
	for _, value := range query[name] {
		for item := range strings.SplitSeq(value, ",") {
			if item = strings.TrimSpace(item); item != "" {
				items = append(items, item)
			}
		}
	}
	return items
}
