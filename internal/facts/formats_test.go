package facts

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// The same three rows in every format.
const csvFile = "account_id,web_property_id,time_period_start,time_period_end,collection_date,query,title,rank_true,cpc,keyword_group_ids,msv_month\n" +
	"7,1,2026-01-11,2026-01-17,2026-01-17,shoes,\"A \"\"title\"\",\nin two lines\",3,1.25,\"1,2\",202601\n" +
	"7,1,2026-01-11,2026-01-17,,boots,Grüße 👟 <b>,,0.000001,,\n" +
	"7,,2026-01-18,2026-01-24,2026-01-24,\" spaces \",,101,1000,3,202512\n"

const ndjsonFile = `{"account_id":7,"web_property_id":1,"time_period_start":"2026-01-11","time_period_end":"2026-01-17","collection_date":"2026-01-17","query":"shoes","title":"A \"title\",\nin two lines","rank_true":3,"cpc":1.25,"keyword_group_ids":"1,2","msv_month":202601}
{"account_id":"7","web_property_id":"1","time_period_start":"2026-01-11","time_period_end":"2026-01-17","collection_date":null,"query":"boots","title":"Gr\u00fc\u00dfe \ud83d\udc5f <b>","cpc":1e-6}

{"msv_month":"202512","account_id":7,"time_period_start":"2026-01-18","time_period_end":"2026-01-24","collection_date":"2026-01-24","query":" spaces ","title":"","rank_true":101,"cpc":1e3,"keyword_group_ids":3}
`

// parquetFile writes the rows with the types that data frames and databases give.
func parquetFile(t testing.TB, path string) {
	t.Helper()
	type row struct {
		Account  int64    `parquet:"account_id"`
		Property *float64 `parquet:"web_property_id,optional"` // as data frames write integers with gaps
		Start    int32    `parquet:"time_period_start,date"`
		End      int64    `parquet:"time_period_end,timestamp(microsecond)"`
		Date     *string  `parquet:"collection_date,optional"`
		Query    string   `parquet:"query"`
		Title    *string  `parquet:"title,optional,dict"`
		Rank     *int32   `parquet:"rank_true,optional"`
		CPC      int64    `parquet:"cpc,decimal(6:18)"`
		Groups   string   `parquet:"keyword_group_ids"`
		Month    *uint32  `parquet:"msv_month,optional"`
	}
	day := func(s string) time.Time {
		d, _ := time.Parse(time.DateOnly, s)
		return d
	}
	days := func(s string) int32 { return int32(day(s).Unix() / (24 * 60 * 60)) }
	rows := []row{
		{7, new(1.0), days("2026-01-11"), day("2026-01-17").UnixMicro(), new("2026-01-17"), "shoes", new("A \"title\",\nin two lines"), new(int32(3)), 1_250_000, "1,2", new(uint32(202601))},
		{7, new(1.0), days("2026-01-11"), day("2026-01-17").UnixMicro(), nil, "boots", new("Grüße 👟 <b>"), nil, 1, "", nil},
		{7, nil, days("2026-01-18"), day("2026-01-24").UnixMicro(), new("2026-01-24"), " spaces ", nil, new(int32(101)), 1_000_000_000, "3", new(uint32(202512))},
	}
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	w := parquet.NewGenericWriter[row](file)
	for _, r := range rows { // several row groups
		if _, err := w.Write([]row{r}); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestFormatsAgree(t *testing.T) {
	both(t, func(t *testing.T, s *store.Store) {
		folder := t.TempDir()
		path := func(name string) string { return filepath.Join(folder, name) }
		os.WriteFile(path("facts.csv"), []byte(csvFile), 0o600)
		os.WriteFile(path("facts.ndjson"), []byte(ndjsonFile), 0o600)
		os.WriteFile(path("facts.jsonl"), []byte(ndjsonFile+"\n"), 0o600)
		parquetFile(t, path("facts.parquet"))
		want := ""
		for _, name := range []string{"facts.csv", "facts.ndjson", "facts.jsonl", "facts.parquet"} {
			for i, file := range compressed(t, path(name)) {
				r := mustImport(t, s, vocab.KeywordRankings, file, Options{Replace: true})
				if r.Rows != 3 || r.Rejected != 0 || r.Unchanged {
					t.Fatalf("%s: %+v", file, r)
				}
				got := joined(weekly(t, s, vocab.KeywordRankings, 7))
				if want == "" {
					want = got
				}
				if got != want {
					t.Errorf("%s, form %d:\n%s\nwant\n%s", name, i, got, want)
				}
			}
		}
		if !strings.Contains(want, "shoes|A \"title\",\nin two lines|") || !strings.Contains(want, "|boots|Grüße 👟 <b>|") || !strings.Contains(want, "| spaces |") {
			t.Errorf("rows are\n%s", want)
		}
	})
}

func TestFilesThatCannotBeImported(t *testing.T) {
	both(t, func(t *testing.T, s *store.Store) {
		gz := compressed(t, file(t, "facts.csv", strings.Repeat(csvFile, 100)))
		parquetPath := filepath.Join(t.TempDir(), "facts.parquet")
		parquetFile(t, parquetPath)
		cut := func(path string, at func(n int) int) string {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			return file(t, filepath.Base(path), string(text[:at(len(text))]))
		}
		half := func(n int) int { return n / 2 }
		const head = "account_id,time_period_start,time_period_end\n"
		for _, c := range []struct{ path, want string }{
			{file(t, "a.csv", ""), "a.csv: the file is empty; it must begin with a line of column names"},
			{file(t, "a.csv", "\n\n"), "a.csv: the file is empty; it must begin with a line of column names"},
			{file(t, "a.csv", head), "a.csv has no rows"},
			{file(t, "a.ndjson", ""), "a.ndjson has no rows"},
			{file(t, "a.csv", "account_id,time_period_start\n7,2026-01-11\n"), "a.csv: column time_period_end is missing"},
			{file(t, "a.csv", "time_period_start,time_period_end\n"), "a.csv: column account_id is missing"},
			{file(t, "a.csv", "account_id,Account_ID,time_period_start,time_period_end\n"), "a.csv: column account_id is there twice"},
			{file(t, "a.csv", "\"account_id\n"), "a.csv: the line of column names has a quote that is never closed"},
			{file(t, "a.csv", head+"7,2026-01-11\n"), "a.csv: every line is rejected: line 2: has 2 values where there are 3 columns"},
			{file(t, "a.csv", head+"x,2026-01-11,2026-01-17\n"), "a.csv: every line is rejected: line 2: account_id: must be a whole number"},
			{file(t, "a.txt", head), "the name of the file must end in .csv, .ndjson, .jsonl or .parquet, each also with .gz or .zst"},
			{file(t, "a.csv.gz", csvFile), "a.csv.gz cannot be read: it is damaged or not what its name says"},
			{file(t, "a.csv.zst", csvFile), "a.csv.zst cannot be read: it is damaged or not what its name says"},
			{file(t, "a.parquet", csvFile), "a.parquet cannot be read: it is damaged or not what its name says"},
			{file(t, "a.parquet", ""), "a.parquet cannot be read: it is damaged or not what its name says"},
			{cut(gz[1], half), "facts.csv.gz cannot be read: it is damaged or not what its name says"},
			{cut(gz[1], func(n int) int { return n - 4 }), "facts.csv.gz cannot be read: it is damaged or not what its name says"},
			{cut(gz[2], half), "facts.csv.zst cannot be read: it is damaged or not what its name says"},
			{cut(parquetPath, half), "facts.parquet cannot be read: it is damaged or not what its name says"},
			{t.TempDir() + "/none.csv", "none.csv does not exist"},
		} {
			_, err := NewImporter(s).File(context.Background(), vocab.KeywordRankings, c.path, Options{})
			if !fault.Is(err, fault.Invalid) || fault.Of(err).Message != c.want {
				t.Errorf("%v, want %q", err, c.want)
			}
		}
		for _, table := range []string{"keyword_rankings", "fact_imports", "fact_slices", "accounts"} {
			if n := count(t, s, table); n != 0 {
				t.Errorf("%d rows left in %s", n, table)
			}
		}
	})
}
