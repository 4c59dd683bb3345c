package extract

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"strings"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/contentgraph/contentgraph/internal/fault"
)

const (
	maxNesting = 256     // elements within each other
	maxToken   = 8 << 20 // bytes from one tag to the next
)

var (
	errNesting = errors.New("extract: elements are nested too deeply")
	errDoctype = errors.New("extract: a part declares a document type, which the format forbids")
)

// walker is what is done with the XML of a part. Names come without prefix:
// prefixes are free, and strict files have other namespaces.
type walker struct {
	start func(e xml.StartElement) (skip bool, err error) // skip leaves the element out, with all within it
	end   func(name string) error
	chars func(b []byte) error
}

// walk goes through a part, which need not be there.
func (a *archive) walk(ctx context.Context, name string, w walker) error {
	r, err := a.open(name)
	if r == nil || err != nil {
		return err
	}
	defer r.Close()
	d := newXML(r)
	depth, skipped := 0, 0 // skipped: depth of the element that is left out, 0 = none
	for n := 0; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		token, err := d.RawToken()
		if err == io.EOF && depth == 0 {
			return nil
		}
		if err != nil {
			return err
		}
		switch e := token.(type) {
		case xml.StartElement:
			if depth++; depth > maxNesting {
				return errNesting
			}
			skip := false
			if skipped == 0 {
				skip, err = w.start(e)
			}
			if skip {
				skipped = depth
			}
		case xml.EndElement:
			if skipped == 0 {
				err = w.end(e.Name.Local)
			} else if skipped == depth {
				skipped = 0
			}
			depth = max(0, depth-1)
		case xml.CharData:
			if skipped == 0 {
				err = w.chars(e)
			}
		case xml.Directive: // entities are defined there
			return errDoctype
		}
		if err != nil {
			return err
		}
	}
}

// elements calls fn for every element of a part, up to where it is damaged.
func (a *archive) elements(name string, fn func(xml.StartElement)) {
	a.walk(context.Background(), name, walker{
		start: func(e xml.StartElement) (bool, error) { fn(e); return false, nil },
		end:   func(string) error { return nil },
		chars: func([]byte) error { return nil },
	})
}

// verdict is what the end of reading a part means for the file: damage is an
// error when there is no text at all, and a reason when there is.
func (a *archive) verdict(ctx context.Context, err error, out *text) error {
	switch empty := strings.TrimSpace(out.b.String()) == ""; {
	case err == nil || errors.Is(err, errFull) || ctx.Err() != nil:
		return err
	case errors.Is(err, errUnpacked) && empty:
		return unreadable(reasonUnpacked)
	case errors.Is(err, errUnpacked):
		return errFull
	case empty && fault.Is(err, fault.Unprocessable):
		return err
	case empty:
		return unreadable(reasonDamaged)
	}
	out.Reason = reasonPartly
	return nil
}

// attribute is the value of an attribute by its name without prefix.
func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// newXML reads XML that may be damaged or hostile: entities of the file are
// never expanded or fetched, and no token is longer than maxToken. Use RawToken,
// which keeps no account of open elements.
func newXML(r io.Reader) *xml.Decoder {
	d := xml.NewDecoder(&gapped{in: transform.NewReader(r, unicode.BOMOverride(transform.Nop))})
	d.Strict = false
	d.CharsetReader = func(label string, in io.Reader) (io.Reader, error) {
		if strings.HasPrefix(strings.ToLower(label), "utf-16") { // decoded above, by its byte order mark
			return in, nil
		}
		return charset.NewReaderLabel(label, in)
	}
	return d
}

// gapped stops where the next tag is too far away: the decoder keeps a token
// whole in memory.
type gapped struct {
	in  io.Reader
	gap int
}

func (g *gapped) Read(b []byte) (int, error) {
	n, err := g.in.Read(b)
	for _, c := range b[:n] {
		if g.gap++; c == '<' {
			g.gap = 0
		}
		if g.gap > maxToken {
			return 0, errUnpacked
		}
	}
	return n, err
}
