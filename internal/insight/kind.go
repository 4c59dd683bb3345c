// Package insight finds out what pages about a topic have in common, and how a
// draft's text stands against that: the 17 kinds of insight, validation and the
// content score. Each kind is a value in kinds; everything else iterates over
// them. It knows no transport; the viewer is in the context.
package insight

import (
	"context"
	"encoding/json"
	"fmt"
)

// needs are the parts of a brief that a kind reads.
type needs int

const (
	needsPages    needs = 1 << iota // competitor pages, at least one
	wantsPages                      // competitor pages, if any can be read
	needsSERP                       // result pages of the topic's phrases
	needsRankings                   // the account's ranking facts

	readsPages = needsPages | wantsPages
)

// Kind is one kind of insight.
type Kind struct {
	Type   string  // as documented
	Doc    string  // what it is for, in a sentence
	Weight float64 // in the content score, unless configured otherwise

	needs    needs
	generate func(ctx context.Context, b *Brief) (Guidance, error)
	decode   func(text json.RawMessage) (Guidance, error)
	check    func(g Guidance, c *Copy) Check
}

// spec is a kind as its code defines it.
type spec[G Guidance] struct {
	Type, Doc string
	Weight    float64
	Needs     needs
	// Generate makes the guidance; a Failure says why it cannot.
	Generate func(ctx context.Context, b *Brief) (G, error)
	// Check holds a copy against guidance that is not empty, unless Always.
	Check  func(g G, c *Copy) Check
	Always bool
}

func define[G Guidance](s spec[G]) *Kind {
	return &Kind{
		Type: s.Type, Doc: s.Doc, Weight: s.Weight, needs: s.Needs,
		generate: func(ctx context.Context, b *Brief) (Guidance, error) { return s.Generate(ctx, b) },
		decode: func(text json.RawMessage) (Guidance, error) {
			var g G
			err := json.Unmarshal(text, &g)
			return g, err
		},
		check: func(g Guidance, c *Copy) Check {
			if g.Empty() && !s.Always {
				return Check{Details: map[string]any{}}
			}
			return s.Check(g.(G), c)
		},
	}
}

// Kinds are all kinds, in the documented order.
var Kinds = []*Kind{
	paa, bodyPhrases, contentAnalysis, heading1Phrases, heading2Phrases, heading3Phrases, metaPhrases, titlePhrases,
	length, readability, objective, audience, journeyStage, contentType, subtopics, opportunities, searchVolume,
}

// Types are the names of all kinds, in the documented order.
var Types = func() (names []string) {
	for _, k := range Kinds {
		names = append(names, k.Type)
	}
	return names
}()

func kindOf(name string) *Kind {
	for _, k := range Kinds {
		if k.Type == name {
			return k
		}
	}
	return nil
}

// Check is how a copy stands against the guidance of one kind.
type Check struct {
	// Details are as documented for the kind; never nil.
	Details any
	// Score is 0 to 1; nil where nothing can be measured.
	Score *float64
	// Summary says in a sentence how it stands; "" without a score.
	Summary string
}

// Failure is why a kind has no guidance.
type Failure struct {
	Code    string // of the closed list of codes
	Message string // a sentence for users
}

// Error is the message.
func (f *Failure) Error() string { return f.Message }

// The codes of failures.
const (
	CodeNoPages     = "NO_COMPETITOR_PAGES"
	CodeFetchFailed = "FETCH_FAILED"
	CodeNoSERP      = "NO_SERP_DATA"
	CodeNoRankings  = "NO_RANKING_DATA"
	CodeLanguage    = "UNSUPPORTED_LANGUAGE"
	CodeModel       = "MODEL_UNAVAILABLE"
)

func failure(code, format string, args ...any) error {
	return &Failure{code, fmt.Sprintf(format, args...)}
}
