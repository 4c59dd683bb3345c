package extract

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Support says what this system lacks to shut a child off, nil when nothing. A
// pool works all the same, with what there is.
func Support() error {
	if _, known := filterArch[runtime.GOARCH]; !known {
		return fmt.Errorf("extract: on %s child processes run without a system call filter: they could open files and the network", runtime.GOARCH)
	}
	action := uint32(unix.SECCOMP_RET_ERRNO)
	if _, _, e := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_GET_ACTION_AVAIL, 0, uintptr(unsafe.Pointer(&action))); e != 0 {
		return fmt.Errorf("extract: this kernel has no system call filter (seccomp: %w): child processes could open files and the network", e)
	}
	if memory, _ := usage(os.Getpid()); memory == 0 {
		return errors.New("extract: /proc is not mounted: nobody watches the memory and the processor time of child processes")
	}
	return nil
}

// attributes put a child into a group of its own, which dies with its parent.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// behind lets requests go first when processors are short: it lowers the
// priority of this process's group, with all its threads.
func behind() { _ = unix.Setpriority(unix.PRIO_PGRP, 0, 10) } // without it, files are merely read sooner

// await waits for the end of a process. Its pid stays taken.
func await(cmd *exec.Cmd) {
	for {
		err := unix.Waitid(unix.P_PID, cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if err != unix.EINTR {
			return
		}
	}
}

// terminate kills the group of a child. A group that is gone is no error.
func terminate(pid int) { _ = unix.Kill(-pid, unix.SIGKILL) }

// usage is what a process holds of memory (its resident set, in bytes) and has
// used of processor time so far. Both are 0 when it is gone.
func usage(pid int) (memory int64, cpu time.Duration) {
	const tick = time.Second / 100 // of every Linux, for programs
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0, 0
	}
	field := bytes.Fields(b[bytes.LastIndexByte(b, ')')+1:]) // the third and on, see proc(5)
	const utime, stime, rss = 14 - 3, 15 - 3, 24 - 3
	if len(field) <= rss {
		return 0, 0
	}
	number := func(i int) int64 {
		n, _ := strconv.ParseInt(string(field[i]), 10, 64)
		return n
	}
	return number(rss) * int64(os.Getpagesize()), time.Duration(number(utime)+number(stime)) * tick
}

// confine gives up for good what this process does not need to turn bytes into
// text: files, network, other processes, and memory above what it has now plus
// the given bytes. The parent watches the resident memory more closely; this
// limit also stops what grows between two looks.
func confine(memory int64) error {
	// The first to go when the system runs out of memory. It may be forbidden.
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0)
	held, err := dataSize()
	if err != nil && Support() == nil {
		return fmt.Errorf("extract: size of the process: %w", err)
	}
	for _, l := range []struct {
		resource int
		most     uint64
	}{
		{unix.RLIMIT_CORE, 0},
		{unix.RLIMIT_FSIZE, 0},
		{unix.RLIMIT_NOFILE, 32},
		{unix.RLIMIT_DATA, held + uint64(memory)},
	} {
		if err := unix.Setrlimit(l.resource, &unix.Rlimit{Cur: l.most, Max: l.most}); err != nil {
			return fmt.Errorf("extract: resource limit %d: %w", l.resource, err)
		}
	}
	if Support() != nil {
		return nil // it was said at start
	}
	return filter()
}

// dataSize is the size in bytes of what RLIMIT_DATA counts.
func dataSize() (uint64, error) {
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0, err
	}
	const data = 5 // see proc(5)
	field := bytes.Fields(b)
	if len(field) <= data {
		return 0, errors.New("short")
	}
	n, err := strconv.ParseUint(string(field[data]), 10, 64)
	return n * uint64(os.Getpagesize()), err
}

// mapSpace returns zeros that take no memory until they are written.
func mapSpace(size int) []byte {
	b, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
	if err != nil {
		return make([]byte, size)
	}
	return b
}

// clearSpace makes all bytes zero and gives their memory back.
func clearSpace(b []byte) []byte {
	if unix.Madvise(b, unix.MADV_DONTNEED) != nil {
		clear(b)
	}
	return b
}
