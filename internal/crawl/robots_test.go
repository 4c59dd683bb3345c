package crawl

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestRobots(t *testing.T) {
	t.Parallel()
	const none = "/"
	tests := []struct{ name, robots, allowed, refused string }{
		{"empty", "", "/ /a", ""},
		{"all", "User-agent: *\nDisallow: /", "/robots.txt", "/ /a"},
		{"path", "User-agent: *\nDisallow: /a\nAllow: /a/b", "/ /b /a/b /a/bc", "/a /ab /a/c"},
		{"longest wins", "User-agent: *\nAllow: /a/\nDisallow: /a/b/", "/a/c", "/a/b/c"},
		{"equal length", "User-agent: *\nDisallow: /a\nAllow: /a", "/a", ""},
		{"wildcard", "User-agent: *\nDisallow: /*.pdf$\nDisallow: /*?print", "/a.pdfs /a", "/a.pdf /b/c?print"},
		{"own group", "User-agent: *\nDisallow: /\n\nUser-agent: contentgraph\nDisallow: /own", "/ /a", "/own"},
		{"own group with version", "User-agent: ContentGraph/2.0\nDisallow: /own", "/", "/own"},
		{"other product", "User-agent: content\nDisallow: /\nUser-agent: contentgraphic\nDisallow: /", "/a", ""},
		{"several agents", "User-agent: a\nUser-agent: ContentGraph\nDisallow: /x", "/", "/x"},
		{"rule before group", "Disallow: /\nUser-agent: *\nDisallow: /x", "/", "/x"},
		{"byte order mark", "\ufeffUser-agent: *\nDisallow: /x", "/", "/x"},
		{"line ends", "User-agent: *\rDisallow: /x\r\nDisallow: /y", "/", "/x /y"},
		{"comments", "# a\nUser-agent: * # b\nDisallow: /x # c", "/", "/x"},
		{"escapes", "User-agent: *\nDisallow: /%C3%BC\nDisallow: /ö", "/u", "/%C3%BC /%C3%B6"},
		{"html", "<html><body>Not found</body></html>", "/ /a", ""},
		{"long comment", strings.Repeat("# comment\n", 40_000) + "User-agent: *\nDisallow: /x", "/", "/x"},
		{"beyond the limit", strings.Repeat("#", maxRobots) + "\nUser-agent: *\nDisallow: /x", "/x", ""},
		{"too many wildcards", "User-agent: *\n" + strings.Repeat("Disallow: /*a*b\n", maxWild/4), "", none},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/robots.txt" {
					w.Header().Set("Content-Type", "text/plain")
					io.WriteString(w, tt.robots)
					return
				}
				text("page")(w, r)
			})
			for _, path := range strings.Fields(tt.allowed) {
				if _, err := s.get(t, path); err != nil {
					t.Errorf("%s: %v", path, err)
				}
			}
			for _, path := range strings.Fields(tt.refused) {
				_, err := s.get(t, path)
				wantReason(t, err, Robots)
			}
		})
	}
}

func TestRobotsAnswers(t *testing.T) {
	t.Parallel()
	for code, want := range map[int]Reason{200: "", 204: "", 304: "", 400: "", 401: "", 403: "", 404: "", 410: "", 429: Robots, 500: Robots, 503: Robots,
		301: "", 302: Robots, 307: "", 999: Robots} {
		t.Run(fmt.Sprint(code), func(t *testing.T) {
			t.Parallel()
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				switch path := r.URL.Path; {
				case path == "/rules":
					io.WriteString(w, "User-agent: *\nDisallow: /other")
					return
				case path != "/robots.txt":
					text("page")(w, r)
					return
				}
				switch code {
				case 301:
					w.Header().Set("Location", "/rules")
				case 302: // to where nothing can be fetched
					w.Header().Set("Location", "http://10.0.0.1/robots.txt")
				case 307: // for ever
					w.Header().Set("Location", "/robots.txt")
				}
				w.WriteHeader(code)
			})
			_, err := s.get(t, "/page")
			if want == "" && err != nil {
				t.Error(err)
			} else if want != "" {
				wantReason(t, err, want)
			}
			if _, err := s.get(t, "/other"); code == 301 {
				wantReason(t, err, Robots)
			}
		})
	}
}

func TestRobotsAreRemembered(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	rules := atomic.Value{}
	rules.Store("User-agent: *\nDisallow: /a")
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			asked.Add(1)
			if rules.Load() == "" {
				w.WriteHeader(500)
			}
			io.WriteString(w, rules.Load().(string))
			return
		}
		text("page")(w, r)
	})
	now := time.Date(2026, 2, 2, 10, 0, 0, 0, time.UTC)
	s.fetcher.Now = func() time.Time { return now }
	steps := []struct {
		after time.Duration
		rules string
		asked int32
		want  Reason
	}{
		{0, "User-agent: *\nDisallow: /a", 1, Robots},
		{rulesLast - time.Second, "User-agent: *\nAllow: /", 1, Robots},
		{time.Second, "User-agent: *\nAllow: /", 2, ""},
		{rulesLast, "", 3, Robots},
		{failuresLast - time.Second, "User-agent: *", 3, Robots},
		{time.Second, "User-agent: *", 4, ""},
	}
	for i, step := range steps {
		now = now.Add(step.after)
		rules.Store(step.rules)
		_, err := s.get(t, "/a")
		if step.want == "" && err != nil {
			t.Errorf("step %d: %v", i, err)
		} else if step.want != "" {
			wantReason(t, err, step.want)
		}
		if asked.Load() != step.asked {
			t.Errorf("step %d: asked %d times, want %d", i, asked.Load(), step.asked)
		}
	}
}

// TestRulesAreBounded fills the memory of rules far beyond its bound.
func TestRulesAreBounded(t *testing.T) {
	t.Parallel()
	s := rules{known: make(map[string]*rule)}
	now := time.Now()
	big := []line{{true, strings.Repeat("/", maxRobots)}}
	for i := range 200 {
		s.put(fmt.Sprint("http://", i), &rule{lines: big, until: now.Add(time.Duration(i-100) * time.Second)}, now)
		s.put("http://again", &rule{lines: big, until: now.Add(time.Hour)}, now)
	}
	size := 0
	for _, r := range s.known {
		size += r.size()
	}
	if size != s.size || size > maxRules || size < maxRules/2 || s.get("http://again", now) == nil || s.get("http://0", now) != nil {
		t.Errorf("%d bytes of %d rules, counted as %d", size, len(s.known), s.size)
	}
}

func TestCrawlDelay(t *testing.T) {
	t.Parallel()
	for robots, want := range map[string]time.Duration{
		"":                                0,
		"User-agent: *\nCrawl-delay: 2":   2 * time.Second,
		"User-agent: *\ncrawl-delay: 0.5": time.Second / 2,
		"User-agent: *\nCrawl-delay: 2\n\nUser-agent: contentgraph\nCrawl-delay: 1":  time.Second,
		"User-agent: *\nCrawl-delay: 2\n\nUser-agent: contentgraph\nDisallow: /x":    0,
		"User-agent: other\nCrawl-delay: 2":                                          0,
		"User-agent: other\nUser-agent: *\nDisallow: /y\nCrawl-delay: 3":             3 * time.Second,
		"User-agent: *\nCrawl-delay: 86400":                                          0,
		"User-agent: *\nCrawl-delay: 60":                                             maxPause,
		"User-agent: *\nCrawl-delay: -1\nCrawl-delay: NaN\nCrawl-delay: x":           0,
		"Crawl-delay: 4\nUser-agent: *\nDisallow:":                                   0,
		"User-agent: *\nDisallow: /x\nUser-agent: contentgraph\nCrawl-delay: 1.5":    1500 * time.Millisecond,
		"User-agent: ContentGraph/1.0\nCrawl-delay: 1":                               time.Second,
		"User-agent: *\nSitemap: https://a.example/s.xml\nCrawl-delay: 1\nAllow: /x": time.Second,
	} {
		var r rule
		if err := r.read(robots, "ContentGraph"); r.pause != want || err != nil {
			t.Errorf("%q: %v, want %v", robots, r.pause, want)
		}
	}
}

// TestSlowRobots holds the matching of the worst robots.txt to a bound that is
// wide for slow machines.
func TestSlowRobots(t *testing.T) {
	for name, line := range map[string]string{
		"wildcards":         "Disallow: /" + strings.Repeat("*a", 40) + "b\n",
		"wildcards allowed": "Disallow: /" + strings.Repeat("*a", 40) + "b\n",
		"paths":             "Disallow: /" + strings.Repeat("a", 40) + "\n",
		"agents":            "User-agent: a\n",
		"empty":             "Disallow:\n",
	} {
		n := maxRobots / len(line)
		if name == "wildcards allowed" {
			n = maxWild / len(line)
		}
		robots := "User-agent: *\n" + strings.Repeat(line, n)
		var r rule
		start := time.Now()
		err := r.read(robots, "ContentGraph")
		if (err != nil) != (name == "wildcards") {
			t.Errorf("%s: %v", name, err)
		}
		g := guard{ports: []uint16{80, 443}}
		u, failure := g.parse("http://a.example/" + strings.Repeat("a", maxURL-20))
		if failure != nil {
			t.Fatal(failure)
		}
		_ = r.check(u)
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%s: %v", name, took)
		} else {
			t.Logf("%s: %v", name, took)
		}
	}
}
