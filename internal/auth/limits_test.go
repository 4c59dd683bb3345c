package auth

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/internal/fault"
)

func TestParseLimits(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Limits{
		"on":                  {Submit: 40, Poll: 5000, Content: 600},
		"":                    {Submit: 40, Poll: 5000, Content: 600},
		"off":                 {},
		"submit=1, content=0": {Submit: 1, Poll: 5000, Content: 0},
		"poll":                nil, "poll=-1": nil, "guess=3": nil, "submit=x": nil,
	} {
		got, err := ParseLimits(text)
		if (err == nil) != (want != nil) || err == nil && (len(got) != len(want) || got[Submit] != want[Submit] || got[Poll] != want[Poll] || got[Content] != want[Content]) {
			t.Errorf("%q: %v %v, want %v", text, got, err, want)
		}
	}
}

func TestLimiter(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 10, 0, 45, 0, time.UTC)
	l := NewLimiter(Limits{Submit: 2, Poll: 1})
	l.Now = func() time.Time { return now }
	a, b := &Principal{Credential: uuid.New()}, &Principal{Credential: uuid.New()}
	for i, c := range []struct {
		who   *Principal
		class Class
		wait  int
	}{{a, Submit, 0}, {a, Submit, 0}, {a, Submit, 15}, {b, Submit, 0}, {a, Poll, 0}, {a, Poll, 15}, {a, Content, 0}, {a, Content, 0}} {
		err := l.Take(c.who, c.class)
		if (c.wait == 0) != (err == nil) || err != nil && (!fault.Is(err, fault.RateLimited) || fault.Of(err).RetryAfter != c.wait) {
			t.Errorf("request %d: %v, want a wait of %d s", i, err, c.wait)
		}
	}
	now = now.Add(15 * time.Second)
	if err := l.Take(a, Submit); err != nil {
		t.Errorf("in the next minute: %v", err)
	}
}
