package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/contentgraph/contentgraph/ent/db/job"
	"github.com/contentgraph/contentgraph/internal/store"
)

// bigFile writes n citations of account 7 for one week, in line order.
func (in *installation) bigFile(n int) string {
	in.t.Helper()
	path := filepath.Join(in.dir, "big.csv")
	f, err := os.Create(path)
	if err != nil {
		in.t.Fatal(err)
	}
	w := bufio.NewWriter(f)
	fmt.Fprintln(w, "account_id,web_property_id,time_period_start,time_period_end,topic,prompt,citation_title,citation_url")
	for i := range n {
		fmt.Fprintf(w, "7,1,2026-01-11,2026-01-17,topic,prompt,%d,https://site%d.example/page/%d\n", i, i%500, i)
	}
	if err := w.Flush(); err != nil {
		in.t.Fatal(err)
	}
	f.Close()
	return path
}

var week = map[string]any{"account_id": 7, "start_date": "2026-01-11", "end_date": "2026-01-17"}

const titleColumn = 17 // citation_title

// open reads the database beside the running processes.
func (in *installation) open() *store.Store {
	in.t.Helper()
	var url, data string
	for _, e := range in.env {
		if v, ok := strings.CutPrefix(e, "CONTENTGRAPH_DATABASE_URL="); ok {
			url = v
		}
		if v, ok := strings.CutPrefix(e, "CONTENTGRAPH_DATA="); ok {
			data = v
		}
	}
	s, err := store.Open(context.Background(), url, data)
	if err != nil {
		in.t.Fatal(err)
	}
	in.t.Cleanup(func() { s.Close() })
	return s
}

// until waits for a state of the database that processes bring about.
func (in *installation) until(what string, ok func() bool) {
	in.t.Helper()
	for end := time.Now().Add(60 * time.Second); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if ok() {
			return
		}
	}
	in.t.Fatalf("%s did not happen", what)
}

func inOrder(t *testing.T, rows [][]string, n int) {
	t.Helper()
	if len(rows) != n {
		t.Fatalf("%d rows, want %d", len(rows), n)
	}
	for i, row := range rows {
		if row[titleColumn] != strconv.Itoa(i) {
			t.Fatalf("row %d is line %s", i, row[titleColumn])
		}
	}
}

// TestKilledExecution kills the server while a worker writes chunks; the next
// one finishes the execution with the right rows, each once.
func TestKilledExecution(t *testing.T) {
	onBoth(t, func(t *testing.T, in *installation) {
		const n = 60_000
		a := in.user("7")
		in.run("import", "ai_search_citations", in.bigFile(n))
		st, ctx := in.open(), store.System(context.Background())

		s := in.serve()
		execution := s.submit(a, "ai_search_citations", week)
		in.until("the first chunk", func() bool { return st.ResultChunk.Query().CountX(ctx) > 0 })
		s.kill()
		e := st.Execution.Query().OnlyX(ctx)
		if e.State != "IN_PROGRESS" {
			t.Fatalf("too late to interrupt: the execution was %s", e.State)
		}
		inOrder(t, in.serve().rows(a, "ai_search_citations", execution), n)
		if e = st.Execution.Query().OnlyX(ctx); e.Attempt != 2 {
			t.Errorf("finished by attempt %d, want 2", e.Attempt)
		}
	})
}

// TestKilledImport kills an import halfway: nothing of it is visible, and the
// next one brings the file in whole.
func TestKilledImport(t *testing.T) {
	onBoth(t, func(t *testing.T, in *installation) {
		const n = 60_000
		a, path := in.user("7"), in.bigFile(n)
		st, ctx := in.open(), store.System(context.Background())
		importing := in.command("import", "ai_search_citations", path)
		if err := importing.Start(); err != nil {
			t.Fatal(err)
		}
		in.until("the first facts", func() bool {
			var some int
			err := st.Reader.QueryRow(`select count(*) from (select 1 from ai_search_citations limit 1) x`).Scan(&some)
			return err == nil && some > 0
		})
		importing.Process.Kill()
		importing.Wait()
		if got := st.FactSlice.Query().CountX(ctx); got != 0 {
			t.Fatalf("too late to interrupt, or half an import is visible: %d slices", got)
		}
		s := in.serve()
		if rows := s.rows(a, "ai_search_citations", s.submit(a, "ai_search_citations", week)); len(rows) != 0 {
			t.Fatalf("%d rows of a killed import", len(rows))
		}
		if out := in.run("import", "ai_search_citations", path); !strings.Contains(out, strconv.Itoa(n)+" rows imported") {
			t.Errorf("the second import says %q", out)
		}
		if out := in.run("import", "ai_search_citations", path); !strings.Contains(out, "nothing to do") {
			t.Errorf("the third import says %q", out)
		}
		inOrder(t, s.rows(a, "ai_search_citations", s.submit(a, "ai_search_citations", week)), n)
	})
}

// TestFourProcesses share 200 executions on one PostgreSQL.
func TestFourProcesses(t *testing.T) {
	t.Parallel()
	in := onPostgres(t)
	a := in.user("7")
	in.run("import", "ai_search_citations", in.bigFile(300))
	var servers []*server
	for range 4 {
		servers = append(servers, in.serve())
	}
	var executions []string
	for i := range 200 {
		executions = append(executions, servers[i%4].submit(a, "ai_search_citations", week))
	}
	for i, e := range executions {
		inOrder(t, servers[(i+1)%4].rows(a, "ai_search_citations", e), 300)
	}
	st, ctx := in.open(), store.System(context.Background())
	for _, e := range st.Execution.Query().AllX(ctx) {
		if e.State != "COMPLETED" || e.Attempt != 1 {
			t.Errorf("execution %s is %s after attempt %d", e.ID, e.State, e.Attempt)
		}
	}
	if n := st.Execution.Query().CountX(ctx); n != 200 {
		t.Errorf("%d executions", n)
	}
	if n := st.Job.Query().Where(job.StateNEQ(job.StateDONE)).CountX(ctx); n != 0 {
		t.Errorf("%d jobs left", n)
	}
	if n := st.ResultChunk.Query().CountX(ctx); n != 200 {
		t.Errorf("%d chunks, want one for each execution", n)
	}
}
