package insight

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/contentgraph/contentgraph/internal/crawl"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// TestRealWeb fetches pages over HTTP: 12 that are good, and a robots.txt, an
// outage and a broken encoding that are not.
func TestRealWeb(t *testing.T) {
	both(t, func(t *testing.T, in *installation) {
		planted(in.web, 12)
		served := map[string]string{}
		for address, html := range in.web.pages {
			u, err := url.Parse(address)
			if err != nil {
				t.Fatal(err)
			}
			served["/"+u.Hostname()] = html
		}
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			html, ok := served[r.URL.Path]
			switch {
			case ok:
				w.Header().Set("Content-Type", "text/html; charset=utf-8")
				fmt.Fprint(w, html)
			case r.URL.Path == "/robots.txt":
				fmt.Fprint(w, "User-agent: *\nDisallow: /private")
			case r.URL.Path == "/outage":
				w.WriteHeader(http.StatusBadGateway)
			case r.URL.Path == "/encoding":
				w.Header().Set("Content-Encoding", "gzip")
				fmt.Fprint(w, "no gzip")
			}
		}))
		defer server.Close()
		allow, err := crawl.ParseAllow("127.0.0.0/8:1-65535")
		if err != nil {
			t.Fatal(err)
		}
		fetcher := crawl.New(allow)
		fetcher.Delay = 0
		defer fetcher.Close()
		in.pages.fetch = fetcher.Fetch

		var urls []any
		for i := range 12 {
			urls = append(urls, fmt.Sprintf("%s/page%d.example", server.URL, i))
		}
		bad := []string{server.URL + "/private/x", server.URL + "/outage", server.URL + "/encoding"}
		for _, u := range bad {
			urls = append(urls, u)
		}
		i := in.make(ask(coldBrew(urls...), "HTML_HEADING2_COMMON"))["HTML_HEADING2_COMMON"]
		if deref(i.Status) != vocab.InsightPartly || !strings.HasPrefix(deref(i.ErrorMessage), "3 of 15 pages could not be read: ") {
			t.Fatalf("%s: %s", deref(i.Status), deref(i.ErrorMessage))
		}
		for _, u := range bad {
			if !strings.Contains(deref(i.ErrorMessage), u+" (") {
				t.Errorf("%q does not name %s", deref(i.ErrorMessage), u)
			}
		}
		g := i.Guidance.(PhraseGuidance)
		if !slices.ContainsFunc(g.Phrases, func(p PhraseFound) bool { return p.Phrase == "paper cone" && p.Pages == 7 && g.Pages == 12 }) {
			t.Errorf("want the paper cone on 7 of 12 pages: %+v", g)
		}
	})
}
