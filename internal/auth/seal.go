package auth

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"github.com/google/uuid"
)

// vault holds the master key. Nothing uses the key itself: every purpose has
// one derived from it.
type vault struct {
	master []byte
	aead   cipher.AEAD
}

func newVault(master []byte) (*vault, error) {
	v := &vault{master: master}
	block, err := aes.NewCipher(v.key("secrets"))
	if err != nil {
		return nil, err
	}
	v.aead, err = cipher.NewGCMWithRandomNonce(block)
	return v, err
}

// key derives 32 bytes for a purpose with HKDF-SHA-256.
func (v *vault) key(purpose string) []byte {
	k, err := hkdf.Key(sha256.New, v.master, nil, "contentgraph/"+purpose, 32)
	if err != nil {
		panic(err) // only a length beyond 8160 bytes fails
	}
	return k
}

// fingerprint tells master keys apart and nothing about them.
func (v *vault) fingerprint() string { return hex.EncodeToString(v.key("fingerprint")[:16]) }

// seal encrypts with AES-256-GCM; the nonce is in front. The credential's id is
// authenticated too, so that a sealed secret is of no use in another row.
func (v *vault) seal(id uuid.UUID, secret string) []byte {
	return v.aead.Seal(nil, nil, []byte(secret), id[:])
}

func (v *vault) open(id uuid.UUID, sealed []byte) (string, error) {
	secret, err := v.aead.Open(nil, nil, sealed, id[:])
	if err != nil {
		return "", errors.New("a stored secret was not sealed for this credential under this master key")
	}
	return string(secret), nil
}
