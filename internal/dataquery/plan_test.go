package dataquery

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/contentgraph/contentgraph/internal/facts"
	"github.com/contentgraph/contentgraph/internal/pgtest"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// recorder connects to a database and keeps the queries that it is asked.
type recorder struct {
	drv  driver.Driver
	dsn  string
	list []recorded
}

type recorded struct {
	text string
	args []any
}

func (r *recorder) Driver() driver.Driver { return r.drv }

func (r *recorder) Connect(context.Context) (driver.Conn, error) {
	c, err := r.drv.Open(r.dsn)
	return recording{c, r}, err
}

type recording struct {
	driver.Conn
	to *recorder
}

func (c recording) CheckNamedValue(v *driver.NamedValue) error {
	if inner, ok := c.Conn.(driver.NamedValueChecker); ok {
		return inner.CheckNamedValue(v)
	}
	return driver.ErrSkip
}

func (c recording) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	q := recorded{text: text}
	for _, a := range args {
		q.args = append(q.args, a.Value)
	}
	c.to.list = append(c.to.list, q)
	return c.Conn.(driver.QueryerContext).QueryContext(ctx, text, args)
}

// weeks that have facts; each holds those of 20 accounts and 3 imports.
var planWeeks = []string{"2026-01-04", "2026-01-11", "2026-01-18"}

// fill writes 18,000 facts of a dataset, 300 of each account and week, import by
// import, as importers do.
func fill(t *testing.T, s *store.Store, d *vocab.Dataset) {
	t.Helper()
	columns, values := "", ""
	if d.Ranked {
		columns, values = ", effective_rank", ", i % 101"
	}
	if s.Postgres() {
		for i, ends := range []string{"2026-01-11", "2026-01-18", "2026-01-25"} {
			part := d.Table + "_" + strings.ReplaceAll(planWeeks[i], "-", "")
			mustExec(t, s.Writer, fmt.Sprintf("create table %s partition of %s for values from ('%s') to ('%s')", part, d.Table, planWeeks[i], ends))
		}
	}
	mustExec(t, s.Writer, fmt.Sprintf(`with recursive n(i) as (select 0 union all select i + 1 from n where i < 17999)
insert into %s (line, import_no, slice, account_id, time_period_start%s)
select i %% 100, 1 + i / 100 %% 3, 0, 101 + i / 900, case i / 300 %% 3 when 0 then '%s' when 1 then '%s' else '%s' end%s from n`,
		d.Table, columns, planWeeks[0], planWeeks[1], planWeeks[2], values))
	mustExec(t, s.Writer, "analyze "+d.Table)
}

func mustExec(t *testing.T, db *sql.DB, text string) {
	t.Helper()
	if _, err := db.Exec(text); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
}

// sample is a value of a field, and as many as a list may have.
func sample(f Filter) (one, most any) {
	switch f.Kind {
	case Integer:
		return max(f.Min, 5), nil
	case Boolean:
		return true, nil
	case Choice:
		return f.Allowed[0], nil
	case Choices:
		return f.Allowed[0], f.Allowed
	case Integers:
		var list []int
		for i := range MaxItems {
			list = append(list, i+1)
		}
		return 41, list
	case Texts:
		var list []string
		for i := range MaxItems {
			list = append(list, fmt.Sprintf("%0*d", max(f.Min, min(f.Max, 4)), i%100))
		}
		return list[1], list
	}
	return nil, nil
}

// TestPlans: whatever a request asks, the database reads one import of one
// account and week by the key, and on PostgreSQL opens that week alone.
func TestPlans(t *testing.T) {
	t.Parallel()
	pgtest.Both(t, func(t *testing.T, url string) {
		folder, dsn := t.TempDir(), url
		s, err := store.Open(context.Background(), dsn, folder)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		if dsn == "" {
			dsn = "file:" + filepath.Join(folder, "contentgraph.db")
		}
		r := &recorder{drv: s.Reader.Driver(), dsn: dsn}
		listened := *s
		listened.Reader = sql.OpenDB(r)
		t.Cleanup(func() { listened.Reader.Close() })
		for _, spec := range Specs {
			fill(t, s, spec.Dataset)
			for what, in := range planRequests(spec) {
				r.list = nil
				ask(t, &listened, spec, in)
				if len(r.list) != 2 {
					t.Errorf("%s %s: %d statements", spec.Name(), what, len(r.list))
				}
				for i, q := range r.list {
					if bad := scans(t, s, spec.Dataset, planWeeks[i+1], q); bad != "" {
						t.Errorf("%s %s: %s\n%s", spec.Name(), what, bad, q.text)
					}
				}
			}
		}
		// What the test is there to find, it does find.
		d := vocab.KeywordRankings
		for _, where := range []string{
			"account_id = 101", "time_period_start = '2026-01-11'", "account_id = 101 and import_no = 2",
			"account_id = 101 and time_period_start = '2026-01-11'", "time_period_start = '2026-01-11' and import_no = 2",
			"account_id > 101 and time_period_start = '2026-01-11' and import_no = 2",
			"account_id + 0 = 101 and time_period_start = '2026-01-11' and import_no = 2",
			"account_id = 101 and time_period_start = '2026-01-18' and import_no = 2 or account_id = 102",
		} {
			if scans(t, s, d, "2026-01-11", recorded{text: "select * from " + d.Table + " where " + where}) == "" {
				t.Errorf("the plan is taken for good: %s", where)
			}
		}
	})
}

// planRequests are each filter alone, with one value and with as many as may
// be, all at once and none.
func planRequests(spec *Spec) map[string]object {
	all := map[string]object{"nothing": {}, "everything": {}}
	for _, f := range spec.Filters {
		if one, most := sample(f); f.Name != "account_id" && one != nil {
			all[f.Name] = object{f.Name: one}
			all["everything"][f.Name] = one
			if most != nil {
				all["many "+f.Name] = object{f.Name: most}
			}
		}
	}
	return all
}

// ask reads two pins for a request, as a worker does.
func ask(t *testing.T, s *store.Store, spec *Spec, in object) {
	t.Helper()
	r, err := Parse(spec, week(in))
	if err != nil {
		t.Fatal(err)
	}
	if r.has("rank_source_ids") {
		r.RankSources = []string{"BING_EN_US", "GOOGLE_DE_DE"}
	}
	err = facts.Scan(context.Background(), s, facts.Query{
		Account: account, Dataset: spec.Dataset, Columns: spec.columns(r), Where: conditions(spec, r),
		Pins: []vocab.Pin{{Start: planWeeks[1], Import: 2, Slices: []int{0}}, {Start: planWeeks[2], Import: 1, Slices: []int{0, 1, 2}}},
	}, func([]byte) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
}

// scans says what a query reads besides one import of an account and week; "" =
// nothing.
func scans(t *testing.T, s *store.Store, d *vocab.Dataset, week string, q recorded) string {
	t.Helper()
	if s.Postgres() {
		var text []byte
		if err := s.Reader.QueryRow("explain (format json) "+q.text, q.args...).Scan(&text); err != nil {
			t.Fatal(err)
		}
		var plan []struct{ Plan map[string]any }
		if err := json.Unmarshal(text, &plan); err != nil {
			t.Fatal(err)
		}
		n := 0
		if bad := scansPostgres(plan[0].Plan, d.Table+"_"+strings.ReplaceAll(week, "-", ""), &n); bad != "" || n != 1 {
			return fmt.Sprintf("%s (%d uses of a key)", bad, n)
		}
		return ""
	}
	rows, err := s.Reader.Query("explain query plan "+q.text, q.args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	n, bad := 0, ""
	for rows.Next() {
		var id, parent, unused int
		var detail string
		if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
			t.Fatal(err)
		}
		switch {
		case strings.HasPrefix(detail, "SEARCH "+d.Table+" USING") && strings.Contains(detail, "(account_id=? AND time_period_start=? AND import_no=?"):
			n++
		case strings.Contains(detail, d.Table), strings.HasPrefix(detail, "SCAN") && !strings.Contains(detail, "VIRTUAL TABLE"), strings.Contains(detail, "TEMP B-TREE"):
			bad += detail + "; "
		}
	}
	if bad == "" && n != 1 {
		bad = fmt.Sprintf("%d uses of the key", n)
	}
	return bad
}

// scansPostgres goes through a plan and counts the uses of a key.
func scansPostgres(node map[string]any, partition string, keys *int) string {
	if name, ok := node["Relation Name"]; ok && (name != partition || node["Node Type"] == "Seq Scan") {
		return fmt.Sprintf("%s of %s", node["Node Type"], name)
	}
	if name, ok := node["Index Name"]; ok {
		*keys++
		for _, column := range []string{"account_id", "time_period_start", "import_no"} {
			if condition, _ := node["Index Cond"].(string); !strings.Contains(condition, "("+column+" = ") {
				return fmt.Sprintf("%s by %s with %s", node["Node Type"], name, condition)
			}
		}
	}
	inner, _ := node["Plans"].([]any)
	for _, n := range inner {
		if bad := scansPostgres(n.(map[string]any), partition, keys); bad != "" {
			return bad
		}
	}
	return ""
}
