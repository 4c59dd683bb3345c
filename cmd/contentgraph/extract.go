package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"
	"unicode/utf8"

	"github.com/contentgraph/contentgraph/internal/app"
	"github.com/contentgraph/contentgraph/internal/extract"
)

type extractCommand struct {
	File string `arg:"" type:"existingfile" help:"PDF, TXT, XLSX, XLS, CSV, Markdown, DOC or DOCX."`
	printed
}

// Help is the long help of the command.
func (extractCommand) Help() string {
	return "Reads the file as an upload is read, in a process without network and with limits, and prints its text; its type and how long it took go to standard error."
}

// extracted is what --json prints.
type extracted struct {
	extract.Result
	Milliseconds int64 `json:"ms"`
}

func (c extractCommand) Run(s *session) error {
	f, err := os.Open(c.File)
	if err != nil {
		return err
	}
	defer f.Close()
	pool := app.Readers(s.config)
	defer pool.Close()
	began := time.Now()
	r, err := pool.Extract(s.ctx, filepath.Base(c.File), f)
	if err != nil {
		return err
	}
	took := time.Since(began)
	if c.JSON {
		return s.print(true, extracted{r, took.Milliseconds()}, "")
	}
	fmt.Fprintf(s.errors, "%s, %d characters in %d ms", r.Type, utf8.RuneCountInString(r.Text), took.Milliseconds())
	for _, note := range []struct {
		text  string
		given bool
	}{{fmt.Sprintf("%d pages", r.Pages), r.Pages > 0}, {r.Charset, r.Charset != ""}, {"cut", r.Cut}, {r.Reason, r.Reason != ""}} {
		if note.given {
			fmt.Fprint(s.errors, "; "+note.text)
		}
	}
	fmt.Fprintln(s.errors)
	_, err = fmt.Fprintln(s.out, r.Text)
	return err
}

// extractChild is the argument that makes this program the process in which
// the files of strangers are read.
const extractChild = "extract-child"
