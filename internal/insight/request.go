package insight

import (
	"context"
	"slices"
	"strings"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/webproperty"
	"github.com/contentgraph/contentgraph/internal/input"
)

// Topic is what insights are asked for.
type Topic struct {
	Phrases        []string `json:"phrases"`
	RankSourceID   int      `json:"rankSourceId"`
	WebPropertyID  *int     `json:"webPropertyId,omitempty"`
	CompetitorURLs []string `json:"competitorUrls,omitempty"` // none: the draft's, else those of the result page
}

const (
	maxPhrases     = 50
	maxPhraseChars = 500
	maxCompetitors = 50
)

// parse reads a request: the topic, and the types that are asked for, in the
// documented order.
func parse(ctx context.Context, c *db.Client, in map[string]any) (t Topic, types []string, err error) {
	o := input.Of(in)
	insight := o.Object("insight")
	topic := insight.Object("input").Object("topic")
	t = Topic{
		Phrases:        topic.Texts("phrases", maxPhrases, 1, maxPhraseChars),
		WebPropertyID:  topic.Int("webPropertyId", 1),
		CompetitorURLs: topic.URLs("competitorUrls", maxCompetitors),
	}
	for i, p := range t.Phrases {
		t.Phrases[i] = strings.TrimSpace(p)
	}
	if len(t.Phrases) == 0 && !topic.Failed("phrases") {
		topic.Fail("phrases", "is required: at least one phrase")
	}
	if id := topic.Int("rankSourceId", 1); id != nil {
		t.RankSourceID = *id
		if _, err := c.RankSource.Get(ctx, *id); db.IsNotFound(err) {
			topic.Fail("rankSourceId", "must be the id of a known rank source")
		} else if err != nil {
			return t, nil, err
		}
	} else if !topic.Failed("rankSourceId") {
		topic.Fail("rankSourceId", "is required")
	}
	if t.WebPropertyID != nil {
		known, err := c.WebProperty.Query().Where(webproperty.Number(*t.WebPropertyID)).Exist(ctx)
		if err != nil {
			return t, nil, err
		}
		if !known {
			topic.Fail("webPropertyId", "must be a web property of the account")
		}
	}
	request := insight.Object("request")
	asked := request.Choices("insights", 0, Types, false)
	if !request.Set("insights") {
		asked = Types
	} else if len(asked) == 0 && !request.Failed("insights") {
		request.Fail("insights", "must name at least one type; leave it out for all")
	}
	types = slices.DeleteFunc(slices.Clone(Types), func(name string) bool { return !slices.Contains(asked, name) })
	return t, types, o.Err()
}
