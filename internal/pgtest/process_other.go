//go:build !linux

package pgtest

import (
	"os"
	"syscall"
)

// attributes are none: only Linux can tie the life of the server to ours, so
// elsewhere a killed test binary leaves its server behind.
func attributes(string) (*syscall.SysProcAttr, error) { return nil, nil }

func home() string { return os.TempDir() }
