package bench

import (
	"fmt"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// line is one measure against its bar.
type line struct {
	measure, ours, floor string
	ratio, bar           float64
	least                bool // the bar is a lower one
}

// report is what was measured.
type report struct {
	lines  []line
	memory []string // tables
	notes  []string
}

// results is filled by all benchmarks and written by the last.
var results report

// add also prints, since all of it takes a while.
func (r *report) add(l line) {
	fmt.Print(l)
	r.lines = append(r.lines, l)
}

// slower compares times: how many times the floor's is ours.
func (r *report) slower(measure string, ours, floor []time.Duration, bar float64) {
	o, f := median(ours), median(floor)
	r.add(line{measure: measure, ours: short(o), floor: short(f), ratio: o.Seconds() / f.Seconds(), bar: bar})
}

// rate compares rows a second.
func (r *report) rate(measure string, rows int, ours, floor []time.Duration, bar float64) {
	o, f := median(ours), median(floor)
	perSecond := func(d time.Duration) string { return fmt.Sprintf("%.0f rows/s", float64(rows)/d.Seconds()) }
	r.add(line{measure: measure, ours: perSecond(o), floor: perSecond(f), ratio: f.Seconds() / o.Seconds(), bar: bar, least: true})
}

func (l line) String() string {
	sign, ok := "≤", l.ratio <= l.bar
	if l.least {
		sign, ok = "≥", l.ratio >= l.bar
	}
	return fmt.Sprintf("| %s | %s | %s | %.2f | %s %.2f | %s |\n", l.measure, l.ours, l.floor, l.ratio, sign, l.bar, verdict(ok))
}

func verdict(ok bool) string {
	if ok {
		return "ok"
	}
	return "**over**"
}

func median(d []time.Duration) time.Duration {
	d = slices.Sorted(slices.Values(d))
	return d[len(d)/2]
}

func short(d time.Duration) string {
	switch {
	case d >= time.Second:
		return fmt.Sprintf("%.2f s", d.Seconds())
	case d >= 10*time.Millisecond:
		return fmt.Sprintf("%.0f ms", d.Seconds()*1000)
	}
	return fmt.Sprintf("%.2f ms", d.Seconds()*1000)
}

// text is the whole document.
func (r *report) text(machine string) string {
	t := new(strings.Builder)
	fmt.Fprintf(t, `# Performance

Written by %[1]s; never by hand. Medians of %[2]d, this service and a floor by turns on the same database.

%[3]s

| Measure | This service | Floor | Ratio | Bar | |
|---|---|---|---|---|---|
`, "`make bench`", *roundsFlag, machine)
	for _, l := range r.lines {
		t.WriteString(l.String())
	}
	for _, m := range r.memory {
		t.WriteString("\n" + m)
	}
	fmt.Fprint(t, explanation)
	for _, n := range r.notes {
		fmt.Fprintf(t, "- %s\n", n)
	}
	return t.String()
}

const explanation = `
## How it is measured

- Service, floor and client are processes of their own on one machine and talk over loopback. The service runs with
  its default settings and with authentication; its rate limits are off.
- The floor (` + "`internal/bench/floor_test.go`" + `) is written by hand for these rows alone: net/http, database/sql, prepared
  statements, raw bytes, one SELECT with the same conditions, the same driver, pool and indexes. It neither compresses
  nor authenticates. Neither side caches answers: a change shows in the next request.
- A client takes every byte of an answer over one kept connection and parses no row, whoever answers. It asks the
  service for pages with gzip and for exports without. "Inflated" is the same with a client that unpacks each page.
- That both answer the same rows, byte for byte, is checked in each run before anything is measured.
- PostgreSQL is the throw-away server of the tests: no fsync, 64 MB of buffers, its files in memory where there is
  room. Both sides use it, and so would both be slower on a disk.
- The loader that imports are compared with writes rows that are parsed and folded already, by COPY (PostgreSQL) or by
  INSERTs of 20 rows (SQLite), into the same table with its indexes, 50,000 rows a transaction.
- Memory is the peak of the resident set (VmHWM) of the service's process, taken anew for each step.
`

// machine describes where the numbers come from.
func machine(b *testing.B, f *fixture) string {
	var postgres string
	check(b, f.db.QueryRow(`select current_setting('server_version')`).Scan(&postgres))
	find := func(file, pattern string) string {
		text, _ := os.ReadFile(file) // of Linux; elsewhere unknown
		if m := regexp.MustCompile(pattern).FindStringSubmatch(string(text)); m != nil {
			return m[1]
		}
		return "unknown"
	}
	var kB float64
	fmt.Sscan(find("/proc/meminfo", `MemTotal:\s+(\d+)`), &kB)
	return fmt.Sprintf("%s, %d cores, CPU %s, %.0f GB of memory, %s/%s, %s, PostgreSQL %s, load average %s at the end.",
		time.Now().UTC().Format(time.DateOnly), runtime.NumCPU(), find("/proc/cpuinfo", `model name\s*:\s*(.*)`), kB/1e6,
		runtime.GOOS, runtime.GOARCH, runtime.Version(), postgres, find("/proc/loadavg", `^(\S+)`))
}

// finish prints the report, and writes the document when that is wanted.
func (r *report) finish(b *testing.B, f *fixture) {
	text := r.text(machine(b, f))
	fmt.Printf("\n%s\n", text)
	if *updateFlag {
		check(b, os.WriteFile("../../docs/performance.md", []byte(text), 0o644))
	}
}
