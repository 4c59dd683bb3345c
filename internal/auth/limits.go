package auth

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/contentgraph/contentgraph/internal/fault"
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

// Limiter counts the requests of each credential in the current minute, in this
// process.
type Limiter struct {
	Now    func() time.Time
	Limits Limits

	mu     sync.Mutex
	minute int64 // Unix minutes
	counts map[string]int
}

// NewLimiter makes a limiter.
func NewLimiter(l Limits) *Limiter { return &Limiter{Now: time.Now, Limits: l} }

// Take counts a request, or answers RateLimited with the seconds until the
// credential's next minute.
func (l *Limiter) Take(p *Principal, c Class) error {
	limit := l.Limits[c]
	if limit == 0 || p == nil {
		return nil
	}
	now := l.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	if minute := now.Unix() / 60; minute != l.minute || l.counts == nil {
		l.minute, l.counts = minute, map[string]int{}
	}
	key := string(c) + " " + p.Credential.String()
	if l.counts[key] >= limit {
		wait := 60 - int(now.Unix()%60)
		return fault.New(fault.RateLimited, "the %s limit of %d requests a minute is used up; try again in %d s", c, limit, wait).After(wait)
	}
	l.counts[key]++
	return nil
}
