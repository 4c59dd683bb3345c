package facts

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/contentgraph/contentgraph/ent/db/factimport"
	"github.com/contentgraph/contentgraph/ent/db/ranksource"
	"github.com/contentgraph/contentgraph/ent/db/webproperty"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

const weekHead = "account_id,web_property_id,time_period_start,time_period_end,query\n"

// week1 and week2 are rows of property 1 of account 7.
func week1(queries ...string) (text string) {
	for _, q := range queries {
		text += "7,1,2026-01-11,2026-01-17," + q + "\n"
	}
	return text
}

func week2(queries ...string) string {
	return strings.ReplaceAll(week1(queries...), "2026-01-11,2026-01-17", "2026-01-18,2026-01-24")
}

func queries(t testing.TB, s *store.Store) string {
	t.Helper()
	return strings.ReplaceAll(joined(weekly(t, s, vocab.KeywordRankings, 7, "query")), "\n", " ")
}

func TestAddReplaceUnchanged(t *testing.T) {
	both(t, func(t *testing.T, s *store.Store) {
		first := file(t, "first.csv", weekHead+week1("a1", "a1")+week2("a2"))
		second := file(t, "second.csv", weekHead+week1("b1"))
		third := file(t, "third.csv", weekHead+week1("c1")+week2("c2"))
		for i, c := range []struct {
			path    string
			options Options
			want    Report
			fault   string
			queries string
		}{
			{first, Options{}, Report{Rows: 3}, "", "a1 a1 a2"},
			{first, Options{}, Report{Unchanged: true}, "", "a1 a1 a2"},
			{second, Options{}, Report{Rows: 1}, "", "a1 a1 b1 a2"},
			{first, Options{}, Report{Unchanged: true}, "", "a1 a1 b1 a2"},
			{first, Options{Replace: true}, Report{Unchanged: true, Replaced: 1}, "", "a1 a1 a2"},
			{second, Options{Replace: true}, Report{Rows: 1, Replaced: 1}, "", "b1 a2"},
			{first, Options{}, Report{}, "first.csv was imported before and some of its periods were replaced or pruned since; import it with --replace to make all of it current again", "b1 a2"},
			{third, Options{Replace: true}, Report{Rows: 2, Replaced: 2}, "", "c1 c2"},
			{first, Options{}, Report{Rows: 3}, "", "c1 a1 a1 c2 a2"},
			{second, Options{Replace: true}, Report{Rows: 1, Replaced: 2}, "", "b1 c2 a2"},
			{first, Options{Replace: true}, Report{Rows: 3, Replaced: 3}, "", "a1 a1 a2"},
		} {
			got, err := NewImporter(s).File(context.Background(), vocab.KeywordRankings, c.path, c.options)
			if (err == nil) != (c.fault == "") || err != nil && fault.Of(err).Message != c.fault {
				t.Fatalf("%d: %v", i, err)
			}
			if got.Rows != c.want.Rows || got.Unchanged != c.want.Unchanged || got.Replaced != c.want.Replaced {
				t.Errorf("%d: %+v, want %+v", i, got, c.want)
			}
			if c.fault == "" && !slices.Equal(got.Accounts, []int{7}) {
				t.Errorf("%d: accounts %v", i, got.Accounts)
			}
			if q := queries(t, s); q != c.queries {
				t.Errorf("%d: %q, want %q", i, q, c.queries)
			}
		}
	})
}

// What was current when the pins were taken is read, whatever is imported later.
func TestPinsAreStable(t *testing.T) {
	both(t, func(t *testing.T, s *store.Store) {
		mustImport(t, s, vocab.KeywordRankings, file(t, "a.csv", weekHead+week1("a")+week2("b")), Options{})
		p, n := pins(t, s, vocab.KeywordRankings, 7, vocab.Weekly)
		mustImport(t, s, vocab.KeywordRankings, file(t, "b.csv", weekHead+week1("c")), Options{Replace: true})
		mustImport(t, s, vocab.KeywordRankings, file(t, "c.csv", weekHead+week1("d")), Options{})
		got := joined(scan(t, s, Query{Account: 7, Dataset: vocab.KeywordRankings, Pins: p}, "query"))
		if got != "a\nb" || n != 2 {
			t.Errorf("%d rows: %q", n, got)
		}
		if q := queries(t, s); q != "c d b" {
			t.Errorf("now %q", q)
		}
	})
}

func TestPins(t *testing.T) {
	both(t, func(t *testing.T, s *store.Store) {
		text := weekHead + "7,1,2026-01-11,2026-01-17,a\n7,2,2026-01-11,2026-01-17,b\n7,,2026-01-11,2026-01-17,c\n" +
			"7,1,2026-01-18,2026-01-24,d\n7,1,2026-01-18,2026-01-18,e\n8,1,2026-01-11,2026-01-17,f\n"
		mustImport(t, s, vocab.KeywordRankings, file(t, "a.csv", text), Options{})
		for _, c := range []struct {
			account               int
			frequency, start, end string
			properties            []int
			want                  string
			rows                  int
		}{
			{7, vocab.Weekly, "2026-01-11", "2026-01-24", nil, "[{2026-01-11 1 [0 1 2] 3} {2026-01-18 1 [3] 1}]", 4},
			{7, vocab.Weekly, "2026-01-11", "2026-01-17", []int{2, 9}, "[{2026-01-11 1 [1] 1}]", 1},
			{7, vocab.Weekly, "2026-01-12", "2026-01-24", nil, "[{2026-01-18 1 [3] 1}]", 1},
			{7, vocab.Weekly, "2026-01-11", "2026-01-16", nil, "[]", 0},
			{7, vocab.Daily, "2026-01-11", "2026-01-24", nil, "[{2026-01-18 1 [4] 1}]", 1},
			{8, vocab.Weekly, "2026-01-11", "2026-01-24", nil, "[{2026-01-11 1 [0] 1}]", 1},
			{9, vocab.Weekly, "2026-01-11", "2026-01-24", nil, "[]", 0},
		} {
			ctx := store.As(context.Background(), c.account, 1)
			got, rows, err := Pins(ctx, s.Client, vocab.KeywordRankings, c.frequency, c.start, c.end, c.properties)
			if err != nil || fmt.Sprint(got) != c.want || rows != c.rows {
				t.Errorf("%+v: %v, %d, %v", c, got, rows, err)
			}
		}
		if _, _, err := Pins(context.Background(), s.Client, vocab.KeywordRankings, vocab.Weekly, "2026-01-11", "2026-01-24", nil); !errors.Is(err, store.ErrNoViewer) {
			t.Errorf("without a viewer: %v", err)
		}
	})
}

func TestRejectedLines(t *testing.T) {
	both(t, func(t *testing.T, s *store.Store) {
		text := weekHead + week1("a") + "x,1,2026-01-11,2026-01-17,b\n7,1,2026-01-11,2026-01-17,\"c,\n7,1\n" + week1("d")
		path := file(t, "a.csv", text)
		o := Options{Strict: true, Rejects: path + ".rejected"}
		r, err := NewImporter(s).File(context.Background(), vocab.KeywordRankings, path, o)
		want := "a.csv: nothing is imported, since 3 of 5 lines are rejected: line 3: account_id: must be a whole number; " +
			"line 4: has a quote that is never closed; line 5: has 2 values where there are 5 columns"
		if !fault.Is(err, fault.Invalid) || fault.Of(err).Message != want || r.Rows != 0 || r.Rejected != 3 {
			t.Errorf("strict: %+v, %v", r, err)
		}
		if n := count(t, s, "keyword_rankings") + count(t, s, "fact_imports") + count(t, s, "accounts"); n != 0 {
			t.Errorf("strict left %d rows", n)
		}
		o.Strict = false
		r = mustImport(t, s, vocab.KeywordRankings, path, o)
		if r.Rows != 2 || r.Rejected != 3 || len(r.Reasons) != 3 || r.Reasons[0] != (Reject{3, "account_id: must be a whole number"}) {
			t.Errorf("%+v", r)
		}
		text = strings.TrimSuffix(weekHead, "\n") + ",reject_reason\n" +
			"x,1,2026-01-11,2026-01-17,b,account_id: must be a whole number\n" +
			"7,1,2026-01-11,2026-01-17,\"c,,has a quote that is never closed\n" +
			"7,1,,,,has 2 values where there are 5 columns\n"
		got, _ := os.ReadFile(o.Rejects)
		if string(got) != text {
			t.Errorf("rejected:\n%s\nwant\n%s", got, text)
		}
		// Mended, the file can be imported as it is.
		mended := strings.NewReplacer("x,1", "7,1", `"c,,`, "c,", "7,1,,", "7,1,2026-01-11,bad").Replace(text)
		path = file(t, "a.csv.rejected", mended)
		r = mustImport(t, s, vocab.KeywordRankings, path, Options{Rejects: path + ".rejected"})
		if r.Rows != 2 || r.Rejected != 1 || len(r.Ignored) != 0 {
			t.Errorf("mended: %+v", r)
		}
		got, _ = os.ReadFile(path + ".rejected")
		if want := strings.TrimSuffix(weekHead, "\n") + ",reject_reason\n7,1,2026-01-11,bad,,\"time_period_end: must be a date, yyyy-MM-dd, from 1900 to 2999\"\n"; string(got) != want {
			t.Errorf("rejected again:\n%s\nwant\n%s", got, want)
		}
		if q := queries(t, s); q != "a d b c" {
			t.Errorf("rows %q", q)
		}
	})
}

func TestRejectedLinesOfOtherFormats(t *testing.T) {
	both(t, func(t *testing.T, s *store.Store) {
		bad := `{"account_id":7,"time_period_start":"2026-01-12","time_period_end":"2026-01-17"}`
		path := file(t, "a.ndjson", ndjsonFile+bad+"\n{\n")
		r := mustImport(t, s, vocab.KeywordRankings, path, Options{Rejects: path + ".rejected"})
		got, _ := os.ReadFile(path + ".rejected")
		if string(got) != bad+"\n{\n" || r.Rejected != 2 || r.Reasons[1] != (Reject{6, "is not a JSON object"}) {
			t.Errorf("%+v\n%s", r, got)
		}
		path = writeParquet(t)
		r, err := NewImporter(s).File(context.Background(), vocab.AISearchCitations, path, Options{AccountID: 7, Rejects: path + ".rejected"})
		if err != nil || !slices.Equal(r.Ignored, []string{"collection_date", "cpc", "keyword_group_ids", "msv_month", "query", "rank_true", "title"}) {
			t.Errorf("%+v, %v", r, err)
		}
		rows := [][]string{{"7", "2026-01-11", "2026-01-17", "a"}, {"7", "2026-01-11", "2026-01-16", "b"}}
		src := func(yield func([]string, error) bool) {
			_ = yield(rows[0], nil) && yield(rows[1], nil)
		}
		rejects := file(t, "rows.rejected", "old")
		r, err = NewImporter(s).Rows(context.Background(), vocab.KeywordRankings, "demo", "1", []string{"account_id", "time_period_start", "time_period_end", "query"}, src, Options{Rejects: rejects})
		got, _ = os.ReadFile(rejects)
		want := "account_id,time_period_start,time_period_end,query,reject_reason\n" +
			"7,2026-01-11,2026-01-16,b,collection_frequency: is required for a period that is neither one day nor a week from Sunday to Saturday\n"
		if err != nil || r.Rows != 1 || string(got) != want {
			t.Errorf("%+v, %v\n%s", r, err, got)
		}
	})
}

func TestDefaultsForMissingColumns(t *testing.T) {
	both(t, func(t *testing.T, s *store.Store) {
		path := file(t, "a.csv", "time_period_start,time_period_end,query\n2026-01-11,2026-01-17,a\n")
		im := NewImporter(s)
		for _, account := range []int{7, 8} {
			for _, unchanged := range []bool{false, true} {
				r, err := im.File(context.Background(), vocab.KeywordRankings, path, Options{AccountID: account, WebPropertyID: 5})
				if err != nil || r.Unchanged != unchanged {
					t.Errorf("account %d: %+v, %v", account, r, err)
				}
			}
			if got := joined(weekly(t, s, vocab.KeywordRankings, account, "account_id", "web_property_id", "query")); got != fmt.Sprintf("%d|5|a", account) {
				t.Errorf("account %d: %q", account, got)
			}
		}
		// A file that has the columns keeps them, an empty account is no account.
		path = file(t, "b.csv", weekHead+"9,,2026-01-11,2026-01-17,a\n,1,2026-01-11,2026-01-17,b\n")
		r := mustImport(t, s, vocab.KeywordRankings, path, Options{AccountID: 7, WebPropertyID: 5})
		if r.Rows != 1 || r.Reasons[0] != (Reject{3, "account_id: is required"}) {
			t.Errorf("%+v", r)
		}
		if r := mustImport(t, s, vocab.KeywordRankings, path, Options{}); !r.Unchanged {
			t.Errorf("the same bytes without superfluous options: %+v", r)
		}
		path = file(t, "c.ndjson", `{"time_period_start":"2026-01-11","time_period_end":"2026-01-17"}`)
		if r := mustImport(t, s, vocab.KeywordRankings, path, Options{AccountID: 10}); !slices.Equal(r.Accounts, []int{10}) {
			t.Errorf("%+v", r)
		}
	})
}

func TestReferenceData(t *testing.T) {
	both(t, func(t *testing.T, s *store.Store) {
		ctx := store.System(context.Background())
		s.Account.Create().SetID(8).SetName("Old").SaveX(ctx)
		s.RankSource.Create().SetID(3).SetName("BING_EN_US").SaveX(ctx)
		head := "account_id,account_name,web_property_id,web_property_name,time_period_start,time_period_end,search_engine_name,search_engine,search_engine_country_code,search_engine_language_code,rank_source_id\n"
		text := head +
			"7,,1,,2026-01-11,2026-01-17,GOOGLE_EN_US,GOOGLE,US,en,\n" +
			"7,Seven,1,One,2026-01-11,2026-01-17,GOOGLE_DE_DE,GOOGLE,DE,de,20\n" +
			"7,Other,2,,2026-01-11,2026-01-17,GOOGLE_FR_FR,GOOGLE,FR,fr,3\n" +
			"8,New,1,Eight,2026-01-11,2026-01-17,BING_EN_US,BING,US,en,9\n" +
			"6,,,,2026-01-11,2026-01-17,,,,,\n"
		mustImport(t, s, vocab.KeywordRankings, file(t, "a.csv", text), Options{})
		var got []string
		for _, a := range s.Account.Query().AllX(ctx) {
			got = append(got, fmt.Sprint(a.ID, " ", a.Name))
		}
		slices.Sort(got)
		if !slices.Equal(got, []string{"6 Account 6", "7 Seven", "8 Old"}) {
			t.Errorf("accounts %q", got)
		}
		got = nil
		for _, p := range s.WebProperty.Query().Order(webproperty.ByAccountID(), webproperty.ByNumber()).AllX(ctx) {
			got = append(got, fmt.Sprint(p.AccountID, " ", p.Number, " ", p.Name))
		}
		if !slices.Equal(got, []string{"7 1 One", "7 2 Web property 2", "8 1 Eight"}) {
			t.Errorf("web properties %q", got)
		}
		got = nil
		for _, r := range s.RankSource.Query().Order(ranksource.ByID()).AllX(ctx) {
			got = append(got, fmt.Sprint(r.ID, " ", r.Name, " ", r.Engine, " ", r.Country, " ", r.Language))
		}
		if !slices.Equal(got, []string{"3 BING_EN_US   ", "20 GOOGLE_DE_DE GOOGLE DE de", "21 GOOGLE_EN_US GOOGLE US en", "22 GOOGLE_FR_FR GOOGLE FR fr"}) {
			t.Errorf("rank sources %q", got)
		}
		imports := s.FactImport.Query().Order(factimport.ByAccountID()).AllX(ctx)
		if len(imports) != 3 || imports[1].Rows != 3 || imports[1].Number != 1 || imports[1].FileName != "a.csv" || imports[1].FileID != imports[0].FileID {
			t.Errorf("imports %v", imports)
		}
	})
}

// endless gives n weekly rows of account 7, then ends or fails.
func endless(n int, end error) func(yield func([]string, error) bool) {
	return func(yield func([]string, error) bool) {
		for i := range n {
			if !yield([]string{"7", "2026-01-11", "2026-01-17", fmt.Sprint(i)}, nil) {
				return
			}
		}
		if end != nil {
			yield(nil, end)
		}
	}
}

var endlessColumns = []string{"account_id", "time_period_start", "time_period_end", "query"}

func TestNothingStaysOfAFailedImport(t *testing.T) {
	both(t, func(t *testing.T, s *store.Store) {
		im := NewImporter(s)
		broken := errors.New("broken")
		ctx, cancel := context.WithCancel(context.Background())
		for name, c := range map[string]struct {
			n        int
			end      error
			progress func(done, total int64, rows int)
			want     error
		}{
			"failed source": {12_000, broken, nil, broken},
			"cancelled": {1 << 40, nil, func(_, _ int64, rows int) {
				if rows > 11_000 {
					cancel()
				}
			}, context.Canceled},
		} {
			r, err := im.Rows(ctx, vocab.KeywordRankings, "demo", name, endlessColumns, endless(c.n, c.end), Options{Progress: c.progress})
			if !errors.Is(err, c.want) || r.Rows != 0 {
				t.Errorf("%s: %+v, %v", name, r, err)
			}
			if n := count(t, s, "keyword_rankings") + count(t, s, "fact_imports") + count(t, s, "fact_slices") + count(t, s, "accounts"); n != 0 {
				t.Errorf("%s: %d rows left", name, n)
			}
			if ctx.Err() != nil {
				ctx, cancel = context.WithCancel(context.Background())
			}
		}
		cancel()
	})
}

func TestTheSameBytesAtOnce(t *testing.T) {
	both(t, func(t *testing.T, s *store.Store) {
		const importers = 4
		reports := make([]Report, importers)
		errs := make([]error, importers)
		var wg sync.WaitGroup
		for i := range importers {
			wg.Go(func() {
				reports[i], errs[i] = NewImporter(s).Rows(context.Background(), vocab.KeywordRankings, "demo", "same", endlessColumns, endless(3000, nil), Options{})
			})
		}
		wg.Wait()
		imported := 0
		for i, r := range reports {
			if errs[i] != nil {
				t.Error(errs[i])
			}
			if !r.Unchanged {
				imported++
			}
		}
		if n := count(t, s, "keyword_rankings"); imported != 1 || n != 3000 || len(weekly(t, s, vocab.KeywordRankings, 7)) != 3000 {
			t.Errorf("%d imports, %d rows", imported, n)
		}
		if n := count(t, s, "fact_imports"); n != 1 {
			t.Errorf("%d imports left", n)
		}
	})
}

func TestReplacementsAtOnce(t *testing.T) {
	both(t, func(t *testing.T, s *store.Store) {
		var wg sync.WaitGroup
		for i := range 4 {
			path := file(t, "a.csv", weekHead+week1(fmt.Sprint(i))+week2(fmt.Sprint(i))+"8,1,2026-01-11,2026-01-17,x\n")
			wg.Go(func() {
				if _, err := NewImporter(s).File(context.Background(), vocab.KeywordRankings, path, Options{Replace: true}); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if q := queries(t, s); len(q) != 3 || q[0] != q[2] {
			t.Errorf("current are %q, want two rows of one file", q)
		}
	})
}

// Rows of any length, which the database gets in parts, are there in their
// order, and none stays of a failure at the end.
func TestLongRows(t *testing.T) {
	both(t, func(t *testing.T, s *store.Store) {
		lengths := []int{0, 1, copyBytes - 100, copyBytes, copyBytes + 1, 7, 10 * copyBytes, 2}
		rows := func(end error) iter.Seq2[[]string, error] {
			return func(yield func([]string, error) bool) {
				for i, n := range lengths {
					if !yield([]string{"7", "2026-01-11", "2026-01-17", fmt.Sprint(i), strings.Repeat("\t\\x", n)}, nil) {
						return
					}
				}
				if end != nil {
					yield(nil, end)
				}
			}
		}
		columns := []string{"account_id", "time_period_start", "time_period_end", "query", "title"}
		bad := errors.New("bad")
		if _, err := NewImporter(s).Rows(context.Background(), vocab.KeywordRankings, "demo", "1", columns, rows(bad), Options{}); !errors.Is(err, bad) {
			t.Fatal(err)
		}
		if n := count(t, s, "keyword_rankings"); n != 0 {
			t.Errorf("%d rows stay of an import that failed", n)
		}
		if _, err := NewImporter(s).Rows(context.Background(), vocab.KeywordRankings, "demo", "1", columns, rows(nil), Options{}); err != nil {
			t.Fatal(err)
		}
		for i, row := range weekly(t, s, vocab.KeywordRankings, 7, "query", "title") {
			if row[0] != fmt.Sprint(i) || row[1] != strings.Repeat("\t\\x", lengths[i]) {
				t.Errorf("row %d: %q and %d bytes, want %d", i, row[0], len(row[1]), 3*lengths[i])
			}
		}
	})
}

func TestProgress(t *testing.T) {
	t.Parallel()
	s := openStore(t, "sqlite")
	path := file(t, "a.csv", weekHead+strings.Repeat(week1("a"), 10_000))
	info, _ := os.Stat(path)
	last, calls := int64(-1), 0
	mustImport(t, s, vocab.KeywordRankings, path, Options{Progress: func(done, total int64, rows int) {
		if calls++; done < last || total != info.Size() {
			t.Errorf("%d of %d after %d", done, total, last)
		}
		last = done
	}})
	if last != info.Size() || calls < 3 {
		t.Errorf("ended at %d of %d after %d calls", last, info.Size(), calls)
	}
}

// A draft must not wait long while facts are imported.
func TestOthersWriteMeanwhile(t *testing.T) {
	t.Parallel()
	s := openStore(t, "sqlite")
	done := make(chan error)
	go func() {
		_, err := NewImporter(s).Rows(context.Background(), vocab.KeywordRankings, "demo", "1", endlessColumns, endless(20_000, nil), Options{})
		done <- err
	}()
	ctx := store.System(context.Background())
	for writes := 1; ; writes++ {
		s.Setting.Create().SetID(fmt.Sprint(writes)).SetValue("").ExecX(ctx)
		select {
		case err := <-done:
			if err != nil || writes < 10 {
				t.Errorf("%d writes got in, %v", writes, err)
			}
			return
		case <-time.After(time.Millisecond):
		}
	}
}
