package rest

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"github.com/go-chi/chi/v5"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/internal/auth"
	"github.com/contentgraph/contentgraph/internal/dataquery"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// polled counts a request against the allowance of polls before its handler.
func (a *api) polled(h func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return a.serve(func(w http.ResponseWriter, r *http.Request) error {
		if err := a.count(w, auth.From(r.Context()), auth.Poll); err != nil {
			return err
		}
		return h(w, r)
	})
}

func (a *api) listExecutions(w http.ResponseWriter, r *http.Request) error {
	account, err := accountOf(r)
	if err != nil {
		return err
	}
	if _, err := auth.Allow(r.Context(), account, vocab.ScopeData); err != nil {
		return err
	}
	limit, offset, err := page(r)
	if err != nil {
		return err
	}
	l, err := a.Root.Query().Executions(r.Context(), account, limit, offset)
	if err != nil {
		return err
	}
	return writeList(w, each(l.Data, toLine), l.Pagination)
}

func (a *api) getExecution(w http.ResponseWriter, r *http.Request) error {
	e, err := a.Root.Query().Execution(r.Context(), executionID(r))
	if err != nil {
		return err
	}
	pages, err := a.Root.Execution().Pages(r.Context(), e)
	if err != nil {
		return err
	}
	body := manifestBody{lineBody: toLine(e), RequestID: exchangeOf(r).id}
	if pages != nil {
		body.Pages = each(pages, func(p *dataquery.ManifestPage) manifestPageBody { return manifestPageBody(*p) })
	}
	return writeJSON(w, http.StatusOK, body)
}

func (a *api) getResultPage(w http.ResponseWriter, r *http.Request) error {
	text := chi.URLParam(r, "number")
	number, err := strconv.Atoi(text)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return fault.New(fault.NotFound, "there is no such page")
	case err != nil || text[0] == '+':
		return fault.BadField("number", "must be a whole number")
	}
	return a.answer(w, r, executionID(r), nil, &number)
}

func (a *api) deleteExecution(w http.ResponseWriter, r *http.Request) error {
	if _, err := a.Root.Mutation().RemoveExecution(r.Context(), executionID(r)); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// executionID is that of the path, where clients may escape its colons.
func executionID(r *http.Request) string {
	id := chi.URLParam(r, "executionId")
	if r.URL.RawPath == "" {
		return id
	}
	plain, _ := url.PathUnescape(id) // "" is no execution's
	return plain
}

// accountOf is the account that the query of the URL names.
func accountOf(r *http.Request) (int, error) {
	values := r.URL.Query()["account_id"]
	if len(values) == 0 {
		return 0, fault.BadField("account_id", "is required")
	}
	id, err := strconv.ParseUint(values[len(values)-1], 10, 63)
	if err != nil || id == 0 {
		return 0, fault.BadField("account_id", "must be a positive whole number")
	}
	return int(id), nil
}

// lineBody is an execution in a list.
type lineBody struct {
	ExecutionID    string       `json:"executionId"`
	Query          string       `json:"query"`
	ExecutionState string       `json:"executionState"`
	Message        *string      `json:"message"`
	Created        moment       `json:"created"`
	Finished       *moment      `json:"finished"`
	Expires        moment       `json:"expires"`
	Progress       progressBody `json:"progress"`
	TotalRowCount  *int         `json:"totalRowCount"`
	PageRows       int          `json:"pageRows"`
	Digest         *string      `json:"digest"`
}

type progressBody struct {
	RowsWritten int      `json:"rowsWritten"`
	Fraction    *float64 `json:"fraction"`
}

// manifestBody is an execution by itself.
type manifestBody struct {
	lineBody
	Pages     []manifestPageBody `json:"pages"`
	RequestID string             `json:"requestId"`
}

type manifestPageBody struct {
	Page   int    `json:"page"`
	Rows   int    `json:"rows"`
	Digest string `json:"digest"`
}

func toLine(e *db.Execution) lineBody {
	body := lineBody{
		ExecutionID: dataquery.ID(e), Query: e.Query, ExecutionState: e.State, Message: e.Message,
		Created: moment(e.Created), Finished: (*moment)(e.Finished), Expires: moment(e.Expires),
		Progress: progressBody{e.Written, dataquery.Fraction(e)}, PageRows: e.PageRows, Digest: dataquery.Digest(e),
	}
	if e.State == vocab.Completed {
		body.TotalRowCount = &e.Written
	}
	return body
}
