package bench

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/contentgraph/contentgraph/internal/dataquery"
)

const memoryBar = 150 // MB

// memory takes the service, started anew, through a query of all matching rows,
// their pages and their exports, and notes the peak of each.
func memory(b *testing.B, f *fixture) {
	service := start(b, "service", f)
	defer service.kill()
	c := newClient(b, f, service)
	var id string
	t := new(strings.Builder)
	fmt.Fprintf(t, "| Memory, %d rows | Time | Rows/s | Peak | Bar | |\n|---|---|---|---|---|---|\n", f.rows)
	step := func(name string, do func()) {
		// The peak starts again from what is resident now (proc(5)).
		check(b, os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", service.pid), []byte("5"), 0))
		d := timed(do)
		peak := peakMB(b, service.pid)
		fmt.Fprintf(t, "| %s | %s | %.0f | %.0f MB | ≤ %d MB | %s |\n",
			name, short(d), float64(f.rows)/d.Seconds(), peak, memoryBar, verdict(peak <= memoryBar))
	}
	step("submit to last page", func() {
		id = c.submit()
		c.pages(id, nil)
	})
	step("all pages again", func() { c.pages(id, nil) })
	for _, format := range dataquery.Formats {
		step("export as "+format, func() { check(b, c.export(id, format)) })
	}
	fmt.Print(t)
	results.memory = append(results.memory, t.String())
}

// peakMB is the most that was resident of a process.
func peakMB(b *testing.B, pid int) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	check(b, err)
	m := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(text)
	if m == nil {
		b.Fatal("this system does not tell the peak of a process")
	}
	kB, _ := strconv.ParseFloat(string(m[1]), 64)
	return kB * 1024 / 1e6
}
