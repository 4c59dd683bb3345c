// Package extract turns an uploaded file into plain text. It reads PDF, TXT,
// CSV, Markdown, DOC, DOCX, XLS and XLSX, and takes every byte for hostile:
// Read bounds what it makes of them, and a Pool runs Read in a child process
// without network, whose end ends nothing else. It knows nothing of accounts,
// storage or transports.
package extract

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/contentgraph/contentgraph/internal/fault"
)

// maxText is the size in bytes at which a text is cut.
const maxText = 5 << 20

// Result is what a file says.
type Result struct {
	Type string `json:"type"` // pdf, txt, csv, md, doc, docx, xls or xlsx
	Text string `json:"text"` // UTF-8, lines ended by \n, headings on lines of their own
	Cut  bool   `json:"cut"`  // there was more text than is kept
	// Reason says in a sentence why Text is empty, or what of the file is missing
	// from it; "" when all was read.
	Reason  string `json:"reason,omitempty"`
	Charset string `json:"charset,omitempty"` // of a text file, as found
	Pages   int    `json:"pages,omitempty"`   // of a PDF
}

// reader reads one type of file from start to end into out. It returns a fault
// of kind Unprocessable for a file that cannot be read (protected, damaged),
// and stops with the error of out when that is full.
type reader func(ctx context.Context, in *io.SectionReader, out *text) error

// readers are all types that can be read.
var readers = map[string]reader{
	"pdf": readPDF, "txt": readTXT, "csv": readCSV, "md": readMarkdown,
	"doc": readDOC, "docx": readDOCX, "xls": readXLS, "xlsx": readXLSX,
}

// Read reads a file in this process; name is what its sender calls it and has a
// supported extension. A file whose content is of another kind is a fault of
// kind Invalid, one that cannot be read (protected by a password, damaged) a
// fault of kind Unprocessable. A reader that panics is an error of no kind. Serve
// files of strangers through a Pool.
func Read(ctx context.Context, name string, in io.ReaderAt, size int64) (result Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			result, err = Result{}, fmt.Errorf("extract: a reader panicked: %v", p)
		}
	}()
	section := io.NewSectionReader(in, 0, size)
	kind, err := sniff(name, section)
	if err != nil {
		return Result{}, err
	}
	out := &text{Result: Result{Type: kind}}
	switch err := readers[kind](ctx, section, out); {
	case errors.Is(err, errFull):
		out.Cut = true
	case err != nil:
		return Result{}, err
	}
	return out.finish(), nil
}

// errFull says that a text has reached its limit; the reader stops.
var errFull = errors.New("extract: text is full")

// text collects what a reader finds.
type text struct {
	Result
	b      strings.Builder
	asides []string    // what stands beside the text
	sheets []sheetName // in their order
}

// Write adds s as it is.
func (t *text) Write(s string) error {
	if t.b.Len()+len(s) > maxText {
		s = s[:maxText-t.b.Len()] // finish drops half a character
		t.b.WriteString(s)
		return errFull
	}
	t.b.WriteString(s)
	return nil
}

// Line adds s and ends the line.
func (t *text) Line(s string) error { return t.Write(s + "\n") }

// unreadable is the fault for a file that is of a supported type but cannot be
// read; the reason is a sentence for its sender.
func unreadable(reason string) error { return fault.New(fault.Unprocessable, "%s", reason) }

// The reasons that several readers have.
const (
	reasonPassword = "The file is protected by a password."
	reasonDamaged  = "The file is damaged and cannot be read."
	reasonEmpty    = "The file holds no text."
)
