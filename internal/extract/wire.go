package extract

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/contentgraph/contentgraph/internal/fault"
)

// A pool and its child talk in frames over the child's stdin and stdout: four
// bytes with the length, big endian, then JSON. The bytes of a file follow its
// request, those of a text its answer. A pool believes nothing of what a child
// says, because a file may have taken the child over.

// maxFrame is the length in bytes of the longest frame.
const maxFrame = 64 << 10

// setup is the first frame to a child; it answers with ready.
type setup struct {
	Cache  string // folder of the compiled PDFium, "" = none
	Memory int64  // bytes
}

type ready struct {
	Error string // why the child cannot work; "" when it can
}

// request asks a child for the text of a file of Size bytes, which follow.
type request struct {
	Name string
	Size int64
	Time time.Duration // after which a reader ends with what it has
}

// answer is a result with a text of Size bytes, which follow; or a fault, when
// Message is set; or a failure, when Reason is set.
type answer struct {
	Result  Result
	Size    int
	Kind    fault.Kind
	Message string
	Fields  []fault.Field
	Reason  string
	Detail  string
}

func writeFrame(w io.Writer, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if len(b) > maxFrame {
		return fmt.Errorf("extract: frame of %d bytes", len(b))
	}
	_, err = w.Write(append(binary.BigEndian.AppendUint32(make([]byte, 0, 4+len(b)), uint32(len(b))), b...))
	return err
}

func readFrame(r io.Reader, v any) error {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return err
	}
	n := binary.BigEndian.Uint32(head[:])
	if n > maxFrame {
		return fmt.Errorf("extract: frame of %d bytes", n)
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(r, b); err != nil {
		return err
	}
	return json.Unmarshal(b, v)
}

// readAnswer reads an answer with its text and takes it apart.
func readAnswer(r io.Reader) (Result, error) {
	var a answer
	if err := readFrame(r, &a); err != nil {
		return Result{}, fmt.Errorf("%w: %w", errAnswer, err)
	}
	if err := a.check(); err != nil {
		return Result{}, err
	}
	switch {
	case a.Reason != "":
		return Result{}, &Failure{Reason: a.Reason, Detail: a.Detail}
	case len(a.Fields) > 0:
		return Result{}, fault.WithFields(a.Fields)
	case a.Message != "":
		return Result{}, fault.New(a.Kind, "%s", a.Message)
	}
	var b strings.Builder
	b.Grow(a.Size)
	if _, err := io.CopyN(&b, r, int64(a.Size)); err != nil {
		return Result{}, fmt.Errorf("%w: %w", errAnswer, err)
	}
	a.Result.Text = b.String()
	if !utf8.ValidString(a.Result.Text) || strings.Contains(a.Result.Text, "\x00") {
		return Result{}, fmt.Errorf("%w: no text", errAnswer)
	}
	return a.Result, nil
}

// errAnswer says that a child does not keep to the rules.
var errAnswer = errors.New("extract: the child gave no answer")

// check refuses an answer that no child gives by itself.
func (a *answer) check() error {
	_, known := readers[a.Result.Type]
	faulty := a.Message != "" || a.Reason != "" || len(a.Fields) > 0
	ok := (known || faulty) && a.Size >= 0 && a.Size <= maxText && a.Result.Text == "" && a.Result.Pages >= 0 &&
		isSentence(a.Result.Reason) && isSentence(a.Result.Charset) && isSentence(a.Message) && isSentence(a.Detail)
	switch a.Reason {
	case "", reasonTime, reasonMemory, reasonCrash:
	default:
		ok = false
	}
	switch a.Kind {
	case fault.Internal, fault.Invalid, fault.Unprocessable, fault.TooLarge, fault.Unsupported:
	default:
		ok = false
	}
	for _, f := range a.Fields {
		ok = ok && isSentence(f.Field) && isSentence(f.Message)
	}
	if !ok {
		return fmt.Errorf("%w: it breaks the rules", errAnswer)
	}
	return nil
}

// isSentence reports whether s is a short text that can be shown; "" is.
func isSentence(s string) bool {
	const most = 2000 // bytes
	return len(s) <= most && utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl)
}
