// Package fault is the one error type of the service. A Kind says what went
// wrong, Code and Message are for clients, Fields name the bad fields of a
// request, and the cause is for the log alone. Each transport maps kinds to its
// own answers; this package knows none of them.
package fault

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Kind classifies a failure. The zero value is Internal: an error nobody classified.
type Kind int

// The closed list of kinds, with the HTTP status that transports give them.
const (
	Internal        Kind = iota // 500
	Invalid                     // 400
	Unauthenticated             // 401
	Forbidden                   // 403
	NotFound                    // 404
	NotAllowed                  // 405
	Conflict                    // 409
	Precondition                // 412
	TooLarge                    // 413
	Unsupported                 // 415
	Unprocessable               // 422
	RateLimited                 // 429
	Canceled                    // 499
	Unavailable                 // 503
)

// Code is the machine-readable name of a failure, part of the contract.
type Code string

// The codes that clients may see.
const (
	CodeUnauthorized        Code = "UNAUTHORIZED"
	CodeMissingCredentials  Code = "MISSING_CREDENTIALS"
	CodeInvalidSignature    Code = "INVALID_SIGNATURE"
	CodeGatewayKeyMismatch  Code = "GATEWAY_KEY_MISMATCH"
	CodeForbidden           Code = "FORBIDDEN"
	CodeNotFound            Code = "NOT_FOUND"
	CodeExecutionNotFound   Code = "EXECUTION_NOT_FOUND"
	CodeExecutionExpired    Code = "EXECUTION_EXPIRED"
	CodeInvalidRequest      Code = "INVALID_REQUEST"
	CodeInvalidPageToken    Code = "INVALID_PAGE_TOKEN"
	CodeMethodNotAllowed    Code = "METHOD_NOT_ALLOWED"
	CodePayloadTooLarge     Code = "PAYLOAD_TOO_LARGE"
	CodeUnsupportedMedia    Code = "UNSUPPORTED_MEDIA_TYPE"
	CodeRateLimited         Code = "RATE_LIMITED"
	CodeConflict            Code = "CONFLICT"
	CodePreconditionFailed  Code = "PRECONDITION_FAILED"
	CodeUnprocessable       Code = "UNPROCESSABLE"
	CodeUnavailable         Code = "UNAVAILABLE"
	CodeInternal            Code = "INTERNAL_ERROR"
	CodeClientClosedRequest Code = "CLIENT_CLOSED_REQUEST"
)

var kinds = map[Kind]struct {
	status int
	code   Code
}{
	Internal:        {500, CodeInternal},
	Invalid:         {400, CodeInvalidRequest},
	Unauthenticated: {401, CodeUnauthorized},
	Forbidden:       {403, CodeForbidden},
	NotFound:        {404, CodeNotFound},
	NotAllowed:      {405, CodeMethodNotAllowed},
	Conflict:        {409, CodeConflict},
	Precondition:    {412, CodePreconditionFailed},
	TooLarge:        {413, CodePayloadTooLarge},
	Unsupported:     {415, CodeUnsupportedMedia},
	Unprocessable:   {422, CodeUnprocessable},
	RateLimited:     {429, CodeRateLimited},
	Canceled:        {499, CodeClientClosedRequest},
	Unavailable:     {503, CodeUnavailable},
}

// Status is the HTTP status of a kind.
func (k Kind) Status() int { return kinds[k].status }

// Field is one bad field of a request and what is allowed there.
type Field struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

// Error is a failure with a text that clients may read. Build it with New or Fields.
type Error struct {
	Kind    Kind
	Code    Code
	Message string
	Fields  []Field
	// RetryAfter is the number of seconds after which a RateLimited or
	// Unavailable request may succeed; 0 when unknown.
	RetryAfter int
	cause      error
}

// New makes a fault of the kind's usual code. The message is for clients.
func New(k Kind, format string, args ...any) *Error {
	return &Error{Kind: k, Code: kinds[k].code, Message: fmt.Sprintf(format, args...)}
}

// WithFields makes an Invalid fault that names every bad field at once.
func WithFields(fields []Field) *Error {
	const told = 20 // in the message; Fields has them all
	var text []string
	for _, f := range fields[:min(len(fields), told)] {
		text = append(text, f.Field+": "+f.Message)
	}
	e := New(Invalid, "%s", strings.Join(text, "; "))
	if n := len(fields) - told; n > 0 {
		e.Message += fmt.Sprintf(" (and %d more)", n)
	}
	e.Fields = fields
	return e
}

// BadField makes an Invalid fault about a single field.
func BadField(field, format string, args ...any) *Error {
	return WithFields([]Field{{Field: field, Message: fmt.Sprintf(format, args...)}})
}

// Coded sets a code other than the kind's usual one.
func (e *Error) Coded(code Code) *Error { e.Code = code; return e }

// Because keeps the cause for the log; clients never see it.
func (e *Error) Because(err error) *Error { e.cause = err; return e }

// After sets RetryAfter.
func (e *Error) After(seconds int) *Error { e.RetryAfter = seconds; return e }

func (e *Error) Error() string {
	if e.cause != nil {
		return fmt.Sprintf("%s: %v", e.Message, e.cause)
	}
	return e.Message
}

func (e *Error) Unwrap() error { return e.cause }

// Of classifies any error: a fault as it is, a cancelled context as Canceled,
// anything else as Internal with a text that tells clients nothing.
func Of(err error) *Error {
	var e *Error
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(err, context.Canceled):
		return New(Canceled, "the request was cancelled").Because(err)
	case errors.Is(err, context.DeadlineExceeded):
		return New(Unavailable, "the request took too long; try again").Because(err)
	}
	return New(Internal, "internal error").Because(err)
}

// Is reports whether err is a fault of the kind.
func Is(err error, k Kind) bool {
	var e *Error
	return errors.As(err, &e) && e.Kind == k
}
