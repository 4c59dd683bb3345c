package rest

import (
	"fmt"
	"net/http"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/ent/db"
)

type draftBody struct {
	DraftTitle       string     `json:"draftTitle"`
	Topics           []string   `json:"topics"`
	Page             *string    `json:"page"`
	RankSourceID     int        `json:"rankSourceId"`
	WebPropertyID    *int       `json:"webPropertyId"`
	VersionID        uuid.UUID  `json:"versionId"`
	Created          moment     `json:"created"`
	CreatedBy        int        `json:"createdBy"`
	Updated          moment     `json:"updated"`
	UpdatedBy        int        `json:"updatedBy"`
	Assignee         *int       `json:"assignee"`
	Status           string     `json:"status"`
	CompetitorURLs   []string   `json:"competitorUrls"`
	ContentProfileID *uuid.UUID `json:"contentProfileId"`
	ID               uuid.UUID  `json:"id"`
	AccountID        int        `json:"accountId"`
}

func toDraft(d *db.Draft) draftBody {
	return draftBody{
		DraftTitle: d.DraftTitle, Topics: d.Topics, Page: d.Page, RankSourceID: d.RankSourceID, WebPropertyID: d.WebPropertyID,
		VersionID: d.VersionID, Created: moment(d.Created), CreatedBy: d.CreatedBy, Updated: moment(d.Updated), UpdatedBy: d.UpdatedBy,
		Assignee: d.Assignee, Status: d.Status, CompetitorURLs: d.CompetitorUrls, ContentProfileID: d.ContentProfileID,
		ID: d.ID, AccountID: d.AccountID,
	}
}

func writeDraft(w http.ResponseWriter, r *http.Request, status int, d *db.Draft) error {
	return writeTagged(w, r, status, d.VersionID, toDraft(d))
}

func (a *api) listDrafts(w http.ResponseWriter, r *http.Request) error {
	limit, offset, err := page(r)
	if err != nil {
		return err
	}
	l, err := a.Root.Query().Drafts(r.Context(), account(r), several(r.URL.Query(), "status"), limit, offset)
	if err != nil {
		return err
	}
	return writeList(w, each(l.Data, toDraft), l.Pagination)
}

func (a *api) createDraft(w http.ResponseWriter, r *http.Request) error {
	in, err := a.object(w, r)
	if err != nil {
		return err
	}
	d, err := a.Root.Mutation().CreateDraft(r.Context(), account(r), in)
	if err != nil {
		return err
	}
	w.Header().Set("Location", fmt.Sprintf("/v4/accounts/%d/drafts/%s", d.AccountID, d.ID))
	return writeDraft(w, r, http.StatusCreated, d)
}

func (a *api) getDraft(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "draftId")
	if err != nil {
		return err
	}
	d, err := a.Root.Query().Draft(r.Context(), account(r), id)
	if err != nil {
		return err
	}
	return writeDraft(w, r, http.StatusOK, d)
}

func (a *api) replaceDraft(w http.ResponseWriter, r *http.Request) error {
	c, err := a.change(w, r, "draftId")
	if err != nil {
		return err
	}
	d, err := a.Root.Mutation().ReplaceDraft(r.Context(), account(r), c.id, c.in, c.ifMatch)
	if err != nil {
		return err
	}
	return writeDraft(w, r, http.StatusOK, d)
}

func (a *api) updateDraft(w http.ResponseWriter, r *http.Request) error {
	c, err := a.change(w, r, "draftId")
	if err != nil {
		return err
	}
	d, err := a.Root.Mutation().UpdateDraft(r.Context(), account(r), c.id, c.in, c.ifMatch)
	if err != nil {
		return err
	}
	return writeDraft(w, r, http.StatusOK, d)
}

func (a *api) deleteDraft(w http.ResponseWriter, r *http.Request) error {
	id, versions, err := target(r, "draftId")
	if err != nil {
		return err
	}
	if _, err := a.Root.Mutation().DeleteDraft(r.Context(), account(r), id, versions); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
