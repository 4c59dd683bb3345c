package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/contentgraph/contentgraph/internal/app"
	"github.com/contentgraph/contentgraph/internal/pgtest"
)

// TestMain lets the test binary be the program, so that tests can start real
// processes of it and kill them, and what these start.
func TestMain(m *testing.M) {
	if os.Getenv("TEST_BE_CONTENTGRAPH") == "1" || len(os.Args) == 2 && os.Args[1] == extractChild {
		main()
		return
	}
	pgtest.Main(m)
}

// installation is a database with its folder, and how to run the program on it.
type installation struct {
	t   *testing.T
	env []string
	dir string
}

// onBoth runs a test on a fresh installation on each database.
func onBoth(t *testing.T, test func(t *testing.T, in *installation)) {
	t.Parallel()
	pgtest.Both(t, func(t *testing.T, url string) {
		test(t, install(t, url))
	})
}

// onPostgres is a fresh installation on PostgreSQL.
func onPostgres(t *testing.T) *installation { return install(t, pgtest.New(t)) }

func install(t *testing.T, databaseURL string) *installation {
	dir := t.TempDir()
	shareCache(t, filepath.Join(dir, "data"))
	return &installation{t: t, dir: dir, env: append(os.Environ(), "TEST_BE_CONTENTGRAPH=1",
		"CONTENTGRAPH_DATA="+filepath.Join(dir, "data"), "CONTENTGRAPH_DATABASE_URL="+databaseURL,
		"CONTENTGRAPH_LISTEN=127.0.0.1:0", "CONTENTGRAPH_RATE_LIMITS=off")}
}

// shareCache makes a data folder whose compiled reader of PDFs is that of all
// tests: to compile it takes seconds.
func shareCache(t *testing.T, data string) {
	t.Helper()
	cache := filepath.Join(os.TempDir(), fmt.Sprintf("contentgraph-test-%d", os.Getuid()))
	for _, err := range []error{os.MkdirAll(cache, 0o700), os.Mkdir(data, 0o700), os.Symlink(cache, filepath.Join(data, "cache"))} {
		if err != nil {
			t.Fatal(err)
		}
	}
}

func (in *installation) command(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env, cmd.Dir = in.env, in.dir
	return cmd
}

// run runs a command to its end and answers what it printed.
func (in *installation) run(args ...string) string {
	in.t.Helper()
	cmd := in.command(args...)
	var errOut bytes.Buffer
	cmd.Stderr = &errOut
	out, err := cmd.Output()
	if err != nil {
		in.t.Fatalf("contentgraph %s: %v\n%s%s", strings.Join(args, " "), err, out, errOut.String())
	}
	return string(out)
}

// json runs a command with --json into v.
func (in *installation) json(v any, args ...string) {
	in.t.Helper()
	out := in.run(append(args, "--json")...)
	if err := json.Unmarshal([]byte(out), v); err != nil {
		in.t.Fatalf("%s printed %q: %v", args, out, err)
	}
}

// server is a running process.
type server struct {
	in   *installation
	cmd  *exec.Cmd
	base string
}

var serving = regexp.MustCompile(`address=(http://\S+)`)

// serve starts the program and waits until it listens.
func (in *installation) serve(args ...string) *server {
	in.t.Helper()
	cmd := in.command(append([]string{"serve"}, args...)...)
	pipe, err := cmd.StderrPipe()
	if err != nil {
		in.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		in.t.Fatal(err)
	}
	s := &server{in: in, cmd: cmd}
	in.t.Cleanup(s.kill)
	lines := bufio.NewScanner(pipe)
	var seen []string
	for lines.Scan() {
		seen = append(seen, lines.Text())
		if m := serving.FindStringSubmatch(lines.Text()); m != nil {
			s.base = m[1]
			go io.Copy(io.Discard, pipe)
			return s
		}
	}
	in.t.Fatalf("the server did not start:\n%s", strings.Join(seen, "\n"))
	return nil
}

// kill is kill -9.
func (s *server) kill() {
	if s.cmd.ProcessState == nil {
		s.cmd.Process.Kill()
		s.cmd.Wait()
	}
}

// access is a user's credentials.
type access struct{ token, key, secret string }

func (in *installation) user(account string) access {
	in.t.Helper()
	in.run("account", "create", "--id", account, "--name", "A"+account)
	in.run("user", "create", "--name", "u"+account, "--account", account, "--scopes", "content:read,content:write,data")
	var token struct{ Token string }
	var key struct{ APIKey, Secret string }
	in.json(&token, "token", "create", "--user", "u"+account)
	in.json(&key, "key", "create", "--user", "u"+account)
	return access{token.Token, key.APIKey, key.Secret}
}

// call makes a request and answers status and body.
func (s *server) call(method, path, body string, header ...string) (int, string) {
	s.in.t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), method, s.base+path, strings.NewReader(body))
	if err != nil {
		s.in.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		s.in.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		s.in.t.Fatal(err)
	}
	return res.StatusCode, string(text)
}

// envelope is the answer of the data API.
type envelope struct {
	Results        [][]string `json:"results"`
	ExecutionState string     `json:"executionState"`
	ExecutionID    string     `json:"executionId"`
	NextPageID     *string    `json:"nextPageId"`
	TotalRowCount  *int       `json:"totalRowCount"`
	Message        *string    `json:"message"`
}

// data calls a data query.
func (s *server) data(a access, query string, body map[string]any) (int, envelope) {
	s.in.t.Helper()
	text, _ := json.Marshal(body)
	status, answer := s.call("POST", fmt.Sprintf("/data-api/v1/async/%s?apiKey=%s&sig=%s", query, a.key, app.Sign(a.key, a.secret)),
		string(text), "X-API-GATEWAY-KEY", a.key)
	var e envelope
	if err := json.Unmarshal([]byte(answer), &e); err != nil || status >= 400 {
		s.in.t.Fatalf("%d %s", status, answer)
	}
	return status, e
}

// submit starts a query and answers its execution.
func (s *server) submit(a access, query string, body map[string]any) string {
	s.in.t.Helper()
	status, e := s.data(a, query, body)
	if status != http.StatusAccepted || e.ExecutionState != "IN_PROGRESS" {
		s.in.t.Fatalf("submit: %d %+v", status, e)
	}
	return e.ExecutionID
}

// rows polls an execution to its end and reads all pages.
func (s *server) rows(a access, query, execution string) [][]string {
	s.in.t.Helper()
	var all [][]string
	for end := time.Now().Add(90 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		status, e := s.data(a, query, map[string]any{"executionId": execution})
		if status == http.StatusAccepted {
			continue
		}
		if e.ExecutionState != "COMPLETED" {
			s.in.t.Fatalf("%+v", e)
		}
		for {
			all = append(all, e.Results...)
			if e.NextPageID == nil {
				break
			}
			_, e = s.data(a, query, map[string]any{"executionId": execution, "nextPageId": *e.NextPageID})
		}
		if e.TotalRowCount == nil || *e.TotalRowCount != len(all) {
			s.in.t.Fatalf("%d rows, totalRowCount %v", len(all), e.TotalRowCount)
		}
		return all
	}
	s.in.t.Fatalf("%s did not end", execution)
	return nil
}

// shell runs a line as a person would.
func (in *installation) shell(line string) *exec.Cmd {
	cmd := exec.Command("sh", "-c", line)
	cmd.Env, cmd.Dir = in.env, in.dir
	return cmd
}

// lockedBuffer takes what a process prints while a test reads it.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
