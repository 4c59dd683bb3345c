package rest

import (
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"os"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/knowledge"
)

const (
	mediaForm = "multipart/form-data"

	// maxAround is what a form may hold beside its file, in bytes.
	maxAround = 1 << 20
	maxParts  = 20
	maxField  = 64 << 10
)

// form is the body of an upload. Its file is not in memory; Close it.
type form struct {
	*os.File // nil before there is one
	upload   graphql.Upload
	fileName *string
}

// isForm reports a body that says it is a form.
func isForm(r *http.Request) bool {
	media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return media == mediaForm
}

// form reads a form part by part. All of it is read before anything is found
// wrong with it, so that too large comes before everything else.
func (a *api) form(w http.ResponseWriter, r *http.Request) (*form, error) {
	_, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch coding := r.Header.Get("Content-Encoding"); {
	case coding != "" && !strings.EqualFold(coding, "identity"):
		return nil, fault.New(fault.Unsupported, "the body must not be compressed")
	case r.ContentLength > a.MaxUpload+maxAround:
		return nil, a.fileTooLarge()
	case params["boundary"] == "":
		return nil, fault.New(fault.Invalid, "the Content-Type must have a boundary")
	}
	f := &form{}
	bad, err := f.read(multipart.NewReader(http.MaxBytesReader(w, r.Body, a.MaxUpload+maxAround), params["boundary"]), a)
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over):
		err = a.fileTooLarge()
	case err == nil && f.File == nil:
		bad = append(bad, fault.Field{Field: "file", Message: "is required"})
	}
	if err == nil && len(bad) > 0 {
		err = fault.WithFields(bad)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// read takes the parts, and says what is wrong with them.
func (f *form) read(parts *multipart.Reader, a *api) (bad []fault.Field, err error) {
	fail := func(field, message string) { bad = append(bad, fault.Field{Field: field, Message: message}) }
	for n := 0; ; n++ {
		part, err := parts.NextPart()
		switch {
		case err == io.EOF:
			return bad, nil
		case err != nil:
			return nil, unread(err)
		case n == maxParts:
			fail("file", "must be sent in at most 20 parts")
			return bad, nil
		}
		switch name := part.FormName(); name {
		case "file":
			if f.File != nil {
				fail(name, "must be sent once")
				continue
			}
			if err := f.keep(part, a); err != nil {
				return nil, err
			}
		case "fileName":
			text, err := io.ReadAll(io.LimitReader(part, maxField))
			if err != nil {
				return nil, unread(err)
			}
			f.fileName = new(string(text))
		case "kind", "text":
			fail(name, "must not be sent with a file")
		}
	}
}

// keep writes the file of a part to the disk.
func (f *form) keep(part *multipart.Part, a *api) (err error) {
	if f.File, err = knowledge.TempFile(a.TempFolder); err != nil {
		return err
	}
	size, err := io.Copy(f.File, io.LimitReader(sender{part}, a.MaxUpload+1))
	switch {
	case errors.As(err, new(lost)):
		return unread(err)
	case err != nil:
		return err // of the disk
	case size > a.MaxUpload:
		return a.fileTooLarge()
	}
	_, params, _ := mime.ParseMediaType(part.Header.Get("Content-Disposition"))
	f.upload = graphql.Upload{File: f.File, Filename: params["filename"], Size: size, ContentType: part.Header.Get("Content-Type")}
	return nil
}

// sender marks the errors of whoever sends, so that they are told from the disk's.
type sender struct{ io.Reader }

type lost struct{ error }

func (l lost) Unwrap() error { return l.error }

func (s sender) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	if err != nil && err != io.EOF {
		err = lost{err}
	}
	return n, err
}

// unread is the fault for a form that cannot be read on.
func unread(err error) error {
	if over := new(http.MaxBytesError); errors.As(err, &over) {
		return over
	}
	return fault.New(fault.Invalid, "the form could not be read to its end").Because(err)
}

func (a *api) fileTooLarge() error {
	return fault.New(fault.TooLarge, "the file must have at most %d bytes", a.MaxUpload)
}
