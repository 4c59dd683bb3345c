package rest

import (
	"net/http"
	"net/url"
	"strconv"

	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/serp"
)

type serpBody struct {
	Results []topicBody `json:"results"`
}

type topicBody struct {
	Topic string   `json:"topic"`
	URLs  []string `json:"urls"`
}

func (a *api) serpURLs(w http.ResponseWriter, r *http.Request) error {
	limit, _, err := page(r)
	if err != nil {
		return err
	}
	query, _ := url.ParseQuery(r.URL.RawQuery) // page has seen that it can be
	source, err := strconv.Atoi(query.Get("rankSourceId"))
	if err != nil {
		return fault.BadField("rankSourceId", "is required: a whole number, the id of a rank source")
	}
	list, err := a.Root.Query().SerpUrls(r.Context(), account(r), source, query["topic"], limit)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, serpBody{each(list, func(t *serp.TopicURLs) topicBody { return topicBody(*t) })})
}
