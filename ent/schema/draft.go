package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/internal/vocab"
)

// Draft is a piece of content in the making.
type Draft struct{ ent.Schema }

// Mixin of Draft.
func (Draft) Mixin() []ent.Mixin { return []ent.Mixin{UUID{}, Owned{}, Audit{}} }

// Fields of Draft.
func (Draft) Fields() []ent.Field {
	return []ent.Field{
		field.String("draft_title"),
		field.Strings("topics"),
		field.String("page").Optional().Nillable(),
		field.Int("rank_source_id"),
		field.Int("web_property_id").Optional().Nillable(),
		// version_id changes with every change of the draft or its content.
		field.UUID("version_id", uuid.UUID{}),
		field.Int("assignee").Optional().Nillable(),
		field.String("status").Default(vocab.DefaultDraftStatus),
		field.Strings("competitor_urls"),
		field.UUID("content_profile_id", uuid.UUID{}).Optional().Nillable(),
	}
}

// Indexes of Draft: lists are ordered by updated, with and without a status.
func (Draft) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("account_id", "updated", "id"),
		index.Fields("account_id", "status", "updated", "id"),
		index.Fields("account_id", "content_profile_id"),
	}
}

// DraftVersion is one save of a draft's content; the newest is the content.
type DraftVersion struct{ ent.Schema }

// Mixin of DraftVersion.
func (DraftVersion) Mixin() []ent.Mixin { return []ent.Mixin{UUID{}, Owned{}} }

// Fields of DraftVersion.
func (DraftVersion) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("draft_id", uuid.UUID{}).Immutable(),
		field.Int("number").Positive().Immutable(),
		field.String("title").Optional().Nillable().Immutable(),
		field.String("meta_description").Optional().Nillable().Immutable(),
		field.Text("body_copy").Optional().Nillable().Immutable(),
		field.Time("created").Immutable(),
		field.Int("created_by").Immutable(),
	}
}

// Indexes of DraftVersion.
func (DraftVersion) Indexes() []ent.Index {
	return []ent.Index{index.Fields("account_id", "draft_id", "number").Unique()}
}
