package rest

import (
	"fmt"
	"net/http"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/internal/knowledge"
)

// ref names a user or an account.
type ref struct {
	ID int `json:"id"`
}

type knowledgeBody struct {
	ID           uuid.UUID `json:"id"`
	Kind         string    `json:"kind"`
	FileName     *string   `json:"fileName"`
	Text         *string   `json:"text"`
	Status       string    `json:"status"`
	StatusReason *string   `json:"statusReason"`
	CreatedBy    ref       `json:"createdBy"`
	Created      moment    `json:"created"`
	Account      ref       `json:"account"`
}

func toKnowledge(s *knowledge.Source) knowledgeBody {
	return knowledgeBody{
		ID: s.ID, Kind: s.Kind, FileName: s.FileName, Text: s.Text, Status: s.Status, StatusReason: s.StatusReason,
		CreatedBy: ref{s.CreatedBy}, Created: moment(s.Created), Account: ref{s.AccountID},
	}
}

func (a *api) listKnowledge(w http.ResponseWriter, r *http.Request) error {
	limit, offset, err := page(r)
	if err != nil {
		return err
	}
	query := r.URL.Query()
	l, err := a.Root.Query().KnowledgeSources(r.Context(), account(r), several(query, "status"), several(query, "kind"), limit, offset)
	if err != nil {
		return err
	}
	return writeList(w, each(l.Data, toKnowledge), l.Pagination)
}

// createKnowledge makes a source of a text in JSON, or of a file in a form.
func (a *api) createKnowledge(w http.ResponseWriter, r *http.Request) error {
	if isForm(r) {
		return a.uploadKnowledge(w, r)
	}
	in, err := a.object(w, r)
	if err != nil {
		return err
	}
	s, err := a.Root.Mutation().CreateKnowledgeSource(r.Context(), account(r), in)
	if err != nil {
		return err
	}
	return writeCreatedKnowledge(w, http.StatusCreated, s)
}

func (a *api) uploadKnowledge(w http.ResponseWriter, r *http.Request) error {
	f, err := a.form(w, r)
	if err != nil {
		return err
	}
	defer f.Close()
	s, err := a.Root.Mutation().UploadKnowledgeSource(r.Context(), account(r), f.upload, f.fileName)
	if err != nil {
		return err
	}
	return writeCreatedKnowledge(w, http.StatusOK, s)
}

func writeCreatedKnowledge(w http.ResponseWriter, status int, s *knowledge.Source) error {
	w.Header().Set("Location", fmt.Sprintf("/v4/accounts/%d/knowledge-sources/%s", s.AccountID, s.ID))
	return writeJSON(w, status, toKnowledge(s))
}

func (a *api) getKnowledge(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "knowledgeSourceId")
	if err != nil {
		return err
	}
	s, err := a.Root.Query().KnowledgeSource(r.Context(), account(r), id)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, toKnowledge(s))
}

func (a *api) deleteKnowledge(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "knowledgeSourceId")
	if err != nil {
		return err
	}
	if _, err := a.Root.Mutation().DeleteKnowledgeSource(r.Context(), account(r), id); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (a *api) retryKnowledge(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "knowledgeSourceId")
	if err != nil {
		return err
	}
	s, err := a.Root.Mutation().RetryKnowledgeSource(r.Context(), account(r), id)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusAccepted, toKnowledge(s))
}
