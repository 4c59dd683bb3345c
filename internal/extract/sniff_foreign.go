package extract

import (
	"strings"

	"github.com/gabriel-vasile/mimetype"
)

var (
	contentRTF        = content{"", "an RTF document"}
	contentPostScript = content{"", "a PostScript file"}
	contentHTML       = content{"", "an HTML page"}
	contentUnknown    = content{"", "data of an unknown type"}
)

// foreign puts a name to the content of other kinds.
func foreign(head []byte) content {
	kind := mimetype.Detect(head).String()
	kind, _, _ = strings.Cut(kind, ";")
	switch kind {
	case "application/octet-stream", "text/plain", "text/csv", "text/tab-separated-values":
		return contentUnknown
	case "application/pdf":
		return contentPDF
	case "text/rtf":
		return contentRTF
	case "application/postscript":
		return contentPostScript
	case "text/html", "application/xhtml+xml":
		return contentHTML
	case "application/zip":
		return contentZip
	}
	if family, format, ok := strings.Cut(kind, "/"); ok && (family == "image" || family == "audio" || family == "video") {
		return content{"", "a file of " + family + " data (" + strings.TrimPrefix(format, "x-") + ")"}
	}
	return content{"", "a file of type " + kind}
}

// looksText reports whether bytes are text in some charset: next to no control
// characters, once the charset that needs zero bytes is taken off.
func looksText(b []byte) bool {
	if _, size := byteOrderMark(b); size > 0 {
		return true
	}
	if wideUnicode(b) != "" {
		return true
	}
	controls := 0
	for _, c := range b {
		switch {
		case c == '\t', c == '\n', c == '\v', c == '\f', c == '\r', c == '\b', c == 0x1A, c == 0x1B:
		case c < 0x20, c == 0x7F:
			controls++
		}
	}
	return controls*50 <= len(b)
}
