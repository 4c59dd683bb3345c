package rest

import (
	"errors"
	"fmt"
	"net/http"
	"sync"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

type profileBody struct {
	ID            uuid.UUID            `json:"id"`
	AccountID     int                  `json:"accountId"`
	Name          string               `json:"name"`
	Description   *string              `json:"description"`
	VoiceTone     *string              `json:"voiceTone"`
	Audience      *string              `json:"audience"`
	CreatedBy     int                  `json:"createdBy"`
	Created       moment               `json:"created"`
	UpdatedBy     int                  `json:"updatedBy"`
	Updated       moment               `json:"updated"`
	DraftCount    int                  `json:"draftCount"`
	LanguageRules []vocab.LanguageRule `json:"languageRules"`
}

func toProfile(p *db.ContentProfile, drafts int) profileBody {
	return profileBody{
		p.ID, p.AccountID, p.Name, p.Description, p.VoiceTone, p.Audience,
		p.CreatedBy, moment(p.Created), p.UpdatedBy, moment(p.Updated), drafts, p.LanguageRules,
	}
}

func (a *api) writeProfile(w http.ResponseWriter, r *http.Request, p *db.ContentProfile) error {
	drafts, err := a.Root.ContentProfile().DraftCount(r.Context(), p)
	if err != nil {
		return err
	}
	// Never 304: draftCount changes while the version stays.
	w.Header().Set("ETag", `"`+p.VersionID.String()+`"`)
	return writeJSON(w, http.StatusOK, toProfile(p, drafts))
}

func (a *api) createProfile(w http.ResponseWriter, r *http.Request) error {
	in, err := a.object(w, r)
	if err != nil {
		return err
	}
	p, err := a.Root.Mutation().CreateContentProfile(r.Context(), account(r), in)
	if err != nil {
		return err
	}
	w.Header().Set("Location", fmt.Sprintf("/v4/accounts/%d/content-profiles/%s", p.AccountID, p.ID))
	return writeTagged(w, r, http.StatusCreated, p.VersionID, toProfile(p, 0)) // no draft can know it yet
}

func (a *api) getProfile(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "contentProfileId")
	if err != nil {
		return err
	}
	p, err := a.Root.Query().ContentProfile(r.Context(), account(r), id)
	if err != nil {
		return err
	}
	return a.writeProfile(w, r, p)
}

func (a *api) replaceProfile(w http.ResponseWriter, r *http.Request) error {
	c, err := a.change(w, r, "contentProfileId")
	if err != nil {
		return err
	}
	p, err := a.Root.Mutation().ReplaceContentProfile(r.Context(), account(r), c.id, c.in, c.ifMatch)
	if err != nil {
		return err
	}
	return a.writeProfile(w, r, p)
}

func (a *api) updateProfile(w http.ResponseWriter, r *http.Request) error {
	c, err := a.change(w, r, "contentProfileId")
	if err != nil {
		return err
	}
	p, err := a.Root.Mutation().UpdateContentProfile(r.Context(), account(r), c.id, c.in, c.ifMatch)
	if err != nil {
		return err
	}
	return a.writeProfile(w, r, p)
}

func (a *api) deleteProfile(w http.ResponseWriter, r *http.Request) error {
	id, versions, err := target(r, "contentProfileId")
	if err != nil {
		return err
	}
	if _, err := a.Root.Mutation().DeleteContentProfile(r.Context(), account(r), id, versions); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (a *api) listProfiles(w http.ResponseWriter, r *http.Request) error {
	limit, offset, err := page(r)
	if err != nil {
		return err
	}
	l, err := a.Root.Query().ContentProfiles(r.Context(), account(r), limit, offset)
	if err != nil {
		return err
	}
	// All at once, so that their drafts are counted in one go.
	ctx, bodies, errs := a.Loaders(r.Context()), make([]profileBody, len(l.Data)), make([]error, len(l.Data))
	var counting sync.WaitGroup
	for i, p := range l.Data {
		counting.Go(func() {
			drafts, err := a.Root.ContentProfile().DraftCount(ctx, p)
			bodies[i], errs[i] = toProfile(p, drafts), err
		})
	}
	counting.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	return writeList(w, bodies, l.Pagination)
}
