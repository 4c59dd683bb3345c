package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/internal/vocab"
)

// KnowledgeSource is what an account lets generated content draw on: a text, or
// a file and what was read from it. What it says is its KnowledgeText.
type KnowledgeSource struct{ ent.Schema }

// Mixin of KnowledgeSource.
func (KnowledgeSource) Mixin() []ent.Mixin { return []ent.Mixin{UUID{}, Owned{}} }

// Fields of KnowledgeSource.
func (KnowledgeSource) Fields() []ent.Field {
	return []ent.Field{
		field.String("kind").Immutable(),
		field.String("file_name").Optional().Nillable(),
		field.String("status").Default(vocab.KnowledgePending),
		field.String("status_reason").Optional().Nillable(),
		// failure says what kind of ERROR it is, for the request that waits for it.
		field.String("failure").Default(""),
		// file_type is what the content was found to be: pdf, docx and so on.
		field.String("file_type").Default(""),
		// blob_id names the stored bytes of a file.
		field.UUID("blob_id", uuid.UUID{}).Optional().Nillable(),
		// cut says that the file held more text than is kept.
		field.Bool("cut").Default(false),
		field.Time("created").Immutable(),
		field.Int("created_by").Immutable(),
		field.Time("updated"),
	}
}

// Indexes of KnowledgeSource: lists are newest first, with and without filters.
func (KnowledgeSource) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("account_id", "created", "id"),
		index.Fields("account_id", "status", "created", "id"),
		index.Fields("account_id", "blob_id"),
	}
}

// KnowledgeBlob is the bytes of one or more uploaded files of an account, kept
// once, in the blob store under its id.
type KnowledgeBlob struct{ ent.Schema }

// Mixin of KnowledgeBlob.
func (KnowledgeBlob) Mixin() []ent.Mixin { return []ent.Mixin{UUID{}, Owned{}, Created{}} }

// Fields of KnowledgeBlob.
func (KnowledgeBlob) Fields() []ent.Field {
	return []ent.Field{
		// sha256 is in hexadecimal, size in bytes.
		field.String("sha256").Immutable(),
		field.Int64("size").Immutable(),
		// refs counts the sources; with the last one the bytes go.
		field.Int("refs").Default(1),
		// stored says that the bytes are in the blob store.
		field.Bool("stored").Default(false),
	}
}

// Indexes of KnowledgeBlob.
func (KnowledgeBlob) Indexes() []ent.Index {
	return []ent.Index{index.Fields("account_id", "sha256").Unique()}
}

// KnowledgeText is what a source says; it has the source's id.
type KnowledgeText struct{ ent.Schema }

// Mixin of KnowledgeText.
func (KnowledgeText) Mixin() []ent.Mixin { return []ent.Mixin{UUID{}, Owned{}} }

// Fields of KnowledgeText.
func (KnowledgeText) Fields() []ent.Field {
	return []ent.Field{
		field.Text("text").Immutable(),
		field.String("language").Default("").Immutable(),
		// segment is the search index over the source's passages.
		field.Bytes("segment").Optional().Immutable(),
	}
}

// Indexes of KnowledgeText.
func (KnowledgeText) Indexes() []ent.Index { return []ent.Index{index.Fields("account_id")} }

// KnowledgePassage is a piece of a source's text that can be found and quoted.
type KnowledgePassage struct{ ent.Schema }

// Mixin of KnowledgePassage.
func (KnowledgePassage) Mixin() []ent.Mixin { return []ent.Mixin{UUID{}, Owned{}} }

// Fields of KnowledgePassage.
func (KnowledgePassage) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("source_id", uuid.UUID{}).Immutable(),
		// number is its place in the source, from 0.
		field.Int("number").NonNegative().Immutable(),
		// start and end are offsets in the source's text, in Unicode characters.
		field.Int("start").NonNegative().Immutable(),
		field.Int("end").NonNegative().Immutable(),
		// heading is the nearest one above, "" without.
		field.String("heading").Default("").Immutable(),
		field.Text("text").Immutable(),
	}
}

// Indexes of KnowledgePassage.
func (KnowledgePassage) Indexes() []ent.Index {
	return []ent.Index{index.Fields("account_id", "source_id", "number").Unique()}
}
