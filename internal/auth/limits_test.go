package auth

import "testing"

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
