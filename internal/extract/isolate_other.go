//go:build !linux

package extract

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// Support says what this system lacks to shut a child off, nil when nothing. A
// pool works all the same, with what there is.
func Support() error {
	return fmt.Errorf("extract: on %s files are read in child processes with a time limit, "+
		"but nothing keeps these from files, network and memory: use Linux for files of strangers", runtime.GOOS)
}

func attributes() *syscall.SysProcAttr { return nil }

func await(cmd *exec.Cmd) { _, _ = cmd.Process.Wait() }

func terminate(pid int) {
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill()
	}
}

func usage(int) (memory int64, cpu time.Duration) { return 0, 0 }

func confine(int64) error { return nil }

func mapSpace(size int) []byte { return make([]byte, size) }

func clearSpace(b []byte) []byte {
	clear(b)
	return b
}

func behind() {}
