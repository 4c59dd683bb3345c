// Package vocab holds the closed vocabularies of the service: statuses, scopes,
// option lists and the columns of each dataset. It imports nothing, so that
// storage, services and transports can share it.
package vocab

// DraftStatuses are the states of a draft; any may follow any.
var DraftStatuses = []string{"TO_DO", "IN_PROGRESS", "IN_REVIEW", "APPROVED", "PUBLISHED"}

// DefaultDraftStatus is the state of a draft created without one.
const DefaultDraftStatus = "TO_DO"

// The types of a language rule.
const (
	RuleExclude = "EXCLUDE" // never use the term
	RuleReplace = "REPLACE" // write extraTerm instead of the term
	RuleInclude = "INCLUDE" // use the term
)

// RuleTypes is the closed list of language rule types.
var RuleTypes = []string{RuleExclude, RuleReplace, RuleInclude}

// The scopes that a user can be given. None implies another.
const (
	ScopeContentRead  = "content:read"
	ScopeContentWrite = "content:write"
	ScopeData         = "data"
	ScopeAdmin        = "admin"
)

// Scopes is the closed list of scopes.
var Scopes = []string{ScopeContentRead, ScopeContentWrite, ScopeData, ScopeAdmin}

// The documented states of an execution.
const (
	InProgress = "IN_PROGRESS"
	Completed  = "COMPLETED"
	Failed     = "FAILED"
)

// How often facts are collected.
const (
	Daily  = "DAILY"
	Weekly = "WEEKLY"
)

// Closed lists of the data queries.
var (
	Frequencies     = []string{Daily, Weekly}
	Devices         = []string{"DESKTOP", "SMARTPHONE", "TABLET"}
	PromptTypes     = []string{"branded", "unbranded"}
	SentimentValues = []string{"positive", "neutral", "negative"}
	Intents         = []string{"Education", "Brand/Service Navigation", "Pricing", "Support",
		"Recommendations", "Comparison", "Purchase", "Other"}
	CitationAttributions = []string{"You", "Partner", "SEO Competitor", "Other"}
)

// LanguageRule is one rule of a content profile.
type LanguageRule struct {
	Term      string  `json:"term"`
	Type      string  `json:"type"`
	ExtraTerm *string `json:"extraTerm"`
}

// Pin names slices of one import, all with the same start of period.
type Pin struct {
	Start  string `json:"start"`
	Import int    `json:"import"`
	Slices []int  `json:"slices"`
	Rows   int    `json:"rows"` // of these slices
}
