package rest

import (
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/internal/dataquery"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// rowsDigest is the header with the digest of a page's rows.
const rowsDigest = "X-Rows-Digest"

// pageBody is what follows the results of an envelope.
type pageBody struct {
	Schema []columnBody `json:"schema"`
	executionBody
	NextPageID    *string `json:"nextPageId"`
	TotalRowCount *int    `json:"totalRowCount"`
}

type columnBody struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

func toColumns(columns []vocab.Column) []columnBody {
	return each(columns, func(c vocab.Column) columnBody { return columnBody{c.Name, c.Type} })
}

// pageHead is what an envelope has before its rows.
const pageHead = `{"results":`

// members are pages that were sent, to be written over: each goes out in one piece.
var members = sync.Pool{New: func() any { return new([]byte) }}

// writePage answers with the envelope and the rows as they are stored: without
// inflating them for whom takes gzip. For others, rows that turn out to be
// damaged after the first byte cut the answer off.
func writePage(w http.ResponseWriter, r *http.Request, e *db.Execution, p *dataquery.Page) error {
	after, err := json.Marshal(pageBody{
		Schema:        toColumns(p.Schema),
		executionBody: toExecution(r, e), NextPageID: p.Next, TotalRowCount: &p.Total,
	})
	if err != nil {
		return err
	}
	after[0] = ',' // was the bracket that opens the object
	after = append(after, '\n')
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set(rowsDigest, "sha-256="+p.Digest)
	if takesGzip(r) {
		member := members.Get().(*[]byte)
		defer members.Put(member)
		*member = p.Rows.AppendGzip((*member)[:0], []byte(pageHead), after)
		h.Set("Content-Encoding", "gzip") // and so compress leaves it alone
		h.Set("Content-Length", strconv.Itoa(len(*member)))
		_, err := w.Write(*member)
		return err
	}
	if _, err := p.Rows.WriteTo(&opened{w: w}); err != nil {
		h.Del(rowsDigest)
		return err
	}
	_, err = w.Write(after)
	return err
}

// opened opens the envelope before the first row, and not before: a failure
// until then is answered as one.
type opened struct {
	w    io.Writer
	done bool
}

func (o *opened) Write(rows []byte) (int, error) {
	if !o.done {
		o.done = true
		if _, err := io.WriteString(o.w, pageHead); err != nil {
			return 0, err
		}
	}
	return o.w.Write(rows)
}

// takesGzip reads Accept-Encoding (RFC 9110, section 12.5.3): whether the
// client takes gzip, and likes nothing better that compress could send instead.
func takesGzip(r *http.Request) bool {
	weights := map[string]float64{}
	for item := range strings.SplitSeq(strings.Join(r.Header.Values("Accept-Encoding"), ","), ",") {
		coding, params, _ := strings.Cut(item, ";")
		weight := 1.0
		for param := range strings.SplitSeq(params, ";") {
			name, value, _ := strings.Cut(param, "=")
			if strings.EqualFold(strings.TrimSpace(name), "q") {
				weight, _ = strconv.ParseFloat(strings.TrimSpace(value), 64) // 0 when it is none
			}
		}
		weights[strings.ToLower(strings.TrimSpace(coding))] = weight
	}
	for _, coding := range []string{"gzip", "x-gzip", "*"} {
		if weight, named := weights[coding]; named {
			return weight > 0 && weight >= weights["zstd"]
		}
	}
	return false
}
