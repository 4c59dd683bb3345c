package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/schollz/progressbar/v3"

	"github.com/contentgraph/contentgraph/internal/app"
	"github.com/contentgraph/contentgraph/internal/facts"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

type importCommand struct {
	printed
	Dataset     string   `arg:"" enum:"keyword_rankings,ai_search_sentiments,ai_search_citations,serp" help:"keyword_rankings, ai_search_sentiments, ai_search_citations, or serp for snapshots of result pages."`
	Files       []string `arg:"" name:"file" type:"existingfile" help:"Files; the header names are the column names."`
	Replace     bool     `help:"Make each file the only current import of the slices (account, web property, frequency, period) that it covers."`
	Strict      bool     `help:"Import nothing of a file with a bad line."`
	Account     int      `help:"Account of files that have no account_id."`
	WebProperty int      `help:"Web property of files that have no web_property_id."`
}

// Help is the long help of the command.
func (importCommand) Help() string {
	return "A file becomes visible whole or not at all, and serving goes on meanwhile. Bad lines are reported and written to FILE.rejected. Importing the same bytes again changes nothing.\n\n" +
		"Snapshots of result pages (serp) have the columns topic, position, type, url, title, questions (parted by |), and rank_source_id or search_engine_name, and account_id unless --account names it; bad lines are told and left out; each topic's older snapshot is replaced."
}

// imported is what --json says of one file.
type imported struct {
	File      string         `json:"file"`
	Rows      int            `json:"rows"`
	Rejected  int            `json:"rejected"`
	Replaced  int            `json:"replacedSlices"`
	Accounts  []int          `json:"accounts"`
	Unchanged bool           `json:"unchanged"`
	Reasons   []facts.Reject `json:"reasons"`
	Ignored   []string       `json:"ignoredColumns"`
	Error     *string        `json:"error"` // why nothing of the file was imported
}

func (c importCommand) Run(s *session) error {
	if c.Dataset == "serp" {
		return c.serp(s)
	}
	d, _ := vocab.LookupDataset(c.Dataset)
	var all []imported
	err := s.with(func(a *app.App) error {
		for _, file := range c.Files {
			bar := newBar(s.errors, file, true)
			r, err := a.Importer.File(s.ctx, d, file, facts.Options{
				Replace: c.Replace, Strict: c.Strict, AccountID: c.Account, WebPropertyID: c.WebProperty,
				Rejects: file + ".rejected", Progress: bar.progress,
			})
			bar.finish()
			if !c.JSON {
				c.tell(s.out, file, r, err)
			}
			one := imported{file, r.Rows, r.Rejected, r.Replaced, r.Accounts, r.Unchanged, r.Reasons, r.Ignored, nil}
			if err != nil {
				one.Error = new(fault.Of(err).Message)
				all = append(all, one)
				return err
			}
			all = append(all, one)
		}
		return nil
	})
	if c.JSON && all != nil {
		err = errors.Join(err, s.print(true, map[string]any{"files": all}, ""))
	}
	return err
}

// tell says in words what became of a file.
func (c importCommand) tell(w io.Writer, file string, r facts.Report, err error) {
	switch {
	case r.Unchanged:
		fmt.Fprintf(w, "%s: these bytes are current already; nothing to do.\n", file)
	case err == nil:
		fmt.Fprintf(w, "%s: %d rows imported into %s of account %s.\n", file, r.Rows, c.Dataset, strings.Trim(fmt.Sprint(r.Accounts), "[]"))
	}
	if r.Replaced > 0 {
		fmt.Fprintf(w, "  %d slices of earlier imports are replaced.\n", r.Replaced)
	}
	if len(r.Ignored) > 0 {
		fmt.Fprintf(w, "  columns that the dataset does not have: %s\n", strings.Join(r.Ignored, ", "))
	}
	if r.Rejected > 0 {
		fmt.Fprintf(w, "  %d lines rejected, see %s.rejected\n", r.Rejected, file)
	}
	for _, reject := range r.Reasons {
		fmt.Fprintf(w, "  line %d: %s\n", reject.Line, reject.Reason)
	}
}

// bar shows progress to people; scripts that redirect the errors see none.
type bar struct{ *progressbar.ProgressBar }

func newBar(w io.Writer, name string, ofBytes bool) bar {
	f, ok := w.(*os.File)
	if !ok {
		return bar{}
	}
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return bar{}
	}
	return bar{progressbar.NewOptions64(-1, progressbar.OptionSetWriter(w), progressbar.OptionSetDescription(name),
		progressbar.OptionShowBytes(ofBytes), progressbar.OptionThrottle(100e6), progressbar.OptionClearOnFinish())}
}

func (b bar) progress(done, total int64, rows int) {
	if b.ProgressBar != nil {
		b.ChangeMax64(total)
		b.Set64(done)
	}
}

func (b bar) finish() {
	if b.ProgressBar != nil {
		b.Finish()
	}
}
