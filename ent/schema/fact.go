package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"

	"github.com/contentgraph/contentgraph/internal/vocab"
)

// Facts are wide, partitioned by week on PostgreSQL and keyed by (account_id,
// time_period_start, import_no, line): their tables are written by hand in the
// migrations, and a test holds those to the fields given here.

// KeywordRanking is one position of a result item.
type KeywordRanking struct{ ent.Schema }

// Fields of KeywordRanking.
func (KeywordRanking) Fields() []ent.Field { return factFields(vocab.KeywordRankings) }

// Annotations of KeywordRanking.
func (KeywordRanking) Annotations() []schema.Annotation { return factTable(vocab.KeywordRankings) }

// AISearchSentiment is what one AI search answer says of one brand.
type AISearchSentiment struct{ ent.Schema }

// Fields of AISearchSentiment.
func (AISearchSentiment) Fields() []ent.Field { return factFields(vocab.AISearchSentiments) }

// Annotations of AISearchSentiment.
func (AISearchSentiment) Annotations() []schema.Annotation {
	return factTable(vocab.AISearchSentiments)
}

// AISearchCitation is one page that an AI search answer cites.
type AISearchCitation struct{ ent.Schema }

// Fields of AISearchCitation.
func (AISearchCitation) Fields() []ent.Field { return factFields(vocab.AISearchCitations) }

// Annotations of AISearchCitation.
func (AISearchCitation) Annotations() []schema.Annotation {
	return factTable(vocab.AISearchCitations)
}

func factTable(d *vocab.Dataset) []schema.Annotation {
	return []schema.Annotation{entsql.Annotation{Table: d.Table, Skip: true}}
}

// factFields are the dataset's columns behind the key. Dates, floats and
// booleans are text in canonical form, so that both databases answer alike.
func factFields(d *vocab.Dataset) []ent.Field {
	fields := []ent.Field{
		field.Int("id").StorageKey("line").Immutable(),
		field.Int("import_no").Immutable(),
		field.Int("slice").Immutable(),
	}
	for _, c := range d.Stored() {
		switch {
		case c.Name == "account_id":
			fields = append(fields, field.Int(c.Name).Immutable())
		case c.Type == vocab.Integer:
			fields = append(fields, field.Int(c.Name).Optional().Nillable().Immutable())
		default:
			fields = append(fields, field.String(c.Name).Optional().Nillable().Immutable())
		}
		for _, m := range c.Matches {
			fields = append(fields, field.String(c.Twin(m)).Optional().Nillable().Immutable())
		}
	}
	if d.Ranked {
		fields = append(fields, field.Int(vocab.EffectiveRank).Immutable())
	}
	return fields
}
