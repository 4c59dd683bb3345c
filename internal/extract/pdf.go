package extract

import (
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	pdferrors "github.com/klippa-app/go-pdfium/errors"
)

const (
	pdfTime     = 20 * time.Second // for one file; the pages read until then are kept
	pdfRestarts = 8                // of PDFium, after pages that broke it
	pdfNotes    = 100              // comments of a file
	pdfMissing  = 200              // damaged pages in a row after which the rest is given up
)

// reasonImages is said of a PDF all of whose pages are pictures.
const reasonImages = "This PDF holds only images; text recognition is not available."

// reasonLayer is said of a PDF whose fonts do not say which letters they draw.
const reasonLayer = "The text layer of this PDF is unreadable: its fonts do not say which letters they draw."

// readPDF reads a PDF page by page. What cannot be read (pages that are damaged
// or hold images alone, pages beyond the time or size a file may take) is said
// in the reason; the other pages are kept.
func readPDF(ctx context.Context, in *io.SectionReader, out *text) error {
	budget, cancel := context.WithTimeout(ctx, pdfTime)
	defer cancel()
	r := &pdfReader{in: in}
	err := r.open(budget)
	defer r.close()
	for i := 0; err == nil && i < r.total && !r.full(); i++ {
		err = r.next(budget, i)
	}
	r.close()
	late := err != nil && budget.Err() != nil // then err tells of that, not of the file
	switch {
	case late && errors.Is(ctx.Err(), context.Canceled):
		return ctx.Err()
	case late && r.read == 0:
		return context.DeadlineExceeded
	case err != nil && !late:
		return err
	case !late && r.damaged == r.total: // also of none
		return unreadable(reasonDamaged)
	}
	out.Pages = r.total
	for _, s := range r.notes {
		out.Aside(s)
	}
	err = out.Write(r.layout())
	out.Cut = late || err != nil
	out.Reason = r.reason(late, out.Cut)
	return err
}

// pdfReader is the state of reading one file.
type pdfReader struct {
	pdfText
	in       *io.SectionReader
	doc      *pdfDocument // nil when PDFium must be started (again)
	restarts int
	total    int // pages of the file
	read     int // pages done, readable or not
	damaged  int // of these
	images   int // of these
	garbled  int // of these
	missing  int // damaged pages in a row
	notes    []string
}

// open starts PDFium for the file.
func (r *pdfReader) open(ctx context.Context) error {
	doc, err := openPDF(ctx, r.in)
	if err != nil {
		return err
	}
	r.doc, r.total = doc, doc.pages
	return nil
}

func (r *pdfReader) close() {
	if r.doc != nil {
		r.doc.close()
		r.doc = nil
	}
}

// next reads page i. It returns an error when reading must end: the time is up.
func (r *pdfReader) next(ctx context.Context, i int) error {
	if r.missing >= pdfMissing || r.restarts > pdfRestarts {
		r.damaged++
		r.read++
		return nil
	}
	var p pdfPage
	var err error
	if r.doc == nil {
		err = r.open(ctx)
	}
	if err == nil {
		p, err = r.doc.page(i)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	r.read++
	r.missing++
	switch {
	case errors.Is(err, pdferrors.ErrPage): // PDFium saw it itself
		r.damaged++
		return nil
	case err != nil: // PDFium broke on it and is in no state to go on
		r.damaged++
		r.restarts++
		r.close()
		return nil
	}
	r.missing = 0
	if p.garbled {
		r.garbled++
	}
	if p.image {
		r.images++
	}
	r.add(p)
	if len(r.notes) < pdfNotes {
		r.notes = append(r.notes, p.notes...)
	}
	return nil
}

// reason says what of the file is missing from its text. late says that the
// time was up, cut that there is more text for whatever reason.
func (r *pdfReader) reason(late, cut bool) string {
	switch {
	case r.images == r.total:
		return reasonImages
	case r.garbled > 0 && r.empty():
		return reasonLayer
	}
	var all []string
	say := func(pages int, one, many string) {
		switch {
		case pages == 1:
			all = append(all, r.of(1)+one)
		case pages > 1:
			all = append(all, r.of(pages)+many)
		}
	}
	switch {
	case late:
		all = append(all, "Only the first "+r.of(r.read)+" were read, because reading the file took too long.")
	case cut && r.read < r.total:
		all = append(all, "Only the first "+r.of(r.read)+" were read, because the text is too long.")
	case cut:
		all = append(all, "The text is too long; its end is missing.")
	}
	say(r.images, " holds only images; text recognition is not available.",
		" hold only images; text recognition is not available.")
	say(r.garbled, " has a text layer that is unreadable and left out.",
		" have a text layer that is unreadable and left out.")
	say(r.damaged, " is damaged and cannot be read.", " are damaged and cannot be read.")
	return strings.Join(all, " ")
}

// of says "3 of 12 pages".
func (r *pdfReader) of(n int) string {
	return group(n) + " of " + group(r.total) + " pages"
}

// group writes n with its thousands apart: 50,000.
func group(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
