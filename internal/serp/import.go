package serp

import (
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
// rank_source_id or search_engine_name; account stands in for a missing
// account_id. With strict, a bad line keeps the whole file out. Each topic's older snapshot is replaced as a whole.
func (s *Service) Import(ctx context.Context, path string, account int, strict bool, progress func(topics, of int)) (Report, error) {
	ctx = store.System(ctx)
	var report Report
	pages := map[page][]row{}
	engines := map[string]int{}
	err := read(path, func(line int, r row, bad string) error {
		if r.Account == 0 {
			r.Account = account
		}
		if bad == "" {
			bad = r.check()
		}
		if bad == "" && r.RankSource == 0 {
			id, err := s.engine(ctx, engines, r.Engine)
			if err != nil {
				return err
			}
			if r.RankSource = id; id == 0 {
				bad = "search_engine_name: there is no rank source of this name; create it first"
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
	for name, text := range map[string]string{"topic": r.Topic, "type": r.Type, "url": r.URL, "title": r.Title, "questions": strings.Join(r.Questions, " ")} {
		if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
			return name + ": must be UTF-8 without NUL"
		}
	}
	switch {
	case r.Account < 1:
		return "account_id: is required; or name the account with --account"
	case r.RankSource < 0 || r.RankSource == 0 && r.Engine == "":
		return "rank_source_id: or search_engine_name is required"
	case strings.TrimSpace(r.Topic) == "":
		return "topic: must not be blank"
	case r.Position < 1 || r.Position > 1000:
		return "position: must be from 1 to 1000"
	case r.URL == "" && len(r.Questions) == 0:
		return "url: or questions are required"
	case r.URL != "" && !strings.HasPrefix(r.URL, "http://") && !strings.HasPrefix(r.URL, "https://"):
		return "url: must begin with http:// or https://"
	}
	return ""
}

// engine is the id of a rank source, 0 without one.
func (s *Service) engine(ctx context.Context, known map[string]int, name string) (int, error) {
	if id, ok := known[name]; ok {
		return id, nil
	}
	id, err := s.store.RankSource.Query().Where(ranksource.Name(name)).OnlyID(ctx)
	if db.IsNotFound(err) {
		err = nil
	}
	known[name] = id
	return id, err
}

// batch is how many rows one statement inserts.
const batch = 100

func (s *Service) replace(ctx context.Context, p page, rows []row) error {
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(a.Position, b.Position) })
	return s.store.Tx(ctx, func(tx *db.Client) error {
		for what, exists := range map[string]func() (bool, error){
			fmt.Sprintf("account %d", p.account):    func() (bool, error) { _, err := tx.Account.Get(ctx, p.account); return err == nil, skipMissing(err) },
			fmt.Sprintf("rank source %d", p.source): func() (bool, error) { _, err := tx.RankSource.Get(ctx, p.source); return err == nil, skipMissing(err) },
		} {
			if ok, err := exists(); err != nil || !ok {
				return errors.Join(err, fault.New(fault.Invalid, "there is no %s; create it first", what))
			}
		}
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

func skipMissing(err error) error {
	if db.IsNotFound(err) {
		return nil
	}
	return err
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

func readNDJSON(in io.Reader, fn func(int, row, string) error) error {
	d := json.NewDecoder(in)
	for line := 1; ; line++ {
		var r row
		err := d.Decode(&r)
		var wrong *json.UnmarshalTypeError
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &wrong):
			err = fn(line, r, fmt.Sprintf("%s: must not be a JSON %s", wrong.Field, wrong.Value))
		case err == nil:
			err = fn(line, r, "")
		default:
			return fmt.Errorf("object %d: %w", line, err)
		}
		if err != nil {
			return err
		}
	}
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
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
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
