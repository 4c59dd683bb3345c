package schema

import (
	"encoding/json"

	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/internal/vocab"
)

// Guidance is what one kind of insight found for a draft. It is made by the
// newest request that names its type.
type Guidance struct{ ent.Schema }

// Mixin of Guidance.
func (Guidance) Mixin() []ent.Mixin { return []ent.Mixin{UUID{}, Owned{}} }

// Fields of Guidance.
func (Guidance) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("draft_id", uuid.UUID{}).Immutable(),
		field.String("type").Immutable(),
		// request_id is the request that it is or was made for; an older request
		// that ends later writes nothing.
		field.UUID("request_id", uuid.UUID{}),
		// request is the topic that was asked for, validated.
		field.JSON("request", json.RawMessage{}),
		// status is null until the kind is done.
		field.String("status").Optional().Nillable(),
		field.String("error_code").Optional().Nillable(),
		field.String("error_message").Optional().Nillable(),
		// source says what it was made from: text, model, serp or rankings.
		field.String("source").Default(""),
		field.JSON("guidance", json.RawMessage{}).Optional(),
		// pages are those it was made from, and those that could not be read.
		field.JSON("pages", []vocab.GuidancePage{}).Optional(),
		field.Time("requested"),
		field.Int("requested_by"),
		field.Time("generated").Optional().Nillable(),
	}
}

// Indexes of Guidance.
func (Guidance) Indexes() []ent.Index {
	return []ent.Index{index.Fields("account_id", "draft_id", "type").Unique()}
}

// FetchedPage is a web page as an account last fetched it. Accounts share none:
// one may reach an intranet that another must not see.
type FetchedPage struct{ ent.Schema }

// Mixin of FetchedPage.
func (FetchedPage) Mixin() []ent.Mixin { return []ent.Mixin{UUID{}, Owned{}} }

// Fields of FetchedPage.
func (FetchedPage) Fields() []ent.Field {
	return []ent.Field{
		field.String("url").Immutable(),
		// url_hash is the SHA-256 of url in hexadecimal, since a URL can be too
		// long for an index.
		field.String("url_hash").Immutable(),
		field.String("final_url").Default(""),
		// etag and last_modified let the page be asked for again at little cost.
		field.String("etag").Default(""),
		field.String("last_modified").Default(""),
		// page is the page as it was read, JSON compressed with deflate.
		field.Bytes("page").Optional(),
		// failure is the reason code when it could not be fetched, with a sentence.
		field.String("failure").Default(""),
		field.String("failure_message").Default(""),
		field.Time("fetched"),
	}
}

// Indexes of FetchedPage.
func (FetchedPage) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("account_id", "url_hash").Unique(),
		index.Fields("fetched"),
	}
}

// SerpResult is one item of an imported result page; the newest import of a
// topic replaces the older.
type SerpResult struct{ ent.Schema }

// Mixin of SerpResult.
func (SerpResult) Mixin() []ent.Mixin { return []ent.Mixin{UUID{}, Owned{}} }

// Fields of SerpResult.
func (SerpResult) Fields() []ent.Field {
	return []ent.Field{
		field.Int("rank_source_id").Positive().Immutable(),
		// topic is folded for comparison.
		field.String("topic").Immutable(),
		field.Int("position").Positive().Immutable(),
		field.String("type").Default("").Immutable(),
		field.String("url").Default("").Immutable(),
		field.String("title").Default("").Immutable(),
		field.Strings("questions").Optional().Immutable(),
		field.Time("imported").Immutable(),
	}
}

// Indexes of SerpResult.
func (SerpResult) Indexes() []ent.Index {
	return []ent.Index{index.Fields("account_id", "rank_source_id", "topic", "position")}
}
