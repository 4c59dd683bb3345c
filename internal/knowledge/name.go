package knowledge

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/contentgraph/contentgraph/internal/extract"
	"github.com/contentgraph/contentgraph/internal/fault"
)

// maxName is the longest name in bytes, as file systems have it.
const maxName = 255

// fileName is the name of an uploaded file: the one that it was sent with, or
// the one that replaces it. Of a path the last part counts, since some senders
// tell where the file was. Names are shown to people and never name a file of
// this machine. Faults are Invalid and name the field.
func fileName(sent string, replacing *string) (string, error) {
	field, name := "file", sent
	if replacing != nil {
		field, name = "fileName", *replacing
	}
	name = strings.TrimSpace(name[strings.LastIndexAny(name, `/\`)+1:])
	problem := badName(name)
	switch ext := path.Ext(name); {
	case name == "" && replacing == nil:
		problem = "must have a file name"
	case problem != "":
	case !extract.Supported(name):
		problem = "must have one of the extensions .pdf, .txt, .xlsx, .xls, .csv, .md, .markdown, .doc and .docx"
	case len(ext) == len(name):
		problem = "must have a file name before its extension"
	}
	if problem != "" {
		return "", fault.BadField(field, "%s", problem)
	}
	return name, nil
}

// badName says what is wrong with a name, "" if nothing is.
func badName(name string) string {
	switch {
	case strings.TrimSpace(name) == "":
		return "must not be blank"
	case !utf8.ValidString(name):
		return "the name must be valid UTF-8"
	case len(name) > maxName:
		return "the name must have at most 255 bytes in UTF-8"
	case strings.ContainsFunc(name, isTrick):
		return "the name must not contain control characters or characters that turn the direction of reading"
	}
	return ""
}

// isTrick reports characters that show a name as another one.
func isTrick(r rune) bool {
	return unicode.IsControl(r) || r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 || r == 0x2028 || r == 0x2029
}
