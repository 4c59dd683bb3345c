package insight

import (
	"reflect"
	"testing"

	"github.com/contentgraph/contentgraph/internal/draft"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

func TestValidate(t *testing.T) {
	both(t, func(t *testing.T, in *installation) {
		// Nothing was asked for: all kinds, nothing present.
		list, err := in.Validate(in.ctx, in.draft, map[string]any{"title": "x"})
		if err != nil || len(list) != len(Kinds) {
			t.Fatalf("%d items, %v", len(list), err)
		}
		for n, v := range list {
			if v.Type != Types[n] || v.InsightPresent || !v.Empty || v.Status != nil || !reflect.DeepEqual(v.Details, struct{}{}) {
				t.Errorf("%+v", v)
			}
		}
		if _, err := in.Validate(in.ctx, in.draft, map[string]any{"title": nil}); fault.Of(err).Kind != fault.Invalid {
			t.Errorf("without a field: %v", err)
		}
		if _, err := in.Validate(in.ctx, in.draft, map[string]any{"title": 5, "bodyCopy": []any{}}); len(fault.Of(err).Fields) != 2 {
			t.Errorf("bad fields: %v", err)
		}

		in.make(ask(coldBrew(planted(in.web, 10)...), "HTML_TITLE_COMMON", "HTML_HEADING1_COMMON", "MSV_SNIPPET"))
		list, err = in.Validate(in.ctx, in.draft, map[string]any{"title": "Two quiet kettles, and a steel burr"})
		if err != nil || len(list) != 3 {
			t.Fatalf("%d items, %v", len(list), err)
		}
		if v := list[0]; v.Type != "HTML_HEADING1_COMMON" || !v.Details.(map[string]bool)["steel burr"] {
			t.Errorf("the title stands in for the h1: %+v", v)
		}
		if v := list[1]; deref(v.Status) != vocab.InsightCompleted || !v.InsightPresent || v.Empty || !v.Details.(map[string]bool)["quiet kettle"] || *v.InsightScore <= 0 {
			t.Errorf("%+v", v)
		}
		if v := list[2]; deref(v.Status) != vocab.InsightError || deref(v.ErrorCode) != CodeNoRankings || v.InsightPresent || !v.Empty {
			t.Errorf("a kind that failed: %+v", v)
		}
	})
}

func TestScore(t *testing.T) {
	both(t, func(t *testing.T, in *installation) {
		if s, err := in.Score(in.ctx, in.draft, nil); err != nil || s.Score != 0 || len(s.Components) != 0 {
			t.Errorf("without insights: %+v, %v", s, err)
		}
		in.make(ask(coldBrew(planted(in.web, 10)...), "HTML_TITLE_COMMON", "HTML_HEADING1_COMMON", "OPPORTUNITIES_SNIPPET"))
		score := func(body map[string]any) *Score {
			t.Helper()
			s, err := in.Score(in.ctx, in.draft, body)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		full := map[string]any{"title": "A quiet kettle", "bodyCopy": "# Why a steel burr"}
		if s := score(full); s.Score != 100 || len(s.Components) != 2 || s.Components[0].Reason == "" {
			t.Errorf("all covered: %+v", s)
		}
		if s := score(map[string]any{"title": "A quiet kettle", "bodyCopy": "# None"}); s.Score != 67 {
			t.Errorf("the weights are 2 and 1, the title's is covered: %+v", s)
		}
		in.Weights = map[string]float64{"HTML_TITLE_COMMON": 0}
		if s := score(map[string]any{"title": "A quiet kettle", "bodyCopy": "# None"}); s.Score != 0 || len(s.Components) != 1 {
			t.Errorf("a kind without weight counts: %+v", s)
		}
		in.Weights = nil
		if _, err := draft.New(in.store).SaveContent(in.ctx, in.draft, full, nil); err != nil {
			t.Fatal(err)
		}
		if s := score(map[string]any{}); s.Score != 100 {
			t.Errorf("of the saved content: %+v", s)
		}
	})
}
