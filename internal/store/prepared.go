package store

import (
	"context"
	"database/sql"
	"sync"
)

// Prepared is a statement that reads, prepared by each connection once. Like
// all SQL beside ent it names the account itself.
type Prepared struct {
	reader *sql.DB
	query  string

	mu   sync.Mutex
	stmt *sql.Stmt // nil until the first use
}

// Prepared makes a statement; the database is asked on first use.
func (s *Store) Prepared(query string) *Prepared { return &Prepared{reader: s.Reader, query: query} }

// Query runs the statement.
func (p *Prepared) Query(ctx context.Context, args ...any) (*sql.Rows, error) {
	stmt, err := p.prepare(ctx)
	if err != nil {
		return nil, err
	}
	return stmt.QueryContext(ctx, args...)
}

func (p *Prepared) prepare(ctx context.Context) (stmt *sql.Stmt, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stmt == nil {
		p.stmt, err = p.reader.PrepareContext(ctx, p.query)
	}
	return p.stmt, err
}
