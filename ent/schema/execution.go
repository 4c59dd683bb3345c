package schema

import (
	"encoding/json"

	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/internal/vocab"
)

// Execution is one submitted data query.
type Execution struct{ ent.Schema }

// Mixin of Execution.
func (Execution) Mixin() []ent.Mixin { return []ent.Mixin{UUID{}, Owned{}} }

// Fields of Execution.
func (Execution) Fields() []ent.Field {
	return []ent.Field{
		field.Int("user_id").Immutable(),
		field.String("query").Immutable(),
		// request is the validated query in canonical form.
		field.JSON("request", json.RawMessage{}).Immutable(),
		// pins are the slices that were current at submit: the rows that every
		// attempt reads, whatever is imported meanwhile.
		field.JSON("pins", []vocab.Pin{}).Immutable(),
		field.Int("page_rows").Positive().Immutable(),
		field.String("state").Default(vocab.InProgress),
		field.String("message").Optional().Nillable(),
		// expected is the number of pinned rows before filters, scanned at least how
		// many of them have been read, written how many rows passed so far.
		field.Int("expected").Immutable(),
		field.Int("scanned").Default(0),
		field.Int("written").Default(0),
		// attempt is the job attempt whose chunks are the result.
		field.Int("attempt").Default(0),
		field.Int("chunks").Default(0),
		// digest is the SHA-256 of the digests of all pages, one behind the other.
		field.Bytes("digest").Optional(),
		field.Time("created").Immutable(),
		field.Time("finished").Optional().Nillable(),
		field.Time("expires").Immutable(),
		// purged says that the rows are gone; the line stays a while to say so.
		field.Bool("purged").Default(false),
		// removed hides it from its user until rows and line are gone.
		field.Bool("removed").Default(false),
	}
}

// Indexes of Execution.
func (Execution) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("account_id", "user_id", "created"),
		index.Fields("account_id", "state"),
		index.Fields("expires"),
	}
}

// ResultChunk is a run of encoded result rows: raw deflate, ended by a flush,
// of JSON arrays joined by commas. Its table is written by hand in the
// migrations, keyed by (account_id, execution_id, attempt, chunk).
type ResultChunk struct{ ent.Schema }

// Mixin of ResultChunk.
func (ResultChunk) Mixin() []ent.Mixin { return []ent.Mixin{Owned{}} }

// Fields of ResultChunk.
func (ResultChunk) Fields() []ent.Field {
	return []ent.Field{
		field.Int("id").StorageKey("chunk").Immutable(),
		field.UUID("execution_id", uuid.UUID{}).Immutable(),
		field.Int("attempt").Immutable(),
		field.Int("rows").Immutable(),
		// length and crc32 are of the plain text.
		field.Int("length").Immutable(),
		field.Uint32("crc32").Immutable(),
		// page_digest is on the last chunk of each page alone: the SHA-256 of the
		// page's rows as a JSON array.
		field.Bytes("page_digest").Optional().Immutable(),
		field.Bytes("data").Immutable(),
	}
}

// Annotations of ResultChunk.
func (ResultChunk) Annotations() []schema.Annotation {
	return []schema.Annotation{entsql.Annotation{Table: "result_chunks", Skip: true}}
}
