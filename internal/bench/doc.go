// Package bench measures what counts, by `make bench`: this service against
// what a program written by hand for the one purpose takes on the same database.
// Nothing here runs in the tests: timings belong to quiet machines.
package bench
