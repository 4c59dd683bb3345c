package rest

import (
	"net/http"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/internal/draft"
)

type contentBody struct {
	Title           *string   `json:"title"`
	MetaDescription *string   `json:"metaDescription"`
	BodyCopy        *string   `json:"bodyCopy"`
	VersionID       uuid.UUID `json:"versionId"`
	Number          *int      `json:"number"`
	Saved           *moment   `json:"saved"`
	SavedBy         *int      `json:"savedBy"`
}

func writeContent(w http.ResponseWriter, r *http.Request, c *draft.Content) error {
	return writeTagged(w, r, http.StatusOK, c.VersionID, contentBody{
		c.Title, c.MetaDescription, c.BodyCopy, c.VersionID, c.Number, (*moment)(c.Saved), c.SavedBy,
	})
}

type versionBody struct {
	VersionID       uuid.UUID `json:"versionId"`
	Number          int       `json:"number"`
	Title           *string   `json:"title"`
	MetaDescription *string   `json:"metaDescription"`
	BodyCopy        *string   `json:"bodyCopy"`
	Created         moment    `json:"created"`
	CreatedBy       int       `json:"createdBy"`
}

func toVersion(v *db.DraftVersion) versionBody {
	return versionBody{v.ID, v.Number, v.Title, v.MetaDescription, v.BodyCopy, moment(v.Created), v.CreatedBy}
}

func (a *api) getContent(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "draftId")
	if err != nil {
		return err
	}
	c, err := a.Root.Query().DraftContent(r.Context(), account(r), id)
	if err != nil {
		return err
	}
	return writeContent(w, r, c)
}

func (a *api) saveContent(w http.ResponseWriter, r *http.Request) error {
	c, err := a.change(w, r, "draftId")
	if err != nil {
		return err
	}
	saved, err := a.Root.Mutation().SaveDraftContent(r.Context(), account(r), c.id, c.in, c.ifMatch)
	if err != nil {
		return err
	}
	return writeContent(w, r, saved)
}

func (a *api) listVersions(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "draftId")
	if err != nil {
		return err
	}
	limit, offset, err := page(r)
	if err != nil {
		return err
	}
	l, err := a.Root.Query().DraftVersions(r.Context(), account(r), id, limit, offset)
	if err != nil {
		return err
	}
	return writeList(w, each(l.Data, toVersion), l.Pagination)
}

func (a *api) getVersion(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "draftId")
	if err != nil {
		return err
	}
	versionID, err := pathID(r, "versionId")
	if err != nil {
		return err
	}
	v, err := a.Root.Query().DraftVersion(r.Context(), account(r), id, versionID)
	if err != nil {
		return err
	}
	return writeTagged(w, r, http.StatusOK, v.ID, toVersion(v))
}
