package profile

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/input"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// view is what a client sets of a profile.
func view(p *db.ContentProfile) string {
	text, _ := json.Marshal([]any{p.Name, p.Description, p.VoiceTone, p.Audience, p.LanguageRules})
	return strings.ReplaceAll(string(text), `"`, "'")
}

func TestWrite(t *testing.T) {
	const x = `[{'term':'x','type':'EXCLUDE','extraTerm':null}]`
	long := strings.Repeat("é", 2001)
	many := `[` + strings.Repeat(`{'term': 'x', 'type': 'EXCLUDE'},`, 500) + `{'term': 'y', 'type': 'EXCLUDE'}]`
	create, replace, update := "create", "replace", "update"
	cases := []struct {
		by   string
		in   string
		want string   // the profile (%s stands for its name before), or
		bad  []string // the fields of an Invalid fault
	}{
		{by: create, in: `{'name': ' First '}`, want: `['First',null,null,null,[]]`},
		{by: create, in: `{'name': 'Second', 'description': null, 'voiceTone': null, 'audience': null, 'languageRules': null, 'id': 'x', 'draftCount': 5}`,
			want: `['Second',null,null,null,[]]`},
		{by: create, in: `{'name': 'Third', 'description': '', 'voiceTone': ' v ', 'audience': 'a', 'languageRules': [
			{'term': ' x ', 'type': 'EXCLUDE'}, {'term': 'x', 'type': 'INCLUDE', 'extraTerm': null}, {'term': 'X', 'type': 'EXCLUDE', 'extraTerm': 'e'},
			{'term': 'x', 'type': 'REPLACE', 'extraTerm': ' y '}]}`,
			want: `['Third','',' v ','a',[{'term':'x','type':'EXCLUDE','extraTerm':null},{'term':'x','type':'INCLUDE','extraTerm':null},` +
				`{'term':'X','type':'EXCLUDE','extraTerm':'e'},{'term':'x','type':'REPLACE','extraTerm':'y'}]]`},
		{by: create, in: `{}`, bad: []string{"name"}},
		{by: create, in: `{'name': '  ', 'description': 1, 'voiceTone': [], 'audience': {}, 'languageRules': 'x'}`,
			bad: []string{"name", "description", "voiceTone", "audience", "languageRules"}},
		{by: create, in: `{'name': '` + long[:402] + `', 'description': '` + long + `'}`, bad: []string{"name", "description"}},
		{by: create, in: `{'name': 'N', 'voiceTone': '` + strings.Repeat("v", 20_001) + `', 'languageRules': ` + many + `}`, bad: []string{"voiceTone", "languageRules"}},
		{by: create, in: `{'name': 'N', 'languageRules': [{}, {'term': ' ', 'type': 'REPLACE'}, {'term': 'x', 'type': 'exclude', 'extraTerm': 5},
			{'term': 'x', 'type': 'REPLACE', 'extraTerm': ' '}, 7, {'term': '` + long[:402] + `', 'type': null}]}`,
			bad: []string{"languageRules[0].term", "languageRules[0].type", "languageRules[1].term", "languageRules[1].extraTerm",
				"languageRules[2].type", "languageRules[2].extraTerm", "languageRules[3].extraTerm", "languageRules[4]",
				"languageRules[5].term", "languageRules[5].type"}},
		{by: create, in: `{'name': 'N', 'languageRules': [{'term': 'x', 'type': 'EXCLUDE'}, {'term': 'y', 'type': 'EXCLUDE'}, {'term': ' x', 'type': 'EXCLUDE'}]}`,
			bad: []string{"languageRules[2].term"}},

		{by: replace, in: `{'name': 'Renamed'}`, want: `['Renamed',null,null,null,[]]`},
		{by: replace, in: `{'description': 'd'}`, bad: []string{"name"}},
		{by: update, in: `{'description': null}`, want: `['%s',null,'v','a',` + x + `]`},
		{by: update, in: `{'voiceTone': null, 'audience': 'b', 'languageRules': null}`, want: `['%s','d',null,'b',[]]`},
		{by: update, in: `{'name': 'Patched'}`, want: `['Patched','d','v','a',` + x + `]`},
		{by: update, in: `{'name': null, 'languageRules': [null]}`, bad: []string{"name", "languageRules[0]"}},
	}
	onBoth(t, func(t *testing.T, w world) {
		for i, c := range cases {
			var p, old *db.ContentProfile
			var err error
			if c.by != create {
				old = w.made(t, fmt.Sprint("old", i))
				c.want = strings.Replace(c.want, "%s", old.Name, 1)
			}
			switch c.by {
			case create:
				p, err = w.Create(w.ctx, object(t, c.in))
			case replace:
				p, err = w.Replace(w.ctx, old.ID, object(t, c.in), nil)
			case update:
				p, err = w.Update(w.ctx, old.ID, object(t, c.in), nil)
			}
			if c.bad != nil {
				wantFault(t, err, fault.Invalid, c.bad...)
				if old == nil {
					continue
				}
				c.want, p = view(old), old
			} else if err != nil {
				t.Errorf("%s %s: %v", c.by, c.in, err)
				continue
			}
			stored, err := w.Get(w.ctx, p.ID)
			if err != nil || view(stored) != c.want || view(p) != c.want || stored.VersionID != p.VersionID || stored.AccountID != ours {
				t.Errorf("%s %s:\n got %s\nkept %s\nwant %s (%v)", c.by, c.in, view(p), view(stored), c.want, err)
			}
		}
	})
}

// TestCoerced gives inputs in the form that GraphQL gives them.
func TestCoerced(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		text, extra := "v", "y"
		p, err := w.Create(w.ctx, map[string]any{"name": "N", "voiceTone": &text, "audience": (*string)(nil),
			"languageRules": []map[string]any{{"term": "x", "type": "REPLACE", "extraTerm": &extra}, {"term": "x", "type": "EXCLUDE", "extraTerm": (*string)(nil)}}})
		want := `['N',null,'v',null,[{'term':'x','type':'REPLACE','extraTerm':'y'},{'term':'x','type':'EXCLUDE','extraTerm':null}]]`
		if err != nil || view(p) != want {
			t.Error(p, err)
		}
	})
}

// TestVocabulary holds the read rules to the closed list.
func TestVocabulary(t *testing.T) {
	for _, kind := range vocab.RuleTypes {
		in := map[string]any{"languageRules": []any{map[string]any{"term": "x", "type": kind, "extraTerm": "y"}}}
		o := input.Of(in)
		if got := rules(o); o.Err() != nil || len(got) != 1 || got[0].Type != kind || *got[0].ExtraTerm != "y" {
			t.Error(kind, got, o.Err())
		}
	}
}
