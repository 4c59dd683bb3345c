package auth

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/internal/store"
)

const (
	masterKeyVariable = "CONTENTGRAPH_MASTER_KEY"
	masterKeyFile     = "master.key"
	masterKeySize     = 32
	fingerprintID     = "master_key_fingerprint"
)

// openVault finds the master key and holds the database to it. A key file is
// made only for a database that has no key yet: a new key could not open what
// is stored.
func openVault(ctx context.Context, s *store.Store, given, folder string) (*vault, error) {
	known, err := storedFingerprint(ctx, s)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(folder, masterKeyFile)
	master, err := findMasterKey(given, file, known == "")
	if err != nil {
		return nil, err
	}
	v, err := newVault(master)
	if err != nil {
		return nil, err
	}
	if known == "" {
		if known, err = claim(ctx, s, v.fingerprint()); err != nil {
			return nil, err
		}
	}
	if known != v.fingerprint() {
		return nil, fmt.Errorf("the secrets in the database are sealed under another master key (fingerprint %s, this one has %s): "+
			"set %s to that key, or put its key file back as %s", known, v.fingerprint(), masterKeyVariable, file)
	}
	return v, nil
}

func storedFingerprint(ctx context.Context, s *store.Store) (string, error) {
	row, err := s.Setting.Get(ctx, fingerprintID)
	if db.IsNotFound(err) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read the master key's fingerprint: %w", err)
	}
	return row.Value, nil
}

// claim stores the fingerprint, or reads the one of a process that was quicker.
func claim(ctx context.Context, s *store.Store, fingerprint string) (string, error) {
	err := s.Setting.Create().SetID(fingerprintID).SetValue(fingerprint).Exec(ctx)
	if db.IsConstraintError(err) {
		return storedFingerprint(ctx, s)
	}
	if err != nil {
		return "", fmt.Errorf("store the master key's fingerprint: %w", err)
	}
	return fingerprint, nil
}

func findMasterKey(given, file string, mayMake bool) ([]byte, error) {
	if given != "" {
		return parseMasterKey(given, masterKeyVariable)
	}
	master, err := readKeyFile(file)
	if !errors.Is(err, fs.ErrNotExist) {
		return master, err
	}
	if !mayMake {
		return nil, fmt.Errorf("the secrets in the database are sealed under a master key that is missing here: "+
			"set %s to it, or put its key file back as %s", masterKeyVariable, file)
	}
	if err := makeKeyFile(file); err != nil {
		return nil, fmt.Errorf("make a master key file (or set %s instead): %w", masterKeyVariable, err)
	}
	return readKeyFile(file) // which another process may have made meanwhile
}

// parseMasterKey reads 32 bytes in base64, of either alphabet and with or
// without padding, or hexadecimal. Errors never show the text: it is a secret.
func parseMasterKey(text, from string) ([]byte, error) {
	text = strings.TrimSpace(text)
	plain := strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(text, "="))
	for _, decode := range []func(string) ([]byte, error){
		func(string) ([]byte, error) { return hex.DecodeString(text) },
		func(string) ([]byte, error) { return base64.RawStdEncoding.DecodeString(plain) },
	} {
		if key, err := decode(text); err == nil && len(key) == masterKeySize {
			return key, nil
		}
	}
	return nil, fmt.Errorf("%s must hold %d bytes in base64 or hexadecimal; make a key with `openssl rand -base64 %d`",
		from, masterKeySize, masterKeySize)
}

func readKeyFile(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	// Windows has no such modes.
	if mode := info.Mode().Perm(); mode&0o077 != 0 && runtime.GOOS != "windows" {
		return nil, fmt.Errorf("the master key file can be read by other users (mode %04o): run `chmod 600 %s`", mode, file)
	}
	text, err := io.ReadAll(io.LimitReader(f, 1024))
	if err != nil {
		return nil, err
	}
	return parseMasterKey(string(text), file)
}

// makeKeyFile puts a new key in place whole or not at all, and never over
// another one: a link, unlike a rename, fails where a file exists. That a
// process which started at the same time was quicker is no error.
func makeKeyFile(file string) error {
	folder := filepath.Dir(file)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	key := make([]byte, masterKeySize)
	rand.Read(key)                                      // never fails
	f, err := os.CreateTemp(folder, masterKeyFile+".*") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(base64.StdEncoding.EncodeToString(key) + "\n")
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Link(f.Name(), file); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return syncFolder(folder)
}

// syncFolder makes the new name last: a key that vanished in a power cut would
// take all sealed secrets with it.
func syncFolder(folder string) error {
	if runtime.GOOS == "windows" {
		return nil // folders cannot be opened there
	}
	d, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
