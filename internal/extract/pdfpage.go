package extract

import (
	"context"
	"errors"
	"io"
	"strings"
	"unicode/utf16"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/enums"
	pdferrors "github.com/klippa-app/go-pdfium/errors"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
)

// pdfDocument is a file that PDFium has opened.
type pdfDocument struct {
	lib    pdfium.Pdfium
	ref    references.FPDF_DOCUMENT
	pages  int
	form   references.FPDF_FORMHANDLE // "" when the file has no form
	fields map[string]bool            // names of the form's fields whose values are known
}

// pdfPage is what a page says.
type pdfPage struct {
	lines   []pdfLine
	garbled bool     // the lines say nothing to anybody
	values  []string // of form fields, and texts laid over the page
	notes   []string // comments pinned to the page
	image   bool     // there is no text, but a picture
}

// pdfLine is a line of a page, as it is drawn.
type pdfLine struct {
	text       string
	size       float32 // height of its letters in points, 0 when unknown
	start, end pdfBox  // where its first and its last letter stand
	bold       bool
}

// pdfBox is where a letter stands, in points from the lower left corner.
type pdfBox struct{ left, bottom, right, top float32 }

func (b pdfBox) height() float32 { return b.top - b.bottom }

// openPDF opens a file, whose calls end with an error when ctx does. The error
// is a fault of kind Unprocessable for a file that cannot be read.
func openPDF(ctx context.Context, in *io.SectionReader) (*pdfDocument, error) {
	lib, err := engine.instance(ctx)
	if err != nil {
		return nil, err
	}
	d := &pdfDocument{lib: lib, fields: map[string]bool{}}
	if err := d.open(in); err != nil {
		d.close()
		return nil, err
	}
	return d, nil
}

func (d *pdfDocument) open(in *io.SectionReader) error {
	opened, err := d.lib.OpenDocument(&requests.OpenDocument{
		FileReader: io.NewSectionReader(in, 0, in.Size()), FileReaderSize: in.Size(),
	})
	switch {
	case errors.Is(err, pdferrors.ErrPassword):
		return unreadable(reasonPassword)
	case errors.Is(err, pdferrors.ErrSecurity):
		return unreadable("The file is encrypted in a way that is not supported.")
	case err != nil:
		return unreadable(reasonDamaged)
	}
	d.ref = opened.Document
	count, err := d.lib.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: d.ref})
	if err != nil {
		return unreadable(reasonDamaged)
	}
	d.pages = count.PageCount
	d.openForm()
	return nil
}

// close throws the instance of PDFium away, whatever its state.
func (d *pdfDocument) close() {
	d.closeForm()
	d.lib.Close()
}

// page reads page i. The error is pdferrors.ErrPage for a page that PDFium
// refuses; after any other the document is of no more use.
func (d *pdfDocument) page(i int) (p pdfPage, err error) {
	loaded, err := d.lib.FPDF_LoadPage(&requests.FPDF_LoadPage{Document: d.ref, Index: i})
	if err != nil {
		return p, err
	}
	defer func() {
		_, closing := d.lib.FPDF_ClosePage(&requests.FPDF_ClosePage{Page: loaded.Page})
		err = errors.Join(err, closing)
	}()
	page := requests.Page{ByReference: &loaded.Page}
	if p.lines, p.garbled, err = d.lines(page); err != nil {
		return p, err
	}
	if err := d.annotations(page, &p); err != nil {
		return p, err
	}
	if len(p.lines)+len(p.values) == 0 {
		p.image, err = d.hasImage(page)
	}
	return p, err
}

// lines reads the text of a page in the order in which the file draws it, which
// in files made by text programs is that of reading.
func (d *pdfDocument) lines(page requests.Page) (lines []pdfLine, garbled bool, err error) {
	loaded, err := d.lib.FPDFText_LoadPage(&requests.FPDFText_LoadPage{Page: page})
	if err != nil {
		return nil, false, err
	}
	t := pdfLetters{lib: d.lib, page: loaded.TextPage}
	defer func() {
		_, closing := d.lib.FPDFText_ClosePage(&requests.FPDFText_ClosePage{TextPage: t.page})
		err = errors.Join(err, closing)
	}()
	s, err := t.text()
	if err != nil || strings.TrimSpace(s) == "" {
		return nil, false, err
	}
	if t.garbled(s) {
		return nil, true, nil
	}
	at := 0
	for line := range strings.SplitSeq(s, "\r\n") {
		n := utf16Len(line)
		l := t.line(line, at, n)
		at += n + 2
		if last := len(lines) - 1; last >= 0 && lines[last].goesOn(l) {
			lines[last].text += " " + l.text
			lines[last].end = l.end
			continue
		}
		lines = append(lines, l)
	}
	return lines, false, nil
}

// pdfLetters are the letters of a page. PDFium counts them in UTF-16 units.
type pdfLetters struct {
	lib   pdfium.Pdfium
	page  references.FPDF_TEXTPAGE
	count int
	exact bool // unit i of the text is letter i
}

func (t *pdfLetters) text() (string, error) {
	count, err := t.lib.FPDFText_CountChars(&requests.FPDFText_CountChars{TextPage: t.page})
	if err != nil || count.Count <= 0 {
		return "", err
	}
	t.count = min(count.Count, maxText)
	got, err := t.lib.FPDFText_GetText(&requests.FPDFText_GetText{TextPage: t.page, Count: t.count})
	if err != nil {
		return "", err
	}
	t.exact = utf16Len(got.Text) == t.count
	return strings.ReplaceAll(got.Text, "ſt", "st"), nil // how PDFium takes the ligature ﬅ apart
}

// line measures a line of n letters that starts at letter at. Its size is the
// smaller one of its first and its last letter, so that an initial is not taken
// for a heading.
func (t *pdfLetters) line(s string, at, n int) pdfLine {
	l := pdfLine{text: s}
	blank := len(s) - len(strings.TrimLeft(s, " ")) // a blank is a byte and a unit
	last := len(s) - len(strings.TrimRight(s, " "))
	if !t.exact || blank == len(s) {
		return l
	}
	first, end := at+blank, at+n-1-last
	l.start, l.end = t.box(first), t.box(end)
	l.size = min(l.start.height(), l.end.height())
	l.bold = n <= maxHeading && t.bold(first) && t.bold(end)
	return l
}

// goesOn reports whether m stands in the same line: a raised number, which
// PDFium takes for a line.
func (l pdfLine) goesOn(m pdfLine) bool {
	shared := min(l.end.top, m.start.top) - max(l.end.bottom, m.start.bottom)
	return l.size > 0 && m.size > 0 && m.start.left >= l.end.right-1 &&
		shared > min(l.end.height(), m.start.height())/2
}

func (t *pdfLetters) box(i int) pdfBox {
	got, err := t.lib.FPDFText_GetLooseCharBox(&requests.FPDFText_GetLooseCharBox{TextPage: t.page, Index: i})
	if err != nil {
		return pdfBox{}
	}
	return pdfBox{got.Rect.Left, got.Rect.Bottom, got.Rect.Right, got.Rect.Top}
}

func (t *pdfLetters) bold(i int) bool {
	const forced = 1 << 18 // ISO 32000-1, table 123
	font, err := t.lib.FPDFText_GetFontInfo(&requests.FPDFText_GetFontInfo{TextPage: t.page, Index: i})
	if err != nil {
		return false
	}
	name := strings.ToLower(font.FontName)
	return font.Flags&forced != 0 || strings.Contains(name, "bold") ||
		strings.Contains(name, "black") || strings.Contains(name, "heavy")
}

// garbled reports whether s is not what the page shows: its fonts lack the
// table from their glyphs to characters, so that numbers of glyphs came out.
func (t *pdfLetters) garbled(s string) bool {
	const sample = 16
	unmapped, n := 0, min(sample, t.count)
	for i := range n {
		got, err := t.lib.FPDFText_HasUnicodeMapError(&requests.FPDFText_HasUnicodeMapError{
			TextPage: t.page, Index: i * t.count / n,
		})
		if err == nil && got.HasUnicodeMapError {
			unmapped++
		}
	}
	return isGarbled(s, unmapped*2 > n)
}

// hasImage reports whether a page shows a picture.
func (d *pdfDocument) hasImage(page requests.Page) (bool, error) {
	count, err := d.lib.FPDFPage_CountObjects(&requests.FPDFPage_CountObjects{Page: page})
	if err != nil {
		return false, err
	}
	looked := 0
	for i := range count.Count {
		got, err := d.lib.FPDFPage_GetObject(&requests.FPDFPage_GetObject{Page: page, Index: i})
		if err != nil {
			return false, err
		}
		if found, err := d.isImage(got.PageObject, &looked); found || err != nil {
			return found, err
		}
	}
	return false, nil
}

// isImage reports whether an object of a page is a picture or holds one.
func (d *pdfDocument) isImage(o references.FPDF_PAGEOBJECT, looked *int) (bool, error) {
	const most = 200 // objects of a page
	if *looked++; *looked > most {
		return false, nil
	}
	kind, err := d.lib.FPDFPageObj_GetType(&requests.FPDFPageObj_GetType{PageObject: o})
	if err != nil || kind.Type != enums.FPDF_PAGEOBJ_FORM {
		return err == nil && kind.Type == enums.FPDF_PAGEOBJ_IMAGE, err
	}
	count, err := d.lib.FPDFFormObj_CountObjects(&requests.FPDFFormObj_CountObjects{PageObject: o})
	if err != nil {
		return false, err
	}
	for i := range count.Count {
		part, err := d.lib.FPDFFormObj_GetObject(&requests.FPDFFormObj_GetObject{PageObject: o, Index: uint64(i)})
		if err != nil {
			return false, err
		}
		if found, err := d.isImage(part.PageObject, looked); found || err != nil || *looked > most {
			return found, err
		}
	}
	return false, nil
}

// utf16Len is the length of s in UTF-16 units.
func utf16Len(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}
