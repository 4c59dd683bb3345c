package auth

import "sync"

// cache is a bounded map. When its young half is full, the old half, which
// nobody asked for since the last time, is forgotten.
type cache[V any] struct {
	limit int // of each half

	mu         sync.Mutex
	young, old map[string]V
}

func newCache[V any](limit int) *cache[V] {
	return &cache[V]{limit: limit, young: map[string]V{}}
}

func (c *cache[V]) get(key string) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if v, ok := c.young[key]; ok {
		return v, true
	}
	v, ok := c.old[key]
	if ok {
		c.set(key, v)
	}
	return v, ok
}

func (c *cache[V]) put(key string, v V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.set(key, v)
}

// keep stores v unless the key has a value, and returns the value it has now.
func (c *cache[V]) keep(key string, v V) V {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, half := range []map[string]V{c.young, c.old} {
		if kept, ok := half[key]; ok {
			v = kept
			break
		}
	}
	c.set(key, v)
	return v
}

func (c *cache[V]) set(key string, v V) {
	if _, known := c.young[key]; !known && len(c.young) >= c.limit {
		c.young, c.old = map[string]V{}, c.young
	}
	c.young[key] = v
}
