package schema

import (
	"encoding/json"

	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// Job is background work. What leases depend on (run_at, lease_until) is Unix
// milliseconds by the database's clock, since several machines may hold them.
type Job struct{ ent.Schema }

// Mixin of Job.
func (Job) Mixin() []ent.Mixin { return []ent.Mixin{UUID{}} }

// Fields of Job.
func (Job) Fields() []ent.Field {
	return []ent.Field{
		field.String("kind").Immutable(),
		field.Int("account_id").Immutable(),
		field.JSON("args", json.RawMessage{}).Immutable(),
		field.Enum("state").Values("QUEUED", "RUNNING", "DONE", "DISCARDED", "CANCELLED").Default("QUEUED"),
		field.Int64("run_at").Default(0),
		// turn is the order of work: each account's jobs are numbered one behind
		// the other, so that accounts take turns.
		field.Int64("turn").Immutable(),
		// attempt counts the claims, failures those that ended in an error.
		field.Int("attempt").Default(0),
		field.Int("failures").Default(0),
		field.Int("max_attempts").Default(5).Immutable(),
		field.String("owner").Default(""),
		field.Int64("lease_until").Default(0),
		field.String("error").Default(""),
		field.Int64("created").Immutable(),
	}
}

// Indexes of Job.
func (Job) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("state", "turn"),
		index.Fields("account_id", "state", "turn"),
	}
}
