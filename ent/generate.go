// Package ent is the home of storage: schema says what is kept, db is the
// generated client, migrate the versioned SQL of each database.
package ent

//go:generate go tool ent generate --target ./db --feature intercept,sql/execquery,sql/lock ./schema
