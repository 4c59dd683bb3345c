package graph

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/coder/websocket"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// maxQueue is how many messages wait for a client.
const maxQueue = 16

// send queues a message, and waits for room as long as ctx lasts and patience
// does: then the client is given up. It reports whether the message is queued.
func (c *socket) send(ctx context.Context, id, kind string, payload []byte) bool {
	text := append(make([]byte, 0, len(payload)+len(id)+len(kind)+40), `{"type":"`+kind+`"`...)
	if id != "" {
		quoted, _ := json.Marshal(id)
		text = append(append(text, `,"id":`...), quoted...)
	}
	if payload != nil {
		text = append(append(text, `,"payload":`...), payload...)
	}
	text = append(text, '}')
	if ctx.Err() != nil {
		return false
	}
	select {
	case c.out <- text:
		return true
	default:
	}
	patience := time.NewTimer(c.h.pace.patience / 2) // less than write has, so that the client can be told
	defer patience.Stop()
	select {
	case c.out <- text:
		return true
	case <-patience.C:
		c.stream.end(closing{websocket.StatusTryAgainLater, "The client reads too slowly"})
	case <-ctx.Done():
	}
	return false
}

// fail ends an operation that has no result.
func (c *socket) fail(id string, errs gqlerror.List) {
	text, _ := json.Marshal(errs)
	c.send(c.user, id, "error", text)
}

// write sends what is queued until the stream ends, then what is left, and then
// says goodbye.
func (c *socket) write() {
	for {
		var text []byte
		select {
		case text = <-c.out:
		default:
			select {
			case text = <-c.out:
			case <-c.stream.ctx.Done():
				end := closingOf(c.stream.ctx)
				c.conn.Close(end.code, strings.ToValidUTF8(end.reason[:min(len(end.reason), 123)], ""))
				return
			}
		}
		if c.deliver(text) != nil {
			c.cut()
			return
		}
	}
}

// deliver writes a message in pieces, between which control frames may go. A
// client that takes no piece within the patience is cut off.
func (c *socket) deliver(text []byte) error {
	ctx, stop := context.WithCancel(c.life)
	defer stop()
	patience := time.AfterFunc(c.h.pace.patience, stop)
	defer patience.Stop()
	if len(text) <= piece {
		return c.conn.Write(ctx, websocket.MessageText, text)
	}
	w, err := c.conn.Writer(ctx, websocket.MessageText)
	if err != nil {
		return err
	}
	for chunk := range slices.Chunk(text, piece) {
		patience.Reset(c.h.pace.patience)
		if _, err := w.Write(chunk); err != nil {
			return err
		}
	}
	return w.Close()
}

// beat finds out from time to time whether the client is still there.
func (c *socket) beat() {
	ctx, stop := context.WithTimeout(c.life, c.h.pace.beat)
	defer stop()
	if c.conn.Ping(ctx) != nil {
		c.cut()
		return
	}
	time.AfterFunc(c.h.pace.beat, c.beat)
}
