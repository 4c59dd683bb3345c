package extract

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/contentgraph/contentgraph/internal/fault"
)

// drawImage is the content of a page that shows the picture alone.
const drawImage = "q 500 0 0 700 50 50 cm /Im1 Do Q"

// readFile reads a PDF in this process.
func readFile(t *testing.T, b []byte) (Result, error) {
	t.Helper()
	return Read(t.Context(), "file.pdf", bytes.NewReader(b), int64(len(b)))
}

func TestPDFText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		file []byte
		want string
	}{
		{"line", simplePDF([]string{"Only (this) line"}), "Only (this) line"},
		{"headings", simplePDF([]string{
			"# Annual report", "The year was good.", "Nothing else is", "to be said of it.",
			"* Growth", "It grew.", "It grew again.", "And again.",
		}), "Annual report\n\nThe year was good.\nNothing else is\nto be said of it.\n\nGrowth\n\nIt grew.\nIt grew again.\nAnd again."},
		{"paragraphs", simplePDF([]string{"one", "two", "three", "four", "five", "+six", "seven"}),
			"one\ntwo\nthree\nfour\nfive\n\nsix\nseven"},
		{"pages", simplePDF([]string{"A first page."}, []string{"A second page that"}, []string{"goes on."}),
			"A first page.\n\nA second page that\ngoes on."},
		{"hyphen of a line", simplePDF([]string{"An exam-", "ple."}), "An example."},
		{"hyphen of a word", simplePDF([]string{"A self-", "regulating system is regulating its self."}),
			"A self-regulating system is regulating its self."},
		{"hyphen as elsewhere", simplePDF([]string{"An eco-", "system, all eco-systems,", "a data-", "base, no database."}),
			"An eco-system, all eco-systems,\na database, no database."},
		{"hyphen and capital", simplePDF([]string{"The x-", "Ray"}), "The x-Ray"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := readFile(t, c.file)
			if err != nil || got.Text != c.want || got.Reason != "" || got.Cut {
				t.Errorf("%q %+v, %v", got.Text, got, err)
			}
		})
	}
}

func TestPDFCharacters(t *testing.T) {
	t.Parallel()
	b := newPDF()
	b.cidFont("5 beginbfchar <0001> <D83DDE00> <0002> <0041> <0003> <00660066> <0004> <FB03> <0005> <FB05> endbfchar")
	b.page("BT /F3 12 Tf 72 700 Td <000200010002000300040005> Tj ET", "")
	got, err := readFile(t, b.done(""))
	if err != nil || got.Text != "A😀Affffist" {
		t.Errorf("%q, %v", got.Text, err)
	}
}

// TestPDFGarbled reads a file whose font does not say what its glyphs are: the
// numbers of the glyphs are those of letters, but others.
func TestPDFGarbled(t *testing.T) {
	t.Parallel()
	b := newPDF()
	b.cidFont("")
	glyphs := func(s string) string {
		var out strings.Builder
		for _, r := range s {
			fmt.Fprintf(&out, "%04X", max(r-29, 3)) // as many programs number them
		}
		return "BT /F3 12 Tf 72 700 Td <" + out.String() + "> Tj ET"
	}
	b.page(glyphs("Nobody can read what is written on this page"), "")
	got, err := readFile(t, b.done(""))
	if err != nil || got.Text != "" || got.Reason != reasonLayer {
		t.Errorf("alone: %+v, %v", got, err)
	}
	b.page(pdfLines("But this one."), "")
	got, err = readFile(t, b.done(""))
	if err != nil || got.Text != "But this one." ||
		got.Reason != "1 of 2 pages has a text layer that is unreadable and left out." {
		t.Errorf("among others: %+v, %v", got, err)
	}
}

func TestPDFForm(t *testing.T) {
	t.Parallel()
	b := newPDF()
	place := "/Type /Annot /Subtype /Widget /Rect [100 100 300 120] /F 4"
	name := b.add("<< %s /FT /Tx /T (name) /V (Ada Lovelace) >>", place)
	twice := b.add("")
	left, right := b.add("<< %s /Parent %d 0 R >>", place, twice), b.add("<< %s /Parent %d 0 R >>", place, twice)
	b.set(twice, "<< /FT /Tx /T (city) /V <FEFF005A00FC0072006900630068> /Kids [%d 0 R %d 0 R] >>", left, right)
	secret := b.add("<< %s /FT /Tx /Ff 8192 /T (password) /V (hunter2) >>", place)
	hidden := b.add("<< /Type /Annot /Subtype /Widget /Rect [0 0 9 9] /F 2 /FT /Tx /T (token) /V (invisible) >>")
	box := b.add("<< %s /FT /Btn /T (agree) /V /Yes /AS /Yes >>", place)
	country := b.add("<< %s /FT /Ch /Ff 131072 /T (country) /Opt [[(ch) (Switzerland)] [(at) (Austria)]] /V (ch) >>", place)
	lines := b.add("<< %s /FT /Tx /Ff 4096 /T (remark) /V (first\\rsecond) >>", place)
	typed := b.add("<< /Type /Annot /Subtype /FreeText /Rect [100 300 300 320] /F 4 /DA (/F1 12 Tf) /Contents (Typed onto the page) >>")
	note := b.add("<< /Type /Annot /Subtype /Text /Rect [100 300 120 320] /F 4 /Contents (Check this) >>")
	all := ""
	for _, n := range []int{name, left, right, secret, hidden, box, country, lines, typed, note} {
		all += fmt.Sprintf("%d 0 R ", n)
	}
	b.catalog = fmt.Sprintf("/AcroForm << /Fields [%d 0 R %d 0 R %d 0 R %d 0 R %d 0 R %d 0 R %d 0 R] /DA (/F1 12 Tf) >>",
		name, twice, secret, hidden, box, country, lines)
	body := "Application " + strings.Repeat("words that fill the line ", 3)
	content := []string{}
	for range 20 {
		content = append(content, body)
	}
	b.page(pdfLines(content...), "/Annots ["+all+"]")
	got, err := readFile(t, b.done(""))
	want := "\n\nAda Lovelace\n\nZürich\n\nSwitzerland\n\nfirst\nsecond\n\nTyped onto the page\n\nCheck this"
	if err != nil || !strings.HasSuffix(got.Text, want) || strings.Count(got.Text, "Zürich") != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	for _, no := range []string{"hunter2", "invisible", "Yes", "Austria"} {
		if strings.Contains(got.Text, no) {
			t.Errorf("%s is in the text", no)
		}
	}
}

func TestPDFImages(t *testing.T) {
	t.Parallel()
	book := func(contents ...string) []byte {
		b := newPDF()
		picture := b.picture()
		for _, c := range contents {
			b.page(c, "")
		}
		return b.done(picture)
	}
	text := pdfLines("Words.")
	for _, c := range []struct {
		name         string
		file         []byte
		text, reason string
	}{
		{"one", book(drawImage), "", reasonImages},
		{"all", book(drawImage, drawImage), "", reasonImages},
		{"some", book(drawImage, text, drawImage), "Words.", "2 of 3 pages hold only images; text recognition is not available."},
		{"one of many", book(text, drawImage), "Words.", "1 of 2 pages holds only images; text recognition is not available."},
		{"with text", book(text + drawImage), "Words.", ""},
		{"blank", book("", "0 0 m 100 100 l S"), "", reasonEmpty},
	} {
		got, err := readFile(t, c.file)
		if err != nil || got.Reason != c.reason || got.Text != c.text {
			t.Errorf("%s: %+v, %v", c.name, got, err)
		}
	}
}

func TestPDFEncrypted(t *testing.T) {
	t.Parallel()
	book := func(user string) []byte {
		b := newPDF()
		b.trailer = b.encrypt(user, "owner")
		b.page(pdfLines("No secret."), "")
		return b.done("")
	}
	if got, err := readFile(t, book("")); err != nil || got.Text != "No secret." {
		t.Errorf("without a password: %+v, %v", got, err)
	}
	_, err := readFile(t, book("user"))
	if !fault.Is(err, fault.Unprocessable) || err.Error() != reasonPassword {
		t.Errorf("with a password: %v", err)
	}
}

// TestPDFTruncated reads a file that ends too early, at every tenth.
func TestPDFTruncated(t *testing.T) {
	t.Parallel()
	var pages [][]string
	for i := range 10 {
		pages = append(pages, []string{fmt.Sprintf("This is page %d.", i+1)})
	}
	whole := simplePDF(pages...)
	for tenth := range 10 {
		got, err := readFile(t, whole[:len(whole)*tenth/10])
		switch {
		case err == nil && strings.Contains(got.Text, "page") == (got.Text == ""):
			t.Errorf("%d0 %%: %+v", tenth, got)
		case err != nil && !fault.Is(err, fault.Unprocessable) && !fault.Is(err, fault.Invalid):
			t.Errorf("%d0 %%: %v", tenth, err)
		}
	}
}

func TestPDFDamaged(t *testing.T) {
	t.Parallel()
	b := newPDF()
	b.page(pdfLines("Page one."), "")
	b.kids = append(b.kids, "9999 0 R")
	b.page(pdfLines("Page three."), "")
	got, err := readFile(t, b.done(""))
	if err != nil || got.Text != "Page one.\n\nPage three." || got.Pages != 3 ||
		got.Reason != "1 of 3 pages is damaged and cannot be read." {
		t.Errorf("%+v, %v", got, err)
	}
	for _, file := range []string{"%PDF-1.7\n", "%PDF-1.7\n" + strings.Repeat("1 0 obj << /Kids [1 0 R] >> endobj ", 100)} {
		if _, err := readFile(t, []byte(file)); !fault.Is(err, fault.Unprocessable) || err.Error() != reasonDamaged {
			t.Errorf("%.20q: %v", file, err)
		}
	}
}

// TestPDFLong reads as much as is kept and says where it ended.
func TestPDFLong(t *testing.T) {
	t.Parallel()
	b := newPDF()
	typed := b.add("<< /Type /Annot /Subtype /FreeText /Rect [0 0 9 9] /DA (/F1 12 Tf) /Contents (%s) >>",
		strings.Repeat("every page has many words ", 20_000)) // half a megabyte
	for range 20 {
		b.page("", fmt.Sprintf("/Annots [%d 0 R]", typed))
	}
	got, err := readFile(t, b.done(""))
	if err != nil || !got.Cut || len(got.Text) > maxText || len(got.Text) < maxText*9/10 ||
		got.Reason != "Only the first 11 of 20 pages were read, because the text is too long." {
		t.Errorf("%d bytes, cut %v, %q, %v", len(got.Text), got.Cut, got.Reason, err)
	}
}

// TestPDFBudget keeps the pages that were read until the time was over.
func TestPDFBudget(t *testing.T) {
	t.Parallel()
	b := newPDF()
	b.page(pdfLines("The first page."), "")
	slow := b.stream("", strings.Repeat("q Q ", 1<<20))
	for range 50_000 {
		b.kids = append(b.kids, fmt.Sprintf("%d 0 R", b.add("<< /Type /Page /Parent %d 0 R /Contents %d 0 R >>", b.tree, slow)))
	}
	file := b.done("")
	read := func(ctx context.Context) (Result, error) {
		return Read(ctx, "file.pdf", bytes.NewReader(file), int64(len(file)))
	}
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
	defer cancel()
	start := time.Now()
	got, err := read(ctx)
	if took := time.Since(start); took > time.Minute {
		t.Errorf("took %v", took)
	}
	if err != nil || !got.Cut || got.Text != "The first page." || got.Pages != 50_001 ||
		!strings.HasPrefix(got.Reason, "Only the first ") ||
		!strings.HasSuffix(got.Reason, " of 50,001 pages were read, because reading the file took too long.") {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := read(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("no time at all: %v", err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	time.AfterFunc(500*time.Millisecond, cancel)
	if _, err := read(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

// TestPDFPages reads 50,000 pages in a child, in whose limits they stay.
func TestPDFPages(t *testing.T) {
	t.Parallel()
	b := newPDF()
	stream := b.stream("", pdfLines("A page."))
	for range 50_000 {
		b.kids = append(b.kids, fmt.Sprintf("%d 0 R", b.add("<< /Type /Page /Parent %d 0 R /Contents %d 0 R >>", b.tree, stream)))
	}
	p := newPool(t, Options{Command: []string{self(), "extract-child"}, Size: 1})
	got, err := p.Extract(t.Context(), "file.pdf", upload(t, b.done("")))
	if err != nil || !strings.HasPrefix(got.Text, "A page.") || got.Cut != (got.Reason != "") {
		t.Errorf("%d bytes, cut %v, %q, %v", len(got.Text), got.Cut, got.Reason, err)
	}
}

// TestPDFBomb reads a page that unpacks to 300 MB: it breaks PDFium, whose
// memory is limited, and the pages around it are read.
func TestPDFBomb(t *testing.T) {
	t.Parallel()
	var packed bytes.Buffer
	w, err := zlib.NewWriterLevel(&packed, zlib.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	for range 300 {
		w.Write(bytes.Repeat([]byte(" "), 1<<20))
	}
	w.Close()
	b := newPDF()
	b.page(pdfLines("Before."), "")
	b.kids = append(b.kids, fmt.Sprintf("%d 0 R", b.add("<< /Type /Page /Parent %d 0 R /Contents %d 0 R >>",
		b.tree, b.stream("/Filter /FlateDecode", packed.String()))))
	b.page(pdfLines("After."), "")
	got, err := readFile(t, b.done(""))
	if err != nil || !strings.HasPrefix(got.Text, "Before.") || !got.Cut && got.Text != "Before.\n\nAfter." {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestPDFHuge gives up a file that names a million pages it does not have.
func TestPDFHuge(t *testing.T) {
	t.Parallel()
	b := newPDF()
	b.page(pdfLines("The only page."), "")
	file := bytes.Replace(b.done(""), []byte("/Count 1 "), []byte("/Count 999999 "), 1)
	got, err := readFile(t, file)
	if err == nil && !strings.Contains(got.Text, "The only page.") || err != nil && !fault.Is(err, fault.Unprocessable) {
		t.Errorf("%+v, %v", got, err)
	}
}

func FuzzPDF(f *testing.F) {
	f.Add(simplePDF([]string{"# Title", "Some exam-", "ple"}, []string{"x"}))
	b := newPDF()
	b.cidFont("2 beginbfchar <0001> <D83DDE00> <0002> <0041> endbfchar")
	field := b.add("<< /Type /Annot /Subtype /Widget /Rect [0 0 9 9] /FT /Tx /T (a) /V (b) >>")
	b.catalog = fmt.Sprintf("/AcroForm << /Fields [%d 0 R] >>", field)
	b.page("BT /F3 12 Tf 72 700 Td <00020001> Tj ET "+drawImage, fmt.Sprintf("/Annots [%d 0 R]", field))
	f.Add(b.done(b.picture()))
	b = newPDF()
	b.trailer = b.encrypt("", "owner")
	b.page(pdfLines("x"), "")
	f.Add(b.done(""))
	f.Fuzz(func(t *testing.T, b []byte) {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		out := &text{Result: Result{Type: "pdf"}}
		err := readPDF(ctx, io.NewSectionReader(bytes.NewReader(b), 0, int64(len(b))), out)
		switch {
		case err == nil || errors.Is(err, errFull):
			if got := out.finish(); len(got.Text) > maxText || !isSentence(got.Reason) || got.Text == "" && got.Reason == "" {
				t.Errorf("%+v", got)
			}
		case !fault.Is(err, fault.Unprocessable) && !errors.Is(err, context.DeadlineExceeded):
			t.Error(err)
		}
	})
}
