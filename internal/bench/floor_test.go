package bench

import (
	"database/sql"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"

	_ "github.com/lib/pq" // registers the driver "postgres"

	"github.com/contentgraph/contentgraph/internal/vocab"
)

// The floor is what one would write by hand if nothing but the rows counted:
// net/http and database/sql, prepared statements, raw bytes, one SELECT whose
// rows go out as one JSON document. No compression, no reflection, no cache, no
// authentication.

// selectRows asks for what the measured query asks for; its only arguments are
// account, start of the week and number of the import.
func selectRows(account, start, number string) string {
	var names []string
	for _, c := range vocab.KeywordRankings.Columns {
		names = append(names, c.Name)
	}
	return fmt.Sprintf(`select %s from keyword_rankings
where account_id = %s and time_period_start = %s and import_no = %s and slice in (0) and effective_rank >= 1
order by line`, strings.Join(names, ", "), account, start, number)
}

func serveFloor(databaseURL, _ string) error {
	db, err := sql.Open("postgres", databaseURL)
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(20) // as the service has them
	db.SetMaxIdleConns(10)
	rows, err := db.Prepare(selectRows("$1", "$2", "$3"))
	if err != nil {
		return err
	}
	page, err := db.Prepare(`select body from bench_pages where id = $1`)
	if err != nil {
		return err
	}
	http.HandleFunc("GET /rows", func(w http.ResponseWriter, r *http.Request) {
		if err := floorRows(w, r, rows); err != nil {
			panic(err)
		}
	})
	http.HandleFunc("GET /page", func(w http.ResponseWriter, r *http.Request) {
		var body []byte
		if err := page.QueryRowContext(r.Context(), r.URL.Query().Get("id")).Scan(&body); err != nil {
			panic(err)
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Encoding", "gzip")
		w.Write(body)
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	announce(l)
	return http.Serve(l, nil)
}

func floorRows(w http.ResponseWriter, r *http.Request, stmt *sql.Stmt) error {
	q := r.URL.Query()
	rows, err := stmt.QueryContext(r.Context(), q.Get("account"), q.Get("start"), q.Get("import"))
	if err != nil {
		return err
	}
	defer rows.Close()
	values := make([]sql.RawBytes, len(vocab.KeywordRankings.Columns))
	into := make([]any, len(values))
	for i := range values {
		into[i] = &values[i]
	}
	w.Header().Set("Content-Type", "application/json")
	out := make([]byte, 0, 80<<10)
	before := byte('[')
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		out = append(out, before)
		before = ','
		for i, v := range values {
			out = append(out, "[,"[min(i, 1)])
			out = quote(out, v)
		}
		if out = append(out, ']'); len(out) >= 64<<10 {
			if _, err := w.Write(out); err != nil {
				return err
			}
			out = out[:0]
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	_, err = w.Write(append(out, ']'))
	return err
}

// quote writes a JSON string.
func quote(dst, s []byte) []byte {
	dst = append(dst, '"')
	start := 0
	for i, c := range s {
		if c < ' ' || c == '"' || c == '\\' {
			dst = append(dst, s[start:i]...)
			dst = fmt.Appendf(dst, `\u%04x`, c)
			start = i + 1
		}
	}
	return append(append(dst, s[start:]...), '"')
}

// psql copies the same rows to standard output; ok is false where there is none.
func psql(b *testing.B, f *fixture) (d time.Duration, ok bool) {
	program, err := exec.LookPath("psql")
	if err != nil {
		return 0, false
	}
	cmd := exec.Command(program, f.url, "-qXc", "copy ("+selectRows(account, "'"+week+"'", f.number)+") to stdout")
	cmd.Stdout = io.Discard // through a pipe, as to any reader
	begin := time.Now()
	check(b, cmd.Run())
	return time.Since(begin), true
}
