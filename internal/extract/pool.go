package extract

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/contentgraph/contentgraph/internal/fault"
)

const (
	attempts = 3           // at a file whose child was killed by somebody else
	maxFiles = 500         // files that a child reads before another takes its place
	maxIdle  = time.Minute // for which more than one child waits for work
)

// Options are the options of a Pool. A zero value takes the default.
type Options struct {
	// Command starts a child: a program, with arguments, that calls Child. The
	// default is this program with the argument "extract-child".
	Command []string
	// Cache is a folder for the compiled PDFium. Only the service may write to it.
	// Without one every child compiles it anew, which takes seconds.
	Cache  string
	Size   int           // children at a time; default: one a processor, at most 4
	Memory int64         // bytes that a child may hold; default 768 MiB
	Wall   time.Duration // time that a file may take; default 30 s
	CPU    time.Duration // processor time that a file may take; default 30 s
}

// Pool reads files in child processes, which have no access to files, network
// or the environment of the service, as far as the system can shut them off
// (see Support). One child stays warm. A child that crashes, runs into a limit
// or has read many files is replaced. It is safe for concurrent use.
type Pool struct {
	command []string
	setup   setup
	limits  limits
	slots   chan struct{} // one taken for every child that works or starts
	ctx     context.Context
	stop    context.CancelCauseFunc
	later   sync.WaitGroup // what runs beside the calls
	closed  sync.Once

	mu   sync.Mutex
	idle []*process
	trim *time.Timer // set while more than one is idle
}

// errClosed is the answer of a pool that is closed.
var errClosed = fault.New(fault.Unavailable, "The service is stopping.")

// NewPool makes a pool. Nothing runs before the first call; see Warm.
func NewPool(o Options) *Pool {
	if len(o.Command) == 0 {
		o.Command = []string{self(), "extract-child"}
	}
	if o.Size <= 0 {
		o.Size = min(runtime.NumCPU(), 4)
	}
	if o.Memory <= 0 {
		o.Memory = 768 << 20
	}
	if o.Wall <= 0 {
		o.Wall = 30 * time.Second
	}
	if o.CPU <= 0 {
		o.CPU = 30 * time.Second
	}
	p := &Pool{
		command: o.Command,
		setup:   setup{Cache: o.Cache, Memory: o.Memory},
		limits:  limits{memory: o.Memory, wall: o.Wall, cpu: o.CPU},
		slots:   make(chan struct{}, o.Size),
	}
	p.ctx, p.stop = context.WithCancelCause(context.Background())
	return p
}

// self is this program.
func self() string {
	if runtime.GOOS == "linux" {
		return "/proc/self/exe" // also after an update has put another into its place
	}
	path, err := os.Executable()
	if err != nil {
		return os.Args[0]
	}
	return path
}

// Extract reads a file; name is what its sender calls it. It waits for a child
// that is free, until ctx ends. Errors are those of Read, and *Failure when
// reading the file crashes or runs into a limit. The offset of f is not used.
func (p *Pool) Extract(ctx context.Context, name string, f *os.File) (Result, error) {
	info, err := f.Stat()
	if err != nil {
		return Result{}, fmt.Errorf("extract: %w", err)
	}
	ctx, release := p.join(ctx)
	defer release()
	for range attempts {
		var c *process
		if c, err = p.take(ctx); err != nil {
			return Result{}, p.cause(ctx, err)
		}
		var result Result
		result, err = c.ask(ctx, shorten(name), f, info.Size(), p.limits)
		p.give(c)
		if !errors.Is(err, errLost) {
			return result, p.cause(ctx, err)
		}
	}
	return Result{}, &Failure{Reason: reasonCrash, Detail: err.Error()}
}

// Warm has a child ready, so that the first file need not wait for one. The
// first time on a system it takes seconds, because PDFium is compiled.
func (p *Pool) Warm(ctx context.Context) error {
	ctx, release := p.join(ctx)
	defer release()
	c, err := p.take(ctx)
	if err != nil {
		return p.cause(ctx, err)
	}
	p.give(c)
	return nil
}

// Close ends all children. Calls that run end with an error.
func (p *Pool) Close() error {
	p.closed.Do(func() {
		p.stop(errClosed)
		for range cap(p.slots) { // who holds one gives it back soon
			p.slots <- struct{}{}
		}
		p.mu.Lock()
		idle := p.idle
		p.idle = nil
		p.mu.Unlock()
		for _, c := range idle {
			c.end()
		}
		p.later.Wait()
	})
	return nil
}

// join makes a context that also ends when the pool is closed.
func (p *Pool) join(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(p.ctx, func() { cancel(errClosed) })
	return ctx, func() { stop(); cancel(nil) }
}

// cause is err, or errClosed when that is why ctx ended.
func (p *Pool) cause(ctx context.Context, err error) error {
	if err != nil && errors.Is(context.Cause(ctx), errClosed) {
		return errClosed
	}
	return err
}

// take returns a child that belongs to the caller until give.
func (p *Pool) take(ctx context.Context) (*process, error) {
	select {
	case p.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if c := p.pop(); c != nil {
		return c, nil
	}
	c, err := startProcess(ctx, p.command, p.setup)
	if err != nil {
		<-p.slots
		return nil, err
	}
	return c, nil
}

// pop takes an idle child, the one that worked last.
func (p *Pool) pop() *process {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.idle) > 0 {
		c := p.idle[len(p.idle)-1]
		p.idle = p.idle[:len(p.idle)-1]
		if c.fit() {
			return c
		}
		c.end()
	}
	return nil
}

// give takes a child back. One that is not fit for another file is replaced.
func (p *Pool) give(c *process) {
	memory, _ := usage(c.pid)
	if c.fit() && c.files < maxFiles && memory <= p.limits.memory/2 {
		p.push(c)
		<-p.slots
		return
	}
	p.later.Go(func() { // still in its place
		c.end()
		p.refill()
		<-p.slots
	})
}

// refill starts a child when none is idle.
func (p *Pool) refill() {
	p.mu.Lock()
	idle := len(p.idle)
	p.mu.Unlock()
	if idle > 0 {
		return
	}
	// A failure shows again in the next call.
	if c, err := startProcess(p.ctx, p.command, p.setup); err == nil {
		p.push(c)
	}
}

func (p *Pool) push(c *process) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, c)
	if len(p.idle) > 1 && p.trim == nil {
		p.trim = time.AfterFunc(maxIdle, p.shrink)
	}
}

// shrink ends all idle children but one.
func (p *Pool) shrink() {
	p.mu.Lock()
	n := max(len(p.idle)-1, 0)
	spare := p.idle[:n:n]
	p.idle, p.trim = p.idle[n:], nil
	p.mu.Unlock()
	for _, c := range spare {
		c.end()
	}
}

// shorten keeps what matters of a name: its end.
func shorten(name string) string {
	const most = 1000 // bytes
	return strings.ToValidUTF8(name[max(len(name)-most, 0):], "\uFFFD")
}
