package rest

import (
	"net/http"

	"github.com/contentgraph/contentgraph/ent/db"
)

type rankSourceBody struct {
	ID       int     `json:"id"`
	Name     string  `json:"name"`
	Engine   *string `json:"engine"`
	Country  *string `json:"country"`
	Language *string `json:"language"`
}

func toRankSource(s *db.RankSource) rankSourceBody {
	return rankSourceBody{s.ID, s.Name, orNull(s.Engine), orNull(s.Country), orNull(s.Language)}
}

// orNull is null for what nobody has told.
func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

type webPropertyBody struct {
	ID   int     `json:"id"`
	Name string  `json:"name"`
	URL  *string `json:"url"`
}

func toWebProperty(p *db.WebProperty) webPropertyBody {
	return webPropertyBody{p.Number, p.Name, orNull(p.URL)}
}

func (a *api) listRankSources(w http.ResponseWriter, r *http.Request) error {
	limit, offset, err := page(r)
	if err != nil {
		return err
	}
	l, err := a.Root.Query().RankSources(r.Context(), limit, offset)
	if err != nil {
		return err
	}
	return writeList(w, each(l.Data, toRankSource), l.Pagination)
}

func (a *api) listWebProperties(w http.ResponseWriter, r *http.Request) error {
	limit, offset, err := page(r)
	if err != nil {
		return err
	}
	l, err := a.Root.Query().WebProperties(r.Context(), account(r), limit, offset)
	if err != nil {
		return err
	}
	return writeList(w, each(l.Data, toWebProperty), l.Pagination)
}
