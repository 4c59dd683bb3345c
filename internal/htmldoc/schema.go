package htmldoc

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"

	"golang.org/x/net/html/atom"
)

// Bounds of structured data.
const (
	maxTypes  = 50
	maxScript = 512 << 10
	maxNested = 16
)

// linkedData is what the schema.org data of a page says.
type linkedData struct {
	types   []string // of the things that the page is about, in order
	article string   // the text of the article, where it is repeated
}

// linkedData reads JSON-LD, microdata and RDFa. Only things that stand for
// themselves count, not the values of properties: the author of an article
// makes no page a Person.
func (n *node) linkedData() linkedData {
	var d linkedData
	n.all(func(e *node) bool {
		switch {
		case e.tag == atom.Script && strings.Contains(strings.ToLower(e.attr("type")), "ld+json"):
			d.script(e.content())
		case e.has("itemscope") && e.attr("itemprop") == "":
			d.add(e.attr("itemtype"))
		case e.has("typeof") && e.attr("property") == "" && e.attr("rel") == "":
			d.add(e.attr("typeof"))
		case e.attr("itemprop") == "mainEntity" || e.attr("property") == "mainEntity":
			d.add(e.attr("itemtype") + " " + e.attr("typeof"))
		}
		return true
	})
	return d
}

// typed finds a type in JSON that cannot be read.
var typed = regexp.MustCompile(`"@type"\s*:\s*"([A-Za-z:/.]{1,80})"`)

// script reads the JSON of one script element.
func (d *linkedData) script(s string) {
	if len(s) > maxScript {
		return
	}
	s = strings.TrimSpace(s)
	for _, wrap := range []string{"<!--", "//<![CDATA[", "/*<![CDATA[*/", "<![CDATA["} {
		s = strings.TrimSpace(strings.TrimPrefix(s, wrap))
	}
	for _, wrap := range []string{"-->", "//]]>", "/*]]>*/", "]]>", ";"} {
		s = strings.TrimSpace(strings.TrimSuffix(s, wrap))
	}
	var v any
	if err := json.Unmarshal(rawBreaks([]byte(s)), &v); err != nil {
		if m := typed.FindStringSubmatch(s); m != nil {
			d.add(m[1])
		}
		return
	}
	d.thing(v, 0)
}

// rawBreaks makes line breaks and tabs blanks, as they are common, and
// forbidden, inside the strings of such JSON.
func rawBreaks(b []byte) []byte {
	return bytes.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, b)
}

// thing reads an object of JSON-LD, or a list of them.
func (d *linkedData) thing(v any, depth int) {
	if depth > maxNested {
		return
	}
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			d.thing(e, depth+1)
		}
	case map[string]any:
		switch t := v["@type"].(type) {
		case string:
			d.add(t)
		case []any:
			for _, e := range t {
				if s, ok := e.(string); ok {
					d.add(s)
				}
			}
		}
		if s, ok := v["articleBody"].(string); ok && d.article == "" {
			d.article = unmarked(s)
		}
		d.thing(v["@graph"], depth+1)
		d.thing(v["mainEntity"], depth+1)
	}
}

// unmarked is the text of a value that may be HTML.
func unmarked(s string) string {
	if !strings.Contains(s, "<") {
		return s
	}
	root, _ := tree(s)
	var b strings.Builder
	for _, r := range root.runs() {
		b.WriteString(r.Text + "\n\n")
	}
	return b.String()
}

// add adds the types of a list, each once and without vocabulary or prefix.
func (d *linkedData) add(names string) {
next:
	for _, name := range strings.Fields(names) {
		name = name[strings.LastIndexAny(name, "/#:")+1:]
		if name == "" || len(name) > 80 || len(d.types) == maxTypes {
			continue
		}
		for _, t := range d.types {
			if t == name {
				continue next
			}
		}
		d.types = append(d.types, name)
	}
}
