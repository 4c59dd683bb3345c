package crawl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"runtime"
	"strings"
	"testing"
	"time"
)

// list reads a sitemap into lines of address and date.
func (s *site) list(t *testing.T, path string, limit int) ([]string, error) {
	t.Helper()
	var all []string
	err := s.fetcher.Sitemap(t.Context(), s.url+path, limit, func(e Entry) bool {
		line := strings.TrimPrefix(e.URL, s.url)
		if !e.Modified.IsZero() {
			line += " " + e.Modified.Format("2006-01-02T15:04:05")
		}
		all = append(all, line)
		return true
	})
	return all, err
}

func TestSitemap(t *testing.T) {
	t.Parallel()
	const head = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"
	tests := []struct{ name, sitemap, want string }{
		{"plain", head + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
			<url><loc> /a </loc><lastmod>2026-02-01</lastmod><changefreq>daily</changefreq></url>
			<url><lastmod>2026-02-01T10:30:00+02:00</lastmod><loc>/b?c=d&amp;e=&#102;</loc></url></urlset>`, "/a 2026-02-01T00:00:00,/b?c=d&e=f 2026-02-01T08:30:00"},
		{"prefix", head + `<s:urlset xmlns:s="x"><s:url><s:loc>/a</s:loc></s:url></s:urlset>`, "/a"},
		{"images and languages", head + `<urlset><url><loc>/a</loc><image:image><image:loc>/no.jpg</image:loc><image:title>t</image:title></image:image>
			<xhtml:link rel="alternate" hreflang="de" href="/no"/><video:video><video:content_loc>/no.mp4</video:content_loc></video:video><lastmod>2026</lastmod></url><url><loc>/b</loc></url></urlset>`, "/a 2026-01-01T00:00:00,/b"},
		{"cdata", `<urlset><url><loc><![CDATA[/a?b&c]]></loc></url></urlset>`, "/a?b&c"},
		{"comments", `<!-- a --><urlset><!-- <url><loc>/no</loc></url> --><url><loc>/a<!-- b --></loc></url></urlset>`, "/a"},
		{"twice", `<urlset><url><loc>/a</loc></url><url><loc>/a#b</loc></url></urlset>`, "/a"},
		{"bad addresses", `<urlset><url><loc>ftp://a.example/</loc></url><url><loc></loc></url><url></url><url><loc>http://10.0.0.1/</loc></url><url><loc>http://u@a.example/</loc></url><url><loc>/a</loc></url></urlset>`, "/a"},
		{"bad dates", `<urlset><url><loc>/a</loc><lastmod>yesterday</lastmod></url><url><loc>/b</loc><lastmod>2026-02-30</lastmod></url><url><loc>/c</loc><lastmod>2026-02</lastmod></url></urlset>`, "/a,/b,/c 2026-02-01T00:00:00"},
		{"damaged", `<urlset><url><loc>/a</loc></url><url><loc>/b<url><loc>/c</loc></url><url><loc>/d`, "/a,/c"},
		{"entities", `<!DOCTYPE u [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;"><!ENTITY x SYSTEM "file:///etc/passwd">]><urlset><url><loc>/a&b;&x;</loc></url></urlset>`, "/a&b;&x;"},
		{"text", "/a\n\n/b\r\nnot an address at all?\n", "/a,/b,/not%20an%20address%20at%20all?"},
		{"upper case", `<URLSET><URL><LOC>/A</LOC></URL></URLSET>`, "/A"},
		{"html", `<html><body><a href="/no">x</a></body></html>`, ""},
		{"empty", "", ""},
	}
	for _, tt := range tests {
		for _, packed := range []string{"", "gzip", "encoded"} {
			t.Run(tt.name+packed, func(t *testing.T) {
				t.Parallel()
				s := pages(t, map[string]http.HandlerFunc{"/sitemap.xml": func(w http.ResponseWriter, r *http.Request) {
					b := []byte(tt.sitemap)
					if packed == "encoded" {
						w.Header().Set("Content-Encoding", "gzip")
					}
					if packed != "" {
						b = pack(t, "gzip", b)
					}
					w.Write(b)
				}})
				got, err := s.list(t, "/sitemap.xml", 100)
				if got := strings.Join(got, ","); err != nil || got != tt.want {
					t.Errorf("%q, %v, want %q", got, err, tt.want)
				}
			})
		}
	}
}

func index(paths ...string) string {
	s := `<sitemapindex>`
	for _, p := range paths {
		s += `<sitemap><loc>` + p + `</loc><lastmod>2026-02-01</lastmod></sitemap>`
	}
	return s + `</sitemapindex>`
}

func urls(paths ...string) string {
	s := `<urlset>`
	for _, p := range paths {
		s += `<url><loc>` + p + `</loc></url>`
	}
	return s + `</urlset>`
}

func TestSitemapIndex(t *testing.T) {
	t.Parallel()
	s := pages(t, map[string]http.HandlerFunc{
		"/index":      text(index("/one.xml", "/missing.xml", "/inner", "/index", "/one.xml", "http://10.0.0.1/x", "/private/x")),
		"/inner":      text(index("/two.xml", "/index")),
		"/one.xml":    text(urls("/a", "/b")),
		"/two.xml":    func(w http.ResponseWriter, r *http.Request) { w.Write(pack(t, "gzip", []byte(urls("/b", "/c", "/d")))) },
		"/robots.txt": text("User-agent: *\nDisallow: /private\nSitemap: /index\nSitemap: https://other.example/s.xml\n"),
	})
	got, err := s.list(t, "/index", 100)
	if fmt.Sprint(got) != "[/a /b /c /d]" || err == nil {
		t.Errorf("%v, %v", got, err)
	}
	var f *Failure
	if !errors.As(err, &f) || f.Status != 404 || !strings.Contains(err.Error(), "does not allow") {
		t.Errorf("%v", err)
	}
	if got, err = s.list(t, "/index", 3); fmt.Sprint(got) != "[/a /b /c]" {
		t.Errorf("%v, %v", got, err)
	}
	if got, err = s.list(t, "/one.xml", 2); fmt.Sprint(got) != "[/a /b]" || err != nil {
		t.Errorf("%v, %v", got, err)
	}
	n := 0
	err = s.fetcher.Sitemap(t.Context(), s.url+"/one.xml", 100, func(Entry) bool { n++; return false })
	if n != 1 || err != nil {
		t.Errorf("%d entries after the first was enough: %v", n, err)
	}
	_, err = s.list(t, "/missing.xml", 100)
	wantReason(t, err, Status)
	_, err = s.list(t, "/private/x", 100)
	wantReason(t, err, Robots)
	if _, err = s.list(t, "ftp", 100); err == nil {
		t.Error("no address at all")
	}
	ctx, cancel := context.WithCancel(t.Context())
	err = s.fetcher.Sitemap(ctx, s.url+"/index", 100, func(Entry) bool { cancel(); return true })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("after the caller left: %v", err)
	}

	at, err := s.fetcher.Sitemaps(t.Context(), s.url+"/any/page")
	if fmt.Sprint(at) != "["+s.url+"/index https://other.example/s.xml]" || err != nil {
		t.Errorf("%v, %v", at, err)
	}
	bare := pages(t, nil)
	if at, err = bare.fetcher.Sitemaps(t.Context(), bare.url); fmt.Sprint(at) != "["+bare.url+"/sitemap.xml]" || err != nil {
		t.Errorf("%v, %v", at, err)
	}
}

// TestHostileSitemaps holds time and memory to bounds that are wide for slow machines.
func TestHostileSitemaps(t *testing.T) {
	const size = 60 << 20
	repeat := func(part string) http.HandlerFunc {
		block := []byte(strings.Repeat(part, 1+64<<10/len(part)))
		return func(w http.ResponseWriter, r *http.Request) {
			for n := 0; n < size; n += len(block) {
				if _, err := w.Write(block); err != nil {
					return
				}
			}
		}
	}
	bomb := pack(t, "gzip", make([]byte, size))
	s := pages(t, map[string]http.HandlerFunc{
		"/deep":     repeat("<url><a>"),
		"/tag":      repeat("<aaaaaaaa"),
		"/text":     repeat("aaaaaaaa"),
		"/many":     repeat("<url><loc>/a</loc></url>"),
		"/maps":     repeat("<sitemap><loc>/a</loc></sitemap>"),
		"/comment":  repeat("<!--"),
		"/entity":   repeat("<url><loc>&amp;&lt;</loc>"),
		"/newlines": repeat("\n"),
		"/bomb":     func(w http.ResponseWriter, r *http.Request) { w.Write(bomb) },
		"/bombs": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(pack(t, "gzip", bomb))
		},
		"/loop": func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, index("/loop?"+r.URL.RawQuery+"a", "/loop?"+r.URL.RawQuery+"b"))
		},
	})
	for path, most := range map[string]int{"/deep": 0, "/tag": 0, "/text": 0, "/many": 1, "/maps": 0, "/comment": 0, "/entity": 1, "/newlines": 0, "/bomb": 0, "/bombs": 0, "/loop": 0} {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		start := time.Now()
		n := 0
		err := s.fetcher.Sitemap(t.Context(), s.url+path, 10, func(Entry) bool { n++; return true })
		runtime.ReadMemStats(&after)
		took, held := time.Since(start), int64(after.HeapInuse-before.HeapInuse)>>20
		t.Logf("%s: %d entries, %v, %v", path, n, took, err)
		if n > most || took > 2*time.Minute || held > 100 {
			t.Errorf("%s: %d entries, %v, %d MiB", path, n, took, held)
		}
	}
}

func TestEntriesOfOneFile(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("<urlset>")
	for i := range maxEntries + 10 {
		fmt.Fprintf(&b, "<url><loc>/%d</loc></url>", i)
	}
	for _, content := range []string{b.String(), strings.ReplaceAll(strings.ReplaceAll(strings.TrimPrefix(b.String(), "<urlset>"), "<url><loc>", "\n"), "</loc></url>", "")} {
		n := 0
		s := siteReader{fetcher: New(nil), each: func(Entry) bool { n++; return true }}
		if err := s.parse(strings.NewReader(content), &url.URL{Scheme: "http", Host: "a.example"}); err != nil || n > maxEntries || n < maxEntries-1 {
			t.Errorf("%d entries, %v", n, err)
		}
	}
}
