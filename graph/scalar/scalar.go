// Package scalar gives GraphQL scalars their documented form. It is apart from
// graph because the generated executor imports it. Errors say what is allowed;
// the name of the bad field is added by the error presenter.
package scalar

import (
	"errors"
	"io"
	"strconv"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/internal/vocab"
)

// MarshalDateTime writes a moment as the REST interface does.
func MarshalDateTime(t time.Time) graphql.Marshaler {
	return graphql.WriterFunc(func(w io.Writer) {
		io.WriteString(w, strconv.Quote(vocab.FormatTime(t)))
	})
}

// UnmarshalDateTime reads an RFC 3339 moment.
func UnmarshalDateTime(v any) (time.Time, error) {
	s, _ := v.(string)
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return t, errors.New("must be a moment such as 2026-11-20T10:03:10.330+00:00")
	}
	return t.UTC(), nil
}

// MarshalUUID writes an identifier.
func MarshalUUID(id uuid.UUID) graphql.Marshaler {
	return graphql.WriterFunc(func(w io.Writer) { io.WriteString(w, `"`+id.String()+`"`) })
}

// UnmarshalUUID reads an identifier in its usual form alone, as paths of the
// REST interface do.
func UnmarshalUUID(v any) (uuid.UUID, error) {
	s, _ := v.(string)
	id, err := uuid.Parse(s)
	if err != nil || len(s) != len(uuid.Nil.String()) {
		return uuid.Nil, errors.New("must be a UUID")
	}
	return id, nil
}

// MarshalInt writes a whole number.
func MarshalInt(n int) graphql.Marshaler { return graphql.MarshalInt(n) }

// UnmarshalInt reads a whole number.
func UnmarshalInt(v any) (int, error) {
	n, err := graphql.UnmarshalInt(v)
	if err != nil {
		return 0, errors.New("must be a whole number of at most 64 bits")
	}
	return n, nil
}
