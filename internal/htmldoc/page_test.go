package htmldoc

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write what is read of testdata/pages to the .txt files")

// TestPages reads pages of common layouts. Beside each page in testdata lies
// what a reader should find in it, one block a line.
func TestPages(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob("testdata/pages/*.html")
	if err != nil || len(pages) < 20 {
		t.Fatalf("%d pages: %v", len(pages), err)
	}
	for _, name := range pages {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got := show(Parse(b, "", "https://site.example/dir/page.html"))
			want := strings.TrimSuffix(name, "html") + "txt"
			if *update {
				if err := os.WriteFile(want, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if b, err = os.ReadFile(want); err != nil {
				t.Fatal(err)
			}
			if string(b) != got {
				t.Errorf("got\n%s\nwant\n%s", got, b)
			}
		})
	}
}

// show writes what was read of a page.
func show(p *Page) string {
	var b strings.Builder
	line := func(name, value string) {
		if value != "" && value != "false" {
			fmt.Fprintf(&b, "%s: %s\n", name, value)
		}
	}
	line("title", p.Title)
	line("description", p.Description)
	line("language", p.Language)
	line("canonical", p.Canonical)
	line("types", strings.Join(p.Types, " "))
	line("noindex", fmt.Sprint(p.NoIndex))
	line("nofollow", fmt.Sprint(p.NoFollow))
	line("whole", fmt.Sprint(p.Whole))
	b.WriteString("\n")
	for _, block := range p.Blocks {
		name := string(block.Kind)
		if block.Kind == Heading {
			name = fmt.Sprint("h", block.Level)
		}
		line(name, strings.ReplaceAll(block.Text, "\n", " ↵ "))
	}
	b.WriteString("\n")
	for _, l := range p.Links {
		place := "link"
		if l.Main {
			place = "main link"
		}
		line(place, l.URL+" "+l.Text)
	}
	return b.String()
}

// BenchmarkParse reads as many pages as an insight looks at, of 100 KB each.
func BenchmarkParse(b *testing.B) {
	page, err := os.ReadFile("testdata/pages/article.html")
	if err != nil {
		b.Fatal(err)
	}
	head, rest, _ := strings.Cut(string(page), "<h2>What to do")
	doc := []byte(head + strings.Repeat("<p class=\"text text--wide\">The <b>kettle</b> sings before the water boils, and <a href=\"/why\">nobody</a> knows why.</p>\n", 850) + "<h2>What to do" + rest)
	b.ReportAllocs()
	b.SetBytes(int64(15 * len(doc)))
	for b.Loop() {
		for range 15 {
			Parse(doc, "text/html", "https://site.example/page")
		}
	}
}

// TestShortPages reads pages with hardly any text, as navigation must never
// stand in for what is missing.
func TestShortPages(t *testing.T) {
	t.Parallel()
	const around = `<html><body><nav><a href=/n>Navigation</a> Menu words that are long enough to be read as text, if one did.</nav>%s
		<div class="cookie-consent">We use cookies on this page. Accept?</div>
		<footer><h2>Footer</h2>All about us and the company that runs this page, at great length and in detail.</footer></body></html>`
	for body, want := range map[string]string{
		"":                                   "",
		"<p>Short.</p>":                      "p Short.",
		"<h1>One</h1>":                       "h1 One",
		"<h1>One</h1><h2>Two</h2><h3>3</h3>": "h1 One\nh2 Two\nh3 3",
		"<main><h1>One</h1><p>Some words here.</p><h2>Last</h2></main>":           "h1 One\np Some words here.\nh2 Last",
		"<h1>One</h1><p>a</p><h2>Two</h2><p>b</p><h3>Three</h3><p>c</p>":          "h1 One\np a\nh2 Two\np b\nh3 Three\np c",
		"<header><h1>Logo</h1></header><div><h1>One</h1><p>Some words.</p></div>": "h1 One\np Some words.",
		"<div><span>one</span> <span>two</span></div>":                            "p one two",
		"just text": "p just text",
	} {
		p := Parse(fmt.Appendf(nil, around, body), "", "")
		if got := describe(t, p.Blocks); got != want {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}
