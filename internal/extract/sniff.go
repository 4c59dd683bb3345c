package extract

import (
	"bytes"
	"io"
	"path"
	"strings"

	"github.com/contentgraph/contentgraph/internal/fault"
)

// supported are the extensions in the words of messages.
const supported = ".pdf, .txt, .csv, .md, .markdown, .doc, .docx, .xls, .xlsx"

// Supported reports whether files of this name can be read, by its extension.
func Supported(name string) bool { return extension(name) != "" }

// extension is the type that a name promises, "" when it is none that can be read.
func extension(name string) string {
	ext := strings.ToLower(strings.TrimPrefix(path.Ext(strings.TrimSpace(name)), "."))
	if ext == "markdown" {
		return "md"
	}
	if _, ok := readers[ext]; ok {
		return ext
	}
	return ""
}

// content is what the bytes of a file are: one of the readers' types, "text"
// for any text, or "" for what cannot be read; name says it in words.
type content struct{ kind, name string }

var (
	contentPDF  = content{"pdf", "a PDF document"}
	contentDOC  = content{"doc", "a Word 97-2003 document (.doc)"}
	contentXLS  = content{"xls", "an Excel workbook of Excel 2003 or older (.xls)"}
	contentDOCX = content{"docx", "a Word document (.docx)"}
	contentXLSX = content{"xlsx", "an Excel workbook (.xlsx)"}
	contentText = content{"text", "plain text"}
	contentZip  = content{"", "a ZIP archive"}
	contentOLE  = content{"", "an Office file of 2003 or older of another kind"}
)

// sniff is the type of a file by its content, which must be the one that its
// name promises.
func sniff(name string, in *io.SectionReader) (string, error) {
	want := extension(name)
	if want == "" {
		return "", fault.BadField("fileName", "the extension must be one of %s", supported)
	}
	if in.Size() == 0 {
		return "", fault.BadField("file", "is empty")
	}
	found, err := identify(in, want)
	if err != nil {
		return "", err
	}
	if found.kind == want || found.kind == "text" && isText(want) {
		return want, nil
	}
	return "", fault.BadField("file", "holds %s, which its extension .%s contradicts; supported are %s", found.name, want, supported)
}

func isText(kind string) bool { return kind == "txt" || kind == "csv" || kind == "md" }

func isOffice(kind string) bool {
	return kind == "doc" || kind == "docx" || kind == "xls" || kind == "xlsx"
}

// identify finds out what a file is. What its name promises decides only where
// the content leaves a choice.
func identify(in *io.SectionReader, want string) (content, error) {
	const look = 64 << 10
	head := make([]byte, min(in.Size(), look))
	if _, err := in.ReadAt(head, 0); err != nil && err != io.EOF {
		return content{}, err
	}
	switch {
	case bytes.HasPrefix(head, []byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1")):
		return identifyOLE(in, want)
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return identifyZip(in, want)
	case isPDF(head, want):
		return contentPDF, nil
	case isBIFF(head):
		return contentXLS, nil
	case bytes.HasPrefix(head, []byte("\xDB\xA5-\x00")), bytes.HasPrefix(head, []byte("\x9B\xA5")):
		return content{"", "a document of Word 2 or older"}, nil
	}
	found := foreign(head)
	if !looksText(head) {
		return found, nil
	}
	switch {
	case found == contentRTF, found == contentPostScript, // markup that nobody reads as text
		found == contentHTML && want == "csv",
		found != contentUnknown && !isText(want):
		return found, nil
	}
	return contentText, nil
}

// isPDF allows some bytes before the header, as PDF readers do, in files that
// are named so; elsewhere they may be a text about PDF.
func isPDF(head []byte, want string) bool {
	at := bytes.Index(head[:min(len(head), 1024)], []byte("%PDF-"))
	return at == 0 || at > 0 && (want == "pdf" || at == 3 && bytes.HasPrefix(head, []byte("\xEF\xBB\xBF")))
}

// isBIFF reports a workbook without a container around it, as Excel 2 to 4
// wrote them: the record BOF, its length, a version and what follows.
func isBIFF(head []byte) bool {
	b := block(head)
	if b.u8(0) != 9 || b.u16(2) < 4 || b.u16(2) > 16 {
		return false
	}
	switch b.u16(0) >> 8 {
	case 0, 2, 4, 8:
	default:
		return false
	}
	switch b.u16(6) {
	case 0x05, 0x10, 0x20, 0x40, 0x100: // workbook, sheet, chart, macros, workspace
		return true
	}
	return false
}

// identifyOLE goes by the names of the streams.
func identifyOLE(in *io.SectionReader, want string) (content, error) {
	c, err := openOLE(in)
	switch {
	case fault.Is(err, fault.Unprocessable) && !isOffice(want):
		return contentOLE, nil
	case err != nil:
		return content{}, err
	case c.has("EncryptedPackage") && isOffice(want):
		return content{}, unreadable(reasonPassword)
	case c.has("EncryptedPackage"):
		return content{"", "an Office file protected by a password"}, nil
	}
	doc, xls := c.has("WordDocument"), c.has("Workbook") || c.has("Book")
	switch {
	case xls && (want == "xls" || !doc):
		return contentXLS, nil
	case doc:
		return contentDOC, nil
	case c.has("PowerPoint Document"):
		return content{"", "a PowerPoint 97-2003 presentation (.ppt)"}, nil
	case c.has("__properties_version1.0"):
		return content{"", "an Outlook message (.msg)"}, nil
	}
	return contentOLE, nil
}

// identifyZip goes by the type of the main part.
func identifyZip(in *io.SectionReader, want string) (content, error) {
	a, err := openArchive(in)
	switch {
	case fault.Is(err, fault.Unprocessable) && want != "docx" && want != "xlsx":
		return contentZip, nil
	case err != nil:
		return content{}, err
	}
	main, kind := a.main()
	switch {
	case strings.Contains(kind, "sheet.binary"):
		return content{"", "an Excel binary workbook (.xlsb)"}, nil
	case strings.Contains(kind, "wordprocessingml"), strings.Contains(kind, "ms-word"), strings.HasPrefix(main, "word/"):
		return contentDOCX, nil
	case strings.Contains(kind, "spreadsheetml"), strings.Contains(kind, "ms-excel"), strings.HasPrefix(main, "xl/"):
		return contentXLSX, nil
	case strings.Contains(kind, "presentationml"), strings.Contains(kind, "ms-powerpoint"), strings.HasPrefix(main, "ppt/"):
		return content{"", "a PowerPoint presentation (.pptx)"}, nil
	}
	head := make([]byte, min(in.Size(), 4096))
	if _, err := in.ReadAt(head, 0); err != nil && err != io.EOF {
		return content{}, err
	}
	if found := foreign(head); found != contentUnknown {
		return found, nil
	}
	return contentZip, nil
}
