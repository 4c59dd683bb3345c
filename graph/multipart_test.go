package graph

import (
	"bytes"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"

	"github.com/contentgraph/contentgraph/internal/fault"
)

// parts are name, content, ...; a name such as 0=a.txt is that of a file.
func parts(t *testing.T, list ...string) (body, contentType string) {
	t.Helper()
	var b bytes.Buffer
	m := multipart.NewWriter(&b)
	for i := 0; i < len(list); i += 2 {
		name, file, isFile := strings.Cut(list[i], "=")
		create := func() (io.Writer, error) { return m.CreateFormField(name) }
		if isFile {
			create = func() (io.Writer, error) { return m.CreateFormFile(name, file) }
		}
		w, err := create()
		must(t, err)
		io.WriteString(w, list[i+1])
	}
	m.Close()
	return b.String(), m.FormDataContentType()
}

// TestMultipart goes over requests with files, and what only looks like one.
func TestMultipart(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	b := newBench(t, Options{MaxBody: 2000, MaxUpload: 5000, TempFolder: folder}, quick)
	const (
		one  = `{"query":"mutation($f: Upload!) { upload(file: $f) }","variables":{"f":null}}`
		many = `{"query":"mutation($f: Upload!, $m: [Upload], $i: In) { upload(file: $f, more: $m, in: $i) }","variables":{"f":null,"m":[null,null],"i":{"file":null}}}`
		to   = `{"0":["variables.f"]}`
		said = "a.txt application/octet-stream 5 hello <nil>"
	)
	list := func(s ...string) []string { return s }
	for name, c := range map[string]struct {
		parts         []string
		header, value string
		cut           int // bytes left out at the end
		status        int
		text          string
	}{
		"one file":           {parts: list("operations", one, "map", to, "0=a.txt", "hello"), status: 200, text: `{"data":{"upload":"` + said + `"}}`},
		"other name":         {parts: list("operations", one, "map", `{"the file":["variables.f"]}`, "the file=ü.txt", ""), status: 200, text: `"ü.txt application/octet-stream 0  \u003cnil\u003e"`},
		"base name":          {parts: list("operations", one, "map", to, "0=../../etc/a.txt", "hello"), status: 200, text: `"a.txt `},
		"one for all":        {parts: list("operations", many, "map", `{"0":["variables.f","variables.m.1","variables.i.file"]}`, "0=a.txt", "hello"), status: 200, text: strings.Repeat(said+"; ", 2) + said},
		"several":            {parts: list("operations", many, "map", `{"0":["variables.f"],"1":["variables.m.0"]}`, "1=b.txt", "1", "0=a.txt", "0"), status: 200, text: "a.txt application/octet-stream 1 0 <nil>; b.txt application/octet-stream 1 1 <nil>"},
		"largest":            {parts: list("operations", one, "map", to, "0=a.txt", strings.Repeat("x", 5000)), status: 200, text: " 5000 xxxxxxxxxx"},
		"no files":           {parts: list("operations", `{"query":"{ echo(text: \"x\") }"}`, "map", `{}`), status: 200, text: `"x"`},
		"in events":          {parts: list("operations", one, "map", to, "0=a.txt", "hello"), header: "Accept", value: mediaEvents, status: 200, text: "event: next\ndata: {\"data\":{\"upload\":\"" + said},
		"too large":          {parts: list("operations", one, "map", to, "0=a.txt", strings.Repeat("x", 5001)), status: 413, text: "at most 5000 bytes"},
		"much too large":     {parts: list("operations", one, "map", to, "0=a.txt", strings.Repeat("x", 200_000)), status: 413, text: "PAYLOAD_TOO_LARGE"},
		"together too large": {parts: list("operations", many, "map", `{"0":["variables.f"],"1":["variables.m.0"]}`, "0=a", strings.Repeat("x", 4000), "1=b", strings.Repeat("x", 200_000)), status: 413, text: "PAYLOAD_TOO_LARGE"},
		"large operations":   {parts: list("operations", strings.Repeat(" ", 2001)+one, "map", to, "0=a.txt", "hello"), status: 413, text: "the part operations must have at most 2000 bytes"},
		"large map":          {parts: list("operations", one, "map", to+strings.Repeat(" ", maxMap-20), "0=a.txt", "hello"), status: 413, text: "PAYLOAD_TOO_LARGE"},

		"no preflight":     {parts: list("operations", one, "map", to, "0=a.txt", "hello"), header: preflight, status: 403, text: preflight},
		"no credentials":   {parts: list("operations", one, "map", to, "0=a.txt", "hello"), header: "Authorization", status: 401, text: "MISSING_CREDENTIALS"},
		"no boundary":      {parts: list("operations", one), header: "Content-Type", value: "multipart/form-data", status: 400, text: "boundary"},
		"compressed":       {parts: list("operations", one), header: "Content-Encoding", value: "gzip", status: 415, text: "compressed"},
		"other multipart":  {parts: list("operations", one), header: "Content-Type", value: "multipart/mixed; boundary=x", status: 415, text: "application/json"},
		"no parts":         {status: 400, text: "operations is missing"},
		"no operations":    {parts: list("map", to, "operations", one), status: 400, text: "operations is missing"},
		"no map":           {parts: list("operations", one), status: 400, text: "map is missing"},
		"file before map":  {parts: list("operations", one, "0=a.txt", "hello", "map", to), status: 400, text: "map is missing"},
		"no JSON":          {parts: list("operations", "x", "map", to), status: 400, text: "operations: must be a JSON object"},
		"a batch":          {parts: list("operations", "["+one+"]", "map", to), status: 400, text: "operations: must be a JSON object"},
		"no query":         {parts: list("operations", "{}", "map", "{}"), status: 400, text: `"field":"query"`},
		"map no JSON":      {parts: list("operations", one, "map", "x"), status: 400, text: `"field":"map"`},
		"map of texts":     {parts: list("operations", one, "map", `{"0":"variables.f"}`), status: 400, text: `"field":"map"`},
		"many files":       {parts: list("operations", one, "map", `{"0":[],"1":[],"2":[],"3":[],"4":[],"5":[]}`), status: 400, text: "at most 5 files"},
		"file not sent":    {parts: list("operations", one, "map", to), status: 400, text: `the file \"0\" was not sent`},
		"file not mapped":  {parts: list("operations", one, "map", to, "1=a.txt", "hello"), status: 400, text: `does not have the part \"1\"`},
		"file sent twice":  {parts: list("operations", one, "map", to, "0=a.txt", "hello", "0=b.txt", "hello"), status: 400, text: `has it once`},
		"ends early":       {parts: list("operations", one, "map", to, "0=a.txt", "hello"), cut: 20, status: 400, text: "damaged"},
		"null remains":     {parts: list("operations", one, "map", `{"0":[]}`, "0=a.txt", "hello"), status: 200, text: "INVALID_REQUEST"},
		"no file in JSON":  {parts: list("operations", strings.Replace(one, "null", `"x"`, 1), "map", `{}`), status: 200, text: ``},
		"subscription":     {parts: list("operations", `{"query":"subscription { ticks(n: 1) }"}`, "map", `{}`), status: 400, text: "Accept: text/event-stream"},
		"wrong path":       {parts: list("operations", one, "map", `{"0":["query"]}`, "0=a.txt", "hello"), status: 400, text: `\"query\" must be the path of a null`},
		"path of a batch":  {parts: list("operations", one, "map", `{"0":["0.variables.f"]}`, "0=a.txt", "hello"), status: 400, text: `must be the path`},
		"path of nothing":  {parts: list("operations", one, "map", `{"0":["variables.g"]}`, "0=a.txt", "hello"), status: 400, text: `must be the path`},
		"path too long":    {parts: list("operations", one, "map", `{"0":["variables.f.g"]}`, "0=a.txt", "hello"), status: 400, text: `must be the path`},
		"path too short":   {parts: list("operations", one, "map", `{"0":["variables"]}`, "0=a.txt", "hello"), status: 400, text: `must be the path`},
		"path twice":       {parts: list("operations", one, "map", `{"0":["variables.f","variables.f"]}`, "0=a.txt", "hello"), status: 400, text: `must be the path`},
		"path off a list":  {parts: list("operations", many, "map", `{"0":["variables.m.2"]}`, "0=a.txt", "hello"), status: 400, text: `must be the path`},
		"path before list": {parts: list("operations", many, "map", `{"0":["variables.m.-1"]}`, "0=a.txt", "hello"), status: 400, text: `must be the path`},
		"no variables":     {parts: list("operations", `{"query":"{x}"}`, "map", to, "0=a.txt", "hello"), status: 400, text: `must be the path`},
	} {
		t.Run(name, func(t *testing.T) {
			body, contentType := parts(t, c.parts...)
			r := b.request(t, http.MethodPost, "/", body[:len(body)-c.cut], "Content-Type", contentType, preflight, "1")
			if c.header != "" {
				r.Header.Set(c.header, c.value)
			}
			if c.value == "" {
				r.Header.Del(c.header)
			}
			status, text := b.fetch(t, r)
			text = strings.ReplaceAll(text, `\u003cnil\u003e`, "<nil>")
			if status != c.status || !strings.Contains(text, strings.ReplaceAll(c.text, `\u003cnil\u003e`, "<nil>")) {
				t.Errorf("%d %s", status, text)
			}
			if left, _ := os.ReadDir(folder); len(left) > 0 {
				t.Error("left behind:", left)
			}
		})
	}
}

// TestUploadIsStreamed: a large file takes no memory, and a disk that does not
// take it is no fault of the client's.
func TestUploadIsStreamed(t *testing.T) {
	const size = 25 << 20 // and not beside other tests, which allocate as well
	body, contentType := parts(t, "operations", `{"query":"{x}","variables":{"f":null}}`, "map", `{"0":["variables.f"]}`, "0=a", "@")
	before, after, _ := strings.Cut(body, "@")
	read := func(folder string) (*graphql.RawParams, uploads, error) {
		r := httptest.NewRequest(http.MethodPost, "/", io.MultiReader(strings.NewReader(before), io.LimitReader(zeros{}, size), strings.NewReader(after)))
		r.Header.Set("Content-Type", contentType)
		p := new(graphql.RawParams)
		kept, err := (&Handler{Options: Options{MaxBody: 1000, MaxUpload: size, TempFolder: folder}}).form(r, p)
		return p, kept, err
	}
	folder := t.TempDir()
	var was, is runtime.MemStats
	runtime.ReadMemStats(&was)
	p, kept, err := read(folder)
	runtime.ReadMemStats(&is)
	if f, ok := p.Variables["f"].(graphql.Upload); err != nil || !ok || f.Size != size {
		t.Error(err, p.Variables)
	}
	kept.remove()
	if n := is.TotalAlloc - was.TotalAlloc; n > 1<<20 {
		t.Errorf("an upload allocates %d bytes", n)
	}
	if _, _, err := read(filepath.Join(folder, "missing")); fault.Of(err).Kind != fault.Internal {
		t.Error(err)
	}
}

// zeros never end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }
