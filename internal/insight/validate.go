package insight

import (
	"context"
	"math"
	"strings"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/draftversion"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/input"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// The bounds of a text to check, in characters.
const (
	maxTitle = 1000
	maxMeta  = 5000
	maxBody  = 1_000_000
)

// Validation is how a text stands against the guidance of one kind.
type Validation struct {
	Type           string
	Status         *string
	ErrorCode      *string
	ErrorMessage   *string
	InsightPresent bool
	Empty          bool
	Details        any      // an object; its shape depends on the type
	InsightScore   *float64 // 0 to 1; nil where nothing can be measured
	Summary        *string
}

// Validate holds a text against the draft's guidance: one item for each type
// that was requested, all when none was, in the documented order. Faults:
// Invalid, NotFound for the draft.
func (s *Service) Validate(ctx context.Context, draft uuid.UUID, in map[string]any) ([]*Validation, error) {
	parts, given, err := readCopy(in)
	if err != nil {
		return nil, err
	}
	if !given {
		return nil, fault.New(fault.Invalid, "at least one of title, metaDescription and bodyCopy is required")
	}
	list, err := s.List(ctx, draft, nil)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		for _, k := range Kinds {
			list = append(list, &Insight{Type: k.Type})
		}
	}
	c := newCopy(parts, languageFrom(list))
	out := make([]*Validation, len(list))
	for n, i := range list {
		out[n] = i.validate(c)
	}
	return out, nil
}

func (i *Insight) validate(c *Copy) *Validation {
	v := &Validation{
		Type: i.Type, Status: i.Status, ErrorCode: i.ErrorCode, ErrorMessage: i.ErrorMessage,
		InsightPresent: i.InsightPresent(), Empty: i.Empty(), Details: struct{}{},
	}
	if i.Guidance == nil {
		return v
	}
	found := kindOf(i.Type).check(i.Guidance, c)
	v.Details, v.InsightScore = found.Details, found.Score
	if found.Summary != "" {
		v.Summary = &found.Summary
	}
	return v
}

// parts are a text as it was sent.
type parts struct{ title, meta, body string }

// readCopy reads a text; given says whether it has any field.
func readCopy(in map[string]any) (p parts, given bool, err error) {
	o := input.Of(in)
	for _, field := range []struct {
		name string
		into *string
		max  int
	}{{"title", &p.title, maxTitle}, {"metaDescription", &p.meta, maxMeta}, {"bodyCopy", &p.body, maxBody}} {
		if t := o.Text(field.name, field.max); t != nil {
			*field.into, given = *t, true
		}
	}
	return p, given, o.Err()
}

// Score is the content score of a text.
type Score struct {
	Score      int // 0 to 100
	Components []Component
}

// Component is the share of one kind in a score.
type Component struct {
	Type   string
	Score  float64 // 0 to 1
	Weight float64
	Reason string
}

// Score is the weighted mean of how a text stands against each kind's guidance;
// kinds that failed or cannot be measured do not count. An empty request stands
// for the draft's content. Faults: Invalid, NotFound for the draft.
func (s *Service) Score(ctx context.Context, draft uuid.UUID, in map[string]any) (*Score, error) {
	p, given, err := readCopy(in)
	if err != nil {
		return nil, err
	}
	list, err := s.List(ctx, draft, nil)
	if err != nil {
		return nil, err
	}
	if !given {
		if p, err = s.saved(ctx, draft); err != nil {
			return nil, store.Fault(ctx, err, noun)
		}
	}
	c := newCopy(p, languageFrom(list))
	out := &Score{Components: []Component{}}
	var sum, weights float64
	for _, i := range list {
		if i.Guidance == nil || i.Status != nil && *i.Status == vocab.InsightError {
			continue
		}
		k := kindOf(i.Type)
		found := k.check(i.Guidance, c)
		weight, set := s.Weights[k.Type]
		if !set {
			weight = k.Weight
		}
		if found.Score == nil || weight <= 0 {
			continue
		}
		out.Components = append(out.Components, Component{k.Type, round(*found.Score), weight, found.Summary})
		sum += *found.Score * weight
		weights += weight
	}
	if weights > 0 {
		out.Score = int(math.Round(100 * sum / weights))
	}
	return out, nil
}

// round keeps three decimals.
func round(x float64) float64 { return math.Round(x*1000) / 1000 }

// saved is the draft's content.
func (s *Service) saved(ctx context.Context, draft uuid.UUID) (p parts, err error) {
	v, err := s.store.DraftVersion.Query().Where(draftversion.DraftID(draft)).
		Order(draftversion.ByNumber(sql.OrderDesc())).First(ctx)
	if db.IsNotFound(err) {
		return p, nil
	}
	if err == nil {
		p = parts{stringOf(v.Title), stringOf(v.MetaDescription), stringOf(v.BodyCopy)}
	}
	return p, err
}

func stringOf(p *string) string {
	if p == nil {
		return ""
	}
	return *p
}

// known refuses types that there are not.
func known(types []string) error {
	for _, t := range types {
		if kindOf(t) == nil {
			return fault.BadField("type", "must be one of %s", strings.Join(Types, ", "))
		}
	}
	return nil
}
