package bench

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/contentgraph/contentgraph/internal/app"
)

// client is one keep-alive connection to a server. It takes every byte of an
// answer and looks at no row, whoever answers.
type client struct {
	b    *testing.B
	f    *fixture
	base string
	http http.Client
	body bytes.Buffer // of the last answer, as it came
	// inflate makes pages plain, as a reader of the rows has to.
	inflate bool
	plain   bytes.Buffer
	packed  gzip.Reader
}

func newClient(b *testing.B, f *fixture, p *process) *client {
	t := &http.Transport{MaxConnsPerHost: 1, DisableCompression: true, ReadBufferSize: 64 << 10}
	b.Cleanup(t.CloseIdleConnections)
	return &client{b: b, f: f, base: p.base, http: http.Client{Transport: t}}
}

// send makes a request and keeps the answer's body.
func (c *client) send(method, path, body, encoding string) int {
	c.body.Reset()
	status, err := c.sendTo(&c.body, method, path, body, encoding)
	check(c.b, err)
	return status
}

func (c *client) sendTo(w io.Writer, method, path, body, encoding string) (int, error) {
	req, err := http.NewRequest(method, c.base+path, strings.NewReader(body))
	if err != nil {
		return 0, err
	}
	req.Header.Set("Accept-Encoding", encoding)
	req.Header.Set("Content-Type", "application/json")
	if strings.HasPrefix(path, "/data-api/") {
		req.URL.RawQuery += "&apiKey=" + c.f.key + "&sig=" + app.Sign(c.f.key, c.f.secret)
		req.Header.Set("X-API-GATEWAY-KEY", c.f.key)
	} else {
		req.Header.Set("Authorization", "Bearer "+c.f.token)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	_, err = io.Copy(w, res.Body)
	if err == nil && res.StatusCode >= 300 {
		err = fmt.Errorf("%s %s: %s", method, path, res.Status)
	}
	return res.StatusCode, err
}

const queryPath = "/data-api/v1/async/keyword_rankings"

// submit starts the query and answers its execution.
func (c *client) submit() string {
	c.send("POST", queryPath, `{"account_id":`+account+`,"start_date":"`+week+`","end_date":"`+weekEnd+`","includeMsv":true}`, "identity")
	var e struct{ ExecutionID string }
	check(c.b, json.Unmarshal(c.body.Bytes(), &e))
	return e.ExecutionID
}

// pages polls an execution every 10 ms until it has ended, then reads every page
// to the last, and gives the token of each to what is told, "" for the first.
func (c *client) pages(id string, told func(token string)) {
	token := ""
	for {
		body := `{"executionId":"` + id + `"}`
		if token != "" {
			body = `{"executionId":"` + id + `","nextPageId":"` + token + `"}`
		}
		if c.send("POST", queryPath, body, "gzip") == http.StatusAccepted {
			time.Sleep(10 * time.Millisecond)
			continue
		}
		end := c.body.Bytes()
		if c.inflate {
			end = c.unpack()
		}
		if told != nil {
			told(token)
		}
		if token = c.next(end); token == "" {
			return
		}
	}
}

// next is the token of the next page, "" on the last. It stands behind the rows,
// in a part of the answer that is never compressed.
func (c *client) next(body []byte) string {
	_, after, ok := bytes.Cut(body[max(0, len(body)-1000):], []byte(`"nextPageId":`))
	if !ok {
		c.b.Fatalf("no page: %.200q", body)
	}
	if bytes.HasPrefix(after, []byte("null")) {
		return ""
	}
	token, _, _ := bytes.Cut(after[1:], []byte(`"`))
	return string(token)
}

func (c *client) unpack() []byte {
	c.plain.Reset()
	check(c.b, c.packed.Reset(&c.body))
	_, err := c.plain.ReadFrom(&c.packed)
	check(c.b, err)
	return c.plain.Bytes()
}

// digest is of the rows of all pages as one JSON document: what the floor sends.
func (c *client) digest(id string) []byte {
	c.inflate = true
	defer func() { c.inflate = false }()
	h := sha256.New()
	before := "["
	c.pages(id, func(string) {
		rows := bytes.TrimPrefix(c.plain.Bytes(), []byte(`{"results":[`))
		io.WriteString(h, before)
		h.Write(rows[:bytes.LastIndex(rows, []byte(`],"schema":`))])
		before = ","
	})
	io.WriteString(h, "]")
	return h.Sum(nil)
}

// export reads a finished result as a file.
func (c *client) export(id, format string) error {
	_, err := c.sendTo(discard{}, "GET", "/data-api/v1/executions/"+id+"/export?format="+format, "", "identity")
	return err
}

// stream reads all rows from the floor.
func (c *client) stream(w io.Writer) {
	_, err := c.sendTo(w, "GET", "/rows?account="+account+"&start="+week+"&import="+c.f.number, "", "identity")
	check(c.b, err)
}

// discard takes what nobody looks at, in larger parts than io.Discard.
type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

func timed(f func()) time.Duration {
	begin := time.Now()
	f()
	return time.Since(begin)
}
