package htmldoc

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"
)

func TestCharset(t *testing.T) {
	t.Parallel()
	meta := func(charset, text string) string {
		return `<meta charset="` + charset + `"><title>` + text + "</title>"
	}
	tests := []struct {
		name, contentType, doc string
		enc                    encoding.Encoding // of the bytes; nil is UTF-8
		want                   string
	}{
		{"utf-8 meta", "text/html", meta("utf-8", "Grüße"), nil, "Grüße"},
		{"utf-8 undeclared", "", "<title>Grüße</title>", nil, "Grüße"},
		{"utf-8 declared late", "text/html", "<!--" + strings.Repeat("x", 2000) + "--><title>Grüße</title>", nil, "Grüße"},
		{"utf-8 declared Western", "", meta("iso-8859-1", "Grüße 茶"), nil, "Grüße 茶"},
		{"Western undeclared", "", "<title>Grüße</title>", charmap.Windows1252, "Grüße"},
		{"header", "text/html; charset=windows-1251", "<title>Чай</title>", charmap.Windows1251, "Чай"},
		{"header before meta", "text/html; charset=koi8-r", meta("windows-1251", "Чай"), charmap.KOI8R, "Чай"},
		{"header unknown", "text/html; charset=x-none", meta("windows-1251", "Чай"), charmap.Windows1251, "Чай"},
		{"meta", "text/html", meta("Shift_JIS", "緑茶"), japanese.ShiftJIS, "緑茶"},
		{"meta http-equiv", "text/html", `<meta http-equiv=content-type content="text/html; charset=euc-jp"><title>緑茶</title>`, japanese.EUCJP, "緑茶"},
		{"byte order mark", "text/html; charset=utf-8", "<title>緑茶</title>", unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), "緑茶"},
		{"utf-8 byte order mark", "text/html; charset=windows-1252", "\ufeff<title>緑茶</title>", nil, "緑茶"},
		{"xml declaration", "", `<?xml version="1.0" encoding="windows-1251"?><title>Чай</title>`, charmap.Windows1251, "Чай"},
		{"damaged", "text/html; charset=utf-8", "<title>a\xffb</title>", nil, "a\ufffdb"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			doc := tt.doc
			if tt.enc != nil {
				var err error
				if doc, err = tt.enc.NewEncoder().String(doc); err != nil {
					t.Fatal(err)
				}
			}
			if got := Parse([]byte(doc), tt.contentType, "").Title; got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func TestHead(t *testing.T) {
	t.Parallel()
	tests := []struct{ doc, want string }{
		{"<title> A\n b </title><title>c</title>", "title=A b"},
		{"<svg><title>icon</title></svg><title>page</title>", "title=page"},
		{"<meta property=og:title content=shared>", "title=shared"},
		{"<title></title><h1>head</h1><p>text", "title=head"},
		{"<title>a&amp;b <b>c</b></title>", "title=a&b <b>c</b>"},
		{"<title>" + strings.Repeat("é", 1500) + "</title>", "title=" + strings.Repeat("é", 1000)},
		{"<meta name=Description content=' d  e '>", "description=d e"},
		{"<meta name=description property=og:description content=both>", "description=both"},
		{"<meta property=og:description content=shared><meta name=description content=own>", "description=own"},
		{"<meta name=robots content='max-snippet:-1, NOINDEX'>", "noindex"},
		{"<meta name=googlebot content=none>", "noindex nofollow"},
		{"<meta name=robots content='index,follow'>", ""},
		{"<meta name=robots content='noindex nofollow'>", "noindex nofollow"},
		{"<meta name=robots content='max-image-preview: none, follow'>", ""},
		{"<html lang=pt-BR>", "language=pt"},
		{"<html lang=' '><meta http-equiv=content-language content=sv>", "language=sv"},
		{"<meta property=og:locale content=nl_NL>", "language=nl"},
		{"<html xml:lang=it>", "language=it"},
		{"<html lang=nonsense-code-here>", ""},
		{"<link rel='x CANONICAL' href='../b?c#d'>", "canonical=https://site.example/b?c"},
		{"<base href=/base/><link rel=canonical href=b>", "canonical=https://site.example/base/b"},
		{"<link rel=canonical href='ftp://site.example/'>", ""},
		{"<link rel=canonical href='javascript:alert(1)'>", ""},
	}
	for _, tt := range tests {
		p := Parse([]byte(tt.doc), "text/html; charset=utf-8", "https://site.example/a/page")
		var got []string
		for _, f := range []struct{ name, value string }{{"title", p.Title}, {"description", p.Description},
			{"language", p.Language}, {"canonical", p.Canonical}} {
			if f.value != "" {
				got = append(got, f.name+"="+f.value)
			}
		}
		if p.NoIndex {
			got = append(got, "noindex")
		}
		if p.NoFollow {
			got = append(got, "nofollow")
		}
		if got := strings.Join(got, " "); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.doc[:min(len(tt.doc), 80)], got, tt.want)
		}
	}
}

func TestTypes(t *testing.T) {
	t.Parallel()
	tests := []struct{ doc, want string }{
		{ld(`{"@type":"Recipe","author":{"@type":"Person"}}`), "[Recipe]"},
		{ld(`[{"@type":"schema:Article"},{"@type":["Product","Thing"]}]`), "[Article Product Thing]"},
		{ld(`{"@graph":[{"@type":"WebPage","mainEntity":{"@type":"FAQPage"}}]}`), "[WebPage FAQPage]"},
		{ld(`{"@type":"https://schema.org/HowTo","name":"a` + "\n\t" + `b"}`), "[HowTo]"},
		{ld(`//<![CDATA[` + "\n" + `{"@type":"Event"};` + "\n" + `//]]>`), "[Event]"},
		{ld(`{"@type":"Event", broken`), "[Event]"},
		{ld(`null`) + ld(``) + ld(`"@type"`), "[]"},
		{`<script type="application/json">{"@type":"Event"}</script>`, "[]"},
		{`<div itemscope itemtype="https://schema.org/Product https://other.example/Thing"><div itemprop=offers itemscope itemtype="https://schema.org/Offer">`, "[Product Thing]"},
		{`<div itemscope itemtype="https://schema.org/WebPage"><div itemprop=mainEntity itemscope itemtype="https://schema.org/Article">`, "[WebPage Article]"},
		{`<div vocab="https://schema.org/" typeof="Movie"><span property=director typeof=Person>`, "[Movie]"},
	}
	for _, tt := range tests {
		if got := fmt.Sprint(Parse([]byte(tt.doc), "", "").Types); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.doc, got, tt.want)
		}
	}
}

func TestLinks(t *testing.T) {
	t.Parallel()
	tests := []struct{ html, want string }{
		{`<a href="b">c <b>d</b></a>`, "https://site.example/a/b|c d"},
		{`<a href="/x y/?q=a b#f">g</a>`, "https://site.example/x%20y/?q=a b|g"},
		{`<a href="//OTHER.example:443">h</a>`, "https://other.example/|h"},
		{`<a href="http://other.example:80/i">i</a>`, "http://other.example/i|i"},
		{`<a href="http://other.example:8080/i">i</a>`, "http://other.example:8080/i|i"},
		{"<a href=' https://site.exam\nple/j '>j</a>", "https://site.example/j|j"},
		{`<a href="?page=2">2</a>`, "https://site.example/a/page?page=2|2"},
		{`<a href="k"><img alt="a picture"></a>`, "https://site.example/a/k|"},
		{`<a href="l"><div>m</div><div>n</div></a>`, "https://site.example/a/l|m n"},
		{`<a href="#top">o</a><a href="">p</a><a>q</a><a name="r">r</a>`, ""},
		{`<a href="mailto:a@b.example">s</a><a href="javascript:x()">t</a><a href="tel:1">u</a><a href="data:,v">v</a>`, ""},
		{`<a href="https://user:pass@site.example/">w</a>`, ""},
		{`<a href="https:///path">x</a><a href="http://[::1">y</a><a href="%zz">z</a>`, ""},
		{`<a href="/` + strings.Repeat("a", maxURL) + `">long</a>`, ""},
		{`<map><area href="area"></map>`, "https://site.example/a/area|"},
	}
	for _, tt := range tests {
		var got []string
		for _, l := range Parse([]byte(tt.html), "", "https://site.example/a/page").Links {
			got = append(got, l.URL+"|"+l.Text)
		}
		if got := strings.Join(got, " "); got != tt.want {
			t.Errorf("%.60s: %q, want %q", tt.html, got, tt.want)
		}
	}
	if got := Parse([]byte(`<a href=/a>a</a><a href=http://b.example>b</a>`), "", "").Links; len(got) != 1 {
		t.Errorf("without an address of the page: %v", got)
	}
	if got := Parse([]byte(strings.Repeat(`<a href=/a>a</a>`, maxLinks+5)), "", "http://a.example").Links; len(got) != maxLinks {
		t.Errorf("%d links", len(got))
	}
}

func TestPlainPage(t *testing.T) {
	t.Parallel()
	p := Parse([]byte("A note\n\nThis is <b>no</b> HTML, but a text that somebody put on a server in plain letters."), "text/plain; charset=utf-8", "")
	if len(p.Blocks) != 2 || p.Blocks[1].Text != "This is <b>no</b> HTML, but a text that somebody put on a server in plain letters." || p.Language != "en" {
		t.Errorf("%+v", p)
	}
}

// TestDeep holds that text in deep elements is kept, and that their end tags
// close no others.
func TestDeep(t *testing.T) {
	t.Parallel()
	for _, tag := range []string{"div", "span", "b", "ul", "custom-element", "section"} {
		doc := strings.Repeat("<"+tag+">", 5000) + "<p>deep inside</p>" + strings.Repeat("</"+tag+">", 5000) + "<h1>after</h1><p>all of it</p>"
		p := Parse([]byte(doc), "", "")
		if got := p.Text(); !strings.HasPrefix(got, "after") && got != "deep inside\nafter\nall of it" {
			t.Errorf("%s: %q", tag, got)
		}
		root, cut := tree(doc)
		depth := 0
		root.all(func(n *node) bool {
			d := 0
			for ; n != nil; n = n.parent {
				d++
			}
			depth = max(depth, d)
			return true
		})
		if depth > maxDepth+2 || cut {
			t.Errorf("%s: depth %d", tag, depth)
		}
	}
}

func TestCut(t *testing.T) {
	t.Parallel()
	big := []byte("<title>a</title><p>" + strings.Repeat("b ", maxPage/2) + "<p>end")
	if p := Parse(big, "", ""); !p.Cut || p.Title != "a" || strings.Contains(p.Text(), "end") {
		t.Errorf("%d bytes: cut %v", len(big), p.Cut)
	}
	many := []byte(strings.Repeat("<p>b", maxNodes))
	if p := Parse(many, "", ""); !p.Cut || len(p.Blocks) < maxNodes/3 {
		t.Errorf("%d blocks, cut %v", len(p.Blocks), p.Cut)
	}
}

// TestTree shows how damaged mark-up is read.
func TestTree(t *testing.T) {
	t.Parallel()
	tests := []struct{ html, want string }{
		{"<p>a<p>b", "(p a)(p b)"},
		{"<p>a<div>b</div>c</p>", "(p a)(div b)c"},
		{"<ul><li>a<ul><li>b</ul><li>c</ul>", "(ul (li a(ul (li b)))(li c))"},
		{"<dl><dt>a<dd>b<dt>c</dl>", "(dl (dt a)(dd b)(dt c))"},
		{"<table><tr><td>a<td>b<tr><td>c</table>d", "(table (tr (td a)(td b))(tr (td c)))d"},
		{"<table><tbody><tr><th>a<tbody><tr><td>b", "(table (tbody (tr (th a)))(tbody (tr (td b))))"},
		{"<td><div>a</td></div>b", "(td (div a))b"},
		{"<div><table><tr><td></div>a</table>b", "(div (table (tr (td a)))b)"},
		{"<b><p>a</b>b</p>c", "(b (p ab)c)"},
		{"<h1>a<h2>b</h1>c", "(h1 a)(h2 b)c"},
		{"<a>b<a>c", "(a b)(a c)"},
		{"<p><button><p>a</button>b", "(p (button (p a))b)"},
		{"<svg>a<circle/>b<p>c", "(svg a(? )b)(p c)"},
		{"<x-a>a<x-b>b</x-a>c", "(? a(? b))c"},
		{"</p></div>a</br>b", "a(br )b"},
		{"<body class=a><body id=b>c</body>d", "cd"},
		{"<option>a<li>b</option>c", "(option a(li b))c"},
		{"a<!-- b -->c<!doctype d><?e?>f", "acf"},
	}
	for _, tt := range tests {
		root, _ := tree(tt.html)
		if got := paint(root); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.html, got, tt.want)
		}
	}
}

func paint(n *node) (s string) {
	for c := n.first; c != nil; c = c.next {
		switch {
		case c.text != "":
			s += c.text
		case c.tag == 0:
			s += "(? " + paint(c) + ")"
		default:
			s += "(" + c.tag.String() + " " + paint(c) + ")"
		}
	}
	return s
}
