// Package bench measures what counts, by `make bench`. Nothing here runs in the
// tests: timings belong to quiet machines.
package bench
