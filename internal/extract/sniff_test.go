package extract

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/contentgraph/contentgraph/internal/fault"
)

func TestSupported(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a.pdf", "a.TXT", "a.xlsx", "a.xls", "a.csv", "a.md", "a.markdown", "a.Doc", "a.docx", "a.b.txt", ".txt", " a.txt ", "a/b.txt", "a\x00b.txt", "\u202Etxt.doc",
		strings.Repeat("x", 300) + ".pdf"} {
		if !Supported(name) {
			t.Errorf("%q is not supported", name)
		}
	}
	for _, name := range []string{"", ".", "txt", "a.", "a.exe", "a.txt.exe", "a.txt\x00", "a.docm", "a.pdf/b", "a.text", "a.ｔｘｔ"} {
		if Supported(name) {
			t.Errorf("%q is supported", name)
		}
	}
}

// kinds are files of many kinds, by what they are.
func kinds() map[string][]byte {
	return map[string][]byte{
		"pdf":       []byte("%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF"),
		"late pdf":  []byte("junk before\n%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF"),
		"doc":       plainDoc("text\r").write(),
		"docx":      docxOf(wordText("text")),
		"xls":       xlsOf(bookOf(nil, testSheet{"S", rec(recNumber, place(0, 0, 0), 1.0)})),
		"bare xls":  le(rec(recBOF2, uint16(2), uint16(partSheet)), rec(recLabel2, uint16(0), uint16(0), make([]byte, 3), uint8(3), "two"), rec(recEOF)),
		"xlsx":      xlsxOf([]string{`<row><c><v>1</v></c></row>`}),
		"text":      []byte("plain text, of two\nlines, and more"),
		"latin1":    []byte("pr\xe9cis, na\xefve\n"),
		"utf16":     wide("plain text in wide characters\n"),
		"html":      []byte("<!DOCTYPE html><html><head><title>x</title></head><body><p>x</p></body></html>"),
		"rtf":       []byte(`{\rtf1\ansi text}`),
		"zip":       zipOf(entry{"a.txt", "a"}),
		"pptx":      zipOf(typesOf("ppt/presentation.xml", "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"), entry{"_rels/.rels", relationsOf("officeDocument", "ppt/presentation.xml")}, entry{"ppt/presentation.xml", "<p/>"}),
		"xlsb":      zipOf(typesOf("xl/workbook.bin", "application/vnd.ms-excel.sheet.binary.macroEnabled.main"), entry{"_rels/.rels", relationsOf("officeDocument", "xl/workbook.bin")}, entry{"xl/workbook.bin", "x"}),
		"ppt":       writeOLE(stream{"PowerPoint Document", nil}),
		"msg":       writeOLE(stream{"__properties_version1.0", nil}),
		"ole":       writeOLE(stream{"Other", nil}),
		"protected": writeOLE(stream{"EncryptionInfo", nil}, stream{"EncryptedPackage", nil}),
		"word 2":    append([]byte("\xDB\xA5-\x00"), make([]byte, 100)...),
		"png":       append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"), make([]byte, 100)...),
		"exe":       append([]byte("MZ\x90\x00\x03\x00\x00\x00"), make([]byte, 200)...),
		"zeros":     make([]byte, 1000),
		"torn zip":  []byte("PK\x03\x04 torn"),
		"torn ole":  []byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1 torn"),
	}
}

// TestSniff holds what every kind of content is under every extension: the
// type, or why it is not read.
func TestSniff(t *testing.T) {
	t.Parallel()
	const damaged, password = "damaged", "password"
	fits := map[string]map[string]string{
		"pdf": {"pdf": "pdf"}, "late pdf": {"pdf": "pdf", "txt": "txt", "md": "md", "csv": "csv"},
		"doc": {"doc": "doc"}, "docx": {"docx": "docx"}, "xls": {"xls": "xls"}, "bare xls": {"xls": "xls"}, "xlsx": {"xlsx": "xlsx"},
		"text": {"txt": "txt", "csv": "csv", "md": "md"}, "latin1": {"txt": "txt", "csv": "csv", "md": "md"}, "utf16": {"txt": "txt", "csv": "csv", "md": "md"},
		"html":      {"txt": "txt", "md": "md"},
		"protected": {"doc": password, "docx": password, "xls": password, "xlsx": password},
		"torn zip":  {"docx": damaged, "xlsx": damaged},
		"torn ole":  {"doc": damaged, "docx": damaged, "xls": damaged, "xlsx": damaged},
	}
	says := map[string]string{ // of those that do not fit
		"pdf": "PDF", "late pdf": "PDF", "doc": "Word 97", "docx": "(.docx)", "xls": "Excel 2003", "bare xls": "Excel 2003", "xlsx": "(.xlsx)", "text": "plain text", "latin1": "plain text", "utf16": "plain text",
		"html": "HTML", "rtf": "RTF", "zip": "ZIP", "pptx": "PowerPoint", "xlsb": ".xlsb", "ppt": "PowerPoint", "msg": "Outlook", "ole": "another kind", "protected": "password", "word 2": "Word 2",
		"png": "image data (png)", "exe": "type application/", "zeros": "unknown", "torn zip": "ZIP", "torn ole": "2003",
	}
	for kind, b := range kinds() {
		for _, ext := range []string{"pdf", "txt", "csv", "md", "doc", "docx", "xls", "xlsx"} {
			got, err := sniff("name."+ext, sectionOf(b))
			want := fits[kind][ext]
			switch {
			case want == damaged || want == password:
				if !fault.Is(err, fault.Unprocessable) || !strings.Contains(err.Error(), want) {
					t.Errorf("%s as .%s: got %s, %v", kind, ext, got, err)
				}
			case want != "":
				if got != want || err != nil {
					t.Errorf("%s as .%s: got %s, %v", kind, ext, got, err)
				}
			case !fault.Is(err, fault.Invalid) || !strings.Contains(err.Error(), says[kind]) || !strings.Contains(err.Error(), supported):
				t.Errorf("%s as .%s: got %s, %v", kind, ext, got, err)
			}
		}
	}
}

func TestSniffOfNothing(t *testing.T) {
	t.Parallel()
	if _, err := sniff("a.txt", sectionOf(nil)); !fault.Is(err, fault.Invalid) {
		t.Errorf("no bytes: %v", err)
	}
	if _, err := sniff("a.exe", sectionOf([]byte("text"))); !fault.Is(err, fault.Invalid) || !strings.Contains(err.Error(), supported) {
		t.Errorf("no supported extension: %v", err)
	}
}

// TestRead reads a file of every type that needs no other process.
func TestRead(t *testing.T) {
	t.Parallel()
	files := kinds()
	for _, c := range []struct{ name, kind, want string }{
		{"a.doc", "doc", "text"}, {"a.docx", "docx", "text"}, {"a.xls", "xls", "1"}, {"a.xlsx", "xlsx", "1"}, {"A.TXT", "latin1", "précis, naïve"}, {"a.markdown", "text", "plain text, of two\nlines, and more"},
	} {
		b := files[c.kind]
		got, err := Read(context.Background(), c.name, bytes.NewReader(b), int64(len(b)))
		if err != nil || !strings.HasSuffix(got.Text, c.want) || got.Type != extension(c.name) {
			t.Errorf("%s: got %+v, %v", c.name, got, err)
		}
	}
}

// TestReadCut holds that a file cut anywhere gives text, or says that it cannot
// be read, in words for its sender.
func TestReadCut(t *testing.T) {
	t.Parallel()
	files := kinds()
	for kind, name := range map[string]string{"doc": "a.doc", "docx": "a.docx", "xls": "a.xls", "xlsx": "a.xlsx", "utf16": "a.txt", "text": "a.csv", "html": "a.md"} {
		b := files[kind]
		for tenth := range 10 {
			cut := b[:len(b)*tenth/10]
			got, err := Read(context.Background(), name, bytes.NewReader(cut), int64(len(cut)))
			if err != nil && !fault.Is(err, fault.Unprocessable) && !fault.Is(err, fault.Invalid) || !utf8.ValidString(got.Text) {
				t.Errorf("%s cut to %d of 10: got %+v, %v", name, tenth, got, err)
			}
		}
	}
}

// TestReadOddNames holds that names are nothing but their extension.
func TestReadOddNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a\x00b.txt", "../../etc/passwd.txt", `C:\a.txt`, "\u202Efdp.txt", strings.Repeat("語", 300) + ".txt", ".txt", "\xff\xfe.txt", "CON.txt"} {
		if got, err := Read(context.Background(), name, strings.NewReader("text"), 4); err != nil || got.Text != "text" {
			t.Errorf("%q: got %+v, %v", name, got, err)
		}
	}
}

// TestReadPanics holds that a reader's panic is an error.
func TestReadPanics(t *testing.T) {
	t.Parallel()
	_, err := Read(context.Background(), "a.txt", panicking{}, 4)
	if err == nil || fault.Of(err).Kind != fault.Internal {
		t.Errorf("got %v", err)
	}
}

type panicking struct{}

func (panicking) ReadAt([]byte, int64) (int, error) { panic("a defect") }

// TestReadOfFailingFile holds that a disk that fails is not a damaged file.
func TestReadOfFailingFile(t *testing.T) {
	t.Parallel()
	for name, b := range map[string][]byte{"a.txt": []byte("text"), "a.docx": kinds()["docx"], "a.xlsx": kinds()["xlsx"]} {
		_, err := Read(context.Background(), name, brokenDisk{bytes.NewReader(b)}, int64(len(b)))
		if !errors.Is(err, errDisk) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

var errDisk = errors.New("the disk fails")

// brokenDisk gives the first bytes alone.
type brokenDisk struct{ io.ReaderAt }

func (b brokenDisk) ReadAt(p []byte, at int64) (int, error) {
	if at > 0 || len(p) > 4096 {
		return 0, errDisk
	}
	b.ReaderAt.ReadAt(p[:1], 0)
	return 0, errDisk
}

func TestReadCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for name, b := range map[string][]byte{"a.docx": kinds()["docx"], "a.xlsx": kinds()["xlsx"], "a.csv": []byte("a,b\n")} {
		if _, err := Read(ctx, name, bytes.NewReader(b), int64(len(b))); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	for kind, b := range kinds() {
		f.Add(strings.Fields(kind)[0], b)
	}
	f.Fuzz(func(t *testing.T, ext string, b []byte) {
		if ext == "pdf" {
			return // has its own reader's tests
		}
		got, err := Read(context.Background(), "a."+ext, bytes.NewReader(b), int64(len(b)))
		if err != nil && fault.Of(err).Kind == fault.Internal || len(got.Text) > maxText || !utf8.ValidString(got.Text) {
			t.Errorf("got %.100q, %v", got.Text, err)
		}
	})
}
