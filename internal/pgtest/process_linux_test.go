package pgtest

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// childEnv makes the test binary a child that starts a server and waits.
const childEnv = "PGTEST_CHILD"

func init() {
	if os.Getenv(childEnv) == "" {
		return
	}
	p, err := start()
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	fmt.Println(p.addr, p.dir)
	select {}
}

// A test binary that is killed has no chance to clean up.
func TestServerDiesWithItsBinary(t *testing.T) {
	if need(t).own == nil {
		t.Skip("the server of TEST_POSTGRES_DSN is not ours")
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	addr, dir, _ := strings.Cut(strings.TrimSpace(line), " ")
	if err := dial(addr); err != nil {
		cmd.Process.Kill()
		t.Fatalf("the child said %q: %v", line, err)
	}
	defer os.RemoveAll(dir)

	cmd.Process.Kill()
	cmd.Wait()
	for deadline := time.Now().Add(10 * time.Second); dial(addr) == nil; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the server on %s outlived its test binary", addr)
		}
	}
	aged := time.Now().Add(-time.Hour)
	if err := os.Chtimes(dir, aged, aged); err != nil {
		t.Fatal(err)
	}
	// The socket closes a moment before the server removes its postmaster.pid.
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		sweep()
		if _, err := os.Stat(dir); os.IsNotExist(err) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s was not swept", dir)
		}
	}
}

func dial(addr string) error {
	c, err := net.DialTimeout("tcp", addr, time.Second)
	if err == nil {
		c.Close()
	}
	return err
}
