package serp

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/account"
	"github.com/contentgraph/contentgraph/ent/db/ranksource"
	"github.com/contentgraph/contentgraph/ent/db/serpresult"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/store"
)

// Report says what an import did.
type Report struct {
	Topics, Results int
	Rejected        []Reject // lines that hold no result, in order
}

// Reject is a bad line and why.
type Reject struct {
	Line   int
	Reason string
}

// row is one line of a file. Questions are a JSON list, or parted by | in CSV.
type row struct {
	Account    int      `json:"account_id"`
	Engine     string   `json:"search_engine_name"`
	RankSource int      `json:"rank_source_id"`
	Topic      string   `json:"topic"`
	Position   int      `json:"position"`
	Type       string   `json:"type"`
	URL        string   `json:"url"`
	Title      string   `json:"title"`
	Questions  []string `json:"questions"`
}

// page names a snapshot.
type page struct {
	account, source int
	topic           string
}

// Import reads snapshots of result pages from a CSV or NDJSON file, also .gz,
// with the columns topic, position, type, url, title and questions, and
// rank_source_id or search_engine_name; owner stands in for a missing
// account_id. With strict, a bad line keeps the whole file out. Each topic's
// older snapshot is replaced as a whole.
func (s *Service) Import(ctx context.Context, path string, owner int, strict bool, progress func(topics, of int)) (Report, error) {
	ctx = store.System(ctx)
	var report Report
	pages := map[page][]row{}
	known := names{s.store, map[int]bool{}, map[int]bool{}, map[string]int{}}
	err := read(path, func(line int, r row, bad string) error {
		if r.Account == 0 {
			r.Account = owner
		}
		if bad == "" {
			bad = r.check()
		}
		if bad == "" {
			var err error
			if bad, err = known.resolve(ctx, &r); err != nil {
				return err
			}
		}
		if bad != "" {
			report.Rejected = append(report.Rejected, Reject{line, bad})
			return nil
		}
		key := page{r.Account, r.RankSource, fold(r.Topic)}
		pages[key] = append(pages[key], r)
		return nil
	})
	if err != nil {
		return report, err
	}
	if strict && len(report.Rejected) > 0 {
		r := report.Rejected[0]
		return report, fault.New(fault.Invalid, "line %d: %s; nothing is imported", r.Line, r.Reason)
	}
	for key, rows := range pages {
		s.store.Yield(ctx)
		if err := s.replace(ctx, key, rows); err != nil {
			return report, err
		}
		report.Topics++
		report.Results += len(rows)
		if progress != nil {
			progress(report.Topics, len(pages))
		}
	}
	return report, nil
}

func (r *row) check() string {
	for _, f := range [][2]string{{"topic", r.Topic}, {"type", r.Type}, {"url", r.URL}, {"title", r.Title}, {"questions", strings.Join(r.Questions, " ")}} {
		if !utf8.ValidString(f[1]) || strings.ContainsRune(f[1], 0) {
			return f[0] + ": must be UTF-8 without NUL"
		}
	}
	switch {
	case r.Account < 1:
		return "account_id: is required; or name the account with --account"
	case r.RankSource < 0 || r.RankSource == 0 && r.Engine == "":
		return "rank_source_id: or search_engine_name is required"
	case strings.TrimSpace(r.Topic) == "":
		return "topic: must not be blank"
	case len(r.Topic) > maxTopic:
		return fmt.Sprintf("topic: must have at most %d bytes", maxTopic)
	case r.Position < 1 || r.Position > 1000:
		return "position: must be from 1 to 1000"
	case r.URL == "" && len(r.Questions) == 0:
		return "url: or questions are required"
	case r.URL != "" && !strings.HasPrefix(r.URL, "http://") && !strings.HasPrefix(r.URL, "https://"):
		return "url: must begin with http:// or https://"
	}
	return ""
}

// names are what lines refer to, each looked up once.
type names struct {
	store    *store.Store
	accounts map[int]bool
	sources  map[int]bool
	engines  map[string]int // 0 without a rank source
}

// resolve finds what a line refers to; bad says what there is not.
func (n *names) resolve(ctx context.Context, r *row) (bad string, err error) {
	if _, seen := n.accounts[r.Account]; !seen {
		if n.accounts[r.Account], err = n.store.Account.Query().Where(account.ID(r.Account)).Exist(ctx); err != nil {
			return "", err
		}
	}
	if !n.accounts[r.Account] {
		return fmt.Sprintf("account_id: there is no account %d; create it first", r.Account), nil
	}
	if r.RankSource == 0 {
		if _, seen := n.engines[r.Engine]; !seen {
			n.engines[r.Engine], err = n.store.RankSource.Query().Where(ranksource.Name(r.Engine)).OnlyID(ctx)
			if err != nil && !db.IsNotFound(err) {
				return "", err
			}
		}
		if r.RankSource = n.engines[r.Engine]; r.RankSource == 0 {
			return "search_engine_name: there is no rank source of this name; create it first", nil
		}
		return "", nil
	}
	if _, seen := n.sources[r.RankSource]; !seen {
		if n.sources[r.RankSource], err = n.store.RankSource.Query().Where(ranksource.ID(r.RankSource)).Exist(ctx); err != nil {
			return "", err
		}
	}
	if !n.sources[r.RankSource] {
		return fmt.Sprintf("rank_source_id: there is no rank source %d; create it first", r.RankSource), nil
	}
	return "", nil
}

// batch is how many rows one statement inserts.
const batch = 100

func (s *Service) replace(ctx context.Context, p page, rows []row) error {
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(a.Position, b.Position) })
	return s.store.Tx(ctx, func(tx *db.Client) error {
		_, err := tx.SerpResult.Delete().Where(serpresult.AccountID(p.account), serpresult.RankSourceID(p.source), serpresult.Topic(p.topic)).Exec(ctx)
		if err != nil {
			return err
		}
		now := time.Now().UTC()
		for part := range slices.Chunk(rows, batch) {
			items := make([]*db.SerpResultCreate, len(part))
			for i, r := range part {
				items[i] = tx.SerpResult.Create().SetAccountID(p.account).SetRankSourceID(p.source).SetTopic(p.topic).
					SetPosition(r.Position).SetType(r.Type).SetURL(r.URL).SetTitle(r.Title).SetQuestions(r.Questions).SetImported(now)
			}
			if err := tx.SerpResult.CreateBulk(items...).Exec(ctx); err != nil {
				return err
			}
		}
		return nil
	})
}

// read calls fn with each line; bad says why one cannot be read.
func read(path string, fn func(line int, r row, bad string) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	var in io.Reader = f
	name := strings.ToLower(path)
	if base, ok := strings.CutSuffix(name, ".gz"); ok {
		z, err := gzip.NewReader(f)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		name, in = base, z
	}
	switch {
	case strings.HasSuffix(name, ".csv"):
		err = readCSV(in, fn)
	case strings.HasSuffix(name, ".ndjson"), strings.HasSuffix(name, ".jsonl"):
		err = readNDJSON(in, fn)
	default:
		return fault.New(fault.Invalid, "the name of the file must end in .csv, .ndjson or .jsonl, each also with .gz")
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// longestLine bounds a line of NDJSON, in bytes.
const longestLine = 1 << 20

func readNDJSON(in io.Reader, fn func(int, row, string) error) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, longestLine)
	for line := 1; lines.Scan(); line++ {
		text := bytes.TrimSpace(lines.Bytes())
		if len(text) == 0 {
			continue
		}
		var r row
		bad := ""
		if err := json.Unmarshal(text, &r); err != nil {
			bad = "must be a JSON object"
			var wrong *json.UnmarshalTypeError
			if errors.As(err, &wrong) && wrong.Field != "" {
				bad = fmt.Sprintf("%s: must not be a JSON %s", wrong.Field, wrong.Value)
			}
		}
		if err := fn(line, r, bad); err != nil {
			return err
		}
	}
	return lines.Err()
}

func readCSV(in io.Reader, fn func(int, row, string) error) error {
	c := csv.NewReader(in)
	c.FieldsPerRecord = -1
	head, err := c.Read()
	if err != nil {
		return err
	}
	at := map[string]int{}
	for i, name := range head {
		at[strings.ToLower(strings.TrimSpace(strings.TrimPrefix(name, "\uFEFF")))] = i
	}
	for {
		values, err := c.Read()
		var wrong *csv.ParseError
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &wrong):
			if err := fn(wrong.StartLine, row{}, wrong.Err.Error()); err != nil {
				return err
			}
			continue
		case err != nil:
			return err
		}
		line, _ := c.FieldPos(0)
		text := func(name string) string {
			if i, ok := at[name]; ok && i < len(values) {
				return strings.TrimSpace(values[i])
			}
			return ""
		}
		bad := ""
		number := func(name string) int {
			n, err := strconv.Atoi(cmp.Or(text(name), "0"))
			if err != nil && bad == "" {
				bad = name + ": must be a whole number"
			}
			return n
		}
		r := row{
			Account: number("account_id"), Engine: text("search_engine_name"), RankSource: number("rank_source_id"), Topic: text("topic"),
			Position: number("position"), Type: text("type"), URL: text("url"), Title: text("title"),
		}
		for q := range strings.SplitSeq(text("questions"), "|") {
			if q = strings.TrimSpace(q); q != "" {
				r.Questions = append(r.Questions, q)
			}
		}
		if err := fn(line, r, bad); err != nil {
			return err
		}
	}
}
