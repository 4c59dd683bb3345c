package graph

import (
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/contentgraph/contentgraph/internal/auth"
)

// allowances are what the root fields of one operation, which may run at once,
// left of the caller's allowances: the least of each class.
type allowances struct {
	mu   sync.Mutex
	list []auth.Allowance
}

type allowancesKey struct{}

func (a *allowances) add(left auth.Allowance) {
	if left.Limit == 0 {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	i := slices.IndexFunc(a.list, func(known auth.Allowance) bool { return known.Class == left.Class })
	switch {
	case i < 0:
		a.list = append(a.list, left)
	case left.Left < a.list[i].Left:
		a.list[i] = left
	}
}

// tell writes the headers, which list every class that was counted.
func (a *allowances) tell(h http.Header) {
	a.mu.Lock()
	defer a.mu.Unlock()
	slices.SortFunc(a.list, func(x, y auth.Allowance) int { return strings.Compare(string(x.Class), string(y.Class)) })
	var policies, states []string
	for _, left := range a.list {
		policies, states = append(policies, left.Policy()), append(states, left.State())
	}
	if policies != nil {
		h.Set("RateLimit-Policy", strings.Join(policies, ", "))
		h.Set("RateLimit", strings.Join(states, ", "))
	}
}
