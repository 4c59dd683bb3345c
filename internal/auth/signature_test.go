package auth

import (
	"crypto/md5"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestSign(t *testing.T) {
	t.Parallel()
	at := time.Unix(1800000000, 999e6)
	want := fmt.Sprintf("%x", md5.Sum([]byte("keysecret1800000000")))
	if got := Sign("key", "secret", at); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestWindowEdges(t *testing.T) {
	t.Parallel()
	c := newClock()
	w := newWindow("key", "secret")
	for _, test := range []struct {
		seconds int
		want    bool
	}{{-301, false}, {-300, true}, {-1, true}, {0, true}, {60, true}, {61, false}} {
		sig := Sign("key", "secret", c.t.Add(time.Duration(test.seconds)*time.Second))
		for _, s := range []string{sig, strings.ToUpper(sig)} {
			if w.accepts(s, c.now) != test.want {
				t.Errorf("now%+d: want %v", test.seconds, test.want)
			}
		}
	}
	for _, sig := range []string{"", "00", strings.Repeat("0", 32), strings.Repeat("z", 32), strings.Repeat("0", 34), Sign("key", "other", c.t)} {
		if w.accepts(sig, c.now) {
			t.Errorf("%q is accepted", sig)
		}
	}
}

// However the clock moves, the ring holds just the seconds around it.
func TestWindowMoves(t *testing.T) {
	t.Parallel()
	c := newClock()
	w := newWindow("key", "secret")
	for _, step := range []int{0, 1, 1, 2, 59, 300, 360, 361, 362, 5000, -1, -1, -60, -361, -5000, 7} {
		c.add(time.Duration(step) * time.Second)
		for seconds, want := range map[int]bool{-301: false, -300: true, 0: true, 60: true, 61: false} {
			sig := Sign("key", "secret", c.t.Add(time.Duration(seconds)*time.Second))
			if w.accepts(sig, c.now) != want {
				t.Errorf("after a step of %d s: now%+d: want %v", step, seconds, want)
			}
		}
	}
}

func TestFloodComputesOneWindowASecond(t *testing.T) {
	t.Parallel()
	c := newClock()
	w := newWindow("key", "secret")
	var computed atomic.Int64
	w.digest = func(prefix []byte, second int64) [md5.Size]byte {
		computed.Add(1)
		return signatureDigest(prefix, second)
	}
	flood := func(want int64) {
		t.Helper()
		computed.Store(0)
		var callers sync.WaitGroup
		for i := range 8 {
			callers.Go(func() {
				for j := range 200 {
					if w.accepts(fmt.Sprintf("%032x", i*1000+j), c.now) {
						t.Error("a made-up signature is accepted")
					}
				}
			})
		}
		callers.Wait()
		if n := computed.Load(); n != want {
			t.Errorf("%d digests computed, want %d", n, want)
		}
	}
	flood(signatureSeconds)
	flood(0)
	c.add(time.Second)
	flood(1)
	c.add(10 * time.Second)
	flood(10)
	c.add(time.Hour)
	flood(signatureSeconds)
}

func BenchmarkWindow(b *testing.B) {
	w := newWindow("key", "secret")
	sig := Sign("key", "secret", time.Now())
	for b.Loop() {
		if !w.accepts(sig, time.Now) {
			b.Fatal("refused")
		}
	}
}
