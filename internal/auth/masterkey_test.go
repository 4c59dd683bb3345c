package auth

import (
	"encoding/base64"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/internal/pgtest"
	"github.com/contentgraph/contentgraph/internal/store"
)

var testKey = []byte("0123456789abcdef0123456789abcde\xff")

func TestSealRoundTrip(t *testing.T) {
	t.Parallel()
	v := must(newVault(testKey))(t)
	other := must(newVault([]byte(strings.Repeat("k", 32))))(t)
	id := uuid.New()
	sealed := v.seal(id, "secret")
	if got, err := v.open(id, sealed); got != "secret" || err != nil {
		t.Errorf("%q %v", got, err)
	}
	if string(v.seal(id, "secret")) == string(sealed) {
		t.Error("a nonce was used twice")
	}
	if strings.Contains(string(sealed), "secret") {
		t.Error("not encrypted")
	}
	changed := append([]byte{}, sealed...)
	changed[len(changed)-1] ^= 1
	for name, err := range map[string]error{
		"other key":  second(other.open(id, sealed)),
		"other row":  second(v.open(uuid.New(), sealed)),
		"changed":    second(v.open(id, changed)),
		"cut":        second(v.open(id, sealed[:5])),
		"no content": second(v.open(id, nil)),
	} {
		if err == nil {
			t.Errorf("%s: opened", name)
		}
	}
}

func second[T any](_ T, err error) error { return err }

func TestDerivedKeys(t *testing.T) {
	t.Parallel()
	v, same := must(newVault(testKey))(t), must(newVault(testKey))(t)
	if string(v.key("a")) != string(same.key("a")) || len(v.key("a")) != 32 {
		t.Error("a derived key is not the same everywhere")
	}
	if string(v.key("a")) == string(v.key("b")) || string(v.key("a")) == string(testKey) {
		t.Error("purposes share a key")
	}
}

func TestParseMasterKey(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		base64.StdEncoding.EncodeToString(testKey), base64.RawStdEncoding.EncodeToString(testKey),
		base64.URLEncoding.EncodeToString(testKey), base64.RawURLEncoding.EncodeToString(testKey),
		hex.EncodeToString(testKey), strings.ToUpper(hex.EncodeToString(testKey)), "  " + hex.EncodeToString(testKey) + "\n",
	} {
		if key, err := parseMasterKey(text, "X"); err != nil || string(key) != string(testKey) {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, text := range []string{" ", "changeme", strings.Repeat("x", 32), base64.StdEncoding.EncodeToString(testKey[:31]), hex.EncodeToString(testKey) + "00"} {
		_, err := parseMasterKey(text, "X")
		if err == nil || !strings.Contains(err.Error(), "openssl rand -base64 32") {
			t.Errorf("%q: %v", text, err)
		} else if len(text) > 1 && strings.Contains(err.Error(), text) {
			t.Error("the error shows the key")
		}
	}
}

func TestKeyFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "data", masterKeyFile)
	keys := make([]string, 8)
	var starts sync.WaitGroup
	for i := range keys {
		starts.Go(func() {
			key, err := findMasterKey("", file, true)
			if err != nil {
				t.Error(err)
			}
			keys[i] = string(key)
		})
	}
	starts.Wait()
	for _, key := range keys {
		if key != keys[0] || len(key) != masterKeySize {
			t.Error("processes that start at once have different keys")
		}
	}
	info := must(os.Stat(file))(t)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("mode %o", info.Mode().Perm())
	}
	if left := must(os.ReadDir(filepath.Dir(file)))(t); len(left) != 1 {
		t.Errorf("%d files left, want the key alone", len(left))
	}
	for _, mode := range []os.FileMode{0o640, 0o604, 0o622} {
		if err := os.Chmod(file, mode); err != nil {
			t.Fatal(err)
		}
		if _, err := findMasterKey("", file, true); err == nil || !strings.Contains(err.Error(), "chmod 600") {
			t.Errorf("mode %o: %v", mode, err)
		}
	}
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(file, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := findMasterKey("", file, true); err == nil {
		t.Error("an empty key file is taken")
	}
}

func TestOpenRefusesAnotherKey(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		key := must(os.ReadFile(filepath.Join(h.folder, masterKeyFile)))(t)
		must(Open(t.Context(), h.store, string(key), t.TempDir()))(t).Close()

		_, err := Open(t.Context(), h.store, hex.EncodeToString(testKey), h.folder)
		if err == nil || !strings.Contains(err.Error(), "set CONTENTGRAPH_MASTER_KEY to that key") {
			t.Errorf("another key: %v", err)
		}
		empty := t.TempDir()
		_, err = Open(t.Context(), h.store, "", empty)
		if err == nil || !strings.Contains(err.Error(), "CONTENTGRAPH_MASTER_KEY") {
			t.Errorf("no key: %v", err)
		}
		if left := must(os.ReadDir(empty))(t); len(left) != 0 {
			t.Error("a useless key file was made")
		}
		if row := h.store.Setting.GetX(t.Context(), fingerprintID); strings.Contains(string(key), row.Value) {
			t.Error("the fingerprint is part of the key")
		}
	})
}

// Several processes may start on an empty database at once.
func TestOpenAtOnce(t *testing.T) {
	t.Parallel()
	for name, url := range map[string]func(t *testing.T) string{
		"sqlite": func(*testing.T) string { return "" }, "postgres": func(t *testing.T) string { return pgtest.New(t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url, folder := url(t), t.TempDir()
			var starts sync.WaitGroup
			for range 4 {
				s := must(store.Open(t.Context(), url, folder))(t)
				t.Cleanup(func() { s.Close() })
				starts.Go(func() {
					a, err := Open(t.Context(), s, "", folder)
					if err != nil {
						t.Error(err)
						return
					}
					a.Close()
				})
			}
			starts.Wait()
		})
	}
}
