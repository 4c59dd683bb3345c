// Package schema describes every stored resource. Tenant resources take the
// Owned mixin; the store keeps each query to the viewer's account. There are
// no foreign keys and no upserts: references are checked in the store, so that
// tables can be spread over machines by account.
package schema

import (
	"time"

	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/mixin"
	"github.com/google/uuid"
)

// Owned puts a row into one account, for good.
type Owned struct{ mixin.Schema }

// Fields of the mixin.
func (Owned) Fields() []ent.Field {
	return []ent.Field{field.Int("account_id").Positive().Immutable()}
}

// UUID gives a row an identifier made by the application.
type UUID struct{ mixin.Schema }

// Fields of the mixin.
func (UUID) Fields() []ent.Field {
	return []ent.Field{field.UUID("id", uuid.UUID{}).Default(uuid.New).Immutable()}
}

// Audit records who made and last changed a row, and when (UTC). The service
// sets the times, from a clock that tests can drive.
type Audit struct{ mixin.Schema }

// Fields of the mixin.
func (Audit) Fields() []ent.Field {
	return []ent.Field{
		field.Time("created").Immutable(),
		field.Int("created_by").Immutable(),
		field.Time("updated"),
		field.Int("updated_by"),
	}
}

// Created records when a row was made (UTC).
type Created struct{ mixin.Schema }

// Fields of the mixin.
func (Created) Fields() []ent.Field {
	return []ent.Field{field.Time("created").Default(now).Immutable()}
}

func now() time.Time { return time.Now().UTC() }
