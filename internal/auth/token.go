package auth

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"io"
	"strings"

	"github.com/contentgraph/contentgraph/internal/fault"
)

// A Bearer token is "cg_", 34 random base62 characters (202 bits) and a checksum
// of 6: the CRC-32 (IEEE) of everything before it as a base62 number, most
// significant digit first, padded with zeros. The checksum lets a secret scanner
// be sure, and lets us refuse what was mistyped or invented without a look into
// the database. Only the token's SHA-256 is stored, which is safe without salt
// because the token is random.
const (
	tokenPrefix   = "cg_"
	tokenRandom   = 34
	tokenChecksum = 6
	tokenLength   = len(tokenPrefix) + tokenRandom + tokenChecksum
	hintLength    = 4 // how much of a token's end is kept to tell tokens apart

	base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// newToken makes a token.
func newToken(random io.Reader) (string, error) {
	body, err := randomText(random, tokenRandom)
	if err != nil {
		return "", err
	}
	body = tokenPrefix + body
	return body + checksum(body), nil
}

// ParseToken checks the shape and the checksum of a token and returns the
// digest that it is stored by: SHA-256 in lower-case hexadecimal.
func ParseToken(token string) (string, error) {
	if len(token) != tokenLength || !strings.HasPrefix(token, tokenPrefix) || !isBase62(token[len(tokenPrefix):]) {
		return "", fault.New(fault.Unauthenticated, "the Bearer token is not one of this service: it must be %s and %d letters and digits",
			tokenPrefix, tokenRandom+tokenChecksum)
	}
	if body := token[:tokenLength-tokenChecksum]; token[len(body):] != checksum(body) {
		return "", fault.New(fault.Unauthenticated, "the Bearer token is mistyped: its checksum is wrong")
	}
	return digestOf(token), nil
}

func digestOf(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

func checksum(body string) string {
	n := crc32.ChecksumIEEE([]byte(body))
	var digits [tokenChecksum]byte
	for i := range digits {
		digits[len(digits)-1-i] = base62[n%62]
		n /= 62
	}
	return string(digits[:])
}

func isBase62(s string) bool {
	for i := range len(s) {
		if strings.IndexByte(base62, s[i]) < 0 {
			return false
		}
	}
	return true
}

// randomText is n base62 characters, each equally likely: bytes that would
// favour the first characters of the alphabet are thrown away.
func randomText(random io.Reader, n int) (string, error) {
	const fair = 256 - 256%len(base62)
	text := make([]byte, 0, n)
	var buf [64]byte
	for len(text) < n {
		if _, err := io.ReadFull(random, buf[:]); err != nil {
			return "", fmt.Errorf("read random bytes: %w", err)
		}
		for _, b := range buf {
			if int(b) < fair && len(text) < n {
				text = append(text, base62[int(b)%len(base62)])
			}
		}
	}
	return string(text), nil
}
