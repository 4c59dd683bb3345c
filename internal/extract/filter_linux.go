package extract

import (
	"fmt"
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// filterArch are the processors whose system calls the filter knows.
var filterArch = map[string]uint32{"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64}

// allowed are the system calls that the Go runtime (and the C library below it,
// in a build with the race detector) makes for a program that computes and
// talks over open pipes. None of them opens anything, so that neither files nor
// network can be reached; no process can be started, traced or killed.
var allowed = []uint32{
	unix.SYS_READ, unix.SYS_WRITE, unix.SYS_READV, unix.SYS_WRITEV, unix.SYS_CLOSE, unix.SYS_FCNTL,
	unix.SYS_LSEEK, unix.SYS_PREAD64, unix.SYS_FSTAT,
	unix.SYS_EPOLL_CREATE1, unix.SYS_EPOLL_CTL, unix.SYS_EPOLL_PWAIT, unix.SYS_EVENTFD2, unix.SYS_PIPE2, unix.SYS_PPOLL,
	unix.SYS_MUNMAP, unix.SYS_MREMAP, unix.SYS_MADVISE, unix.SYS_MINCORE, unix.SYS_BRK, unix.SYS_MEMBARRIER,
	unix.SYS_FUTEX, unix.SYS_SCHED_YIELD, unix.SYS_SCHED_GETAFFINITY, unix.SYS_GETPID, unix.SYS_GETTID,
	unix.SYS_SET_ROBUST_LIST, unix.SYS_RSEQ, unix.SYS_SIGALTSTACK,
	unix.SYS_RT_SIGACTION, unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN, unix.SYS_RESTART_SYSCALL,
	unix.SYS_CLOCK_GETTIME, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_NANOSLEEP, unix.SYS_GETTIMEOFDAY,
	unix.SYS_GETRANDOM, unix.SYS_GETRUSAGE, unix.SYS_UNAME, unix.SYS_EXIT, unix.SYS_EXIT_GROUP,
}

// filter lets all threads of this process make no other system calls than those
// of allowed, and some with certain arguments alone. The others fail with EPERM.
func filter() error {
	program := filterProgram(filterArch[runtime.GOARCH], uint32(os.Getpid()))
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("extract: no new privileges: %w", err)
	}
	list := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	thread, _, e := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&list)))
	switch {
	case e != 0:
		return fmt.Errorf("extract: system call filter: %w", e)
	case thread != 0:
		return fmt.Errorf("extract: system call filter: thread %d does not take it", thread)
	}
	return nil
}

// filterProgram is the filter in the machine language of the kernel, see
// seccomp(2): it loads fields of the call and returns what becomes of it.
func filterProgram(arch, pid uint32) []unix.SockFilter {
	const (
		number, processor = 0, 4 // offsets in struct seccomp_data
		argument          = 16   // of the first argument, lower half; 8 bytes each
		x32               = 0x40000000
		deny              = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
		unknown           = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
	)
	op := func(code int, k uint32, yes, no uint8) unix.SockFilter {
		return unix.SockFilter{Code: uint16(code), Jt: yes, Jf: no, K: k}
	}
	load := func(offset uint32) unix.SockFilter { return op(unix.BPF_LD|unix.BPF_W|unix.BPF_ABS, offset, 0, 0) }
	answer := func(what uint32) unix.SockFilter { return op(unix.BPF_RET|unix.BPF_K, what, 0, 0) }
	// A jump tells how many of the following instructions to leave out.
	equal := func(k uint32, yes, no uint8) unix.SockFilter {
		return op(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, k, yes, no)
	}
	anyBit := func(k uint32, yes, no uint8) unix.SockFilter {
		return op(unix.BPF_JMP|unix.BPF_JSET|unix.BPF_K, k, yes, no)
	}

	p := []unix.SockFilter{
		load(processor), equal(arch, 1, 0), answer(deny),
		load(number), anyBit(x32, 0, 1), answer(deny), // the other numbering of amd64
		// Threads, but no processes. The C library takes clone when there is no clone3,
		// whose flags a filter cannot see.
		equal(unix.SYS_CLONE3, 0, 1), answer(unknown),
		equal(unix.SYS_CLONE, 0, 4), load(argument), anyBit(unix.CLONE_THREAD, 0, 1), answer(unix.SECCOMP_RET_ALLOW), answer(deny),
		// Signals to its own threads, which is how goroutines are interrupted.
		equal(unix.SYS_TGKILL, 0, 4), load(argument), equal(pid, 0, 1), answer(unix.SECCOMP_RET_ALLOW), answer(deny),
	}
	// Memory, but none that can be executed: PDFium is loaded.
	for _, call := range []uint32{unix.SYS_MMAP, unix.SYS_MPROTECT} {
		p = append(p, equal(call, 0, 4), load(argument+2*8), anyBit(unix.PROT_EXEC, 1, 0), answer(unix.SECCOMP_RET_ALLOW), answer(deny))
	}
	for _, call := range allowed {
		p = append(p, equal(call, 0, 1), answer(unix.SECCOMP_RET_ALLOW))
	}
	return append(p, answer(deny))
}
