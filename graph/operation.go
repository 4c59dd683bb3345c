package graph

import (
	"context"
	"errors"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/contentgraph/contentgraph/internal/fault"
)

const (
	maxOperations = 50  // of a connection at a time
	maxAtOnce     = 8   // of these, queries and mutations that run
	maxID         = 128 // bytes
)

// operation is one of a WebSocket.
type operation struct {
	id     string
	size   int // of what was sent, in bytes
	ctx    context.Context
	cancel context.CancelFunc
}

// subscribe starts an operation of any kind.
func (c *socket) subscribe(m message) error {
	if c.user == nil {
		return closing{closeUnauthorized, "Unauthorized"}
	}
	if m.ID == "" || len(m.ID) > maxID {
		return closing{closeInvalid, "Invalid message: it needs an id of at most 128 bytes"}
	}
	params := &graphql.RawParams{Headers: c.r.Header}
	err := decode("payload", m.Payload, params)
	if err == nil {
		err = usable(params)
	}
	if err != nil {
		return closing{closeInvalid, "Invalid message: " + err.Error()}
	}
	o := &operation{id: m.ID, size: len(m.Payload)}
	if err = c.enter(o); err != nil {
		if _, known := errors.AsType[*fault.Error](err); known {
			c.fail(m.ID, gqlerror.List{present(c.user, err)})
			return nil
		}
		return err
	}
	op, errs := c.exec.CreateOperationContext(o.ctx, params)
	c.running.Go(func() {
		defer c.leave(o)
		if errs != nil {
			errs = refusal(o.ctx, c.exec, op, errs).Errors
		} else {
			errs = c.run(o, op)
		}
		// The client may use the id again as soon as it has seen the end.
		switch wanted := c.forget(o.id, o); {
		case !wanted:
		case errs != nil:
			c.fail(o.id, errs)
		default:
			c.send(c.user, o.id, "complete", nil)
		}
	})
	return nil
}

// enter counts an operation and gives it its context.
func (c *socket) enter(o *operation) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.active[o.id] != nil:
		return closing{closeDuplicate, "Subscriber for " + o.id + " already exists"}
	case c.count == maxOperations:
		return fault.New(fault.RateLimited, "a connection may have %d operations at a time", maxOperations)
	case int64(c.size+o.size) > c.h.MaxBody:
		return fault.New(fault.TooLarge, "the operations of a connection must have at most %d bytes together", c.h.MaxBody)
	}
	o.ctx, o.cancel = context.WithCancel(graphql.StartOperationTrace(c.h.loaders(c.user)))
	c.active[o.id] = o
	c.count++
	c.size += o.size
	return nil
}

// leave is the end of what enter began.
func (c *socket) leave(o *operation) {
	o.cancel()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count--
	c.size -= o.size
}

// forget ends the operation of an id, if it is that one or any will do, and
// reports whether the client was waiting for it.
func (c *socket) forget(id string, this *operation) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	o := c.active[id]
	if o == nil || this != nil && o != this {
		return false
	}
	o.cancel()
	delete(c.active, id)
	return true
}

// run sends the results of an operation. Errors are why it has none.
func (c *socket) run(o *operation, op *graphql.OperationContext) (failed gqlerror.List) {
	if op.Operation.Operation != ast.Subscription {
		select {
		case c.turns <- struct{}{}:
			defer func() { <-c.turns }()
		case <-o.ctx.Done():
			return nil
		}
	}
	perform(o.ctx, c.exec, op, func(a *graphql.Response) bool {
		if a.Data == nil && a.Errors != nil {
			failed = a.Errors
			return false
		}
		return c.send(o.ctx, o.id, "next", encode(a))
	})
	return failed
}
