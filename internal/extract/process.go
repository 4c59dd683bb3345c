package extract

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"sync"
	"time"
)

const (
	startTime = 2 * time.Minute       // for a child to get ready; it may have to compile PDFium
	watchStep = 25 * time.Millisecond // between two looks at a child that works
)

// process is a child process as its pool sees it. One goroutine at a time uses it.
type process struct {
	in, out *os.File // its stdin and stdout
	said    said     // its stderr
	pid     int
	files   int // files it was given

	mu     sync.Mutex
	killed bool
	status string        // how it ended
	gone   bool          // its pid is free, and may be that of another
	done   chan struct{} // closed when it is gone
}

// startProcess starts a child and waits until it is ready.
func startProcess(ctx context.Context, command []string, s setup) (*process, error) {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	p := &process{done: make(chan struct{})}
	started := make(chan error)
	go p.live(command, started)
	if err := <-started; err != nil {
		return nil, fmt.Errorf("extract: start of a child: %w", err)
	}
	stop := context.AfterFunc(ctx, func() { p.kill() })
	defer stop()
	var r ready
	err := writeFrame(p.in, s)
	if err == nil {
		err = readFrame(p.out, &r)
	}
	if err == nil && r.Error != "" {
		err = errors.New(r.Error)
	}
	if err != nil {
		p.end()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("extract: a child did not get ready: %w: %s", err, p.said.text())
	}
	return p, nil
}

// live starts the process and stays with it until its end. It keeps its thread,
// because a child dies with the thread that started it.
func (p *process) live(command []string, started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = []string{"GOMAXPROCS=2"} // nothing of ours: it holds secrets
	cmd.Stderr = &p.said
	cmd.WaitDelay = time.Second
	cmd.SysProcAttr = attributes()
	theirs, err := p.pipes(cmd)
	if err == nil {
		err = cmd.Start()
	}
	for _, f := range theirs {
		f.Close()
	}
	if err != nil {
		p.in.Close()
		p.out.Close()
		started <- err
		return
	}
	p.pid = cmd.Process.Pid
	started <- nil

	await(cmd)
	p.mu.Lock()
	terminate(p.pid) // what is left of its group
	cmd.Wait()
	p.status = cmd.ProcessState.String()
	p.gone = true
	p.mu.Unlock()
	close(p.done)
}

// pipes connects stdin and stdout and returns the ends that the child gets.
func (p *process) pipes(cmd *exec.Cmd) (theirs []*os.File, err error) {
	in, ours, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd.Stdin, p.in = in, ours
	ours, out, err := os.Pipe()
	if err != nil {
		return []*os.File{in}, err
	}
	cmd.Stdout, p.out = out, ours
	return []*os.File{in, out}, nil
}

// kill ends the process with all that it may have started, at once. The result
// says that it was gone already.
func (p *process) kill() (gone bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.killed = true
	if !p.gone {
		terminate(p.pid)
	}
	return p.gone
}

// end kills the process, waits for its end and frees what it took.
func (p *process) end() {
	p.kill()
	<-p.done
	p.in.Close()
	p.out.Close()
}

// fit reports whether the process can read another file.
func (p *process) fit() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return !p.killed && !p.gone
}

// limits are what a file may take.
type limits struct {
	memory    int64
	wall, cpu time.Duration
}

// errLost says that somebody else killed a child, or that it was dead before.
// Another may read the file.
var errLost = errors.New("extract: the child was killed from outside")

// ask has the process read a file. Its error is a fault, a *Failure, the error
// of ctx, errLost, or one of reading f.
func (p *process) ask(ctx context.Context, name string, f io.ReaderAt, size int64, l limits) (Result, error) {
	p.files++
	p.said.reset()
	quit, watched := make(chan struct{}), make(chan error, 1)
	go func() { watched <- p.watch(ctx, l, quit) }()
	result, err := p.exchange(request{Name: name, Size: size, Time: l.wall / 3 * 2}, f)
	close(quit)
	broken := <-watched
	switch {
	case err == nil || !errors.Is(err, errAnswer):
		return result, err
	case broken != nil:
		return Result{}, broken
	}
	return Result{}, p.autopsy(err)
}

// autopsy says why a process gave no answer.
func (p *process) autopsy(err error) error {
	select {
	case <-p.done: // by itself
	case <-time.After(time.Second):
	}
	if lost := p.kill(); lost && p.status == "signal: killed" {
		return errLost
	}
	p.end()
	said := p.said.text()
	reason := reasonCrash
	if outOfMemory.MatchString(said) {
		reason = reasonMemory
	}
	return &Failure{Reason: reason, Detail: sentence(fmt.Sprintf("%v (%s): %s", err, p.status, said))}
}

// outOfMemory is what Go, or its race detector, says when the system gives no
// more memory, or when a stack is too large.
var outOfMemory = regexp.MustCompile(`out of memory|cannot allocate memory|stack exceeds|failed to allocate`)

// exchange sends a request and its file, and reads the answer. An error that
// comes from the child is an errAnswer.
func (p *process) exchange(r request, f io.ReaderAt) (Result, error) {
	if err := writeFrame(p.in, r); err != nil {
		return Result{}, errLost
	}
	content := &fileSource{Reader: io.NewSectionReader(f, 0, r.Size)}
	_, err := io.CopyN(p.in, content, r.Size)
	switch {
	case err != nil && content.err != nil: // the child waits for bytes that will not come
		p.kill()
		return Result{}, fmt.Errorf("extract: the file cannot be read: %w", content.err)
	case err != nil:
		return Result{}, fmt.Errorf("%w: %w", errAnswer, err)
	}
	return readAnswer(p.out)
}

// fileSource remembers the error of a reader.
type fileSource struct {
	io.Reader
	err error
}

func (s *fileSource) Read(b []byte) (int, error) {
	n, err := s.Reader.Read(b)
	if err != nil {
		s.err = err
	}
	return n, err
}

// watch kills the process when it takes more than it may or ctx ends, and says
// why it did. It ends with quit.
func (p *process) watch(ctx context.Context, l limits, quit <-chan struct{}) error {
	tick, wall := time.NewTicker(watchStep), time.NewTimer(l.wall)
	defer tick.Stop()
	defer wall.Stop()
	_, before := usage(p.pid)
	for {
		var err error
		select {
		case <-quit:
			return nil
		case <-p.done:
			return nil
		case <-ctx.Done():
			err = ctx.Err()
		case <-wall.C:
			err = &Failure{Reason: reasonTime}
		case <-tick.C:
			memory, cpu := usage(p.pid)
			switch {
			case memory > l.memory:
				err = &Failure{Reason: reasonMemory}
			case cpu-before > l.cpu:
				err = &Failure{Reason: reasonTime}
			}
		}
		if err != nil {
			p.kill()
			return err
		}
	}
}

// said keeps the start of what a process says on stderr.
type said struct {
	mu sync.Mutex
	b  []byte
}

func (s *said) Write(b []byte) (int, error) {
	const most = 1000
	s.mu.Lock()
	defer s.mu.Unlock()
	s.b = append(s.b, b[:min(len(b), most-len(s.b))]...)
	return len(b), nil
}

func (s *said) reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.b = s.b[:0]
}

func (s *said) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return sentence(string(s.b))
}
