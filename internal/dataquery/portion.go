package dataquery

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/contentgraph/contentgraph/internal/jobs"
)

const (
	// portionBytes is how much text is packed at once.
	portionBytes = 64 << 10
	// portionsAhead is how many portions are in memory: what is read while a
	// batch of chunks is being written.
	portionsAhead = 8
)

// portion is rows of one chunk, on their way from being read to being packed.
type portion struct {
	text    []byte // joined by commas, with one before if the chunk has rows already
	rows    int
	ends    bool // its chunk
	last    bool // of all: its chunk ends a page at any size
	scanned int  // rows of the pins that were read since the portion before
}

// portions fills one portion while a writer packs the one before.
type portions struct {
	p    portion
	rows int // of the chunk so far
	most int // rows of a chunk

	full chan portion
	free chan []byte // texts to be filled again
	done chan struct{}
	err  error // of the writer; to be read after done
}

func newPortions(ctx context.Context, w *writer) *portions {
	ps := &portions{
		most: chunkRows(w.e.PageRows),
		full: make(chan portion, portionsAhead), free: make(chan []byte, portionsAhead), done: make(chan struct{}),
	}
	for range portionsAhead - 1 {
		ps.free <- nil
	}
	go func() {
		defer close(ps.done)
		defer func() {
			if cause := recover(); cause != nil {
				ps.err = jobs.Permanent(fmt.Errorf("panic: %v\n%s", cause, debug.Stack()))
			}
		}()
		for p := range ps.full {
			if ps.err = w.take(ctx, p); ps.err != nil {
				return
			}
			ps.free <- p.text[:0]
		}
	}()
	return ps
}

// stop ends the writer and waits for it.
func (ps *portions) stop() {
	if ps.full != nil {
		close(ps.full)
		<-ps.done
		ps.full = nil
	}
}

// add takes a row. A full chunk is ended when the next row comes, so that the
// last of all chunks is left for end.
func (ps *portions) add(row []byte) error {
	full := ps.rows == ps.most
	if full || len(ps.p.text) >= portionBytes {
		ps.p.ends = full
		if err := ps.hand(); err != nil {
			return err
		}
	}
	if full {
		ps.rows = 0
	}
	if ps.rows > 0 {
		ps.p.text = append(ps.p.text, ',')
	}
	ps.p.text = append(ps.p.text, row...)
	ps.p.rows++
	ps.rows++
	return nil
}

// scan counts rows that were read.
func (ps *portions) scan(rows int) error {
	ps.p.scanned = rows
	return ps.hand()
}

// end hands over what is left and waits until all is packed.
func (ps *portions) end() error {
	ps.p.ends, ps.p.last = ps.rows > 0, true
	err := ps.hand()
	ps.stop()
	if err == nil {
		err = ps.err
	}
	return err
}

// hand gives the portion away and takes a free text.
func (ps *portions) hand() error {
	select {
	case ps.full <- ps.p:
	case <-ps.done:
		return ps.err
	}
	select {
	case text := <-ps.free:
		ps.p = portion{text: text}
		return nil
	case <-ps.done:
		return ps.err
	}
}
