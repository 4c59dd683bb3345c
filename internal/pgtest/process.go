package pgtest

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

var errNotInstalled = errors.New("PostgreSQL is not installed: " +
	"run `apt-get install postgresql` (or your system's equivalent), or set PGBIN to the folder of initdb and postgres, " +
	"or TEST_POSTGRES_DSN to the URL of a server")

var errEnded = errors.New("the server ended at once")

const (
	folderPrefix = "contentgraph-pgtest-"
	startTimeout = time.Minute
)

// process is a server that this test binary started, with its data folder.
type process struct {
	dir    string
	addr   string
	cmd    *exec.Cmd
	exited chan struct{} // closed when the server has ended
}

// start makes a data folder and runs a server in it on a free port.
func start() (_ *process, err error) {
	bin, err := programs()
	if err != nil {
		return nil, err
	}
	sweep()
	dir, err := os.MkdirTemp(home(), folderPrefix)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			os.RemoveAll(dir)
		}
	}()
	attr, err := attributes(dir)
	if err != nil {
		return nil, err
	}
	initdb := exec.Command(filepath.Join(bin, "initdb"), "-D", filepath.Join(dir, "data"),
		"-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C", "--no-sync")
	initdb.Dir, initdb.SysProcAttr = dir, attr
	err = onOwnThread(func() error {
		if out, err := initdb.CombinedOutput(); err != nil {
			return fmt.Errorf("initdb in %s: %w\n%s", dir, err, out)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	// Between choosing a free port and listening on it somebody else may take it.
	for range 5 {
		p := &process{dir: dir, exited: make(chan struct{})}
		if err = p.run(filepath.Join(bin, "postgres"), attr); !errors.Is(err, errEnded) {
			return p, err
		}
	}
	return nil, err
}

// run starts the server and waits until it accepts connections. Nothing here
// survives the tests, so every protection against a crash is off, and little
// write-ahead log is kept, because the folder may be in memory.
func (p *process) run(postgres string, attr *syscall.SysProcAttr) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	p.addr = l.Addr().String()
	port := strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
	l.Close()

	log, err := os.Create(filepath.Join(p.dir, "log"))
	if err != nil {
		return err
	}
	defer log.Close()
	p.cmd = exec.Command(postgres, "-D", filepath.Join(p.dir, "data"), "-p", port)
	for _, setting := range []string{
		"listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=200", "shared_buffers=64MB",
		"fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_wal_size=128MB",
	} {
		p.cmd.Args = append(p.cmd.Args, "-c", setting)
	}
	p.cmd.Dir, p.cmd.SysProcAttr, p.cmd.Stdout, p.cmd.Stderr = p.dir, attr, log, log

	started := make(chan error)
	go onOwnThread(func() error {
		err := p.cmd.Start()
		started <- err
		if err == nil {
			p.cmd.Wait()
			close(p.exited)
		}
		return err
	})
	if err := <-started; err != nil {
		return err
	}
	return p.ready()
}

// onOwnThread calls f on a thread that lives until f returns: the kernel sends
// a child its death signal when the thread that started it ends, and Go ends a
// thread together with any goroutine that was locked to it.
func onOwnThread(f func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return f()
}

// ready waits for the state that the server writes into its own folder. A
// connection would prove less: another server may have won the port.
func (p *process) ready() error {
	for deadline := time.Now().Add(startTimeout); time.Now().Before(deadline); {
		text, _ := os.ReadFile(filepath.Join(p.dir, "data", "postmaster.pid"))
		if lines := strings.Split(string(text), "\n"); len(lines) > 7 && strings.TrimSpace(lines[7]) == "ready" {
			return nil
		}
		select {
		case <-p.exited:
			return fmt.Errorf("%w:\n%s", errEnded, p.logTail())
		case <-time.After(5 * time.Millisecond):
		}
	}
	p.cmd.Process.Kill()
	<-p.exited
	return fmt.Errorf("the server was not ready within %s:\n%s", startTimeout, p.logTail())
}

func (p *process) logTail() []byte {
	text, _ := os.ReadFile(filepath.Join(p.dir, "log"))
	text = bytes.TrimSpace(text)
	return text[max(0, len(text)-2000):]
}

// stop ends the server the quick way, without a checkpoint, and removes its folder.
func (p *process) stop() error {
	if err := p.cmd.Process.Signal(syscall.SIGQUIT); err != nil {
		p.cmd.Process.Kill() // it has ended, or this system knows no SIGQUIT
	}
	select {
	case <-p.exited:
	case <-time.After(10 * time.Second):
		p.cmd.Process.Kill()
		<-p.exited
	}
	return os.RemoveAll(p.dir)
}

// sweep removes the folders of killed test binaries: their servers are gone,
// which is why no postmaster.pid is left. Young folders may be about to start.
func sweep() {
	folders, _ := filepath.Glob(filepath.Join(home(), folderPrefix+"*"))
	for _, dir := range folders {
		info, err := os.Stat(dir)
		if err != nil || time.Since(info.ModTime()) < 10*time.Minute {
			continue
		}
		if _, err := os.Stat(filepath.Join(dir, "data", "postmaster.pid")); errors.Is(err, os.ErrNotExist) {
			os.RemoveAll(dir)
		}
	}
}

// programs is the folder of initdb and postgres: $PGBIN, Debian's newest, $PATH.
func programs() (string, error) {
	if bin := os.Getenv("PGBIN"); bin != "" {
		return bin, nil
	}
	installed, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(installed) > 0 {
		return filepath.Dir(newest(installed)), nil
	}
	initdb, err := exec.LookPath("initdb")
	if err != nil {
		return "", errNotInstalled
	}
	return filepath.Dir(initdb), nil
}

// newest picks by the version in the path, where 16 is above 9.6.
func newest(paths []string) string {
	best, top := "", -1.0
	for _, path := range paths {
		version, _ := strconv.ParseFloat(filepath.Base(filepath.Dir(filepath.Dir(path))), 64)
		if version > top {
			best, top = path, version
		}
	}
	return best
}
