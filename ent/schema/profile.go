package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/internal/vocab"
)

// ContentProfile is a reusable voice, audience and set of language rules.
type ContentProfile struct{ ent.Schema }

// Mixin of ContentProfile.
func (ContentProfile) Mixin() []ent.Mixin { return []ent.Mixin{UUID{}, Owned{}, Audit{}} }

// Fields of ContentProfile.
func (ContentProfile) Fields() []ent.Field {
	return []ent.Field{
		field.String("name").NotEmpty(),
		field.String("description").Optional().Nillable(),
		field.String("voice_tone").Optional().Nillable(),
		field.String("audience").Optional().Nillable(),
		field.JSON("language_rules", []vocab.LanguageRule{}),
		// version_id changes with every change; it is the entity tag.
		field.UUID("version_id", uuid.UUID{}),
	}
}

// Indexes of ContentProfile.
func (ContentProfile) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("account_id", "name").Unique(),
		index.Fields("account_id", "updated", "id"),
	}
}
