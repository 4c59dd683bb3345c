package dataquery

import (
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/ent/db"
)

// ID is the identifier by which clients know an execution: the short name of
// the query, the account in base 36 and a UUID, joined by colons.
func ID(e *db.Execution) string {
	short := ""
	if spec, ok := Lookup(e.Query); ok {
		short = spec.Dataset.Short
	}
	return formatID(short, e.AccountID, e.ID)
}

func formatID(short string, account int, id uuid.UUID) string {
	return short + ":" + strconv.FormatInt(int64(account), 36) + ":" + id.String()
}

// ParseID takes an execution identifier apart. It accepts only what ID writes.
func ParseID(executionID string) (query string, account int, id uuid.UUID, ok bool) {
	parts := strings.Split(executionID, ":")
	if len(parts) != 3 {
		return "", 0, uuid.Nil, false
	}
	n, err := strconv.ParseInt(parts[1], 36, 0)
	id, bad := uuid.Parse(parts[2])
	if err != nil || bad != nil || n < 1 || formatID(parts[0], int(n), id) != executionID {
		return "", 0, uuid.Nil, false
	}
	for _, spec := range Specs {
		if spec.Dataset.Short == parts[0] {
			return spec.Name(), int(n), id, true
		}
	}
	return "", 0, uuid.Nil, false
}
