package pgtest

import "testing"

// Both runs a test on each database, in parallel: with an empty URL, which
// stands for SQLite in a folder of the test's own, and with that of a fresh
// PostgreSQL database.
func Both(t *testing.T, test func(t *testing.T, url string)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		test(t, "")
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		test(t, New(t))
	})
}
