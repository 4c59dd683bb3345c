package extract

import (
	"bytes"
	"crypto/md5"
	"crypto/rc4"
	"fmt"
	"strings"
)

// pdfFile writes a PDF: objects in the order in which they are added, then a
// table of where they are.
type pdfFile struct {
	objects []string
	key     []byte // encrypts streams, when set
}

// add adds an object and returns its number.
func (f *pdfFile) add(format string, args ...any) int {
	f.objects = append(f.objects, fmt.Sprintf(format, args...))
	return len(f.objects)
}

// stream adds a stream with the entries of dict.
func (f *pdfFile) stream(dict, data string) int {
	if f.key != nil {
		n := len(f.objects) + 1
		sum := md5.Sum(append(bytes.Clone(f.key), byte(n), byte(n>>8), byte(n>>16), 0, 0))
		data = rc4Of(sum[:len(f.key)+5], data)
	}
	return f.add("<< %s /Length %d >>\nstream\n%s\nendstream", dict, len(data), data)
}

// set replaces object n, which was added before what it needs to name.
func (f *pdfFile) set(n int, format string, args ...any) {
	f.objects[n-1] = fmt.Sprintf(format, args...)
}

// bytes is the file with the root object and more entries of the trailer.
func (f *pdfFile) bytes(root int, trailer string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n%\xE2\xE3\xCF\xD3\n")
	at := make([]int, len(f.objects))
	for i, o := range f.objects {
		at[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	table := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, n := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", n)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root %d 0 R %s >>\nstartxref\n%d\n%%%%EOF\n",
		len(at)+1, root, trailer, table)
	return b.Bytes()
}

// pdfBook is a file under construction whose pages share fonts: F1 is Helvetica
// and F2 its bold face.
type pdfBook struct {
	pdfFile
	root, tree int
	fonts      string
	kids       []string
	catalog    string // more entries of the root object
	trailer    string // of the trailer
}

func newPDF() *pdfBook {
	b := &pdfBook{}
	b.root, b.tree = b.add(""), b.add("")
	regular := b.add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
	bold := b.add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>")
	b.fonts = fmt.Sprintf("/F1 %d 0 R /F2 %d 0 R", regular, bold)
	return b
}

// page adds a page with a content stream and more entries of the page object.
func (b *pdfBook) page(content, entries string) {
	stream := b.stream("", content)
	b.kids = append(b.kids, fmt.Sprintf("%d 0 R", b.add("<< /Type /Page /Parent %d 0 R /Contents %d 0 R %s >>", b.tree, stream, entries)))
}

// done is the file. resources are more entries of the resources of all pages.
func (b *pdfBook) done(resources string) []byte {
	b.set(b.root, "<< /Type /Catalog /Pages %d 0 R %s >>", b.tree, b.catalog)
	b.set(b.tree, "<< /Type /Pages /Count %d /Kids [%s] /MediaBox [0 0 612 792] /Resources << /Font << %s >> %s >> >>",
		len(b.kids), strings.Join(b.kids, " "), b.fonts, resources)
	return b.bytes(b.root, b.trailer)
}

// encrypt encrypts what is added from now on with the 40 bit key of PDF 1.1 (ISO
// 32000-1, 7.6.3) and returns the entries of the trailer.
func (f *pdfFile) encrypt(user, owner string) string {
	const padding = "\x28\xBF\x4E\x5E\x4E\x75\x8A\x41\x64\x00\x4E\x56\xFF\xFA\x01\x08\x2E\x2E\x00\xB6\xD0\x68\x3E\x80\x2F\x0C\xA9\xFE\x64\x53\x69\x7A"
	pad := func(s string) string { return (s + padding)[:32] }
	sum := md5.Sum([]byte(pad(owner)))
	o := rc4Of(sum[:5], pad(user))
	const id, permissions = "0123456789abcdef", "\xFC\xFF\xFF\xFF" // -4
	sum = md5.Sum([]byte(pad(user) + o + permissions + id))
	f.key = bytes.Clone(sum[:5])
	return fmt.Sprintf("/ID [<%x> <%x>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <%x> /U <%x> >>", id, id, o, rc4Of(f.key, padding))
}

func rc4Of(key []byte, s string) string {
	c, err := rc4.NewCipher(key)
	if err != nil {
		panic(err)
	}
	out := make([]byte, len(s))
	c.XORKeyStream(out, []byte(s))
	return string(out)
}

// pdfLines is a content stream of lines, from the top of the page down; one that
// starts with "# " is larger, with "* " bold, with "+" further down.
func pdfLines(lines ...string) string {
	var b strings.Builder
	y := 740
	for _, s := range lines {
		font, size := "F1", 12
		y -= 14
		if rest, ok := strings.CutPrefix(s, "+"); ok {
			s, y = rest, y-14
		}
		if rest, ok := strings.CutPrefix(s, "# "); ok {
			s, size, y = rest, 20, y-16
		} else if rest, ok := strings.CutPrefix(s, "* "); ok {
			s, font = rest, "F2"
		}
		fmt.Fprintf(&b, "BT /%s %d Tf 72 %d Td (%s) Tj ET\n", font, size, y, strings.NewReplacer("(", "\\(", ")", "\\)").Replace(s))
	}
	return b.String()
}

// cidFont adds a font F3 whose glyphs have numbers of two bytes. characters says
// what they mean, "" = nothing says so.
func (b *pdfBook) cidFont(characters string) {
	font := b.add("<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Glyphs /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>")
	table := ""
	if characters != "" {
		table = fmt.Sprintf("/ToUnicode %d 0 R", b.stream("", "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Own def "+
			"1 begincodespacerange <0000> <FFFF> endcodespacerange "+characters+" endcmap end end"))
	}
	b.fonts += fmt.Sprintf(" /F3 %d 0 R", b.add("<< /Type /Font /Subtype /Type0 /BaseFont /Glyphs /Encoding /Identity-H /DescendantFonts [%d 0 R] %s >>", font, table))
}

// picture adds a picture Im1 of one grey point and returns the entry that names it.
func (b *pdfBook) picture() string {
	return fmt.Sprintf("/XObject << /Im1 %d 0 R >>", b.stream("/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8", "\x80"))
}

// simplePDF has a page of the lines for every argument.
func simplePDF(pages ...[]string) []byte {
	b := newPDF()
	for _, p := range pages {
		b.page(pdfLines(p...), "")
	}
	return b.done("")
}
