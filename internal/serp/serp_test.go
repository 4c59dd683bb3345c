package serp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/contentgraph/contentgraph/internal/facts"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/pgtest"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

func both(t *testing.T, fn func(t *testing.T, s *store.Store, svc *Service)) {
	t.Parallel()
	pgtest.Both(t, func(t *testing.T, url string) {
		s, err := store.Open(context.Background(), url, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		all := store.System(context.Background())
		s.Account.Create().SetID(7).SetName("a").SaveX(all)
		s.RankSource.Create().SetID(5).SetName("BING_DE").SetLanguage("de").SetCountry("DE").SaveX(all)
		fn(t, s, New(s))
	})
}

var ctx = store.As(context.Background(), 7, 1)

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func urls(t *testing.T, svc *Service, limit int, topics ...string) string {
	t.Helper()
	list, err := svc.URLs(ctx, 5, topics, &limit)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, topic := range list {
		all = append(all, topic.Topic+": "+strings.Join(topic.URLs, " "))
	}
	return strings.Join(all, "; ")
}

// TestSources: rankings come before snapshots, and those before the search service.
func TestSources(t *testing.T) {
	both(t, func(t *testing.T, s *store.Store, svc *Service) {
		if got := urls(t, svc, 9, "kettle"); got != "kettle: " {
			t.Errorf("nothing is known: %q", got)
		}
		searched := ""
		svc.Search = func(_ context.Context, topic, language, country string) ([]Result, error) {
			searched = topic + language + country
			return []Result{{Position: 1, URL: "https://found.example/"}}, nil
		}
		if got := urls(t, svc, 9, " kettle "); got != " kettle : https://found.example/" || searched != "kettledeDE" {
			t.Errorf("searched for %q: %q", searched, got)
		}
		snapshot := write(t, "a.csv", strings.Join([]string{
			"account_id,rank_source_id,search_engine_name,topic,position,type,url,title,questions",
			"7,5,,Kettle,2,,https://two.example/,Two,",
			"7,,BING_DE,KETTLE ,1,PEOPLE_ALSO_ASK,,,Is it loud?|How long?",
			"7,5,,kettle,3,,https://two.example/,Two again,",
			"7,5,,lamp,1,,https://lamp.example/,Lamp,",
			"7,5,,lamp,x,,https://lamp.example/,Lamp,",
			"7,,NO_SUCH,lamp,1,,https://lamp.example/,Lamp,",
			"7,5,,lamp,1,,javascript:alert(1),Lamp,", "",
		}, "\n"))
		report, err := svc.Import(context.Background(), snapshot, 0, false, nil)
		if err != nil || report.Topics != 2 || report.Results != 4 || len(report.Rejected) != 3 || report.Rejected[0].Line != 6 {
			t.Fatalf("%+v, %v", report, err)
		}
		if _, err := svc.Import(context.Background(), snapshot, 0, true, nil); err == nil || !strings.Contains(err.Error(), "line 6") {
			t.Errorf("strictly: %v", err)
		}
		if got := urls(t, svc, 9, "kettle", "LAMP"); got != "kettle: https://two.example/; LAMP: https://lamp.example/" {
			t.Errorf("of snapshots: %q", got)
		}
		head := "account_id,time_period_start,time_period_end,search_engine_name,query,title,normalized_url,result_type,rank_standard,device\n"
		if _, err := facts.NewImporter(s).File(context.Background(), vocab.KeywordRankings, write(t, "f.csv", head+strings.Join([]string{
			"7,2026-01-04,2026-01-10,BING_DE,kettle,Old,https://old.example/,STANDARD,1,DESKTOP",
			"7,2026-01-11,2026-01-17,BING_DE,kettle,A,https://a.example/,STANDARD,3,DESKTOP",
			"7,2026-01-11,2026-01-17,BING_DE,kettle,B,https://b.example/,STANDARD,2,DESKTOP",
			"7,2026-01-11,2026-01-17,BING_DE,kettle,A,https://a.example/,STANDARD,1,SMARTPHONE",
			"7,2026-01-11,2026-01-17,BING_DE,kettle,C,https://c.example/,STANDARD,,DESKTOP",
			"7,2026-01-11,2026-01-17,BING_DE,kettle,Can it boil?,https://b.example/,PEOPLE_ALSO_ASK,4,DESKTOP", "",
		}, "\n")), facts.Options{}); err != nil {
			t.Fatal(err)
		}
		if got := urls(t, svc, 9, "Kettle"); got != "Kettle: https://a.example/ https://b.example/" {
			t.Errorf("of rankings, best rank first: %q", got)
		}
		if got := urls(t, svc, 1, "kettle"); got != "kettle: https://a.example/" {
			t.Errorf("with a limit: %q", got)
		}
		source := s.RankSource.GetX(ctx, 5)
		pages, err := svc.Pages(ctx, source, []string{"kettle"})
		if err != nil || pages[0].From != FromRankings || !reflect.DeepEqual(pages[0].Questions, []string{"Can it boil?", "Is it loud?", "How long?"}) {
			t.Errorf("%+v, %v", pages[0], err)
		}
		// A newer snapshot replaces the topic's older one, and no other.
		again := write(t, "b.ndjson", `{"rank_source_id":5,"topic":"lamp","position":1,"url":"https://new.example/"}`+"\n")
		if _, err := svc.Import(context.Background(), again, 7, false, nil); err != nil {
			t.Fatal(err)
		}
		if got := urls(t, svc, 9, "lamp"); got != "lamp: https://new.example/" {
			t.Errorf("after a newer snapshot: %q", got)
		}
		svc.Search = func(context.Context, string, string, string) ([]Result, error) { return nil, errors.New("down") }
		if pages, err := svc.Pages(ctx, source, []string{"unknown"}); err != nil || pages[0].Problem != "down" || pages[0].From != "" {
			t.Errorf("when the search fails: %+v, %v", pages[0], err)
		}
		if got := urls(t, New(s), 9, "lamp"); got != "lamp: https://new.example/" {
			t.Error(got)
		}
		list, err := svc.URLs(store.As(ctx, 8, 1), 5, []string{"lamp", "kettle"}, nil)
		if err != nil || len(list[0].URLs)+len(list[1].URLs) != 0 {
			t.Errorf("another account sees %+v, %v", list, err)
		}
	})
}

func TestBadRequests(t *testing.T) {
	both(t, func(t *testing.T, _ *store.Store, svc *Service) {
		many := strings.Split(strings.Repeat("x ", 51), " ")[:51]
		for _, c := range []struct {
			source int
			topics []string
			limit  int
			bad    string
		}{
			{5, []string{"a"}, 0, "limit"}, {5, []string{"a"}, 101, "limit"}, {5, nil, 1, "topic"}, {5, []string{"a", " "}, 1, "topic"},
			{5, many, 1, "topic"}, {5, []string{"a\x00b"}, 1, "topic"}, {5, []string{"\xff"}, 1, "topic"}, {5, []string{strings.Repeat("x", 2001)}, 1, "topic"}, {4, []string{"a"}, 1, "rankSourceId"}, {4, nil, 0, "limit topic rankSourceId"}, {5, many[:50], 100, ""},
		} {
			_, err := svc.URLs(ctx, c.source, c.topics, &c.limit)
			var bad []string
			if err != nil {
				for _, f := range fault.Of(err).Fields {
					bad = append(bad, f.Field)
				}
			}
			if strings.Join(bad, " ") != c.bad {
				t.Errorf("%+v: %v", c, err)
			}
		}
	})
}

func TestBadFiles(t *testing.T) {
	both(t, func(t *testing.T, _ *store.Store, svc *Service) {
		head := "account_id,rank_source_id,topic,position,url\n"
		for i, c := range []struct{ name, text, want string }{
			{"a.txt", "x", "must end in"}, {"a.csv.gz", "no gzip at all", "gzip"}, {"a.ndjson", "{\n[]\n{\"topic\":5}\n", ""},
			{"a.csv", head + "9,5,t,1,https://x.example/\n", ""},
			{"a.csv", head + "7,5,\"t,1,https://x.example/\n", ""},
			{"a.csv", head + "7,5," + strings.Repeat("t", 2001) + ",1,https://x.example/\n", ""},
			{"a.csv", "rank_source_id,topic,position,url\n5,t,1,https://x.example/\n", ""},
			{"a.csv", head + "7,6,t,1,https://x.example/\n", ""},
			{"a.csv", head + "7,5,\"t\x00\",1,https://x.example/\n7,5,\xff,1,https://x.example/\n", ""},
		} {
			report, err := svc.Import(context.Background(), write(t, c.name, c.text), 0, false, nil)
			if c.want == "" && (err != nil || len(report.Rejected) == 0 || report.Results > 0) || c.want != "" && !strings.Contains(fmt.Sprint(err), c.want) {
				t.Errorf("%d: %+v, %v; want %q", i, report, err, c.want)
			}
		}
	})
}

// TestGoodLinesOfBadFiles: a line that cannot be read, or that names what there
// is not, keeps no other line out.
func TestGoodLinesOfBadFiles(t *testing.T) {
	both(t, func(t *testing.T, _ *store.Store, svc *Service) {
		for name, text := range map[string]string{
			"a.ndjson": `{"account_id":7,"rank_source_id":5,"topic":"t","position":1,"url":"https://one.example/"}
{"topic":

{"account_id":9,"rank_source_id":5,"topic":"t","position":1,"url":"https://x.example/"}
{"account_id":7,"rank_source_id":6,"topic":"t","position":1,"url":"https://x.example/"}
{"account_id":7,"rank_source_id":5,"topic":"t","position":2,"url":"https://two.example/"}`,
			"a.csv": `account_id,rank_source_id,topic,position,url
7,5,t,1,https://one.example/
7,5,"t"x,1,https://x.example/
9,5,t,1,https://x.example/
7,6,t,1,https://x.example/
7,5,t,2,https://two.example/
`,
		} {
			report, err := svc.Import(context.Background(), write(t, name, text), 0, false, nil)
			if err != nil || report.Results != 2 || len(report.Rejected) != 3 || report.Rejected[2].Line != 5 && name == "a.csv" {
				t.Errorf("%s: %+v, %v", name, report, err)
			}
			if got := urls(t, svc, 9, "t"); got != "t: https://one.example/ https://two.example/" {
				t.Errorf("%s: %q", name, got)
			}
		}
	})
}

// TestSearchOutage: a search service that is down is not asked for every topic.
func TestSearchOutage(t *testing.T) {
	both(t, func(t *testing.T, s *store.Store, svc *Service) {
		var asked atomic.Int32
		svc.Search = func(context.Context, string, string, string) ([]Result, error) {
			asked.Add(1)
			return nil, errors.New("down")
		}
		topics := strings.Fields(strings.Repeat("topic ", 50))
		pages, err := svc.Pages(ctx, s.RankSource.GetX(ctx, 5), topics)
		if err != nil || asked.Load() > searchAtOnce {
			t.Errorf("asked %d times, %v", asked.Load(), err)
		}
		for _, p := range pages {
			if p.Problem != "down" {
				t.Errorf("%+v", p)
			}
		}
	})
}
