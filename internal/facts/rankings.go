package facts

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// Ranking is one result item of a query. Volumes are the query's, a month.
type Ranking struct {
	Query, Title, URL, RootDomain, Subdomain, ResultType string

	Rank              int // rank_standard, else rank_true, else NotRanking
	AverageVolume     *int
	ApproximateVolume *int
	CPC, Competition  *float64
	MSVMonth          *int // yyyyMM
}

// Rankings are the viewer's current keyword rankings of one rank source in its
// newest period.
type Rankings struct {
	Period string // its first day, yyyy-MM-dd; "" when the rank source has no rankings

	store   *store.Store
	account int
	engine  string
	current string // SQL: what is current in the period
}

// NewestRankings finds the newest period of a rank source, by the name that
// facts call it.
func NewestRankings(ctx context.Context, s *store.Store, engine string) (*Rankings, error) {
	r := &Rankings{store: s, account: store.ViewerOf(ctx).Account, engine: engine}
	var pins []vocab.Pin
	for _, frequency := range vocab.Frequencies {
		of, _, err := Pins(ctx, s.Client, vocab.KeywordRankings, frequency, "0001-01-01", "9999-12-31", nil)
		if err != nil {
			return nil, err
		}
		pins = append(pins, of...)
	}
	slices.SortStableFunc(pins, func(a, b vocab.Pin) int { return strings.Compare(b.Start, a.Start) })
	for len(pins) > 0 {
		period := slices.IndexFunc(pins, func(p vocab.Pin) bool { return p.Start != pins[0].Start })
		if period < 0 {
			period = len(pins)
		}
		r.Period, r.current = pins[0].Start, current(pins[:period])
		var any bool
		err := s.Reader.QueryRowContext(ctx, "select exists ("+r.statement("1", "")+")", r.args()...).Scan(&any)
		if err != nil || any {
			return r, err
		}
		pins = pins[period:]
	}
	r.Period = ""
	return r, nil
}

func current(pins []vocab.Pin) string {
	var any []string
	for _, p := range pins {
		any = append(any, "import_no = "+strconv.Itoa(p.Import)+" and slice in ("+integers(p.Slices)+")")
	}
	return "(" + strings.Join(any, " or ") + ")"
}

func (r *Rankings) args(more ...any) []any {
	return append([]any{r.account, r.Period, r.engine}, more...)
}

// statement reads within the index over account, period, rank source and query.
func (r *Rankings) statement(columns, and string) string {
	return "select " + columns + " from keyword_rankings where account_id = $1 and time_period_start = $2 and search_engine_name = $3 and " +
		r.current + and
}

// maxRankings bounds what one query of the account can have: all devices and
// places of a result page.
const maxRankings = 10_000

// Of are the result items of a query, best rank first, then by line. The query
// is compared as it is.
func (r *Rankings) Of(ctx context.Context, query string) ([]Ranking, error) {
	if r.Period == "" {
		return nil, nil
	}
	rows, err := r.store.Reader.QueryContext(ctx, r.statement(`query, coalesce(title, ''), coalesce(normalized_url, ''),
coalesce(root_domain, ''), coalesce(subdomain, ''), coalesce(result_type, ''), effective_rank,
average_search_volume, approximate_search_volume, cast(cpc as double precision), cast(competition as double precision), msv_month`,
		fmt.Sprintf(" and query = $4 order by effective_rank, import_no, line limit %d", maxRankings)), r.args(query)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []Ranking
	for rows.Next() {
		var k Ranking
		if err := rows.Scan(&k.Query, &k.Title, &k.URL, &k.RootDomain, &k.Subdomain, &k.ResultType, &k.Rank,
			&k.AverageVolume, &k.ApproximateVolume, &k.CPC, &k.Competition, &k.MSVMonth); err != nil {
			return nil, err
		}
		list = append(list, k)
	}
	return list, rows.Err()
}

// maxQueries bounds how many different queries EachQuery gives.
const maxQueries = 100_000

// EachQuery calls fn with each different query of the period, of all its
// imports, in an order that databases do not agree on.
func (r *Rankings) EachQuery(ctx context.Context, fn func(query string)) error {
	if r.Period == "" {
		return nil
	}
	// The index is read from one query to the next greater one.
	next := "(select min(query) from keyword_rankings where account_id = $1 and time_period_start = $2 and search_engine_name = $3"
	rows, err := r.store.Reader.QueryContext(ctx, fmt.Sprintf(`with recursive found(query, n) as (
  select %[1]s), 1 union all
  select %[1]s and query > found.query), n + 1 from found where query is not null and n < %[2]d)
select query from found where query is not null`, next, maxQueries), r.args()...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var q string
		if err := rows.Scan(&q); err != nil {
			return err
		}
		fn(q)
	}
	return rows.Err()
}
