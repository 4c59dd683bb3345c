package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"
)

// ExportLink lets whoever knows its token export one result, once: the row
// goes with the first use.
type ExportLink struct{ ent.Schema }

// Mixin of ExportLink.
func (ExportLink) Mixin() []ent.Mixin { return []ent.Mixin{Owned{}} }

// Fields of ExportLink.
func (ExportLink) Fields() []ent.Field {
	return []ent.Field{
		// id is the SHA-256 of the token in hexadecimal.
		field.String("id").Immutable(),
		// credential_id is what the link was made with; its user must have the
		// right to export still.
		field.UUID("credential_id", uuid.UUID{}).Immutable(),
		// execution_id is as clients know it.
		field.String("execution_id").Immutable(),
		field.String("format").Immutable(),
		field.Time("expires").Immutable(),
	}
}

// Indexes of ExportLink.
func (ExportLink) Indexes() []ent.Index {
	return []ent.Index{index.Fields("expires")}
}
