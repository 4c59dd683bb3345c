package htmldoc

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

func seed(f *testing.F, add func([]byte)) {
	pages, _ := filepath.Glob("testdata/pages/*.html")
	for _, name := range pages {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		add(b)
	}
	for _, make := range hostile {
		add([]byte(make(300)))
	}
}

func FuzzParse(f *testing.F) {
	seed(f, func(b []byte) { f.Add(b, "text/html", "https://site.example/a/b") })
	f.Add([]byte("\xff\xfea\x00"), "text/html; charset=utf-16", "")
	f.Fuzz(func(t *testing.T, b []byte, contentType, pageURL string) {
		p := Parse(b, contentType, pageURL)
		check(t, p.Blocks)
		for _, s := range []string{p.Title, p.Description, p.Canonical, p.Language} {
			if !utf8.ValidString(s) {
				t.Errorf("%q is not UTF-8", s)
			}
		}
		for _, l := range p.Links {
			u, err := url.Parse(l.URL)
			if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.Fragment != "" || u.User != nil {
				t.Errorf("link %q: %v", l.URL, err)
			}
			if !utf8.ValidString(l.Text) || len(l.Text) > maxLabel*4 {
				t.Errorf("label %q", l.Text)
			}
		}
	})
}

func FuzzCopy(f *testing.F) {
	seed(f, func(b []byte) { f.Add(string(b)) })
	for _, s := range []string{"# a\n\nb [c](d)", "a | [b](c)\n--|--\nd | e", "> - a\n\n```\nb", "www.a.example https://b.example/)", "line\nline\n\nline"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c, format := Copy(s)
		if format != HTML && format != Markdown && format != Plain {
			t.Errorf("format %q", format)
		}
		check(t, c.Blocks)
		n := 0
		for _, section := range c.Sections() {
			n += len(section.Heading) + len(section.Text)
		}
		if n > len(c.Text()) {
			t.Errorf("sections have %d bytes, the text %d", n, len(c.Text()))
		}
	})
}

// check holds blocks to what their documentation promises.
func check(t *testing.T, blocks []Block) {
	t.Helper()
	for _, b := range blocks {
		if b.Text == "" || strings.Trim(b.Text, " \n\t") != b.Text || !utf8.ValidString(b.Text) || strings.Contains(b.Text, "  ") {
			t.Errorf("text %q", b.Text)
		}
		if (b.Kind == Heading) != (b.Level >= 1 && b.Level <= 6) || b.Kind == Heading && strings.Contains(b.Text, "\n") {
			t.Errorf("%s %d %q", b.Kind, b.Level, b.Text)
		}
		end := 0
		for _, s := range b.Links {
			if s.Start < end || s.End <= s.Start || s.End > len(b.Text) || !utf8.ValidString(b.Text[s.Start:s.End]) {
				t.Errorf("link %v in %q", s, b.Text)
				break
			}
			end = s.End
		}
	}
}
