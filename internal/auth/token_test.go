package auth

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/contentgraph/contentgraph/internal/fault"
)

func TestTokenShape(t *testing.T) {
	t.Parallel()
	token := must(newToken(rand.Reader))(t)
	if !regexp.MustCompile(`^cg_[0-9A-Za-z]{40}$`).MatchString(token) {
		t.Error(token)
	}
	if other := must(newToken(rand.Reader))(t); other == token {
		t.Error("the same token twice")
	}
	if _, err := newToken(iotest.ErrReader(errors.New("no randomness"))); err == nil {
		t.Error("a token without randomness")
	}
}

// The checksum is part of the contract: secret scanners compute it too.
func TestTokenChecksum(t *testing.T) {
	t.Parallel()
	// CRC-32 (IEEE) of "123456789" is 0xCBF43926 = 3421780262.
	if got := checksum("123456789"); got != "3jZRME" {
		t.Errorf("checksum %s", got)
	}
}

func TestParseToken(t *testing.T) {
	t.Parallel()
	good := must(newToken(strings.NewReader(strings.Repeat("contentgraph", 100))))(t)
	sum := sha256.Sum256([]byte(good))
	if got, err := ParseToken(good); err != nil || got != hex.EncodeToString(sum[:]) {
		t.Errorf("%s: %q %v", good, got, err)
	}
	for name, bad := range map[string]string{
		"empty": "", "prefix alone": "cg_", "other prefix": "gh_" + good[3:], "short": good[:42], "long": good + "0",
		"space": good[:42] + " ", "not base62": good[:20] + "-" + good[21:], "two bytes": good[:41] + "é",
		"checksum": good[:37] + "zzzzzz", "upper-case prefix": "CG_" + good[3:], "NUL": good[:20] + "\x00" + good[21:],
	} {
		_, err := ParseToken(bad)
		if !fault.Is(err, fault.Unauthenticated) {
			t.Errorf("%s: %v", name, err)
		} else if bad != "" && len(bad) > 10 && strings.Contains(err.Error(), bad) {
			t.Errorf("%s: the answer repeats the token", name)
		}
	}
}

func FuzzParseToken(f *testing.F) {
	token, err := newToken(rand.Reader)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(token, 5, byte('x'))
	f.Add("cg_", 0, byte(0))
	f.Add("cg_0000000000000000000000000000000000000000", 42, byte('1'))
	f.Fuzz(func(t *testing.T, s string, at int, b byte) {
		digest, err := ParseToken(s)
		if err != nil {
			if digest != "" {
				t.Fatal("a digest of a bad token")
			}
			return
		}
		if digest != digestOf(s) || len(s) != tokenLength {
			t.Fatalf("%q is no token", s)
		}
		// A single wrong character never goes unnoticed.
		if at >= 0 && at < len(s) && s[at] != b {
			if _, err := ParseToken(s[:at] + string([]byte{b}) + s[at+1:]); err == nil {
				t.Fatalf("%q with %q at %d is taken", s, b, at)
			}
		}
	})
}

func TestRandomTextIsEven(t *testing.T) {
	t.Parallel()
	text := must(randomText(rand.Reader, 62*1000))(t)
	for _, c := range base62 {
		if n := strings.Count(text, string(c)); n < 800 || n > 1200 {
			t.Errorf("%q came %d times of about 1000", c, n)
		}
	}
}
