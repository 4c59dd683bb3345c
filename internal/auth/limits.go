package auth

import (
	"fmt"
	"strconv"
	"strings"
)

// Class is a kind of request with an allowance of its own.
type Class string

// The classes: submissions and polls of the data API, and everything else.
const (
	Submit  Class = "submit"
	Poll    Class = "poll"
	Content Class = "content"
)

// Limits are the requests a minute that each credential is allowed, by class; a
// class that is absent or 0 has no limit.
type Limits map[Class]int

// ParseLimits reads "on" (the defaults), "off", or a list such as
// "submit=40,poll=5000,content=600" that changes some of the defaults.
func ParseLimits(text string) (Limits, error) {
	l := Limits{Submit: 40, Poll: 5000, Content: 600}
	switch text {
	case "", "on":
		return l, nil
	case "off":
		return Limits{}, nil
	}
	for _, part := range strings.Split(text, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		n, err := strconv.Atoi(value)
		if _, known := l[Class(name)]; !known || err != nil || n < 0 {
			return nil, fmt.Errorf("rate limits: %q is not on, off or a list of submit=N, poll=N, content=N", part)
		}
		l[Class(name)] = n
	}
	return l, nil
}

// portion is how many requests a replica takes out of the common allowance at a
// time. Submissions are counted one by one, so that their limit is exact; of the
// others each replica may keep up to a twentieth that it does not use.
func (l Limits) portion(c Class) int {
	if c == Submit {
		return 1
	}
	return max(1, l[c]/20)
}

// Allowance is what a credential may still do in the current minute; the zero
// Allowance is of a class without a limit.
type Allowance struct {
	Class Class
	Limit int // requests a minute
	Left  int // of these, as far as this process knows
	Reset int // seconds until the next minute
}

// Policy and State are the values of the headers RateLimit-Policy and RateLimit,
// as draft-ietf-httpapi-ratelimit-headers has them.
func (a Allowance) Policy() string { return fmt.Sprintf(`"%s";q=%d;w=60`, a.Class, a.Limit) }

// State is described at Policy.
func (a Allowance) State() string { return fmt.Sprintf(`"%s";r=%d;t=%d`, a.Class, a.Left, a.Reset) }
