package rest

import (
	"cmp"
	"context"
	"net/http"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/graph/generated"
	"github.com/contentgraph/contentgraph/internal/auth"
	"github.com/contentgraph/contentgraph/internal/dataquery"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// submits is what takes the submissions of each data query.
var submits = map[string]func(generated.MutationResolver, context.Context, map[string]any) (*db.Execution, error){
	vocab.KeywordRankings.Name:    generated.MutationResolver.SubmitKeywordRankings,
	vocab.AISearchSentiments.Name: generated.MutationResolver.SubmitAiSearchSentiments,
	vocab.AISearchCitations.Name:  generated.MutationResolver.SubmitAiSearchCitations,
}

// query answers the path of a data query, where everything is a POST: a body
// with an executionId polls that execution, or reads the page that nextPageId
// names, and any other body submits.
func (a *api) query(name string) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		in, err := a.object(w, r)
		class := auth.Poll // as which a body that cannot be read counts too
		if err == nil && in["executionId"] == nil {
			class = auth.Submit
		}
		if err := cmp.Or(a.count(w, auth.From(r.Context()), class), err); err != nil {
			return err
		}
		if class == auth.Poll {
			return a.poll(w, r, name, in)
		}
		e, err := submits[name](a.Root.Mutation(), r.Context(), in)
		if err != nil {
			return err
		}
		return writeRunning(w, r, e)
	}
}

func (a *api) poll(w http.ResponseWriter, r *http.Request, name string, in map[string]any) error {
	id, token, err := poll(in)
	if err != nil {
		return err
	}
	if query, _, _, ok := dataquery.ParseID(id); !ok || query != name {
		return fault.New(fault.NotFound, "there is no such execution").Coded(fault.CodeExecutionNotFound)
	}
	return a.answer(w, r, id, token, nil)
}

// answer answers an execution as it stands; a completed one with the page that
// a token or a number names, or with the first.
func (a *api) answer(w http.ResponseWriter, r *http.Request, id string, token *string, number *int) error {
	ctx := r.Context()
	if number == nil {
		var done func()
		ctx, done = dataquery.Ahead(ctx, token)
		defer done()
	}
	e, err := a.Root.Query().Execution(ctx, id)
	if err != nil {
		return err
	}
	switch e.State {
	case vocab.Completed:
		p, err := a.Root.Execution().Page(ctx, e, token, number)
		if err != nil {
			return err
		}
		return writePage(w, r, e, p)
	case vocab.Failed:
		return writeJSON(w, http.StatusOK, failedBody{
			Schema: toColumns(dataquery.Schema(e)), executionBody: toExecution(r, e), Message: dataquery.Message(e),
		})
	}
	w.Header().Set("Retry-After", "1")
	return writeRunning(w, r, e)
}

// poll reads a body with an executionId; what else it holds does not count.
func poll(in map[string]any) (id string, token *string, err error) {
	var bad []fault.Field
	text := func(name string) *string {
		s, ok := in[name].(string)
		if !ok {
			bad = append(bad, fault.Field{Field: name, Message: "must be a string"})
		}
		return &s
	}
	id = *text("executionId")
	if in["nextPageId"] != nil {
		token = text("nextPageId")
	}
	if bad != nil {
		err = fault.WithFields(bad)
	}
	return id, token, err
}

// executionBody is in every answer of a data query.
type executionBody struct {
	ExecutionState string `json:"executionState"`
	ExecutionID    string `json:"executionId"`
	RequestID      string `json:"requestId"`
}

func toExecution(r *http.Request, e *db.Execution) executionBody {
	return executionBody{e.State, dataquery.ID(e), exchangeOf(r).id}
}

// failedBody is the envelope of an execution without results.
type failedBody struct {
	Schema []columnBody `json:"schema"`
	executionBody
	NextPageID    *string `json:"nextPageId"`
	TotalRowCount *int    `json:"totalRowCount"`
	Message       string  `json:"message"`
}

func writeRunning(w http.ResponseWriter, r *http.Request, e *db.Execution) error {
	return writeJSON(w, http.StatusAccepted, toExecution(r, e))
}
