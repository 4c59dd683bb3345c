package extract

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"io"
	"path"
	"strings"
)

// archive is an OOXML file: parts in a ZIP archive. The names of its entries
// are keys of a map and never paths of this machine.
type archive struct {
	parts map[string]*zip.File // by part name: lower case, no slash at the start
	left  int64                // bytes that may still be unpacked
}

const (
	maxEntries  = 4 << 20   // bytes of an archive's directory, about 40,000 entries
	maxPart     = 64 << 20  // bytes of one part, unpacked
	maxUnpacked = 128 << 20 // bytes of all parts together
)

// errUnpacked says that an archive unpacks to more than is read of it.
var errUnpacked = errors.New("extract: too much is packed in this archive")

// reasonUnpacked is for a file of which nothing was found before that.
const reasonUnpacked = "The file is too large when it is unpacked."

// openArchive reads the directory of an archive. One that cannot be read is a
// fault of kind Unprocessable.
func openArchive(in *io.SectionReader) (*archive, error) {
	// The directory is as long as it likes: what it says of itself is no bound.
	ration := &rationed{ReaderAt: in, reads: 1 << 20, bytes: maxEntries}
	z, err := zip.NewReader(ration, in.Size())
	if err != nil {
		return nil, ration.fault()
	}
	ration.reads, ration.bytes = 1<<40, 1<<60
	a := &archive{parts: map[string]*zip.File{}, left: maxUnpacked}
	for _, f := range z.File {
		if name := partName("", f.Name); a.parts[name] == nil {
			a.parts[name] = f
		}
	}
	return a, nil
}

// partName is the name of a part that target means, seen from the folder of
// another part.
func partName(folder, target string) string {
	target = strings.ToLower(strings.ReplaceAll(target, `\`, "/"))
	if !strings.HasPrefix(target, "/") {
		target = "/" + folder + "/" + target
	}
	return strings.TrimPrefix(path.Clean(target), "/")
}

// open opens a part; nil without an error when there is none of that name.
// What it reads counts against the limits.
func (a *archive) open(name string) (io.ReadCloser, error) {
	f := a.parts[name]
	if f == nil {
		return nil, nil
	}
	if f.Flags&1 != 0 {
		return nil, unreadable(reasonPassword)
	}
	r, err := f.Open()
	if err != nil {
		return nil, unreadable(reasonDamaged)
	}
	return &part{ReadCloser: r, archive: a, left: maxPart}, nil
}

// part is an open part.
type part struct {
	io.ReadCloser
	archive *archive
	left    int64
}

func (p *part) Read(b []byte) (int, error) {
	left := min(p.left, p.archive.left)
	if left <= 0 {
		return 0, errUnpacked
	}
	n, err := p.ReadCloser.Read(b[:min(int64(len(b)), left)])
	p.left -= int64(n)
	p.archive.left -= int64(n)
	return n, err
}

// relation is a line of a part's relationships.
type relation struct {
	id, target string // target: a part name
	kind       string // the last word of its type, the same in transitional and strict files
}

// relations are those of a part ("" = of the file) to other parts. Damage ends
// the list.
func (a *archive) relations(name string) (found []relation) {
	const most = 4096
	folder, file := path.Split(name)
	a.elements(partName("", folder+"_rels/"+file+".rels"), func(e xml.StartElement) {
		if e.Name.Local != "Relationship" || attribute(e, "TargetMode") == "External" || len(found) == most {
			return
		}
		kind := attribute(e, "Type")
		found = append(found, relation{
			id:     attribute(e, "Id"),
			target: partName(strings.TrimSuffix(folder, "/"), attribute(e, "Target")),
			kind:   kind[strings.LastIndexByte(kind, '/')+1:],
		})
	})
	return found
}

// related are the parts that a part has a relation of a kind to.
func related(all []relation, kind string) (targets []string) {
	for _, r := range all {
		if r.kind == kind {
			targets = append(targets, r.target)
		}
	}
	return targets
}

// main is the part that the others hang on, and its content type.
func (a *archive) main() (name, kind string) {
	for _, name := range append(related(a.relations(""), "officeDocument"), "word/document.xml", "xl/workbook.xml") {
		if a.parts[name] != nil {
			return name, a.contentType(name)
		}
	}
	return "", ""
}

// contentType is what the list of types says of a part, in lower case.
func (a *archive) contentType(name string) (kind string) {
	a.elements("[content_types].xml", func(e xml.StartElement) {
		if e.Name.Local == "Override" && partName("", attribute(e, "PartName")) == name {
			kind = strings.ToLower(attribute(e, "ContentType"))
		}
	})
	return kind
}
