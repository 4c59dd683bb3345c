package playground

import (
	"encoding/json"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

func send(method, path string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	Handler("/graphql").ServeHTTP(w, r)
	return w
}

func TestServes(t *testing.T) {
	for path, media := range map[string]string{
		"/playground":               "text/html; charset=utf-8",
		"/playground/":              "text/html; charset=utf-8",
		"/":                         "text/html; charset=utf-8", // prefix stripped
		"/playground/app.css":       "text/css; charset=utf-8",
		"/playground/app.js":        "text/javascript; charset=utf-8",
		"/playground/view.js":       "text/javascript; charset=utf-8",
		"/playground/schema.js":     "text/javascript; charset=utf-8",
		"/playground/md5.js":        "text/javascript; charset=utf-8",
		"/playground/examples.json": "application/json",
		"/app.js":                   "text/javascript; charset=utf-8",
	} {
		w := send("GET", path)
		h := w.Header()
		if w.Code != 200 || h.Get("Content-Type") != media || w.Body.Len() == 0 {
			t.Errorf("%s: %d %s, %d bytes", path, w.Code, h.Get("Content-Type"), w.Body.Len())
		}
		if h.Get("Cache-Control") != "no-cache" || h.Get("ETag") == "" {
			t.Errorf("%s: Cache-Control %q, ETag %q", path, h.Get("Cache-Control"), h.Get("ETag"))
		}
		if again := send("GET", path, "If-None-Match", h.Get("ETag")); again.Code != 304 || again.Body.Len() != 0 {
			t.Errorf("%s again: %d", path, again.Code)
		}
		if head := send("HEAD", path); head.Code != 200 || head.Body.Len() != 0 || head.Header().Get("ETag") != h.Get("ETag") {
			t.Errorf("HEAD %s: %d", path, head.Code)
		}
	}
}

func TestSecurityHeaders(t *testing.T) {
	const want = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	for _, w := range []*httptest.ResponseRecorder{
		send("GET", "/playground"), send("GET", "/playground/app.js"), send("GET", "/playground/none"), send("POST", "/playground"),
	} {
		h := w.Header()
		if h.Get("Content-Security-Policy") != want || h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Referrer-Policy") != "no-referrer" {
			t.Errorf("%d: %v", w.Code, h)
		}
	}
}

func TestRefuses(t *testing.T) {
	for _, path := range []string{
		"/playground/none.js", "/playground/page.html", "/playground/playground.go", "/playground/app.js.map", "/playground/..%2fpage.html",
	} {
		if w := send("GET", path); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
	for _, method := range []string{"POST", "PUT", "PATCH", "DELETE", "OPTIONS"} {
		if w := send(method, "/playground"); w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != "GET, HEAD" {
			t.Errorf("%s: %d, Allow %q", method, w.Code, w.Header().Get("Allow"))
		}
	}
}

// TestEmbedded: a file that is not in the table of assets would never be served.
func TestEmbedded(t *testing.T) {
	names, err := fs.Glob(files, "*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if _, ok := assets[name]; !ok && name != "page.html" {
			t.Errorf("%s is embedded, but not served", name)
		}
	}
}

func TestPage(t *testing.T) {
	html := send("GET", "/playground").Body.String()
	if !strings.Contains(html, `data-endpoint="/graphql"`) {
		t.Error("the page has no endpoint")
	}
	w := httptest.NewRecorder()
	Handler(`/g"><script>`).ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	if strings.Contains(w.Body.String(), `"><script>`) {
		t.Error("the endpoint is not escaped")
	}

	// The policy would refuse what is inline.
	if m := regexp.MustCompile(`(?i)<style|\sstyle\s*=|\son[a-z]+\s*=|javascript:|https?://[^w]`).FindString(html); m != "" {
		t.Errorf("the page has %q", m)
	}
	for _, m := range regexp.MustCompile(`(?is)<script([^>]*)>(.*?)</script>`).FindAllStringSubmatch(html, -1) {
		if !strings.Contains(m[1], ` src="/playground/`) || m[2] != "" {
			t.Errorf("inline script: %q", m[0])
		}
	}
	for _, m := range regexp.MustCompile(`(?:src|href)="/playground/([^"]*)"`).FindAllStringSubmatch(html, -1) {
		if _, ok := assets[m[1]]; !ok {
			t.Errorf("the page wants %s", m[1])
		}
	}
	for _, m := range regexp.MustCompile(`<(?:input|textarea|select) id="([^"]*)"`).FindAllStringSubmatch(html, -1) {
		if !strings.Contains(html, `for="`+m[1]+`"`) && !strings.Contains(html, `<label>`+m[0]) {
			t.Errorf("%s has no label", m[1])
		}
	}
}

// TestScripts: answers never become HTML, secrets are never kept, every import
// and every element that a script looks up is there.
func TestScripts(t *testing.T) {
	html := send("GET", "/playground").Body.String()
	for name := range assets {
		if filepath.Ext(name) != ".js" {
			continue
		}
		js := send("GET", "/playground/"+name).Body.String()
		if m := regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|localStorage|sessionStorage|indexedDB|\.cookie`).FindString(js); m != "" {
			t.Errorf("%s uses %s", name, m)
		}
		for _, m := range regexp.MustCompile(`(?:from |new URL\()"(?:\./)?([^"]+)"`).FindAllStringSubmatch(js, -1) {
			if _, ok := assets[m[1]]; !ok {
				t.Errorf("%s wants %s", name, m[1])
			}
		}
		for _, m := range regexp.MustCompile(`(?:\$|field)\("([^"]+)"\)`).FindAllStringSubmatch(js, -1) {
			if !strings.Contains(html, `id="`+m[1]+`"`) {
				t.Errorf("%s looks up #%s", name, m[1])
			}
		}
	}
}

func TestExamples(t *testing.T) {
	var groups []struct {
		Group    string
		Examples []struct {
			Name      string
			Query     []string
			Variables map[string]any
			From      map[string][]string
		}
	}
	if err := json.Unmarshal(send("GET", "/playground/examples.json").Body.Bytes(), &groups); err != nil {
		t.Fatal(err)
	}
	schema := loadSchema(t)
	names := map[string]bool{}
	for _, g := range groups {
		for _, e := range g.Examples {
			if names[e.Name] {
				t.Errorf("two examples are called %q", e.Name)
			}
			names[e.Name] = true
			doc, errs := gqlparser.LoadQueryWithRules(schema, strings.Join(e.Query, "\n"), rules.NewDefaultRules())
			if errs != nil {
				t.Errorf("%s: %v", e.Name, errs)
				continue
			}
			used := map[string]bool{}
			for _, op := range doc.Operations {
				if op.Name == "" {
					t.Errorf("%s: an operation has no name", e.Name)
				}
				if _, err := validator.VariableValues(schema, op, e.Variables); err != nil {
					t.Errorf("%s: %v", e.Name, err)
				}
				for _, v := range op.VariableDefinitions {
					used[v.Variable] = true
				}
			}
			for name := range e.Variables {
				if !used[name] {
					t.Errorf("%s: no operation has the variable %s", e.Name, name)
				}
			}
			for name, paths := range e.From {
				if !used[name] {
					t.Errorf("%s: no operation has the variable %s", e.Name, name)
				}
				for _, path := range paths {
					if !leads(schema, path) {
						t.Errorf("%s: %s leads nowhere", e.Name, path)
					}
				}
			}
		}
	}
	if len(names) < 8 {
		t.Errorf("%d examples", len(names))
	}
}

func loadSchema(t *testing.T) *ast.Schema {
	t.Helper()
	paths, err := filepath.Glob("../../schema/*.graphql")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no schema: %v", err)
	}
	var sources []*ast.Source
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, &ast.Source{Name: p, Input: string(text)})
	}
	schema, err := gqlparser.LoadSchema(sources...)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// leads reports whether a path of fields and list indexes can be in an answer.
func leads(schema *ast.Schema, path string) bool {
	types := []*ast.Definition{schema.Query, schema.Mutation}
	for step := range strings.SplitSeq(path, ".") {
		if step == "0" {
			continue
		}
		var next []*ast.Definition
		for _, d := range types {
			if f := d.Fields.ForName(step); f != nil {
				next = append(next, schema.Types[f.Type.Name()])
			}
		}
		types = next
	}
	return len(types) > 0
}
