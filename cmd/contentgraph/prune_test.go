package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"
)

// TestPrune removes weeks beside a server that goes on to serve the others.
func TestPrune(t *testing.T) {
	onBoth(t, func(t *testing.T, in *installation) {
		csv := filepath.Join(in.dir, "facts.csv")
		text := "account_id,time_period_start,time_period_end,topic\n"
		for week := range 3 {
			day := time.Date(2026, 1, 4+7*week, 0, 0, 0, 0, time.UTC)
			for row := range 100 {
				text += fmt.Sprintf("7,%s,%s,t%d\n", day.Format(time.DateOnly), day.AddDate(0, 0, 6).Format(time.DateOnly), row)
			}
		}
		if err := os.WriteFile(csv, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		in.run("import", "ai_search_citations", csv)
		a := in.user("7")
		s := in.serve()
		rows := func(start, end string) int {
			_, sent := s.data(a, "ai_search_citations", map[string]any{"account_id": 7, "start_date": start, "end_date": end})
			var e envelope
			in.until("the rows", func() bool {
				_, e = s.data(a, "ai_search_citations", map[string]any{"executionId": sent.ExecutionID})
				return e.ExecutionState == "COMPLETED"
			})
			return *e.TotalRowCount
		}
		if n := rows("2026-01-04", "2026-01-24"); n != 300 {
			t.Fatalf("%d rows before", n)
		}
		for _, c := range []struct{ args, want string }{
			{"--dry-run", `(?s)ai_search_citations +200 +2 +2 +0\nNothing was changed: this was a dry run\.\n$`},
			{"", `(?s)^DATASET +ROWS +WEEKS +SLICES +KEPT ROWS\nkeyword_rankings +0 .*ai_search_citations +200 +2 +2 +0\n(2 partitions were dropped; [0-9.]+ MB went back to the file system\.\n|[0-9.]+ MB of the database file are free for later imports; the file keeps its size\.\n)$`},
			{"", `(?s)ai_search_citations +0 +0 +0 +0\n$`},
		} {
			args := []string{"prune", "--before", "2026-01-20"}
			if c.args != "" {
				args = append(args, c.args)
			}
			if out := in.run(args...); !regexp.MustCompile(c.want).MatchString(out) {
				t.Errorf("%v printed\n%s", args, out)
			}
		}
		if n := rows("2026-01-04", "2026-01-24"); n != 100 {
			t.Errorf("%d rows after", n)
		}
		var told removed
		if in.json(&told, "prune", "--before=2026-01-25", "--dry-run"); !told.DryRun || told.Before != "2026-01-25" || len(told.Datasets) != 3 || told.Datasets[2].Rows != 100 {
			t.Errorf("%+v", told)
		}
	})
}
