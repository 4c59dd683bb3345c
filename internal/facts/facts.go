// Package facts keeps the rows that data queries answer. It imports files whole
// or not at all, keeps each import apart so that a result never changes while
// more is imported, and reads rows back as JSON.
//
//	file --Importer.File--> rows of a WRITING import, which nobody reads
//	     --one short transaction--> its slices are current, replaced ones retired
//	Pins (at submit) --> Scan (any time later): exactly those rows
//	Importer.Prune: facts whose period ended before a day
//	Importer.Sweep: leftovers of killed imports, retired rows nobody pins
//
// It knows datasets as lists of columns and nothing of requests, filters by
// name, executions' results or transports.
package facts
