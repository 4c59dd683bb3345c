package facts

import (
	"database/sql/driver"
	"strings"
	"sync"

	"modernc.org/sqlite"

	"github.com/contentgraph/contentgraph/internal/vocab"
)

// Member is the form of one member of a list. A text with a comma is never one.
func Member(s string) string {
	m := Fold(vocab.Fold, s)
	if m == "" || strings.Contains(m, ",") {
		return ",,," // in no list: members are neither empty nor commas
	}
	return "," + m + ","
}

// memberSets are the members that running statements on SQLite look for, by a
// number that stands in the statement. Both databases split a row's list and
// look its members up, so that the time does not grow with the number of
// members that are asked for; SQLite needs a function of ours to do it.
var memberSets struct {
	sync.RWMutex
	last int64
	sets map[int64]map[string]bool
}

const hasMember = "facts_has_member"

func init() {
	memberSets.sets = map[int64]map[string]bool{}
	sqlite.MustRegisterDeterministicScalarFunction(hasMember, 2, func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
		list, _ := args[0].(string)
		id, _ := args[1].(int64)
		memberSets.RLock()
		set := memberSets.sets[id]
		memberSets.RUnlock()
		for member := range strings.SplitSeq(list, ",") {
			if set[member] {
				return int64(1), nil
			}
		}
		return int64(0), nil
	})
}

// keepMembers puts a set up until forgetMembers.
func keepMembers(members []string) int64 {
	set := make(map[string]bool, len(members))
	for _, m := range members {
		if m = strings.Trim(m, ","); m != "" {
			set[m] = true
		}
	}
	memberSets.Lock()
	defer memberSets.Unlock()
	memberSets.last++
	memberSets.sets[memberSets.last] = set
	return memberSets.last
}

func forgetMembers(ids []int64) {
	memberSets.Lock()
	defer memberSets.Unlock()
	for _, id := range ids {
		delete(memberSets.sets, id)
	}
}
