package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// RankSource is a search engine in a country and language. It is shared by all
// accounts; name is what facts call it (search_engine_name).
type RankSource struct{ ent.Schema }

// Fields of RankSource.
func (RankSource) Fields() []ent.Field {
	return []ent.Field{
		field.Int("id").Positive().Immutable(),
		field.String("name").NotEmpty().Unique().Immutable(),
		field.String("engine").Default(""),
		field.String("country").Default(""),
		field.String("language").Default(""),
	}
}

// WebProperty is a site of an account. Clients know it by number, which is
// unique within the account.
type WebProperty struct{ ent.Schema }

// Mixin of WebProperty.
func (WebProperty) Mixin() []ent.Mixin { return []ent.Mixin{UUID{}, Owned{}} }

// Fields of WebProperty.
func (WebProperty) Fields() []ent.Field {
	return []ent.Field{
		field.Int("number").Positive().Immutable(),
		field.String("name"),
		field.String("url").Default(""),
	}
}

// Indexes of WebProperty.
func (WebProperty) Indexes() []ent.Index {
	return []ent.Index{index.Fields("account_id", "number").Unique()}
}
