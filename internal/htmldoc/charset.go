package htmldoc

import (
	"bytes"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
)

// declared finds the encoding in the declaration of an XHTML document.
var declared = regexp.MustCompile(`^\s*<\?xml[^>]{0,200}encoding=["']([A-Za-z0-9_.:-]{1,40})["']`)

// decode turns a document into UTF-8. A byte order mark decides, then the
// charset of the content type, then the document's own declaration; one that
// declares nothing, or declares Western and is UTF-8, is UTF-8.
func decode(b []byte, contentType string) string {
	enc, name, certain := charset.DetermineEncoding(b, contentType)
	if !certain {
		if m := declared.FindSubmatch(b[:min(len(b), 1024)]); m != nil {
			if e, n := charset.Lookup(string(m[1])); e != nil {
				enc, name = e, n
			}
		}
		if name == "windows-1252" && utf8.Valid(b) {
			name = "utf-8"
		}
	}
	if name == "utf-8" || enc == encoding.Nop || enc == nil {
		return strings.ToValidUTF8(string(bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))), "\ufffd")
	}
	text, err := enc.NewDecoder().Bytes(b)
	if err != nil { // decoders replace what they cannot read; this is for the ones that do not
		return strings.ToValidUTF8(string(b), "\ufffd")
	}
	return string(text)
}
