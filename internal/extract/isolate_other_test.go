//go:build !linux

package extract

func systemCalls() []string { return nil }
