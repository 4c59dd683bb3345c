package rest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/graph/generated"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// serve makes a handler of a function that returns its failure.
func (a *api) serve(h func(w http.ResponseWriter, r *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := h(w, r); err != nil {
			a.fail(w, r, err)
		}
	}
}

// health answers GET /healthz.
func health(w http.ResponseWriter, _ *http.Request) error {
	return writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
}

// writeJSON answers with a body that is whole before the first byte is sent.
func writeJSON(w http.ResponseWriter, status int, body any) error {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(body); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(text.Bytes()) // an error means that nobody reads on
	return nil
}

// list is the answer of every offset list.
type list[T any] struct {
	Data       []T        `json:"data"`
	Pagination pagination `json:"pagination"`
}

type pagination struct {
	Total   int  `json:"total"`
	Offset  int  `json:"offset"`
	Limit   int  `json:"limit"`
	HasMore bool `json:"hasMore"`
}

func writeList[T any](w http.ResponseWriter, items []T, p generated.Pagination) error {
	return writeJSON(w, http.StatusOK, list[T]{items, pagination(p)})
}

// each shapes the items of a list, which is [] when it has none.
func each[S, T any](items []S, toBody func(S) T) []T {
	bodies := make([]T, len(items))
	for i, item := range items {
		bodies[i] = toBody(item)
	}
	return bodies
}

// moment is a time in its documented form.
type moment time.Time

// MarshalJSON writes RFC 3339 with milliseconds and a numeric offset.
func (m moment) MarshalJSON() ([]byte, error) {
	return []byte(`"` + vocab.FormatTime(time.Time(m)) + `"`), nil
}

// account is the account of the path, into which the user is let.
func account(r *http.Request) int { return exchangeOf(r).account }

// pathID reads an identifier of the path.
func pathID(r *http.Request, name string) (uuid.UUID, error) {
	text := chi.URLParam(r, name)
	id, err := uuid.Parse(text)
	if err != nil || len(text) != 36 {
		return uuid.Nil, fault.BadField(name, "must be a UUID")
	}
	return id, nil
}

// reads reports a request that changes nothing: some ask with a body.
func reads(r *http.Request) bool {
	asks := strings.HasSuffix(r.URL.Path, "/validate") || strings.HasSuffix(r.URL.Path, "/content-score")
	return r.Method == http.MethodGet || r.Method == http.MethodHead || r.Method == http.MethodPost && asks
}

// target reads what a write is about: the resource, and the versions of it
// that the write demands.
func target(r *http.Request, name string) (id uuid.UUID, versions []string, err error) {
	if id, err = pathID(r, name); err == nil {
		versions, err = ifMatch(r)
	}
	return id, versions, err
}

// change is a write with a body.
type change struct {
	id      uuid.UUID
	ifMatch []string
	in      map[string]any
}

func (a *api) change(w http.ResponseWriter, r *http.Request, name string) (c change, err error) {
	if c.id, c.ifMatch, err = target(r, name); err == nil {
		c.in, err = a.object(w, r)
	}
	return c, err
}
