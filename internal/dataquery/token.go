package dataquery

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/internal/fault"
)

// A page token is base64url of version (1 byte), execution (16), attempt (4),
// first chunk of the page (4) and a keyed digest of these (16).
const (
	tokenVersion = 1
	tokenBody    = 1 + 16 + 4 + 4
	tokenDigest  = 16
)

var tokenText = base64.RawURLEncoding.Strict()

func (s *Service) token(e *db.Execution, chunk int) string {
	b := append([]byte{tokenVersion}, e.ID[:]...)
	b = binary.BigEndian.AppendUint32(b, uint32(e.Attempt))
	b = binary.BigEndian.AppendUint32(b, uint32(chunk))
	return tokenText.EncodeToString(append(b, s.digest(b)...))
}

// chunkOf is the first chunk of the page that a token of the execution names.
func (s *Service) chunkOf(e *db.Execution, token string) (int, error) {
	bad := fault.BadField("nextPageId", "must be a nextPageId that was answered for this execution").
		Coded(fault.CodeInvalidPageToken)
	if len(token) != tokenText.EncodedLen(tokenBody+tokenDigest) {
		return 0, bad
	}
	b, err := tokenText.DecodeString(token)
	if err != nil || !hmac.Equal(b[tokenBody:], s.digest(b[:tokenBody])) {
		return 0, bad
	}
	chunk := int(binary.BigEndian.Uint32(b[21:]))
	if b[0] != tokenVersion || [16]byte(b[1:17]) != e.ID || int(binary.BigEndian.Uint32(b[17:])) != e.Attempt ||
		chunk >= e.Chunks || chunk%pageChunks(e.PageRows) != 0 {
		return 0, bad
	}
	return chunk, nil
}

func (s *Service) digest(body []byte) []byte {
	mac := hmac.New(sha256.New, s.key)
	mac.Write(body)
	return mac.Sum(nil)[:tokenDigest]
}
