package bench

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/contentgraph/contentgraph/internal/app"
	"github.com/contentgraph/contentgraph/internal/extract"
	"github.com/contentgraph/contentgraph/internal/pgtest"
)

var (
	rowsFlag   = flag.Int("rows", 1_000_000, "rows of the result that is measured; as many more do not match")
	roundsFlag = flag.Int("rounds", 5, "how often each measure is taken; the median counts")
	updateFlag = flag.Bool("update", false, "write docs/performance.md")
)

// largeRows is the size of the second run of the memory measure; 0 leaves it out.
func largeRows(b *testing.B) int {
	text := os.Getenv("CONTENTGRAPH_BENCH_ROWS")
	if text == "" {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		b.Fatalf("CONTENTGRAPH_BENCH_ROWS=%q is no number of rows", text)
	}
	return n
}

// A copy of the test binary is a server when this is in its environment, so that
// service and floor are processes of their own, as they would be.
const (
	beVariable     = "CONTENTGRAPH_BENCH_BE"
	urlVariable    = "CONTENTGRAPH_BENCH_DATABASE_URL"
	folderVariable = "CONTENTGRAPH_BENCH_FOLDER"
)

func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == "extract-child" { // which the service starts
		os.Exit(extract.Child())
	}
	serve := map[string]func(databaseURL, folder string) error{"service": serveService, "floor": serveFloor}[os.Getenv(beVariable)]
	if serve == nil {
		pgtest.Main(m)
		return
	}
	if err := serve(os.Getenv(urlVariable), os.Getenv(folderVariable)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// config is the default configuration, but for the limits.
func config(databaseURL, folder string) app.Config {
	return app.Config{
		Listen: "127.0.0.1:0", Data: folder, DatabaseURL: databaseURL, MasterKey: strings.Repeat("5a", 32),
		PageRows: 1000, Workers: 2, MaxBody: 2 << 20, MaxUpload: 25 << 20, RateLimits: "off", Playground: "auto", Introspection: "auto", LogFormat: "text",
	}
}

func serveService(databaseURL, folder string) error {
	c := config(databaseURL, folder)
	c.SetLog()
	a, err := app.Open(context.Background(), c)
	if err != nil {
		return err
	}
	l, err := a.Listen(context.Background())
	if err != nil {
		return err
	}
	announce(l)
	return a.Serve(context.Background(), l)
}

func announce(l net.Listener) { fmt.Println("http://" + l.Addr().String()) }

// process is a running server. Its log goes nowhere.
type process struct {
	base string
	pid  int
	kill func()
}

func start(b *testing.B, kind string, f *fixture) *process {
	b.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), beVariable+"="+kind, urlVariable+"="+f.url, folderVariable+"="+f.folder)
	out, err := cmd.StdoutPipe()
	check(b, err)
	check(b, cmd.Start())
	p := &process{pid: cmd.Process.Pid, kill: func() {
		cmd.Process.Kill()
		cmd.Wait()
	}}
	b.Cleanup(p.kill)
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		b.Fatalf("the %s did not start: %v", kind, err)
	}
	p.base = strings.TrimSpace(line)
	return p
}

func check(b testing.TB, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}
