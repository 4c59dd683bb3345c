// Package playground serves a page to try the GraphQL API in a browser: an
// editor, example operations and the schema. It is written by hand and needs
// nothing but its own few files.
package playground

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"path"
	"time"
)

//go:embed page.html app.css app.js view.js schema.js md5.js examples.json
var files embed.FS

var page = template.Must(template.ParseFS(files, "page.html"))

// policy lets the page load its own files and call its own origin, nothing
// else: a token that is typed here cannot be sent elsewhere.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// assets are the files beside the page, with their media types.
var assets = map[string]string{
	"app.css":       "text/css; charset=utf-8",
	"app.js":        "text/javascript; charset=utf-8",
	"view.js":       "text/javascript; charset=utf-8",
	"schema.js":     "text/javascript; charset=utf-8",
	"md5.js":        "text/javascript; charset=utf-8",
	"examples.json": "application/json",
}

type file struct {
	media, tag string
	body       []byte
}

// The tag is weak, since a router may compress the body.
func newFile(media string, body []byte) file {
	sum := sha256.Sum256(body)
	return file{media, fmt.Sprintf(`W/"%x"`, sum[:12]), body}
}

// Handler answers at /playground and below with the page and its assets. The
// page sends operations to endpoint, a path of the same origin. Only the last
// element of a path counts, so a router may strip the prefix.
func Handler(endpoint string) http.Handler {
	var html bytes.Buffer
	if err := page.Execute(&html, endpoint); err != nil {
		panic(err) // the template is embedded
	}
	index := newFile("text/html; charset=utf-8", html.Bytes())
	served := map[string]file{"playground": index, "/": index, ".": index}
	for name, media := range assets {
		body, err := files.ReadFile(name)
		if err != nil {
			panic(err) // a name in assets that is not embedded
		}
		served[name] = newFile(media, body)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			h.Set("Allow", "GET, HEAD")
			http.Error(w, "the playground answers GET and HEAD", http.StatusMethodNotAllowed)
			return
		}
		f, ok := served[path.Base(r.URL.Path)]
		if !ok {
			http.NotFound(w, r)
			return
		}
		h.Set("Content-Type", f.media)
		h.Set("Cache-Control", "no-cache") // ask each time: a new binary has a new page
		h.Set("ETag", f.tag)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(f.body))
	})
}
