package pgtest

import (
	"os"
	"os/user"
	"strconv"
	"syscall"
)

// attributes let the server die with the thread that starts it, and switch it
// to an ordinary user where the tests run as root, which PostgreSQL refuses.
// That user gets the folder.
func attributes(dir string) (*syscall.SysProcAttr, error) {
	attr := &syscall.SysProcAttr{Pdeathsig: syscall.SIGQUIT}
	if os.Geteuid() != 0 {
		return attr, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		if u, err = user.Lookup("nobody"); err != nil {
			return nil, err
		}
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		return nil, err
	}
	attr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return attr, os.Chown(dir, int(uid), int(gid))
}

// home is where data folders are made: in memory where there is plenty, because
// a database is 300 small files and some disks take a millisecond for each.
// A TMPDIR is obeyed.
func home() string {
	const memory, plenty = "/dev/shm", 2 << 30
	var fs syscall.Statfs_t
	if os.Getenv("TMPDIR") == "" && syscall.Statfs(memory, &fs) == nil && fs.Bavail*uint64(fs.Bsize) >= plenty {
		return memory
	}
	return os.TempDir()
}
