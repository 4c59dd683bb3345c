package extract

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// systemCalls tries system calls by which a process could get around what the
// library functions are refused, and names those that succeed.
func systemCalls() (could []string) {
	null := append([]byte("/dev/null"), 0)
	path := uintptr(unsafe.Pointer(&null[0]))
	for _, c := range []struct {
		name string
		call uintptr
		args [6]uintptr
	}{
		{"socket", unix.SYS_SOCKET, [6]uintptr{unix.AF_INET, unix.SOCK_STREAM}},
		{"socketpair", unix.SYS_SOCKETPAIR, [6]uintptr{unix.AF_UNIX, unix.SOCK_STREAM, 0, path}},
		{"openat", unix.SYS_OPENAT, [6]uintptr{^uintptr(99), path, unix.O_RDONLY}},
		{"openat2", unix.SYS_OPENAT2, [6]uintptr{^uintptr(99), path, path, 24}},
		{"memfd_create", unix.SYS_MEMFD_CREATE, [6]uintptr{path}},
		{"ptrace", unix.SYS_PTRACE, [6]uintptr{unix.PTRACE_TRACEME}},
		{"clone", unix.SYS_CLONE, [6]uintptr{uintptr(unix.CLONE_NEWUSER | unix.CLONE_UNTRACED)}},
		{"clone3", unix.SYS_CLONE3, [6]uintptr{path, 64}},
		{"signal to the parent", unix.SYS_KILL, [6]uintptr{uintptr(os.Getppid()), 0}},
		{"unshare", unix.SYS_UNSHARE, [6]uintptr{unix.CLONE_NEWUSER}},
		{"io_uring_setup", unix.SYS_IO_URING_SETUP, [6]uintptr{1, path}},
		{"bpf", unix.SYS_BPF, [6]uintptr{0, path, 8}},
		{"prctl", unix.SYS_PRCTL, [6]uintptr{unix.PR_SET_PDEATHSIG, 0}},
		{"setpgid", unix.SYS_SETPGID, [6]uintptr{}},
		{"setrlimit", unix.SYS_PRLIMIT64, [6]uintptr{0, unix.RLIMIT_DATA, 0, 0}},
		{"process_vm_readv", unix.SYS_PROCESS_VM_READV, [6]uintptr{1}},
		{"mmap of code", unix.SYS_MMAP, [6]uintptr{0, 4096, unix.PROT_READ | unix.PROT_EXEC, unix.MAP_PRIVATE | unix.MAP_ANON, ^uintptr(0)}},
		{"dup", unix.SYS_DUP, [6]uintptr{1}},
	} {
		if _, _, e := unix.RawSyscall6(c.call, c.args[0], c.args[1], c.args[2], c.args[3], c.args[4], c.args[5]); e == 0 {
			could = append(could, c.name)
		}
	}
	return could
}
