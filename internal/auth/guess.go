package auth

import (
	"crypto/sha256"
	"encoding/hex"
	"sync"
	"time"
)

// guesses counts failed authentications in the current minute, by address and
// by key. Only failures are ever refused for it, so nobody can lock out the
// owner of a key.
type guesses struct {
	mu     sync.Mutex
	minute int64 // Unix minutes
	counts map[string]int
}

// guessNames bounds the memory. Beyond it all new names are counted as one: a
// flood from that many addresses is told to wait as a whole.
const (
	guessNames = 16384
	guessRest  = "rest"
)

// fail counts a failure under each of the names, unless one has reached the
// limit: then it says in how many seconds the minute is over.
func (g *guesses) fail(now time.Time, limit int, names ...string) int {
	if limit <= 0 {
		return 0
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if minute := now.Unix() / 60; minute != g.minute || g.counts == nil {
		g.minute, g.counts = minute, map[string]int{}
	}
	for i, name := range names {
		if _, known := g.counts[name]; !known && len(g.counts) >= guessNames {
			names[i] = guessRest
		}
		if g.counts[names[i]] >= limit {
			return 60 - int(now.Unix()%60)
		}
	}
	for _, name := range names {
		g.counts[name]++
	}
	return 0
}

// guessName names a credential that may be of any length, or a secret.
func guessName(credential string) string {
	sum := sha256.Sum256([]byte(credential))
	return "key " + hex.EncodeToString(sum[:8])
}
