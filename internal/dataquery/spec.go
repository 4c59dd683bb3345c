// Package dataquery answers the data queries: it validates a request, pins the
// facts that were current at its submit, and has a job write the matching rows
// as encoded chunks, which are handed out in pages until they expire.
//
// Data queries are tables: a Spec says which facts a query reads, which fields
// its request has and which rules hold between them, and from it come
// validation, conditions and result columns. A
// further query is one more Spec. The package knows no transport and no SQL of
// the fact tables.
package dataquery

import (
	"github.com/contentgraph/contentgraph/internal/input"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// Spec is one data query.
type Spec struct {
	Dataset *vocab.Dataset
	Filters []Filter // every request field, in the documented order
	Rules   []Rule
}

// Name is the query's name, as in paths.
func (s *Spec) Name() string { return s.Dataset.Name }

// Lookup finds a query by name.
func Lookup(name string) (*Spec, bool) {
	for _, s := range Specs {
		if s.Name() == name {
			return s, true
		}
	}
	return nil, false
}

// columns are the result columns of a request.
func (s *Spec) columns(r Request) []vocab.Column {
	columns := s.Dataset.Columns
	for _, f := range s.Filters {
		if f.Adds > 0 && !r.Flags[f.Name] {
			columns = columns[:len(columns)-f.Adds]
		}
	}
	return columns
}

// Kind is the type of a request field.
type Kind string

// The closed list of kinds.
const (
	Integer  Kind = "integer"
	Boolean  Kind = "boolean"
	Date     Kind = "date"   // yyyy-MM-dd
	Choice   Kind = "choice" // one text of a closed list, in any case
	Integers Kind = "integers"
	Texts    Kind = "texts"
	Choices  Kind = "choices" // several texts of a closed list, in any case
)

// MaxItems is how many items a list of a request may have.
const MaxItems = 1000

// Filter is one field of a query's request and what it asks of a row.
type Filter struct {
	Name     string
	Doc      string // one line, in words
	Kind     Kind
	Required bool
	// Min and Max bound a number, each number of a list, or the characters of
	// each text of a list; a Max of 0 is none.
	Min, Max int
	Allowed  []string // the closed list of a Choice or Choices
	Default  any      // what an absent field means: int, string, bool; nil = nothing

	// Targets are the columns that values are compared with: a row matches when
	// one of them does. A field without targets is used in other ways.
	Targets []Target
	Unless  string // the field is ignored when this one has values
	ByName  bool   // values are ids of rank sources, which facts know by name
	Adds    int    // this many of the dataset's last columns are answered only when the flag is true
}

// Target is a column and how values are compared with it.
type Target struct {
	Column string
	Match  vocab.Match
	Bound  Bound
}

// Bound says that a column is compared by order instead of equality.
type Bound int

// The closed list of bounds.
const (
	Equal Bound = iota
	AtLeast
	AtMost
)

// Rule holds between several fields. It judges the good fields of a request
// alone and records what is bad.
type Rule struct {
	Doc   string
	Check func(r Request, in *input.Object)
}
