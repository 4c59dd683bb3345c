package main

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"testing"
)

// peak is the most memory in bytes that the server has held since forget.
func (s *server) peak() int {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		s.in.t.Fatal(err)
	}
	n, _ := strconv.Atoi(string(regexp.MustCompile(`VmHWM:\s*(\d+)`).FindSubmatch(status)[1]))
	return n << 10
}

func (s *server) forget() {
	if err := os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", s.cmd.Process.Pid), []byte("5"), 0); err != nil {
		s.in.t.Fatal(err)
	}
}

// TestUploadMemory: what the service holds does not grow with a file's size.
func TestUploadMemory(t *testing.T) {
	t.Parallel()
	in := install(t, "")
	a, s := in.user("7"), in.serve()
	send := func(n int) int {
		s.forget()
		content := append([]byte("%PDF-1.7\n"), prose(n)...)
		if status, src := s.upload(a, "torn.pdf", content[:n]); status != 422 && status != 200 {
			t.Fatalf("%d %+v", status, src)
		}
		return s.peak()
	}
	send(1 << 20)
	small, large := send(1<<20), send(25<<20)
	if large-small > 8<<20 {
		t.Errorf("%d KiB more for 24 MiB more", (large-small)>>10)
	}
}
