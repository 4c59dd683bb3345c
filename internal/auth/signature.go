package auth

import (
	"crypto/md5"
	"crypto/subtle"
	"encoding/hex"
	"strconv"
	"sync"
	"time"
)

// A signature carries no time, so the server tries every second in which it may
// have been made: five minutes of validity, and clocks that are up to a minute ahead.
const (
	signaturePast    = 300
	signatureFuture  = 60
	signatureSeconds = signaturePast + 1 + signatureFuture
)

// Sign makes the request signature (query parameter sig) for a moment: the MD5
// of API key, secret and Unix seconds, concatenated, in lower-case hexadecimal.
func Sign(apiKey, secret string, at time.Time) string {
	d := signatureDigest([]byte(apiKey+secret), at.Unix())
	return hex.EncodeToString(d[:])
}

func signatureDigest(prefix []byte, second int64) [md5.Size]byte {
	return md5.Sum(strconv.AppendInt(prefix[:len(prefix):len(prefix)], second, 10))
}

// window is the digests that are valid now for one API key. They are computed
// once per second for all callers together, and only for the seconds that are
// new, so a flood of wrong signatures costs comparisons alone.
type window struct {
	prefix []byte // API key and secret
	digest func(prefix []byte, second int64) [md5.Size]byte

	mu     sync.Mutex
	newest int64 // the last second in the ring; 0 when the ring is empty
	ring   [signatureSeconds][md5.Size]byte
}

func newWindow(apiKey, secret string) *window {
	return &window{prefix: []byte(apiKey + secret), digest: signatureDigest}
}

// accepts compares with every digest of the window, always to the end, so that
// the time it takes tells nothing. Hexadecimal digits of either case are read.
func (w *window) accepts(sig string, now func() time.Time) bool {
	got, err := hex.DecodeString(sig)
	if err != nil || len(got) != md5.Size {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.move(now().Unix()) // the clock is read under the lock, so that callers never move it back
	found := 0
	for i := range w.ring {
		found |= subtle.ConstantTimeCompare(w.ring[i][:], got)
	}
	return found == 1
}

func (w *window) move(now int64) {
	first, last := now-signaturePast, now+signatureFuture
	if first <= w.newest && w.newest <= last {
		first = w.newest + 1
	}
	for second := first; second <= last; second++ {
		w.ring[uint64(second)%signatureSeconds] = w.digest(w.prefix, second)
	}
	w.newest = last
}
