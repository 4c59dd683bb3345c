package extract

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"unicode"

	"github.com/contentgraph/contentgraph/internal/fault"
)

// Child is the whole life of a child process of a Pool: it reads files from
// stdin and writes their texts to stdout until stdin ends. The result is the
// exit code of the process.
func Child() int {
	behind()
	return child(os.Stdin, os.Stdout, Read)
}

// readFunc is Read; tests have others, which misbehave.
type readFunc func(ctx context.Context, name string, in io.ReaderAt, size int64) (Result, error)

func child(in io.Reader, out io.Writer, read readFunc) int {
	os.Stdout = os.Stderr // whatever a library prints is no answer
	var s setup
	if err := readFrame(in, &s); err != nil {
		fmt.Fprintln(os.Stderr, "extract: this command is for the service itself:", err)
		return 2
	}
	var r ready
	if err := s.prepare(); err != nil {
		r.Error = err.Error()
	}
	if err := writeFrame(out, r); err != nil || r.Error != "" {
		return 1
	}
	files := make(chan file)
	go receive(in, files)
	for f := range files {
		a, text := f.read(read)
		f.content = nil
		if err := writeFrame(out, a); err != nil {
			return 1
		}
		if _, err := io.WriteString(out, text); err != nil {
			return 1
		}
		rest()
	}
	return 0
}

// prepare loads what needs files, and then gives up everything that a reader
// has no use for. Until here the process has read no stranger's byte.
func (s setup) prepare() error {
	const stack = 64 << 20
	debug.SetMaxStack(stack)
	debug.SetMemoryLimit(s.Memory / 4 * 3) // from here on the collector works harder
	if err := engine.open(s.Cache); err != nil {
		return err
	}
	return confine(s.Memory)
}

// file is a request with the bytes of its file.
type file struct {
	request
	content []byte
}

// receive reads requests, one ahead. When stdin ends the service is gone, and
// with it goes the process, whatever it is doing.
func receive(in io.Reader, files chan<- file) {
	for {
		var f file
		err := readFrame(in, &f.request)
		if err == nil {
			f.content = make([]byte, f.Size)
			_, err = io.ReadFull(in, f.content)
		}
		if err != nil {
			os.Exit(0)
		}
		files <- f
	}
}

// read reads the file and makes an answer and a text of what comes out.
func (f file) read(read readFunc) (answer, string) {
	ctx, cancel := context.WithTimeout(context.Background(), f.Time)
	defer cancel()
	result, err := read(ctx, f.Name, bytes.NewReader(f.content), f.Size)
	var known *fault.Error
	switch {
	case err == nil:
		text := result.Text
		result.Text = ""
		return answer{Result: result, Size: len(text)}, text
	case errors.As(err, &known) && known.Kind != fault.Internal:
		a := answer{Kind: known.Kind, Message: sentence(known.Message)}
		for _, f := range known.Fields {
			a.Fields = append(a.Fields, fault.Field{Field: sentence(f.Field), Message: sentence(f.Message)})
		}
		return a, ""
	case errors.Is(err, context.DeadlineExceeded):
		return answer{Reason: reasonTime}, ""
	}
	return answer{Reason: reasonCrash, Detail: sentence(err.Error())}, ""
}

// sentence makes of s what isSentence accepts.
func sentence(s string) string {
	const most = 1000 // bytes
	s = strings.ToValidUTF8(s[:min(len(s), most)], "")
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
}

// rest gives memory back while there is nothing to do.
func rest() {
	const much = 64 << 20
	var m runtime.MemStats
	if runtime.ReadMemStats(&m); m.HeapAlloc > much {
		debug.FreeOSMemory()
	}
}

// These are the reasons of a Failure.
const (
	reasonTime   = "Reading the file took too long."
	reasonMemory = "Reading the file took too much memory."
	reasonCrash  = "The reader crashed on this file."
)

// Failure says that a file could not be read because reading it crashed or ran
// into a limit.
type Failure struct {
	Reason string // a sentence for users
	Detail string // for the log: what the child said at last; may quote the file
}

func (f *Failure) Error() string {
	if f.Detail == "" {
		return "extract: " + f.Reason
	}
	return "extract: " + f.Reason + " " + f.Detail
}
