package main

import (
	"fmt"

	"github.com/contentgraph/contentgraph/internal/app"
	"github.com/contentgraph/contentgraph/internal/fault"
)

// importedSERP is what --json says of one file.
type importedSERP struct {
	File     string `json:"file"`
	Topics   int    `json:"topics"`
	Results  int    `json:"results"`
	Rejected int    `json:"rejected"`
}

// serp imports snapshots of result pages.
func (c importCommand) serp(s *session) error {
	if c.Replace || c.WebProperty != 0 {
		return fault.New(fault.Invalid, "--replace and --web-property are not for result pages: the snapshot of a topic always replaces the older one")
	}
	var all []importedSERP
	err := s.with(func(a *app.App) error {
		for _, file := range c.Files {
			bar := newBar(s.errors, file, false)
			r, err := a.Serp.Import(s.ctx, file, c.Account, c.Strict, func(done, total int) { bar.progress(int64(done), int64(total), 0) })
			bar.finish()
			if !c.JSON {
				for _, reject := range r.Rejected[:min(20, len(r.Rejected))] {
					fmt.Fprintf(s.out, "  line %d: %s\n", reject.Line, reject.Reason)
				}
			}
			if err != nil {
				return err
			}
			if r.Results == 0 && len(r.Rejected) > 0 {
				return fault.New(fault.Invalid, "%s: no line holds a result; the first says: %s", file, r.Rejected[0].Reason)
			}
			all = append(all, importedSERP{file, r.Topics, r.Results, len(r.Rejected)})
			if !c.JSON {
				fmt.Fprintf(s.out, "%s: %d results of %d topics imported, %d lines rejected.\n", file, r.Results, r.Topics, len(r.Rejected))
			}
		}
		return nil
	})
	if err != nil || !c.JSON {
		return err
	}
	return s.print(true, map[string]any{"files": all}, "")
}
