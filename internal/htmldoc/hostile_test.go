package htmldoc

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
)

// hostile are documents that are small to send and large, deep or slow to read
// for a careless reader. Each makes about n bytes.
var hostile = map[string]func(n int) string{
	"deep div":         func(n int) string { return strings.Repeat("<div>", n/5) },
	"deep div closed":  func(n int) string { return strings.Repeat("<div>", n/11) + "x" + strings.Repeat("</div>", n/11) },
	"deep b":           func(n int) string { return strings.Repeat("<b>", n/3) },
	"deep custom":      func(n int) string { return strings.Repeat("<x-y>a", n/6) },
	"deep table":       func(n int) string { return strings.Repeat("<table><tr><td>", n/15) },
	"deep list":        func(n int) string { return strings.Repeat("<ul><li>a", n/9) },
	"deep form":        func(n int) string { return strings.Repeat("<form><nav>a.", n/13) },
	"formatting again": func(n int) string { return distinct("<font color=%d>", 400) + strings.Repeat("<p>x", n/4) },
	"formatting crossed": func(n int) string {
		return strings.Repeat("<a><b><i><p></a></b></i>x", n/25)
	},
	"unmatched ends": func(n int) string { return strings.Repeat("<div>", 250) + strings.Repeat("</p></li></td></x>", n/18) },
	"paragraphs":     func(n int) string { return strings.Repeat("<p>x", n/4) },
	"deep paragraphs": func(n int) string {
		return strings.Repeat("<div class='comment nav cookie'>", 250) + strings.Repeat("<p>Some text, accept.", n/20)
	},
	"cookies": func(n int) string {
		return strings.Repeat("<div>", 250) + strings.Repeat("<div>cookie <button>no</button>", n/30)
	},
	"links":            func(n int) string { return strings.Repeat("<a href=/a>b</a>", n/16) },
	"nested links":     func(n int) string { return strings.Repeat("<div><a href=#>", n/15) },
	"link labels":      func(n int) string { return strings.Repeat("<a href=#1><div>", 100) + strings.Repeat("a", n) },
	"headings":         func(n int) string { return strings.Repeat("<h2>a</h2>", n/10) },
	"many attributes":  func(n int) string { return "<a " + distinct("a%d ", n/8) + ">" + strings.Repeat("<b c>", n/10) },
	"long attribute":   func(n int) string { return "<a href='" + strings.Repeat("&amp;", n/5) + "'>x" },
	"open attribute":   func(n int) string { return strings.Repeat("<a href=\"", n/9) },
	"class words":      func(n int) string { return "<div class='" + strings.Repeat("aB ", n/3) + "'>x" },
	"many classes":     func(n int) string { return strings.Repeat("<div class='a b c d e f'>x</div>", n/32) },
	"entities":         func(n int) string { return strings.Repeat("&CounterClockwiseContourIntegral", n/32) },
	"less than":        func(n int) string { return strings.Repeat("<", n) },
	"comments":         func(n int) string { return strings.Repeat("<!--", n/4) },
	"scripts":          func(n int) string { return strings.Repeat("<script>", n/8) },
	"json":             func(n int) string { return ld(strings.Repeat("[", n)) },
	"json graph":       func(n int) string { return ld(strings.Repeat(`{"@graph":[`, 40000)) },
	"json scripts":     func(n int) string { return strings.Repeat(ld(`{"@type":"A","mainEntity":{}}`), n/80) },
	"json types":       func(n int) string { return ld(`{"@type":["` + strings.Repeat(`a","`, 100000) + `"]}`) },
	"json text":        func(n int) string { return ld(`{"articleBody":"` + strings.Repeat(`<b>a `, 90000) + `"}`) },
	"svg":              func(n int) string { return strings.Repeat("<svg><title>a", n/13) },
	"line breaks":      func(n int) string { return strings.Repeat("<br>", n/4) },
	"breaks in text":   func(n int) string { return strings.Repeat("a<br>", n/5) },
	"pre":              func(n int) string { return "<pre>" + strings.Repeat("a\n", n/2) },
	"blanks":           func(n int) string { return "a" + strings.Repeat(" \u00a0", n/3) + "b" },
	"nul":              func(n int) string { return strings.Repeat("\x00", n) },
	"invalid utf-8":    func(n int) string { return strings.Repeat("\xff\xfe", n/2) },
	"frames":           func(n int) string { return "<frameset><noframes>" + strings.Repeat("<div>", n/5) },
	"frames of frames": func(n int) string { return strings.Repeat("<frameset><noframes>", n/20) },
	"metas":            func(n int) string { return strings.Repeat("<meta name=robots content='a,b'>", n/32) },
	"base": func(n int) string {
		return "<base href='http://a/" + strings.Repeat("a/", 1000) + "'>" + strings.Repeat("<a href=../b>", n/13)
	},
}

func distinct(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

func ld(s string) string { return `<script type="application/ld+json">` + s + `</script>` }

// TestHostile holds the reader to a time and a memory in proportion to the size
// of a document. The bounds are wide, as machines differ; each case takes well
// under a second where it was written.
func TestHostile(t *testing.T) {
	for name, make := range hostile {
		t.Run(name, func(t *testing.T) {
			doc := []byte(make(maxPage / 2))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			Parse(doc, "text/html", "http://site.example/")
			took := time.Since(start)
			runtime.ReadMemStats(&after)
			used := (after.TotalAlloc - before.TotalAlloc) >> 20
			t.Logf("%v, %d MiB", took.Round(time.Millisecond), used)
			if took > time.Minute || used > 500 {
				t.Errorf("a document of %d bytes took %v and %d MiB", len(doc), took, used)
			}
		})
	}
}
