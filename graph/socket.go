package graph

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/coder/websocket"

	"github.com/contentgraph/contentgraph/internal/auth"
)

// maxFirst is the size of a message in bytes as long as the client is unknown.
const maxFirst = 16 << 10

// socket is a WebSocket. One goroutine reads, one writes, and each operation has
// its own; an operation that is ahead of the client waits.
type socket struct {
	h      *Handler
	r      *http.Request
	exec   graphql.GraphExecutor
	conn   *websocket.Conn
	stream *stream

	life context.Context // of the connection, which outlives the stream for a goodbye
	cut  context.CancelFunc
	user context.Context // of operations; nil until the client is known

	out     chan []byte
	turns   chan struct{} // holds one for each query or mutation that runs
	running sync.WaitGroup

	mu     sync.Mutex
	active map[string]*operation // those that the client waits for
	count  int                   // of operations whose goroutines run
	size   int                   // of these, in bytes
}

// message is what the client sends.
type message struct {
	ID, Type string
	Payload  json.RawMessage
}

func newSocket(h *Handler, r *http.Request, exec graphql.GraphExecutor, conn *websocket.Conn, s *stream) *socket {
	c := &socket{
		h: h, r: r, exec: exec, conn: conn, stream: s,
		out: make(chan []byte, maxQueue), turns: make(chan struct{}, maxAtOnce), active: map[string]*operation{},
	}
	c.life, c.cut = context.WithCancel(context.Background())
	return c
}

// serve returns when the connection is closed and all operations have ended.
func (c *socket) serve() {
	defer c.cut()
	context.AfterFunc(c.stream.ctx, func() { time.AfterFunc(c.h.pace.grace, c.cut) })
	initial := time.AfterFunc(c.h.pace.initial, func() {
		c.stream.end(closing{closeInitTimeout, "Connection initialisation timeout"})
	})
	defer initial.Stop()
	time.AfterFunc(c.h.pace.beat, c.beat)
	c.running.Go(c.write)
	c.stream.end(c.read(initial))
	c.running.Wait()
}

// read acts on messages until the client goes or breaks the rules.
func (c *socket) read(initial *time.Timer) error {
	if c.conn.Subprotocol() == "" {
		return closing{closeProtocol, "Subprotocol not acceptable"}
	}
	c.conn.SetReadLimit(maxFirst)
	for {
		kind, text, err := c.conn.Read(c.life)
		if err != nil {
			return closing{websocket.StatusNormalClosure, ""} // unless there was another reason before
		}
		var m message
		if kind != websocket.MessageText || decode("message", text, &m) != nil {
			return closing{closeInvalid, "Invalid message: it must be a JSON object in a text frame"}
		}
		if m.Type == "connection_init" {
			initial.Stop()
		}
		if err := c.act(m); err != nil {
			return err
		}
	}
}

func (c *socket) act(m message) error {
	switch m.Type {
	case "connection_init":
		return c.initialise(m.Payload)
	case "ping":
		c.send(c.stream.ctx, "", "pong", m.Payload)
	case "pong":
	case "subscribe":
		return c.subscribe(m)
	case "complete":
		c.forget(m.ID, nil)
	default:
		return closing{closeInvalid, "Invalid message: unknown type"}
	}
	return nil
}

// initialise makes the client known.
func (c *socket) initialise(payload json.RawMessage) error {
	if c.user != nil {
		return closing{closeInitAgain, "Too many initialisation requests"}
	}
	p, err := c.h.credentials(c.r, payload)
	if err == nil {
		err = c.stream.become(p)
	}
	if err != nil {
		return err
	}
	c.user = auth.With(c.stream.ctx, p)
	c.conn.SetReadLimit(c.h.MaxBody)
	c.send(c.user, "", "connection_ack", nil)
	return nil
}
