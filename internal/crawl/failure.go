package crawl

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"time"
)

// Reason says why something could not be fetched.
type Reason string

// The reasons.
const (
	BadURL    Reason = "BAD_URL"         // no complete http or https address
	Refused   Reason = "REFUSED_ADDRESS" // not of the public internet, or a port other than 80 and 443
	Robots    Reason = "ROBOTS"          // robots.txt says no, or could not be read
	Status    Reason = "STATUS"          // an answer other than 2xx
	Redirects Reason = "TOO_MANY_REDIRECTS"
	TooLarge  Reason = "TOO_LARGE"
	Timeout   Reason = "TIMEOUT"
	NotText   Reason = "NOT_HTML" // neither HTML nor XML nor text
	NoHost    Reason = "DNS"      // the host has no address
	Insecure  Reason = "TLS"      // no trusted connection
	Broken    Reason = "NETWORK"  // no connection, or one that broke or spoke nonsense
)

// Failure is the error of everything that could not be fetched. Its text is a
// sentence for users, which names no address but the host of the one asked for;
// the cause, for the log, may.
type Failure struct {
	Reason     Reason
	Host       string        // that was asked, "" when unknown
	Status     int           // of the answer, for the reasons Status and Robots
	RetryAfter time.Duration // how long the host asked to wait, 0 when it did not
	cause      error
}

func (f *Failure) Error() string {
	switch f.Reason {
	case BadURL:
		return "The address is not a complete http or https address."
	case Refused:
		return fmt.Sprintf("%s leads to an address that is not fetched: only the public internet on ports 80 and 443 is.", f.Host)
	case Robots:
		if f.Status != 0 || f.cause != nil {
			return fmt.Sprintf("The robots.txt of %s cannot be read, so its pages are not fetched.", f.Host)
		}
		return fmt.Sprintf("The robots.txt of %s does not allow this page to be fetched.", f.Host)
	case Status:
		return fmt.Sprintf("%s answered with status %d.", f.Host, f.Status)
	case Redirects:
		return fmt.Sprintf("%s redirected more than %d times.", f.Host, maxRedirects)
	case TooLarge:
		return fmt.Sprintf("What %s sent is too large.", f.Host)
	case Timeout:
		return fmt.Sprintf("%s took too long to answer.", f.Host)
	case NotText:
		return fmt.Sprintf("What %s answered is neither HTML nor text.", f.Host)
	case NoHost:
		return fmt.Sprintf("There is no host %s.", f.Host)
	case Insecure:
		return fmt.Sprintf("No secure connection to %s could be made.", f.Host)
	}
	return fmt.Sprintf("The connection to %s failed.", f.Host)
}

func (f *Failure) Unwrap() error { return f.cause }

// errRefused is the error of a connection that the guard does not permit.
var errRefused = errors.New("crawl: address is not permitted")

// failed makes a Failure of an error of the network. It passes on failures, and
// the end of the caller's context.
func failed(ctx context.Context, host string, err error) error {
	var f *Failure
	if errors.As(err, &f) {
		return f
	}
	if ctx.Err() != nil { // the caller's own; a fetch has a context below it
		return ctx.Err()
	}
	f = &Failure{Reason: Broken, Host: host, cause: err}
	var (
		dns         *net.DNSError
		certificate *tls.CertificateVerificationError
		record      tls.RecordHeaderError
		alert       tls.AlertError
		authority   x509.UnknownAuthorityError
		name        x509.HostnameError
		timeout     net.Error
	)
	switch {
	case errors.Is(err, errRefused):
		f.Reason = Refused
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		f.Reason = Timeout
	case errors.As(err, &dns):
		f.Reason = NoHost
	case errors.As(err, &certificate), errors.As(err, &record), errors.As(err, &alert), errors.As(err, &authority), errors.As(err, &name):
		f.Reason = Insecure
	}
	return f
}
