package extract

import (
	"strings"
	"testing"

	"github.com/contentgraph/contentgraph/internal/fault"
)

const wordNamespaces = ` xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"`

// docxOf writes a document with a body, and other parts of it: their
// relations are by their names.
func docxOf(body string, parts ...entry) []byte {
	entries := []entry{typesOf("word/document.xml", wordType), {"_rels/.rels", relationsOf("officeDocument", "word/document.xml")}}
	var pairs []string
	document := false
	for _, p := range parts {
		document = document || p.name == "word/document.xml"
		name := strings.TrimPrefix(p.name, "word/")
		pairs = append(pairs, strings.TrimRight(strings.TrimSuffix(name, ".xml"), "0123456789"), name)
	}
	if !document {
		entries = append(entries, entry{"word/document.xml", "<?xml version=\"1.0\"?><w:document" + wordNamespaces + "><w:body>" + body + "</w:body></w:document>"})
	}
	entries = append(entries, entry{"word/_rels/document.xml.rels", relationsOf(pairs...)})
	return zipOf(append(entries, parts...)...)
}

// wordText is a paragraph.
func wordText(s string) string {
	return "<w:p><w:r><w:t xml:space=\"preserve\">" + s + "</w:t></w:r></w:p>"
}

func TestDOCX(t *testing.T) {
	t.Parallel()
	run := func(s string) string { return "<w:r><w:t>" + s + "</w:t></w:r>" }
	cell := func(s string) string { return "<w:tc><w:tcPr><w:tcW w:w=\"1\"/></w:tcPr>" + s + "</w:tc>" }
	box := func(s string) string { return "<w:txbxContent>" + s + "</w:txbxContent>" }
	for _, c := range []struct{ name, body, want string }{
		{"paragraphs", wordText("One") + "<w:p/>" + wordText("Two &amp; three"), "One\n\nTwo & three"},
		{"headings", `<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr>` + run("Title") + "</w:p>" + wordText("Text"), "Title\nText"},
		{"runs", "<w:p>" + run("Wo") + "<w:proofErr/>" + run("rd") + "<w:hyperlink>" + run(" link") + "</w:hyperlink></w:p>", "Word link"},
		{"breaks", "<w:p>" + run("a") + "<w:r><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t></w:r></w:p>", "a\tb\nc-d"},
		{"tab stops are no text", "<w:p><w:pPr><w:tabs><w:tab w:val=\"left\"/></w:tabs></w:pPr>" + run("a") + "</w:p>", "a"},
		{"changes", "<w:p><w:ins>" + run("new ") + "</w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del><w:moveFrom>" + run("gone") + "</w:moveFrom><w:moveTo>" + run("here") + "</w:moveTo></w:p>", "new here"},
		{"fields", `<w:p><w:r><w:fldChar w:fldCharType="begin"/><w:instrText> PAGE </w:instrText><w:fldChar w:fldCharType="separate"/></w:r>` + run("7") + "</w:p>", "7"},
		{"hidden", "<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t><w:tab/></w:r><w:r><w:rPr><w:vanish w:val=\"0\"/></w:rPr><w:t>seen</w:t></w:r></w:p>", "seen"},
		{"hidden mark of a paragraph", "<w:p><w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr>" + run("seen") + "</w:p>", "seen"},
		{"ruby", "<w:p><w:r><w:ruby><w:rubyPr/><w:rt>" + run("とうきょう") + "</w:rt><w:rubyBase>" + run("東京") + "</w:rubyBase></w:ruby></w:r></w:p>", "東京"},
		{"table", wordText("before") + "<w:tbl><w:tblPr/><w:tr>" + cell(wordText("a")) + cell(wordText("b")) + "</w:tr><w:tr>" + cell("<w:p/>") + cell(wordText("c")+wordText("d")) + cell(wordText("e")) +
			"</w:tr><w:tr>" + cell("<w:p/>") + "</w:tr></w:tbl>" + wordText("after"), "before\na\tb\n\tc\nd\te\nafter"},
		{"table in a table", "<w:tbl><w:tr>" + cell("<w:tbl><w:tr>"+cell(wordText("a"))+cell(wordText("b"))+"</w:tr></w:tbl><w:p/>") + cell(wordText("c")) + "</w:tr></w:tbl>", "a\tb\n\tc"},
		{"text box once, after its paragraph", "<w:p>" + run("Hello ") + "<w:r><mc:AlternateContent><mc:Choice Requires=\"wps\">" + box(wordText("in a box")) + "</mc:Choice><mc:Fallback>" +
			box(wordText("in a box")) + "</mc:Fallback></mc:AlternateContent></w:r>" + run("world") + "</w:p>" + wordText("End"), "Hello world\nin a box\nEnd"},
		{"text box of old programs", "<w:p>" + run("a") + "<w:r><w:pict>" + box(wordText("b")+wordText("c")) + "</w:pict></w:r></w:p>", "a\nb\nc"},
		{"alternative without a choice", "<w:p><mc:AlternateContent><mc:Fallback>" + run("a") + "</mc:Fallback></mc:AlternateContent></w:p>", "a"},
		{"formula", "<w:p><m:oMath><m:r><m:t>x=1</m:t></m:r></m:oMath></w:p>", "x=1"},
		{"scripts", wordText("Привет") + wordText("שלום") + wordText("𐌲𐌿𐍄"), "Привет\nשלום\n𐌲𐌿𐍄"},
		{"characters beyond XML's own", "<w:p>" + run("a&nbsp;b &#8364;") + "</w:p>", "a&nbsp;b €"},
	} {
		got, err := extracted(t, readDOCX, docxOf(c.body))
		if err != nil || got.Text != c.want {
			t.Errorf("%s: got %q, %v, want %q", c.name, got.Text, err, c.want)
		}
	}
}

func TestStrictDOCX(t *testing.T) {
	t.Parallel()
	strict := strings.NewReplacer("http://schemas.openxmlformats.org/officeDocument/2006/relationships", "http://purl.oclc.org/ooxml/officeDocument/relationships").Replace
	wantText(t, readDOCX, zipOf(
		entry{"_rels/.rels", strict(relationsOf("officeDocument", "/w/main.xml"))}, typesOf("w/main.xml", wordType),
		entry{"w/main.xml", `<document xmlns="http://purl.oclc.org/ooxml/wordprocessingml/main"><body><p><r><t>strict</t></r></p></body></document>`},
		entry{"w/_rels/main.xml.rels", strict(relationsOf("footnotes", "notes.xml"))},
		entry{"w/notes.xml", `<footnotes><footnote><p><r><t>note</t></r></p></footnote></footnotes>`},
	), "strict\n\nnote")
}

func TestPartsOfDOCX(t *testing.T) {
	t.Parallel()
	notes := []entry{
		{"word/footnotes.xml", "<w:footnotes><w:footnote w:type=\"separator\"><w:p><w:r><w:separator/></w:r></w:p></w:footnote><w:footnote>" + wordText("A footnote.") + "</w:footnote></w:footnotes>"},
		{"word/endnotes.xml", "<w:endnotes><w:endnote>" + wordText("An endnote.") + "</w:endnote></w:endnotes>"},
		{"word/comments.xml", "<w:comments><w:comment>" + wordText("A comment.") + "</w:comment></w:comments>"},
		{"word/header1.xml", "<w:hdr>" + wordText("The header") + "</w:hdr>"},
		{"word/header2.xml", "<w:hdr>" + wordText("The header") + "</w:hdr>"},
		{"word/footer1.xml", "<w:ftr>" + wordText("The footer") + "</w:ftr>"},
	}
	wantText(t, readDOCX, docxOf(wordText("Body."), notes...), "Body.\n\nA footnote.\n\nAn endnote.\n\nA comment.")
	long := strings.TrimSpace(strings.Repeat("Many words. ", 200))
	wantText(t, readDOCX, docxOf(wordText(long), notes...), long+"\n\nA footnote.\n\nAn endnote.\n\nA comment.\n\nThe header\nThe footer")
}

func TestEncodingsOfDOCX(t *testing.T) {
	t.Parallel()
	part := func(declared string, text string) entry {
		return entry{"word/document.xml", `<?xml version="1.0" encoding="` + declared + `"?><w:document><w:p><w:r><w:t>` + text + `</w:t></w:r></w:p></w:document>`}
	}
	latin1 := part("ISO-8859-1", "caf\xe9")
	utf16 := part("UTF-16", "café")
	utf16.content = "\xff\xfe" + string(wide(utf16.content))
	for name, p := range map[string]entry{"utf-8": part("utf-8", "café"), "with a mark": {"word/document.xml", "\uFEFF" + part("UTF-8", "café").content}, "latin1": latin1, "utf-16": utf16} {
		if got, err := extracted(t, readDOCX, docxOf("", p)); err != nil || got.Text != "café" {
			t.Errorf("%s: got %q, %v", name, got.Text, err)
		}
	}
}

func TestDamagedDOCX(t *testing.T) {
	t.Parallel()
	damaged(t, readDOCX, docxOf(wordText("One")+wordText("Two"), entry{"word/numbering.xml", numberingPart}, entry{"word/footnotes.xml", "<w:footnotes>" + wordText("Note") + "</w:footnotes>"}))
	got, err := extracted(t, readDOCX, docxOf("", entry{"word/document.xml", "<w:document>" + wordText("One") + "<w:p><w:r><w:t>Tw"}))
	if err != nil || got.Text != "One\nTw" || got.Reason != reasonPartly {
		t.Errorf("got %q (%s), %v", got.Text, got.Reason, err)
	}
	got, err = extracted(t, readDOCX, docxOf(wordText("One"), entry{"word/footnotes.xml", "<w:footnotes><"}))
	if err != nil || got.Text != "One" || got.Reason != reasonPartly {
		t.Errorf("got %q (%s), %v", got.Text, got.Reason, err)
	}
	if _, err = extracted(t, readDOCX, []byte("PK\x03\x04 and no archive")); !fault.Is(err, fault.Unprocessable) {
		t.Errorf("got %v", err)
	}
}

func TestEmptyDOCX(t *testing.T) {
	t.Parallel()
	got, err := extracted(t, readDOCX, docxOf("<w:p/>"))
	if err != nil || got.Text != "" || got.Reason != reasonEmpty {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestEmbeddedDocuments(t *testing.T) {
	t.Parallel()
	got, err := extracted(t, readDOCX, zipOf(entry{"_rels/.rels", relationsOf("officeDocument", "word/document.xml")},
		entry{"word/document.xml", "<w:document>" + wordText("Here:") + "<w:altChunk/></w:document>"},
		entry{"word/_rels/document.xml.rels", relationsOf("aFChunk", "chunk.html")}, entry{"word/chunk.html", "<p>Other</p>"}))
	if err != nil || got.Text != "Here:" || got.Reason != reasonEmbedded {
		t.Errorf("got %+v, %v", got, err)
	}
}

func FuzzDOCX(f *testing.F) {
	for _, body := range []string{wordText("a"), "<w:tbl><w:tr><w:tc>" + wordText("a") + "</w:tc></w:tr></w:tbl>", "<w:p><w:txbxContent>" + wordText("a"), `<!DOCTYPE a><w:p w:a='"'>`, "<w:p><w:pPr><w:numPr><w:numId w:val=\"4\"/></w:numPr></w:pPr><w:r><w:t>x</w:t></w:r></w:p>"} {
		f.Add([]byte("<w:document>"+body), []byte(numberingPart))
	}
	// The parts are fuzzed instead of the archive, whose checksums no change survives.
	f.Fuzz(func(t *testing.T, document, numbering []byte) {
		got, err := extracted(t, readDOCX, docxOf("", entry{"word/document.xml", string(document)}, entry{"word/numbering.xml", string(numbering)}))
		if len(got.Text) > maxText || err != nil && !fault.Is(err, fault.Unprocessable) {
			t.Error(len(got.Text), err)
		}
	})
}
