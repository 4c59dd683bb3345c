package rest

import (
	"context"
	"mime"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/klauspost/compress/gzhttp"

	"github.com/contentgraph/contentgraph/internal/auth"
	"github.com/contentgraph/contentgraph/internal/dataquery"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// mediaTypes of the formats of an export.
var mediaTypes = map[string]string{
	"csv":     "text/csv; charset=utf-8",
	"ndjson":  "application/x-ndjson",
	"parquet": "application/vnd.apache.parquet",
}

// export answers a whole result as a file.
func (a *api) export(w http.ResponseWriter, r *http.Request) error {
	e, err := a.Root.Query().Execution(r.Context(), executionID(r))
	if err != nil {
		return err
	}
	x, err := a.Exports.Export(e, r.URL.Query().Get("format"))
	if err != nil {
		return err
	}
	ctx, err := auth.Allow(r.Context(), e.AccountID, vocab.ScopeData)
	if err != nil {
		return err
	}
	return a.send(ctx, w, r, x, nil)
}

// exportByLink answers what a link is for, if its user may have it still. A
// HEAD does not use the link up.
func (a *api) exportByLink(w http.ResponseWriter, r *http.Request) error {
	link, err := a.Exports.FindLink(r.Context(), chi.URLParam(r, "token"))
	if err != nil {
		return err
	}
	p, err := a.Auth.Renew(r.Context(), &auth.Principal{Credential: link.CredentialID})
	if fault.Is(err, fault.Unauthenticated) {
		return dataquery.NoLink()
	}
	if err != nil {
		return err
	}
	r = identified(r, p)
	if err := a.count(w, p, auth.Poll); err != nil {
		return err
	}
	ctx, err := auth.Allow(r.Context(), link.AccountID, vocab.ScopeData)
	if err != nil {
		return dataquery.NoLink()
	}
	e, err := a.Exports.Get(ctx, link.ExecutionID, "")
	if fault.Is(err, fault.NotFound) {
		return dataquery.NoLink()
	}
	if err != nil {
		return err
	}
	x, err := a.Exports.Export(e, link.Format)
	if err != nil {
		return err
	}
	return a.send(ctx, w, r, x, func() error { return a.Exports.UseLink(ctx, link) })
}

const (
	maxExports = 4                // at a time in this process: a Parquet file takes 20 MB
	maxStall   = 60 * time.Second // for a reader to take a part
)

// send writes a file as it is made, after first, if any, allows it.
func (a *api) send(ctx context.Context, w http.ResponseWriter, r *http.Request, x *dataquery.Export, first func() error) error {
	out := &attachment{ResponseWriter: w, x: x}
	if r.Method != http.MethodHead {
		select {
		case a.exporting <- struct{}{}:
			defer func() { <-a.exporting }()
		default:
			return fault.New(fault.Unavailable, "%d exports are running; try again", maxExports).After(5)
		}
		if first != nil {
			if err := first(); err != nil {
				return err
			}
		}
		defer http.NewResponseController(w).SetWriteDeadline(time.Time{})
		if err := x.Write(ctx, out); err != nil {
			return err
		}
	}
	out.begin() // a file without a byte
	return nil
}

// attachment sends each part of a file at once, and the headers before the
// first: a failure until then is answered as one.
type attachment struct {
	http.ResponseWriter
	x     *dataquery.Export
	begun bool
}

func (a *attachment) begin() {
	if a.begun {
		return
	}
	a.begun = true
	h := a.Header()
	h.Set("Content-Type", mediaTypes[a.x.Format])
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": a.x.Name}))
	if a.x.Format == "parquet" {
		h.Set(gzhttp.HeaderNoCompression, "1") // it is already
	}
	a.WriteHeader(http.StatusOK)
}

// Write sends a part.
func (a *attachment) Write(part []byte) (int, error) {
	a.begin()
	c := http.NewResponseController(a.ResponseWriter)
	c.SetWriteDeadline(time.Now().Add(maxStall)) // where the connection has none, nobody can stall
	n, err := a.ResponseWriter.Write(part)
	if err == nil {
		err = c.Flush()
	}
	return n, err
}
