package main

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/contentgraph/contentgraph/internal/app"
	"github.com/contentgraph/contentgraph/internal/facts"
)

type pruneCommand struct {
	printed
	Before string `required:"" placeholder:"yyyy-MM-dd" help:"Facts of all accounts whose period ended before this day go; not after today."`
	DryRun bool   `help:"Only say what would go."`
}

// Help is the long help of the command.
func (pruneCommand) Help() string {
	return `For good, over all datasets and accounts; results of queries that have been answered stay for their 7 days. Serving goes on meanwhile: the facts are out of sight at one moment, then their rows go.

On PostgreSQL a whole week (Sunday to Saturday) is dropped as a partition, which takes a moment and returns its space to the file system; a week that the date cuts goes row by row, and its space is used again by later imports. On SQLite everything goes row by row in short transactions, and the file keeps its size: later imports fill it.

Facts that a query in progress still reads are reported as kept. They are out of sight for everybody else, and the server removes them when that query has ended. A week that an import is writing to just now goes row by row, too.

When prune is stopped or fails, run it again: it goes on where it ended. Until then an import into a week that is half removed is refused.`
}

// removed is what --json says.
type removed struct {
	Before   string         `json:"before"`
	DryRun   bool           `json:"dryRun"`
	Datasets []facts.Pruned `json:"datasets"`
}

func (c pruneCommand) Run(s *session) error {
	return s.with(func(a *app.App) error {
		bar := newBar(s.errors, "prune", false)
		list, err := a.Importer.Prune(s.ctx, facts.PruneOptions{
			Before: c.Before, DryRun: c.DryRun,
			Progress: func(done, total int) { bar.progress(int64(done), int64(total), done) },
		})
		bar.finish()
		if list == nil {
			return err
		}
		if c.JSON {
			return errors.Join(err, s.print(true, removed{c.Before, c.DryRun, list}, ""))
		}
		return errors.Join(err, c.tell(s, a.Store.Postgres(), list))
	})
}

// tell prints what went by dataset.
func (c pruneCommand) tell(s *session, postgres bool, list []facts.Pruned) error {
	table := [][]string{{"DATASET", "ROWS", "WEEKS", "SLICES", "KEPT ROWS"}}
	var sum facts.Pruned
	for _, d := range list {
		table = append(table, []string{d.Dataset, strconv.Itoa(d.Rows), strconv.Itoa(d.Weeks), strconv.Itoa(d.Slices), strconv.Itoa(d.KeptRows)})
		sum.Partitions += d.Partitions
		sum.Bytes += d.Bytes
		sum.KeptRows += d.KeptRows
		sum.KeptSlices += d.KeptSlices
	}
	if err := s.list(false, nil, table); err != nil {
		return err
	}
	size := fmt.Sprintf("%.1f MB", float64(sum.Bytes)/1e6)
	switch {
	case c.DryRun:
		fmt.Fprintln(s.out, "Nothing was changed: this was a dry run.")
	case postgres && sum.Partitions > 0:
		fmt.Fprintf(s.out, "%d partitions were dropped; %s went back to the file system.\n", sum.Partitions, size)
	case !postgres && sum.Bytes > 0:
		fmt.Fprintf(s.out, "%s of the database file are free for later imports; the file keeps its size.\n", size)
	}
	if sum.KeptRows > 0 {
		fmt.Fprintf(s.out, "%d rows of %d slices are kept until the queries that read them have ended.\n", sum.KeptRows, sum.KeptSlices)
	}
	return nil
}
