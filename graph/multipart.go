package graph

import (
	"errors"
	"io"
	"io/fs"
	"mime/multipart"
	"net/http"
	"os"
	"strconv"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"github.com/contentgraph/contentgraph/internal/fault"
)

const (
	mediaForm = "multipart/form-data"
	// preflight is a header that a page of another site can set only after the
	// browser has asked us.
	preflight = "GraphQL-Preflight"

	maxMap   = 64 << 10 // bytes of the part map, and of all that is between parts
	maxFiles = 5
)

// uploads are the files of a request, each as what removes it.
type uploads []func()

func (u uploads) remove() {
	for _, remove := range u {
		remove()
	}
}

// form reads a request of the GraphQL multipart request specification: the part
// operations, in which each file is null; the part map, of the names of parts to
// the paths of these nulls; and the files. Remove the uploads in any case.
func (h *Handler) form(r *http.Request, p *graphql.RawParams) (kept uploads, err error) {
	parts, err := r.MultipartReader()
	if err != nil {
		return nil, fault.New(fault.Invalid, "the Content-Type multipart/form-data must name a boundary")
	}
	text, err := part(parts, "operations", h.MaxBody)
	if err == nil {
		err = decode("operations", text, p)
	}
	if err != nil {
		return nil, err
	}
	if text, err = part(parts, "map", maxMap); err != nil {
		return nil, err
	}
	var paths map[string][]string
	if decode("map", text, &paths) != nil || len(paths) > maxFiles {
		return nil, fault.BadField("map", `must be a JSON object of lists of paths, such as {"0": ["variables.file"]}, for at most %d files`, maxFiles)
	}
	for {
		file, err := parts.NextPart()
		if err == io.EOF {
			break
		}
		if err != nil {
			return kept, unread(err)
		}
		targets, wanted := paths[file.FormName()]
		if !wanted {
			return kept, fault.BadField("map", "does not have the part %.100q, or has it once", file.FormName())
		}
		delete(paths, file.FormName())
		content, remove, err := h.keep(file)
		if err != nil {
			return kept, err
		}
		kept = append(kept, remove)
		for _, path := range targets {
			upload := graphql.Upload{
				File: io.NewSectionReader(content, 0, content.Size()), Size: content.Size(),
				Filename: file.FileName(), ContentType: file.Header.Get("Content-Type"),
			}
			if !place(p, path, upload) {
				return kept, fault.BadField("map", "%.100q must be the path of a null in operations, such as variables.file", path)
			}
		}
	}
	for name := range paths {
		return kept, fault.BadField("map", "the file %.100q was not sent", name)
	}
	return kept, nil
}

// part reads the next part, which must have the name.
func part(parts *multipart.Reader, name string, limit int64) ([]byte, error) {
	next, err := parts.NextPart()
	switch {
	case err != nil && err != io.EOF:
		return nil, unread(err)
	case err == io.EOF || next.FormName() != name:
		return nil, fault.New(fault.Invalid, "the parts must be operations, map and then the files: %s is missing", name)
	}
	text, err := io.ReadAll(io.LimitReader(next, limit+1))
	switch {
	case err != nil:
		return nil, unread(err)
	case int64(len(text)) > limit:
		return nil, fault.New(fault.TooLarge, "the part %s must have at most %d bytes", name, limit)
	}
	return text, nil
}

// keep copies a file to the disk, where it has no name: whatever ends this
// process, it is gone then.
func (h *Handler) keep(file io.Reader) (content *io.SectionReader, remove func(), err error) {
	f, err := os.CreateTemp(h.TempFolder, "upload-")
	if err != nil {
		return nil, nil, err
	}
	remove = func() { f.Close() }
	if os.Remove(f.Name()) != nil { // a system on which open files need their names
		remove = func() { f.Close(); os.Remove(f.Name()) }
	}
	size, err := io.Copy(f, io.LimitReader(file, h.MaxUpload+1))
	switch {
	case err != nil:
		err = unread(err)
	case size > h.MaxUpload:
		err = fault.New(fault.TooLarge, "the file must have at most %d bytes", h.MaxUpload)
	default:
		return io.NewSectionReader(f, 0, size), remove, nil
	}
	remove()
	return nil, nil, err
}

// unread says why a part could not be read, or not be kept.
func unread(err error) error {
	_, over := errors.AsType[*http.MaxBytesError](err)
	_, ours := errors.AsType[*fs.PathError](err)
	if over || ours {
		return err
	}
	return fault.New(fault.Invalid, "the multipart body is damaged or ends too early").Because(err)
}

// place puts a file where the operations have a null, and reports whether they have.
func place(p *graphql.RawParams, path string, file graphql.Upload) bool {
	steps := strings.Split(path, ".")
	if len(steps) < 2 || steps[0] != "variables" {
		return false
	}
	var node any = p.Variables
	for i, step := range steps[1:] {
		last := i == len(steps)-2
		switch parent := node.(type) {
		case map[string]any:
			value, known := parent[step]
			if last && known && value == nil {
				parent[step] = file
				return true
			}
			node = value
		case []any:
			n, err := strconv.ParseUint(step, 10, 31)
			if err != nil || n >= uint64(len(parent)) {
				return false
			}
			if last && parent[n] == nil {
				parent[n] = file
				return true
			}
			node = parent[n]
		default:
			return false
		}
	}
	return false
}
