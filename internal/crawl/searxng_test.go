package crawl

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestSearXNG(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status     int
		body, want string // results, or the error
	}{
		"results":      {200, `{"results":[{"url":"https://a.example/","title":"A"},{"url":"javascript:x"},{"url":"https://b.example/"}]}`, "[{https://a.example/ A} {https://b.example/ }]"},
		"nothing":      {200, `{"results":[]}`, "[]"},
		"engines down": {200, `{"results":[],"unresponsive_engines":[["google","timeout"]]}`, "none of its engines"},
		"rate limit":   {429, ``, "too many requests"},
		"no json":      {403, ``, "allow the format json"},
		"outage":       {503, `<html>`, "status 503"},
		"html":         {200, `<html>`, "did not answer in JSON"},
		"endless":      {200, `{"results":[` + strings.Repeat(`{"url":"https://a.example/"},`, 100_000), "did not answer in JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asked := ""
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked = r.URL.String()
				w.WriteHeader(c.status)
				fmt.Fprint(w, c.body)
			}))
			defer server.Close()
			list, err := NewSearXNG(server.URL+"/sx/").Search(context.Background(), "cold brew", "en", "us")
			if got := fmt.Sprint(list); err == nil && got != c.want || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, %v; want %q", list, err, c.want)
			}
			if asked != "/sx/search?categories=general&format=json&language=en-US&pageno=1&q=cold+brew" {
				t.Errorf("asked for %s", asked)
			}
		})
	}
	server := httptest.NewServer(nil)
	server.Close()
	if _, err := NewSearXNG(server.URL).Search(context.Background(), "x", "", ""); err == nil || strings.Contains(err.Error(), "127.0.0.1") {
		t.Errorf("an instance that is down: %v", err)
	}
	for address, good := range map[string]bool{"": true, "http://127.0.0.1:8080": true, "ftp://x": false, "x": false, "http://": false} {
		if err := CheckSearXNG(address); (err == nil) != good {
			t.Errorf("%q: %v", address, err)
		}
	}
}
