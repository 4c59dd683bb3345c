package extract

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/contentgraph/contentgraph/internal/fault"
)

// testCache is a folder for the compiled PDFium that outlives a test run,
// because compiling takes seconds.
var testCache = func() string {
	own, err := os.UserCacheDir() // nobody else may write here: there is code in it
	if err != nil {
		return ""
	}
	return filepath.Join(own, "contentgraph-test")
}()

// TestMain makes this program its own child: a pool starts it again with the
// name of what the child does.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 {
		switch os.Args[1] {
		case "extract-child":
			os.Exit(Child())
		case "bad-child":
			os.Exit(child(os.Stdin, os.Stdout, misbehave))
		case "dead-child":
			os.Exit(3)
		case "mute-child":
			time.Sleep(time.Hour)
		}
	}
	if err := engine.open(testCache); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// raw is the stdout of a child, where it answers.
var raw = os.NewFile(1, "stdout")

// misbehave is a reader that does what the name of the file says.
func misbehave(ctx context.Context, name string, in io.ReaderAt, size int64) (Result, error) {
	switch name {
	case "echo":
		b, err := io.ReadAll(io.NewSectionReader(in, 0, size))
		return Result{Type: "txt", Text: string(b)}, err
	case "panic":
		panic("a bug")
	case "exit":
		os.Exit(0)
	case "loop":
		spin()
	case "threads":
		for range 8 {
			go spin()
		}
		select {}
	case "memory":
		for {
			b := make([]byte, 1<<20)
			for i := 0; i < len(b); i += 4096 {
				b[i] = 1
			}
			eaten = append(eaten, b)
		}
	case "alloc":
		return Result{Type: "txt", Text: fmt.Sprint(len(make([]byte, 4<<30)))}, nil
	case "stack":
		return Result{Type: "txt", Text: fmt.Sprint(deeper(0))}, nil
	case "budget":
		<-ctx.Done()
		return Result{}, ctx.Err()
	case "error":
		return Result{}, errors.New("odd\x00thing")
	case "invalid":
		return Result{}, fault.BadField("file", "holds \x1b[31mnothing")
	case "frame":
		raw.Write([]byte{0xFF, 0xFF, 0xFF, 0xFF, '{'})
		time.Sleep(time.Hour)
	case "text":
		writeFrame(raw, answer{Result: Result{Type: "txt"}, Size: maxText + 1})
		time.Sleep(time.Hour)
	case "binary":
		writeFrame(raw, answer{Result: Result{Type: "txt"}, Size: 2})
		raw.Write([]byte{0, 0xFF})
	case "kind":
		writeFrame(raw, answer{Kind: fault.Unauthenticated, Message: "no"})
	case "json":
		raw.Write(binary.BigEndian.AppendUint32(nil, 5))
		raw.WriteString("hello")
	case "print":
		fmt.Println("noise of a library")
		return Result{Type: "txt", Text: "ok"}, nil
	case "silent":
		time.Sleep(time.Hour)
	case "slow":
		time.Sleep(500 * time.Millisecond)
		return Result{Type: "txt", Text: fmt.Sprint(os.Getpid())}, nil
	case "size":
		return Result{Type: "txt", Text: fmt.Sprint(size)}, nil
	case "environment":
		return Result{Type: "txt", Text: strings.Join(os.Environ(), "\n")}, nil
	case "forbidden":
		return Result{Type: "txt", Text: forbidden()}, nil
	}
	return Result{Type: "txt", Text: "?"}, nil
}

var (
	eaten [][]byte
	turns int
)

func spin() {
	for i := 0; ; i++ {
		if i < 0 {
			turns = i
		}
	}
}

func deeper(n int) int {
	if n < 0 {
		return 0
	}
	return deeper(n+1) + 1
}

// forbidden tries what a reader must not be able to do, and names what it could.
func forbidden() string {
	var could []string
	try := func(what string, err error) {
		if err == nil {
			could = append(could, what)
		}
	}
	_, err := os.ReadFile("/etc/passwd")
	try("read a file", err)
	_, err = os.ReadDir("/")
	try("read a folder", err)
	_, err = os.Stat("/etc/passwd")
	try("look at a file", err)
	try("write a file", os.WriteFile(filepath.Join(os.TempDir(), "contentgraph-forbidden"), nil, 0o600))
	try("remove a file", os.Remove(filepath.Join(os.TempDir(), "contentgraph-forbidden")))
	_, err = net.Listen("tcp", "127.0.0.1:0")
	try("listen", err)
	_, err = net.DialTimeout("udp", "127.0.0.1:53", time.Second)
	try("connect", err)
	_, err = net.DialTimeout("unix", "/var/run/docker.sock", time.Second)
	try("connect to a local socket", err)
	try("start a program", exec.Command("/bin/true").Run())
	try("start itself", exec.Command("/proc/self/exe", "mute-child").Start())
	return strings.Join(append(could, systemCalls()...), ", ")
}

// newPool is a pool of misbehaving children.
func newPool(t *testing.T, o Options) *Pool {
	t.Helper()
	if len(o.Command) == 0 {
		o.Command = []string{self(), "bad-child"}
	}
	o.Cache = testCache
	p := NewPool(o)
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// upload is a file with the content.
func upload(t *testing.T, content []byte) *os.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "upload")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func TestPoolRead(t *testing.T) {
	t.Parallel()
	p := newPool(t, Options{Command: []string{self(), "extract-child"}})
	if err := p.Warm(t.Context()); err != nil {
		t.Fatal(err)
	}
	got, err := p.Extract(t.Context(), "report.pdf", upload(t, simplePDF([]string{"# Growth", "It grew."})))
	if err != nil || got.Text != "Growth\n\nIt grew." || got.Type != "pdf" || got.Pages != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	_, err = p.Extract(t.Context(), "report.pdf", upload(t, []byte("%PDF-1.4 nothing")))
	if !fault.Is(err, fault.Unprocessable) {
		t.Fatal(err)
	}
	_, err = p.Extract(t.Context(), "report.exe", upload(t, []byte("MZ")))
	if !fault.Is(err, fault.Invalid) {
		t.Fatal(err)
	}
}

// TestPoolMisbehave has children do what a file may make them do. After each
// the pool reads on.
func TestPoolMisbehave(t *testing.T) {
	t.Parallel()
	p := newPool(t, Options{Size: 2, Memory: 400 << 20, Wall: 4 * time.Second, CPU: time.Second})
	for _, c := range []struct{ name, reason string }{
		{"panic", reasonCrash},
		{"exit", reasonCrash},
		{"loop", reasonTime},
		{"threads", reasonTime},
		{"silent", reasonTime},
		{"budget", reasonTime},
		{"memory", reasonMemory},
		{"alloc", reasonMemory},
		{"stack", reasonMemory},
		{"error", reasonCrash},
		{"frame", reasonCrash},
		{"text", reasonCrash},
		{"binary", reasonCrash},
		{"kind", reasonCrash},
		{"json", reasonCrash},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := p.Extract(t.Context(), c.name, upload(t, []byte("x")))
			var failure *Failure
			if !errors.As(err, &failure) || failure.Reason != c.reason || !isSentence(failure.Detail) {
				t.Fatalf("%v", err)
			}
			got, err := p.Extract(t.Context(), "echo", upload(t, []byte("next")))
			if err != nil || got.Text != "next" {
				t.Fatalf("next file: %+v, %v", got, err)
			}
		})
	}
}

func TestPoolFault(t *testing.T) {
	t.Parallel()
	p := newPool(t, Options{Size: 1})
	_, err := p.Extract(t.Context(), "invalid", upload(t, nil))
	var known *fault.Error
	if !errors.As(err, &known) || known.Kind != fault.Invalid || known.Fields[0].Message != "holds  [31mnothing" {
		t.Fatalf("%#v", err)
	}
	f := upload(t, []byte("x"))
	f.Close()
	if _, err := p.Extract(t.Context(), "echo", f); err == nil || errors.As(err, new(*Failure)) {
		t.Errorf("closed file: %v", err)
	}
	name := strings.Repeat("é", 60_000)
	if got, err := p.Extract(t.Context(), name, upload(t, nil)); err != nil || got.Text != "?" {
		t.Errorf("long name: %v", err)
	}
}

// TestPoolShrunk reads a file that is shorter than it was.
func TestPoolShrunk(t *testing.T) {
	t.Parallel()
	p := newPool(t, Options{Size: 1})
	c, err := p.take(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.ask(t.Context(), "echo", strings.NewReader("short"), 1000, p.limits)
	p.give(c)
	if !errors.Is(err, io.EOF) || errors.As(err, new(*Failure)) {
		t.Error(err)
	}
	if got, err := p.Extract(t.Context(), "echo", upload(t, []byte("next"))); err != nil || got.Text != "next" {
		t.Errorf("next file: %+v, %v", got, err)
	}
}

// TestPoolCanceled ends calls while they wait for a child and while it works.
func TestPoolCanceled(t *testing.T) {
	t.Parallel()
	p := newPool(t, Options{Size: 1})
	if err := p.Warm(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	var calls sync.WaitGroup
	for range 5 {
		f := upload(t, nil)
		calls.Go(func() {
			start := time.Now()
			_, err := p.Extract(ctx, "silent", f)
			if !errors.Is(err, context.DeadlineExceeded) || errors.As(err, new(*Failure)) {
				t.Errorf("%v", err)
			}
			if took := time.Since(start); took > time.Minute {
				t.Errorf("took %v", took)
			}
		})
	}
	calls.Wait()
	if got, err := p.Extract(t.Context(), "echo", upload(t, []byte("next"))); err != nil || got.Text != "next" {
		t.Errorf("next file: %+v, %v", got, err)
	}
}

// TestPoolKilled has somebody else kill children: the file is given to another,
// but not for ever.
func TestPoolKilled(t *testing.T) {
	t.Parallel()
	p := newPool(t, Options{Size: 1})
	if err := p.Warm(t.Context()); err != nil {
		t.Fatal(err)
	}
	victim := func() int {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.idle[0].pid
	}
	first := victim()
	kill(t, first)
	got, err := p.Extract(t.Context(), "slow", upload(t, nil))
	if err != nil || got.Text == fmt.Sprint(first) {
		t.Fatalf("while it waits: %+v, %v", got, err)
	}
	second := victim()
	time.AfterFunc(200*time.Millisecond, func() { kill(t, second) })
	got, err = p.Extract(t.Context(), "slow", upload(t, nil))
	if err != nil || got.Text == fmt.Sprint(second) {
		t.Fatalf("while it works: %+v, %v", got, err)
	}
	for range attempts { // the child that works dies each time
		c, err := p.take(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(100*time.Millisecond, func() { kill(t, c.pid) })
		_, err = c.ask(t.Context(), "silent", strings.NewReader(""), 0, p.limits)
		p.give(c)
		if !errors.Is(err, errLost) {
			t.Fatal(err)
		}
	}
}

func kill(t *testing.T, pid int) {
	victim, err := os.FindProcess(pid)
	if err == nil {
		err = victim.Kill()
	}
	if err != nil {
		t.Error(err)
	}
}

// TestPoolLoad has many wait for few children, some of which break.
func TestPoolLoad(t *testing.T) {
	t.Parallel()
	p := newPool(t, Options{Size: 2})
	var calls sync.WaitGroup
	for i := range 50 {
		want := fmt.Sprintf("file %d", i)
		f := upload(t, []byte(want))
		calls.Go(func() {
			if i%10 == 9 {
				if _, err := p.Extract(t.Context(), "panic", f); !errors.As(err, new(*Failure)) {
					t.Errorf("%s: %v", want, err)
				}
				return
			}
			if got, err := p.Extract(t.Context(), "echo", f); err != nil || got.Text != want {
				t.Errorf("%s: %+v, %v", want, got, err)
			}
		})
	}
	calls.Wait()
	p.later.Wait()
	p.shrink()
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.idle) != 1 {
		t.Errorf("%d children stay", len(p.idle))
	}
}

func TestPoolClosed(t *testing.T) {
	t.Parallel()
	p := newPool(t, Options{Size: 2})
	f := upload(t, nil)
	ended := make(chan error)
	go func() {
		_, err := p.Extract(t.Context(), "silent", f)
		ended <- err
	}()
	time.Sleep(300 * time.Millisecond)
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; !fault.Is(err, fault.Unavailable) {
		t.Errorf("running: %v", err)
	}
	if _, err := p.Extract(t.Context(), "echo", f); !fault.Is(err, fault.Unavailable) {
		t.Errorf("afterwards: %v", err)
	}
}

func TestPoolStart(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"dead-child", "mute-child", "extract-child"} {
		program := self()
		if command == "extract-child" {
			program = filepath.Join(t.TempDir(), "missing")
		}
		p := newPool(t, Options{Command: []string{program, command}})
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		if err := p.Warm(ctx); err == nil {
			t.Errorf("%s: no error", command)
		}
	}
}

// TestPoolMemory bounds what this process keeps in memory of large files and
// texts.
func TestPoolMemory(t *testing.T) {
	p := newPool(t, Options{Size: 2})
	f := upload(t, make([]byte, 25<<20))
	echo := upload(t, []byte(strings.Repeat("text ", 1<<20)))
	if err := p.Warm(t.Context()); err != nil {
		t.Fatal(err)
	}
	before := held(t)
	var calls sync.WaitGroup
	for range 6 {
		calls.Go(func() {
			if _, err := p.Extract(t.Context(), "size", f); err != nil {
				t.Error(err)
			}
			if _, err := p.Extract(t.Context(), "echo", echo); err != nil {
				t.Error(err)
			}
		})
	}
	calls.Wait()
	if grown := held(t) - before; grown > 32<<20 {
		t.Errorf("grew by %d MiB", grown>>20)
	}
}

// held is the memory that this process has from the system for its heap.
func held(t *testing.T) int64 {
	t.Helper()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapSys - m.HeapReleased)
}

// TestPoolLocked has a child try what it must not be able to do.
func TestPoolLocked(t *testing.T) {
	p := newPool(t, Options{Size: 1})
	t.Setenv("CONTENTGRAPH_MASTER_KEY", "secret")
	says := func(name string) string {
		t.Helper()
		got, err := p.Extract(t.Context(), name, upload(t, nil))
		if err != nil {
			t.Fatal(err)
		}
		return got.Text
	}
	if got := says("environment"); strings.Contains(got, "secret") || strings.Contains(got, "HOME=") {
		t.Errorf("environment: %s", got)
	}
	if got := says("print"); got != "ok" {
		t.Errorf("print: %s", got)
	}
	if Support() != nil {
		t.Logf("not tried on this system: %v", Support())
		return
	}
	if got := says("forbidden"); got != "" {
		t.Errorf("a child can %s", got)
	}
}
