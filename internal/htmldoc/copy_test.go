package htmldoc

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestCopy(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, body string
		format     Format
		want       string // blocks as in describe
	}{
		{"empty", "", Plain, ""},
		{"plain lines", "A title\n\nFirst line\nSecond line\r\n\r\n  Third\tline  ", Plain,
			"p A title\np First line\np Second line\np Third line"},
		{"plain wrapped", "This paragraph was broken by an editor at a width of seventy\ncharacters, so that its lines are no sentences of their own and\nbelong together.\n\nNext", Plain,
			"p This paragraph was broken by an editor at a width of seventy characters, so that its lines are no sentences of their own and belong together.\np Next"},
		{"plain address", "See https://a.example/x?y=1, or www.b.example.", Plain,
			"p See [https://a.example/x?y=1], or [www.b.example]."},
		{"plain less than", "if a < b and c > d then <nothing>", Plain, "p if a < b and c > d then <nothing>"},
		{"plain dash", "Well - this is\n-not a list", Plain, "p Well - this is\np -not a list"},
		{"html", "<h1>One</h1><p>Two <a href='/t'>three <b>four</b></a> five.</p><ul><li>six<li>seven</ul>", HTML,
			"h1 One\np Two [three four] five.\nli six\nli seven"},
		{"html table", "<table><tr><th>a</th><td><a href=b>c</a></td></tr></table>", HTML, "td a\ntd [c]"},
		{"html inline only", "Just <b>bold</b> and <a href=\"x\">a link</a>.", HTML, "p Just bold and [a link]."},
		{"html with address", "<p>At https://a.example/ and <a href='https://b.example'>https://b.example</a></p>", HTML,
			"p At [https://a.example/] and [https://b.example]"},
		{"html document", "<html><head><title>no</title></head><body><nav>Yes</nav><script>no</script><p>yes", HTML, "p Yes\np yes"},
		{"html entities", "<p>Fish&nbsp;&amp;&nbsp;chips&shy;</p>", HTML, "p Fish & chips"},
		{"html breaks", "<p>a<br>b<br><br>c</p><pre>x\n y</pre>", HTML, "p a\nb\np c\ncode x\ny"},
		{"html adjacent links", "<p><a href=1>a</a><a href=2>b</a> <a href=3>c</a></p>", HTML, "p [a][b] [c]"},
		{"html link over blocks", "<a href=1><h2>Head</h2><p>text</p></a>", HTML, "h2 [Head]\np [text]"},
		{"markdown", "# One\n\nTwo *three* [four](/f) `five`\nsix\n\n* seven\n* eight\n\n> nine", Markdown,
			"h1 One\np Two three [four] five six\nli seven\nli eight\np nine"},
		{"markdown setext", "One\n===\n\nTwo\n---\ntext", Markdown, "h1 One\nh2 Two\np text"},
		{"markdown reference", "A [link][1] and <https://x.example>\n\n## b\n\n[1]: /one", Markdown,
			"p A [link] and [https://x.example]\nh2 b"},
		{"markdown with html", "## One\n\n<p>two <a href=x>three</a></p>\n\nfour", Markdown, "h2 One\np two [three]\np four"},
		{"markdown fence", "```\na  b\n# c\n```\n", Markdown, "code a b\n# c"},
		{"markdown table", "| a | [b](/x) |\n|---|:--|\n| **c** d | e |\n", Markdown, "td a\ntd [b]\ntd c d\ntd e"},
		{"markdown table bare", "a | b\n--|--\nc | see [d](/d), e\n", Markdown, "td a\ntd b\ntd c\ntd see [d], e"},
		{"markdown image", "![alt text](x.png) after\n\n- b", Markdown, "p after\nli b"},
		{"markdown too deep", strings.Repeat("> ", 40) + "a", Markdown, "p " + strings.TrimSpace(strings.Repeat("> ", 40)) + " a"},
		{"invalid utf-8", "<p>a\xffb</p>", HTML, "p a\ufffdb"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c, format := Copy(tt.body)
			if got := describe(t, c.Blocks); got != tt.want || format != tt.format {
				t.Errorf("%s\n%s\nwant %s\n%s", format, got, tt.format, tt.want)
			}
		})
	}
}

// describe writes blocks one a line, links in brackets, and checks the spans.
func describe(t *testing.T, blocks []Block) string {
	t.Helper()
	var lines []string
	for _, b := range blocks {
		name := map[Kind]string{Paragraph: "p", Item: "li", Cell: "td", Code: "code"}[b.Kind]
		if b.Kind == Heading {
			name = fmt.Sprint("h", b.Level)
		}
		text, end := "", 0
		for _, s := range b.Links {
			if s.Start < end || s.End <= s.Start || s.End > len(b.Text) {
				t.Fatalf("span %v in %q", s, b.Text)
			}
			text += b.Text[end:s.Start] + "[" + b.Text[s.Start:s.End] + "]"
			end = s.End
		}
		lines = append(lines, name+" "+text+b.Text[end:])
	}
	return strings.Join(lines, "\n")
}

func TestSections(t *testing.T) {
	t.Parallel()
	c, _ := Copy("<p>a</p><h1>One</h1><h2>Two</h2><p>b</p><ul><li>c</ul><h3>Three</h3>")
	want := []Section{{0, "", "a"}, {1, "One", ""}, {2, "Two", "b\nc"}, {3, "Three", ""}}
	if got := c.Sections(); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%+v", got)
	}
	if got := c.Text(); got != "a\nOne\nTwo\nb\nc\nThree" {
		t.Errorf("%+v", got)
	}
	if got := c.Headings(2); fmt.Sprint(got) != "[Two]" || c.Headings(4) != nil {
		t.Errorf("%+v", got)
	}
}

// TestMarkdownTime holds bodies that make a Markdown parser slow to a bound
// that is wide for slow machines; each takes under a second where it was written.
func TestMarkdownTime(t *testing.T) {
	for _, part := range []string{"[a](", "*a_", "> ", ">", "- ", "1. ", "[a](<b", "![", "`a``b", "a | b\n--|--\n", "* [a](b)\n", "<a ", "# a\n", "[a]: b\n"} {
		full := strings.Repeat(part, maxMarkdown/len(part))
		parts := strings.Repeat(strings.Repeat(part, 600)+"\n\n", maxMarkdown/len(part)/602)
		for _, body := range []string{"# a\n\n" + full, "# a\n\n" + parts} {
			start := time.Now()
			Copy(body)
			if took := time.Since(start); took > time.Minute {
				t.Errorf("%d times %q took %v", len(body)/len(part), part, took)
			} else if took > time.Second/2 {
				t.Logf("%q: %v", part, took)
			}
		}
	}
}

// essay is a body of about 2,000 words.
func essay(format Format) string {
	var b strings.Builder
	for i := range 20 {
		p := strings.Repeat("The kettle sings before the water boils & nobody knows why it does so. ", 3)
		if format == HTML {
			fmt.Fprintf(&b, "<h2 class=\"head\">Part %d</h2>\n<p>%s<a href=\"/tea/%d\">More on tea</a> and <strong>%s</strong></p>\n<ul><li>%s</li></ul>\n", i, p, i, p, p[:80])
		} else {
			fmt.Fprintf(&b, "## Part %d\n\n%s[More on tea](/tea/%d) and **%s**\n\n* %s\n\n", i, p, i, p[:len(p)-1], p[:80])
		}
	}
	return b.String()
}

func BenchmarkCopy(b *testing.B) {
	for _, format := range []Format{HTML, Markdown} {
		body := essay(format)
		c, _ := Copy(body)
		b.Run(string(format), func(b *testing.B) {
			b.ReportAllocs()
			b.ReportMetric(float64(len(strings.Fields(c.Text()))), "words")
			for b.Loop() {
				Copy(body)
			}
		})
	}
}
