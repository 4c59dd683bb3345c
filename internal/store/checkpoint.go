package store

import (
	"database/sql"
	"os"
	"time"
)

const (
	// checkpointEvery is how often the write-ahead log is looked at, and
	// checkpointAbove the size in bytes that is left alone.
	checkpointEvery = 250 * time.Millisecond
	checkpointAbove = 4 << 20
	// checkpointInline is the length in pages of 4 KiB at which a commit has to
	// do it after all. By then only the last pages are left to be copied.
	checkpointInline = 16384
)

// checkpoint copies SQLite's write-ahead log into the database on a connection
// of its own, until stop. SQLite would let the commit that passes 1000 pages do
// it, and every other writer wait for the disk meanwhile.
func checkpoint(db *sql.DB, wal string, stop <-chan struct{}) {
	tick := time.NewTicker(checkpointEvery)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case <-tick.C:
		}
		if info, err := os.Stat(wal); err == nil && info.Size() > checkpointAbove {
			db.Exec(`pragma wal_checkpoint(passive)`) // failing, it is done by the next one, or inline
		}
	}
}
