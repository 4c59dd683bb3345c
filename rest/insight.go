package rest

import (
	"net/http"

	"github.com/contentgraph/contentgraph/internal/insight"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// insightBody is an insight result item. Score and summary are always null
// here, as documented; GraphQL and the content score have them.
type insightBody struct {
	Type           string  `json:"type"`
	ErrorCode      *string `json:"errorCode"`
	ErrorMessage   *string `json:"errorMessage"`
	InsightScore   *string `json:"insightScore"`
	Summary        *string `json:"summary"`
	Status         *string `json:"status"`
	InsightPresent bool    `json:"insightPresent"`
	Empty          bool    `json:"empty"`
	Details        any     `json:"details"`
}

// foundBody is an item with what was found.
type foundBody struct {
	insightBody
	Guidance  insight.Guidance  `json:"guidance"`
	Source    *string           `json:"source"`
	Pages     []insightPageBody `json:"pages"`
	Requested moment            `json:"requested"`
	Generated *moment           `json:"generated"`
}

type insightPageBody struct {
	URL     string  `json:"url"`
	Title   string  `json:"title"`
	Fetched moment  `json:"fetched"`
	Error   *string `json:"error"`
}

func toPage(p vocab.GuidancePage) insightPageBody {
	return insightPageBody{p.URL, p.Title, moment(p.Fetched), p.Error}
}

func toInsight(i *insight.Insight) insightBody {
	return insightBody{
		Type: i.Type, ErrorCode: i.ErrorCode, ErrorMessage: i.ErrorMessage, Status: i.Status,
		InsightPresent: i.InsightPresent(), Empty: i.Empty(), Details: struct{}{},
	}
}

func toFound(i *insight.Insight) foundBody {
	return foundBody{
		insightBody: toInsight(i), Guidance: i.Guidance, Source: i.Source, Pages: each(i.Pages, toPage),
		Requested: moment(i.Requested), Generated: (*moment)(i.Generated),
	}
}

func toValidation(v *insight.Validation) insightBody {
	return insightBody{
		Type: v.Type, ErrorCode: v.ErrorCode, ErrorMessage: v.ErrorMessage, Status: v.Status,
		InsightPresent: v.InsightPresent, Empty: v.Empty, Details: v.Details,
	}
}

func (a *api) requestInsights(w http.ResponseWriter, r *http.Request) error {
	c, err := a.change(w, r, "draftId")
	if err != nil {
		return err
	}
	list, err := a.Root.Mutation().RequestInsights(r.Context(), account(r), c.id, c.in)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusAccepted, each(list, toInsight))
}

func (a *api) listInsights(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "draftId")
	if err != nil {
		return err
	}
	list, err := a.Root.Query().Insights(r.Context(), account(r), id, several(r.URL.Query(), "type"))
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, each(list, toFound))
}

func (a *api) validate(w http.ResponseWriter, r *http.Request) error {
	c, err := a.change(w, r, "draftId")
	if err != nil {
		return err
	}
	list, err := a.Root.Query().ValidateContent(r.Context(), account(r), c.id, c.in)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, each(list, toValidation))
}

type scoreBody struct {
	Score      int             `json:"score"`
	Components []componentBody `json:"components"`
}

type componentBody struct {
	Type   string  `json:"type"`
	Score  float64 `json:"score"`
	Weight float64 `json:"weight"`
	Reason string  `json:"reason"`
}

// contentScore takes no body, as an empty one, for the saved content.
func (a *api) contentScore(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "draftId")
	if err != nil {
		return err
	}
	var in map[string]any
	if r.ContentLength != 0 {
		if in, err = a.object(w, r); err != nil {
			return err
		}
	}
	s, err := a.Root.Query().ContentScore(r.Context(), account(r), id, in)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, scoreBody{s.Score, each(s.Components, func(p insight.Component) componentBody { return componentBody(p) })})
}
