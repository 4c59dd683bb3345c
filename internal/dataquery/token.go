package dataquery

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"hash"
	"sync"

	"github.com/google/uuid"

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

// place is what a token names.
type place struct {
	execution      uuid.UUID
	attempt, chunk int
}

// read takes a token apart; ok says that it is one of ours.
func (s *Service) read(token string) (p place, ok bool) {
	if len(token) != tokenText.EncodedLen(tokenBody+tokenDigest) {
		return p, false
	}
	b, err := tokenText.DecodeString(token)
	if err != nil || b[0] != tokenVersion || !hmac.Equal(b[tokenBody:], s.digest(b[:tokenBody])) {
		return p, false
	}
	return place{uuid.UUID(b[1:17]), int(binary.BigEndian.Uint32(b[17:])), int(binary.BigEndian.Uint32(b[21:]))}, true
}

// chunkOf is the first chunk of the page that a token of the execution names.
func (s *Service) chunkOf(e *db.Execution, token string) (int, error) {
	p, ok := s.read(token)
	if !ok || p.execution != e.ID || p.attempt != e.Attempt || p.chunk >= e.Chunks || p.chunk%pageChunks(e.PageRows) != 0 {
		return 0, fault.BadField("nextPageId", "must be a nextPageId that was answered for this execution").
			Coded(fault.CodeInvalidPageToken)
	}
	return p.chunk, nil
}

// macsOf are HMAC-SHA-256 by a key.
func macsOf(key []byte) *sync.Pool {
	return &sync.Pool{New: func() any { return hmac.New(sha256.New, key) }}
}

func (s *Service) digest(body []byte) []byte {
	mac := s.macs.Get().(hash.Hash)
	defer s.macs.Put(mac)
	mac.Reset()
	mac.Write(body)
	return mac.Sum(nil)[:tokenDigest]
}
