// Package archtest keeps the shape of the program: which package may import
// which, and how thin the GraphQL resolvers stay. It holds tests alone; no
// package may import it. The rules are explained in docs/architecture.md.
package archtest
