//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package store

import (
	"context"
	"os"
	"sync"
	"syscall"
	"time"
)

// line is where writers of a SQLite file stand, in whatever process, so that a
// bulk writer sees them: SQLite lets waiters look for the lock now and then, and
// one who takes it again right after each batch would keep it for good.
type line struct {
	sync.Mutex
	waiting int
	mine    *os.File // locked shared while somebody of this process waits
	look    *os.File // locked by Yield for a moment, which fails while anybody waits
}

// maxYield is how long a bulk writer stands back between two batches.
const maxYield = 100 * time.Millisecond

func openLine(file string) (*line, error) {
	mine, err := os.OpenFile(file, os.O_CREATE|os.O_RDONLY, 0o600)
	if err != nil {
		return nil, err
	}
	look, err := os.Open(file)
	if err != nil {
		mine.Close()
		return nil, err
	}
	return &line{mine: mine, look: look}, nil
}

func (l *line) close() {
	l.mine.Close()
	l.look.Close()
}

// enter is called before a transaction, leave after it. What fails here costs
// nothing but the courtesy.
func (l *line) enter() {
	l.Lock()
	defer l.Unlock()
	if l.waiting++; l.waiting == 1 {
		syscall.Flock(int(l.mine.Fd()), syscall.LOCK_SH)
	}
}

func (l *line) leave() {
	l.Lock()
	defer l.Unlock()
	if l.waiting--; l.waiting == 0 {
		syscall.Flock(int(l.mine.Fd()), syscall.LOCK_UN)
	}
}

// yield returns when nobody waits, at the latest after maxYield.
func (l *line) yield(ctx context.Context) {
	for end := time.Now().Add(maxYield); time.Now().Before(end) && ctx.Err() == nil; time.Sleep(time.Millisecond) {
		err := syscall.Flock(int(l.look.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err != syscall.EWOULDBLOCK {
			syscall.Flock(int(l.look.Fd()), syscall.LOCK_UN)
			return
		}
	}
}
