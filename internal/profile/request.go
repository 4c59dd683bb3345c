package profile

import (
	"strings"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/internal/input"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// The bounds of a profile: characters, and rules.
const (
	maxName        = 200
	maxDescription = 2_000
	maxGuidance    = 20_000
	maxTerm        = 200
	maxRules       = 500
)

// read moves a request into a create or an update. In a whole request an
// absent field counts as null; otherwise it is left alone.
func read(in map[string]any, m *db.ContentProfileMutation, whole bool) error {
	o := input.Of(in)
	given := func(name string) bool { return whole || o.Has(name) }

	if given("name") {
		m.SetName(o.Required("name", maxName))
	}
	for _, f := range []struct {
		name  string
		max   int
		set   func(string)
		clear func()
	}{
		{"description", maxDescription, m.SetDescription, m.ClearDescription},
		{"voiceTone", maxGuidance, m.SetVoiceTone, m.ClearVoiceTone},
		{"audience", maxGuidance, m.SetAudience, m.ClearAudience},
	} {
		if text := o.Text(f.name, f.max); text != nil {
			f.set(*text)
		} else if given(f.name) {
			f.clear()
		}
	}
	if given("languageRules") {
		m.SetLanguageRules(rules(o))
	}
	return o.Err()
}

// rules are the language rules of a request, never nil.
func rules(o *input.Object) []vocab.LanguageRule {
	out := []vocab.LanguageRule{}
	seen := map[[2]string]bool{}
	for _, r := range o.Objects("languageRules", maxRules) {
		rule := vocab.LanguageRule{Term: r.Required("term", maxTerm)}
		if t := r.OneOf("type", vocab.RuleTypes, false); t != nil {
			rule.Type = *t
		} else if !r.Failed("type") {
			r.Fail("type", "is required: one of %s", strings.Join(vocab.RuleTypes, ", "))
		}
		if rule.Type == vocab.RuleReplace {
			extra := r.Required("extraTerm", maxTerm)
			rule.ExtraTerm = &extra
		} else {
			rule.ExtraTerm = r.Text("extraTerm", maxTerm)
		}
		key := [2]string{rule.Type, rule.Term}
		if seen[key] && !r.Failed("term") && !r.Failed("type") {
			r.Fail("term", "has another rule of type %s", rule.Type)
		}
		seen[key] = true
		out = append(out, rule)
	}
	return out
}
