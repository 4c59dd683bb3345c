package graph

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/contentgraph/contentgraph/internal/auth"
	"github.com/contentgraph/contentgraph/internal/fault"
)

const mediaEvents = "text/event-stream"

// nothing is an event that clients pass over: a sign of life.
var nothing = []byte(":\n\n")

// inEvents reports whether an operation is answered in events. A client that
// takes one body as well gets events for subscriptions only.
func inEvents(r *http.Request, kind ast.Operation) bool {
	return r.Method != http.MethodHead && accepts(r, mediaEvents) &&
		(kind == ast.Subscription || !accepts(r, mediaJSON) && !accepts(r, mediaGraphQL))
}

// stream answers as the distinct connections mode of GraphQL over SSE has it:
// an event next for each answer, then complete. A stream without complete was
// interrupted. What is wrong with the document is told in an event, too, since
// browsers show scripts no other answer.
func (t overHTTP) stream(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor, op *graphql.OperationContext, errs gqlerror.List) {
	s, err := t.h.streams.start(r.Context(), t.h.Auth.Address(r), auth.From(r.Context()))
	if err != nil {
		WriteError(w, r, err)
		return
	}
	answers := make(chan []byte)
	defer func() {
		s.close()
		for range answers { // until the operation is over
		}
	}()
	go func() {
		defer close(answers)
		give := func(a *graphql.Response) bool {
			select {
			case answers <- encode(a):
				return true
			case <-s.ctx.Done():
				return false
			}
		}
		if errs != nil {
			give(refusal(s.ctx, exec, op, errs))
		} else {
			perform(s.ctx, exec, op, give)
		}
	}()
	w.Header().Set("Content-Type", mediaEvents)
	w.Header().Set("X-Accel-Buffering", "no") // nginx would keep events back
	e := &events{w: w, ctl: http.NewResponseController(w), patience: t.h.pace.patience, ctx: s.ctx}
	// Whom a stop finds writing must not keep it waiting.
	defer context.AfterFunc(s.ctx, func() { e.ctl.SetWriteDeadline(time.Now().Add(t.h.pace.grace)) })()
	if e.send(answers, t.h.pace.beat) == nil {
		e.end(t.h.pace.grace)
	}
	e.ctl.SetWriteDeadline(time.Time{})
}

// events writes a stream.
type events struct {
	w        http.ResponseWriter
	ctl      *http.ResponseController
	patience time.Duration
	ctx      context.Context
}

// send writes answers as they come, with comments as signs of life, until all
// are sent or the context ends. After an error, an event may be half written.
func (e *events) send(answers <-chan []byte, every time.Duration) error {
	beat := time.NewTicker(every)
	defer beat.Stop()
	err := e.write(nothing)
	for err == nil {
		select {
		case answer, more := <-answers:
			if !more {
				return nil
			}
			err = e.next(answer)
		case <-beat.C:
			err = e.write(nothing)
		case <-e.ctx.Done():
			return nil
		}
	}
	return err
}

// end says that a stream is complete, or that its credential is not good any
// more. One that ends otherwise is interrupted.
func (e *events) end(grace time.Duration) {
	cause := context.Cause(e.ctx)
	e.ctx, e.patience = context.WithoutCancel(e.ctx), grace
	if fault.Is(cause, fault.Unauthenticated) || fault.Is(cause, fault.Forbidden) {
		e.next(encode(&graphql.Response{Errors: gqlerror.List{present(e.ctx, cause)}}))
		cause = nil
	}
	if cause == nil {
		e.write([]byte("event: complete\ndata:\n\n"))
	}
}

// next writes an answer on one line.
func (e *events) next(answer []byte) error {
	return e.write([]byte("event: next\ndata: "), bytes.ReplaceAll(answer, []byte("\n"), []byte(" ")), []byte("\n\n"))
}

// write sends at once, as long as the client reads.
func (e *events) write(parts ...[]byte) error {
	for _, part := range parts {
		for chunk := range slices.Chunk(part, piece) {
			if e.ctx.Err() != nil {
				return e.ctx.Err()
			}
			e.ctl.SetWriteDeadline(time.Now().Add(e.patience))
			if _, err := e.w.Write(chunk); err != nil {
				return err
			}
		}
	}
	return e.ctl.Flush()
}
