package draft

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/internal/fault"
)

// view is a draft without what tells one from another, absent values as nil.
func view(d *db.Draft) string {
	text := func(p any) string {
		v := reflect.ValueOf(p)
		if v.IsNil() {
			return "null"
		}
		return fmt.Sprint(v.Elem())
	}
	return fmt.Sprintf("%s %q page=%s source=%d site=%s assignee=%s %s %q profile=%s", d.DraftTitle, d.Topics,
		text(d.Page), d.RankSourceID, text(d.WebPropertyID), text(d.Assignee), d.Status, d.CompetitorUrls, text(d.ContentProfileID))
}

const full = `Title ["alpha" "beta"] page=https://example.com/a source=3 site=11 assignee=7 IN_REVIEW ["https://example.org/"] profile=00000000-0000-4000-8000-000000000101`

func TestWrite(t *testing.T) {
	const none = ` page=null source=3 site=null assignee=null `
	long := strings.Repeat("é", 501)
	urls := `['https://example.com/` + strings.Repeat(`','https://example.com/`, 50) + `']`
	topics := `['x` + strings.Repeat(`','x`, 50) + `']`
	create, replace, update := "create", "replace", "update"
	cases := []struct {
		by   string
		in   string
		want string   // the draft, or
		bad  []string // the fields of an Invalid fault
	}{
		{by: create, in: `{'topics': [' alpha ', 'beta'], 'rankSourceId': 3}`, want: `alpha ["alpha" "beta"]` + none + `TO_DO [] profile=null`},
		{by: create, in: `{'topics': ['a'], 'rankSourceId': 3, 'draftTitle': null, 'page': null, 'webPropertyId': null,
			'assignee': null, 'status': null, 'competitorUrls': null, 'contentProfileId': null}`, want: `a ["a"]` + none + `TO_DO [] profile=null`},
		{by: create, in: `{'topics': ['a'], 'rankSourceId': 3, 'draftTitle': ' T '}`, want: `T ["a"]` + none + `TO_DO [] profile=null`},
		{by: create, in: `{'topics': ['a'], 'rankSourceId': 3, 'draftTitle': ' '}`, want: `a ["a"]` + none + `TO_DO [] profile=null`},
		{by: create, in: `{'topics': ['a'], 'rankSourceId': 3, 'id': 'x', 'accountId': 102, 'versionId': 5, 'createdBy': 1, 'unknown': {}}`,
			want: `a ["a"]` + none + `TO_DO [] profile=null`},
		{by: create, in: `{}`, bad: []string{"topics", "rankSourceId"}},
		{by: create, in: `{'topics': null, 'rankSourceId': null}`, bad: []string{"topics", "rankSourceId"}},
		{by: create, in: `{'topics': [], 'rankSourceId': 4}`, bad: []string{"topics", "rankSourceId"}},
		{by: create, in: `{'topics': ['a', ' ', 5, '` + long + `'], 'rankSourceId': 0}`, bad: []string{"topics[1]", "topics[2]", "topics[3]", "rankSourceId"}},
		{by: create, in: `{'topics': ` + topics + `, 'rankSourceId': '3'}`, bad: []string{"topics", "rankSourceId"}},
		{by: create, in: `{'topics': ['a'], 'rankSourceId': 3, 'draftTitle': '` + long + `', 'status': 'DONE', 'competitorUrls': ` + urls + `}`,
			bad: []string{"draftTitle", "status", "competitorUrls"}},
		{by: create, in: `{'topics': ['a'], 'rankSourceId': 3, 'page': 'ftp://example.com', 'competitorUrls': ['https://ok.example', 'nothing'],
			'webPropertyId': 22, 'assignee': 8, 'contentProfileId': '` + foreignVoice.String() + `'}`,
			bad: []string{"page", "competitorUrls[1]", "webPropertyId", "assignee", "contentProfileId"}},
		{by: create, in: `{'topics': ['a'], 'rankSourceId': 3, 'webPropertyId': 99, 'assignee': 9, 'contentProfileId': 'x'}`,
			bad: []string{"webPropertyId", "assignee", "contentProfileId"}},
		{by: create, in: `{'topics': ['a'], 'rankSourceId': 3, 'assignee': -7, 'contentProfileId': '00000000-0000-4000-8000-000000000999'}`,
			bad: []string{"assignee", "contentProfileId"}},

		{by: replace, in: `{'topics': ['b'], 'rankSourceId': 3, 'status': 'PUBLISHED'}`, want: `b ["b"]` + none + `PUBLISHED [] profile=null`},
		{by: replace, in: `{'topics': ['b'], 'rankSourceId': 3}`, bad: []string{"status"}},
		{by: replace, in: `{'draftTitle': 'only'}`, bad: []string{"topics", "rankSourceId", "status"}},
		{by: replace, in: `{'topics': null, 'rankSourceId': null, 'status': null}`, bad: []string{"topics", "rankSourceId", "status"}},

		{by: update, in: `{'status': 'TO_DO'}`, want: strings.Replace(full, "IN_REVIEW", "TO_DO", 1)},
		{by: update, in: `{'draftTitle': null}`, want: strings.Replace(full, "Title", "alpha", 1)},
		{by: update, in: `{'draftTitle': null, 'topics': ['new']}`, want: strings.Replace(full, `Title ["alpha" "beta"]`, `new ["new"]`, 1)},
		{by: update, in: `{'topics': ['new']}`, want: strings.Replace(full, `["alpha" "beta"]`, `["new"]`, 1)},
		{by: update, in: `{'page': null, 'webPropertyId': null, 'assignee': null, 'competitorUrls': null, 'contentProfileId': null}`,
			want: `Title ["alpha" "beta"]` + none + `IN_REVIEW [] profile=null`},
		{by: update, in: `{'topics': null, 'rankSourceId': null, 'status': null}`, bad: []string{"topics", "rankSourceId", "status"}},
		{by: update, in: `{'topics': [], 'draftTitle': null}`, bad: []string{"topics"}},
		{by: update, in: `{'rankSourceId': 4, 'webPropertyId': 22, 'contentProfileId': '` + foreignVoice.String() + `'}`,
			bad: []string{"rankSourceId", "webPropertyId", "contentProfileId"}},
	}
	onBoth(t, func(t *testing.T, w world) {
		for _, c := range cases {
			var d, old *db.Draft
			var err error
			if c.by != create {
				old = w.made(t)
				if view(old) != full {
					t.Fatal(view(old))
				}
			}
			switch c.by {
			case create:
				d, err = w.Create(w.ctx, object(t, c.in))
			case replace:
				d, err = w.Replace(w.ctx, old.ID, object(t, c.in), nil)
			case update:
				d, err = w.Update(w.ctx, old.ID, object(t, c.in), nil)
			}
			if c.bad != nil {
				wantFault(t, err, fault.Invalid, c.bad...)
				if old == nil {
					continue
				}
				c.want, d = view(old), old
			} else if err != nil {
				t.Errorf("%s %s: %v", c.by, c.in, err)
				continue
			}
			stored, err := w.Get(w.ctx, d.ID)
			if err != nil || view(stored) != c.want || view(d) != c.want {
				t.Errorf("%s %s:\n got %s\nkept %s\nwant %s (%v)", c.by, c.in, view(d), view(stored), c.want, err)
			}
			if stored.AccountID != ours || stored.VersionID != d.VersionID {
				t.Errorf("%s %s: account %d, version %s instead of %s", c.by, c.in, stored.AccountID, stored.VersionID, d.VersionID)
			}
		}
	})
}

// TestCoerced gives inputs in the form that GraphQL gives them.
func TestCoerced(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		id, title, status, page := 11, "Title", "IN_REVIEW", "https://example.com/a"
		d, err := w.Create(w.ctx, map[string]any{
			"draftTitle": &title, "topics": []string{"alpha", "beta"}, "page": &page, "rankSourceId": 3, "webPropertyId": &id,
			"assignee": 7, "status": &status, "competitorUrls": []string{"https://example.org/"}, "contentProfileId": &voice,
		})
		if err != nil || view(d) != full {
			t.Fatal(d, err)
		}
		d, err = w.Update(w.ctx, d.ID, map[string]any{"page": (*string)(nil), "competitorUrls": []string(nil)}, nil)
		if err != nil || d.Page != nil || d.CompetitorUrls == nil || len(d.CompetitorUrls) != 0 || d.Assignee == nil {
			t.Error(d, err)
		}
	})
}
