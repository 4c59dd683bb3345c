package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"
)

// FactImport is one account's share of one imported file. Its number is part
// of the key of the facts that it wrote.
type FactImport struct{ ent.Schema }

// Mixin of FactImport.
func (FactImport) Mixin() []ent.Mixin { return []ent.Mixin{UUID{}, Owned{}, Created{}} }

// Fields of FactImport.
func (FactImport) Fields() []ent.Field {
	return []ent.Field{
		field.Int("number").Positive().Immutable(),
		field.String("dataset").Immutable(),
		// file_id is shared by all accounts that one file covers.
		field.UUID("file_id", uuid.UUID{}).Immutable(),
		field.String("file_name").Immutable(),
		// digest is the SHA-256 of the file, hexadecimal.
		field.String("digest").Immutable(),
		field.Enum("state").Values("WRITING", "DONE").Default("WRITING"),
		field.Int("rows").Default(0),
		// lease_until (Unix milliseconds) tells a running import from a killed one.
		field.Int64("lease_until"),
	}
}

// Indexes of FactImport.
func (FactImport) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("account_id", "number").Unique(),
		index.Fields("account_id", "dataset", "digest"),
		index.Fields("state", "lease_until"),
	}
}

// FactSlice is the unit in which facts become current and are replaced: the
// rows of one import for one web property, frequency and period.
type FactSlice struct{ ent.Schema }

// Mixin of FactSlice.
func (FactSlice) Mixin() []ent.Mixin { return []ent.Mixin{UUID{}, Owned{}} }

// Fields of FactSlice.
func (FactSlice) Fields() []ent.Field {
	return []ent.Field{
		field.String("dataset").Immutable(),
		field.Int("import_no").Immutable(),
		// slice numbers the slices of an import from 0; facts carry it.
		field.Int("slice").Immutable(),
		// web_property_id is 0 for facts without one.
		field.Int("web_property_id").Immutable(),
		field.String("frequency").Immutable(),
		field.String("period_start").Immutable(),
		field.String("period_end").Immutable(),
		field.Int("rows").Immutable(),
		// retired (Unix milliseconds) is set once a later import replaced the slice.
		field.Int64("retired").Optional().Nillable(),
	}
}

// Indexes of FactSlice.
func (FactSlice) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("account_id", "import_no", "slice").Unique(),
		index.Fields("account_id", "dataset", "frequency", "period_start"),
		index.Fields("retired"),
	}
}

// Annotations of FactSlice.
func (FactSlice) Annotations() []schema.Annotation {
	return []schema.Annotation{entsql.Annotation{Table: "fact_slices"}}
}
