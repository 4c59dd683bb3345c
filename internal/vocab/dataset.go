package vocab

// Type is the documented type of a result column.
type Type = string

// The closed list of column types.
const (
	Integer Type = "integer"
	String  Type = "string"
	Date    Type = "date"
	Float   Type = "float"
	Boolean Type = "boolean"
)

// Match says how filter values are compared with a column. Each match other
// than Exact has a twin column, filled at import by code of ours so that every
// database answers alike, and NULL where it equals the column itself.
type Match string

// The closed list of matches; a twin is named after column and match.
const (
	Exact       Match = ""            // as stored
	Fold        Match = "fold"        // trimmed, Unicode case-folded
	Trim        Match = "trim"        // trimmed, case kept
	Place       Match = "place"       // upper case; space, hyphen and underscore alike
	Members     Match = "members"     // comma list, folded, as ",a,b,"
	Page        Match = "page"        // URL without fragment and trailing slash, folded
	Registrable Match = "registrable" // registrable domain by the public suffix list
)

// Column is one column of a dataset.
type Column struct {
	Name    string
	Type    Type
	Matches []Match // the twins that it has
}

// Twin is the name of the column that holds c's values for m.
func (c Column) Twin(m Match) string {
	if m == Exact {
		return c.Name
	}
	return c.Name + "_" + string(m)
}

// Dataset is one kind of facts: the rows that one data query answers.
type Dataset struct {
	Name    string   // as in paths and commands
	Short   string   // first part of an execution identifier
	Table   string   // where the facts are kept
	Columns []Column // in the documented order
	// Hidden columns are imported and stored but never answered.
	Hidden []Column
	// Ranked datasets have the column EffectiveRank.
	Ranked bool
}

// EffectiveRank is rank_standard, else rank_true, else NotRanking.
const (
	EffectiveRank = "effective_rank"
	NotRanking    = 101
)

// Column looks a stored column up by name.
func (d *Dataset) Column(name string) (Column, bool) {
	for _, list := range [][]Column{d.Columns, d.Hidden} {
		for _, c := range list {
			if c.Name == name {
				return c, true
			}
		}
	}
	return Column{}, false
}

// Stored is every imported column: the documented ones, then the hidden ones.
func (d *Dataset) Stored() []Column {
	return append(append([]Column{}, d.Columns...), d.Hidden...)
}

func col(name string, t Type, m ...Match) Column { return Column{name, t, m} }

// Frequency is the column that says how often a fact is collected.
const Frequency = "collection_frequency"

// KeywordRankings are positions of result items for a query.
var KeywordRankings = &Dataset{
	Name: "keyword_rankings", Short: "kr", Table: "keyword_rankings", Ranked: true,
	Columns: []Column{
		col("account_id", Integer),
		col("account_name", String),
		col("organization_id", String),
		col("organization_name", String),
		col("web_property_id", Integer),
		col("web_property_name", String),
		col("time_period_start", Date),
		col("time_period_end", Date),
		col("collection_date", Date),
		col("search_engine_name", String),
		col("search_engine", String),
		col("search_engine_country_code", String, Fold),
		col("search_engine_language_code", String, Fold),
		col("locode", String, Place),
		col("device", String, Fold),
		col("query", String),
		col("title", String),
		col("normalized_url", String),
		col("root_domain", String, Fold),
		col("subdomain", String, Fold),
		col("result_type", String, Fold),
		col("rank_standard", Integer),
		col("rank_true", Integer),
		col("rank_result_type", Integer),
		col("keyword_group_ids", String, Members),
		col("keyword_group_names", String, Members),
		col("average_search_volume", Integer),
		col("cpc", Float),
		col("competition", Float),
		col("approximate_search_volume", Integer),
		col("msv_month", Integer),
	},
	Hidden: []Column{col(Frequency, String)},
}

// MSVColumns is how many of the last columns of KeywordRankings hold monthly
// search volume data.
const MSVColumns = 5

// aiColumns are the columns that both AI-search datasets begin with.
func aiColumns(rest ...Column) []Column {
	return append([]Column{
		col("organization_name", String),
		col("organization_id", String),
		col("account_name", String),
		col("account_id", Integer),
		col("web_property_name", String),
		col("web_property_id", Integer),
		col("time_period_start", Date),
		col("time_period_end", Date),
		col(Frequency, String),
		col("locode", String, Place),
		col("language", String, Fold),
		col("ai_search_engine", String, Fold),
		col("topic", String, Trim),
		col("prompt", String, Trim),
		col("prompt_type", String, Fold),
		col("intent", String, Fold),
		col("persona", String, Trim),
	}, rest...)
}

// AISearchSentiments are what AI search answers say of brands.
var AISearchSentiments = &Dataset{
	Name: "ai_search_sentiments", Short: "as", Table: "ai_search_sentiments",
	Columns: aiColumns(
		col("sentiment_brand", String, Fold),
		col("sentiment_value", String, Fold),
		col("sentiment_score", Float),
		col("sentiment_category", String, Fold),
		col("sentiment_snippet", String),
		col("sentiment_source_url", String),
		col("sentiment_source_domain", String, Fold),
		col("ai_response_collected", Boolean),
		col("web_search_triggered", Boolean),
	),
}

// AISearchCitations are the pages that AI search answers cite.
var AISearchCitations = &Dataset{
	Name: "ai_search_citations", Short: "ac", Table: "ai_search_citations",
	Columns: aiColumns(
		col("citation_title", String),
		col("citation_url", String, Page),
		col("citation_domain", String, Fold, Registrable),
		col("citation_web_property_segment", String),
		col("citation_attribution", String, Fold),
		col("ai_response_collected", Boolean),
		col("web_search_triggered", Boolean),
	),
}

// Datasets is every dataset, in the documented order.
var Datasets = []*Dataset{KeywordRankings, AISearchSentiments, AISearchCitations}

// LookupDataset finds a dataset by name.
func LookupDataset(name string) (*Dataset, bool) {
	for _, d := range Datasets {
		if d.Name == name {
			return d, true
		}
	}
	return nil, false
}
