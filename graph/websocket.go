package graph

import (
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/coder/websocket"

	"github.com/contentgraph/contentgraph/internal/auth"
	"github.com/contentgraph/contentgraph/internal/fault"
)

// subprotocol is the only one that is spoken.
const subprotocol = "graphql-transport-ws"

// overWebSocket runs many operations over one connection. gqlgen's own
// transport lacks most close codes and all limits, and writes to a client that
// does not read for as long as it takes.
type overWebSocket struct{ h *Handler }

var _ graphql.Transport = overWebSocket{}

// Supports what asks for a WebSocket.
func (overWebSocket) Supports(r *http.Request) bool {
	return r.Method == http.MethodGet && strings.EqualFold(r.Header.Get("Upgrade"), "websocket")
}

// Do serves a connection until it ends.
func (t overWebSocket) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	if err := t.h.admit(w, r); err != nil {
		WriteError(w, r, err)
		return
	}
	s, err := t.h.streams.start(context.WithoutCancel(r.Context()), t.h.Auth.Address(r), auth.From(r.Context()))
	if err != nil {
		WriteError(w, r, err)
		return
	}
	defer s.close()
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{subprotocol}, InsecureSkipVerify: true})
	if err != nil {
		return // it is answered
	}
	newSocket(t.h, r, exec, conn, s).serve()
}

// admit refuses a handshake that is none, or from a page of an origin that is
// not ours and not on the list: browsers ask nobody before they open a WebSocket.
func (h *Handler) admit(w http.ResponseWriter, r *http.Request) error {
	key, err := base64.StdEncoding.DecodeString(r.Header.Get("Sec-WebSocket-Key"))
	switch {
	case !r.ProtoAtLeast(1, 1) || !strings.Contains(strings.ToLower(r.Header.Get("Connection")), "upgrade") || err != nil || len(key) != 16:
		return fault.New(fault.Invalid, "the WebSocket handshake needs HTTP/1.1, Connection: Upgrade and a Sec-WebSocket-Key")
	case r.Header.Get("Sec-WebSocket-Version") != "13":
		w.Header().Set("Sec-WebSocket-Version", "13")
		return fault.New(fault.Invalid, "the Sec-WebSocket-Version must be 13")
	case !h.trusts(r.Header.Get("Origin"), r.Host):
		return fault.New(fault.Forbidden, "pages of this origin may not open a WebSocket")
	}
	return nil
}

func (h *Handler) trusts(origin, host string) bool {
	if u, err := url.Parse(origin); origin == "" || err == nil && strings.EqualFold(u.Host, host) {
		return true
	}
	origin = strings.ToLower(origin)
	for _, pattern := range h.Origins {
		before, after, wild := strings.Cut(strings.ToLower(pattern), "*")
		if origin == before && !wild || wild && len(origin) >= len(before)+len(after) &&
			strings.HasPrefix(origin, before) && strings.HasSuffix(origin, after) {
			return true
		}
	}
	return false
}

// closing is why a connection ends, as the client is told.
type closing struct {
	code   websocket.StatusCode
	reason string
}

func (c closing) Error() string { return c.reason }

// The codes of the sub-protocol.
const (
	closeInvalid      websocket.StatusCode = 4400
	closeUnauthorized websocket.StatusCode = 4401
	closeForbidden    websocket.StatusCode = 4403
	closeProtocol     websocket.StatusCode = 4406
	closeInitTimeout  websocket.StatusCode = 4408
	closeDuplicate    websocket.StatusCode = 4409
	closeInitAgain    websocket.StatusCode = 4429
)

// closingOf tells a client the reason for which a stream ended. After 1001 and
// 1013 clients try again by themselves.
func closingOf(ctx context.Context) closing {
	cause := context.Cause(ctx)
	if c, ok := errors.AsType[closing](cause); ok {
		return c
	}
	if cause == errStopping {
		return closing{websocket.StatusGoingAway, errStopping.Message}
	}
	f := fault.Of(cause)
	note(ctx, f, cause)
	code := websocket.StatusInternalError
	switch {
	case f.Kind == fault.Unauthenticated || f.Kind == fault.Forbidden:
		code = closeForbidden
	case f.Kind == fault.RateLimited || f.Kind == fault.Unavailable:
		code = websocket.StatusTryAgainLater
	case f.Kind == fault.Canceled:
		code = websocket.StatusNormalClosure
	}
	return closing{code, f.Message}
}

// credentials are those of connection_init or, without, of the HTTP request.
func (h *Handler) credentials(r *http.Request, payload []byte) (*auth.Principal, error) {
	var sent struct{ Authorization, APIKey, Sig string }
	if len(payload) > 0 {
		if err := decode("payload", payload, &sent); err != nil {
			return nil, closing{closeInvalid, err.Error()}
		}
	}
	p := auth.From(r.Context())
	if sent.Authorization != "" || sent.APIKey != "" || sent.Sig != "" {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", sent.Authorization)
		r.URL.RawQuery = url.Values{"apiKey": {sent.APIKey}, "sig": {sent.Sig}}.Encode()
		return h.Auth.Request(r)
	}
	if p == nil {
		return nil, fault.New(fault.Unauthenticated, "connection_init needs authorization, or apiKey and sig").Coded(fault.CodeMissingCredentials)
	}
	return p, nil
}
