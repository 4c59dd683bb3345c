package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"
)

// Account owns everything that is not shared. The operator chooses its id.
type Account struct{ ent.Schema }

// Mixin of Account.
func (Account) Mixin() []ent.Mixin { return []ent.Mixin{Created{}} }

// Fields of Account.
func (Account) Fields() []ent.Field {
	return []ent.Field{
		field.Int("id").Positive().Immutable(),
		field.String("name"),
	}
}

// User owns credentials and is granted accounts.
type User struct{ ent.Schema }

// Mixin of User.
func (User) Mixin() []ent.Mixin { return []ent.Mixin{Created{}} }

// Fields of User.
func (User) Fields() []ent.Field {
	return []ent.Field{
		field.String("name").NotEmpty().Unique(),
		field.Strings("scopes"),
	}
}

// Grant lets a user into an account.
type Grant struct{ ent.Schema }

// Mixin of Grant.
func (Grant) Mixin() []ent.Mixin { return []ent.Mixin{UUID{}, Created{}} }

// Fields of Grant.
func (Grant) Fields() []ent.Field {
	return []ent.Field{
		field.Int("user_id").Immutable(),
		field.Int("account_id").Immutable(),
	}
}

// Indexes of Grant.
func (Grant) Indexes() []ent.Index {
	return []ent.Index{index.Fields("user_id", "account_id").Unique()}
}

// Credential is a Bearer token, of which only the digest is kept, or an API key
// with its secret sealed under the master key.
type Credential struct{ ent.Schema }

// Mixin of Credential.
func (Credential) Mixin() []ent.Mixin { return []ent.Mixin{UUID{}, Created{}} }

// Fields of Credential.
func (Credential) Fields() []ent.Field {
	return []ent.Field{
		field.Int("user_id").Immutable(),
		field.Enum("kind").Values("TOKEN", "KEY").Immutable(),
		// hint is the end of a token, so that people can tell theirs apart.
		field.String("hint").Default("").Immutable(),
		field.String("token_hash").Optional().Nillable().Unique().Immutable().Sensitive(),
		field.String("api_key").Optional().Nillable().Unique().Immutable(),
		field.Bytes("sealed_secret").Optional().Immutable().Sensitive(),
		field.Time("expires").Optional().Nillable().Immutable(),
		field.Time("revoked").Optional().Nillable(),
		field.Time("last_used").Optional().Nillable(),
	}
}

// Indexes of Credential.
func (Credential) Indexes() []ent.Index {
	return []ent.Index{index.Fields("user_id")}
}

// Setting is one fact about the installation, such as the fingerprint of its
// master key.
type Setting struct{ ent.Schema }

// Fields of Setting.
func (Setting) Fields() []ent.Field {
	return []ent.Field{
		field.String("id").Immutable(),
		field.String("value"),
	}
}

// RateWindow counts what a credential took of its allowance in one minute, for
// all replicas together.
type RateWindow struct{ ent.Schema }

// Mixin of RateWindow.
func (RateWindow) Mixin() []ent.Mixin { return []ent.Mixin{UUID{}} }

// Fields of RateWindow.
func (RateWindow) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("credential_id", uuid.UUID{}).Immutable(),
		field.String("class").Immutable(),
		// minute is the number of minutes since 1970 by the database's clock.
		field.Int64("minute").Immutable(),
		field.Int64("used"),
	}
}

// Indexes of RateWindow.
func (RateWindow) Indexes() []ent.Index {
	return []ent.Index{index.Fields("credential_id", "class", "minute").Unique()}
}
