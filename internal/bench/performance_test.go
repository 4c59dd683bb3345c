package bench

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/contentgraph/contentgraph/internal/dataquery"
	"github.com/contentgraph/contentgraph/internal/store"
)

// BenchmarkPerformance takes all measures that have a floor, then those of
// memory, and reports. It runs once, however often it is asked to.
func BenchmarkPerformance(b *testing.B) {
	imports(b)
	rows := *rowsFlag
	f := newFixture(b, rows, rows)
	service, floor := start(b, "service", f), start(b, "floor", f)
	same(newClient(b, f, service), newClient(b, f, floor))
	id := reading(newClient(b, f, service), newClient(b, f, floor))
	pages(b, f, service, floor, id)
	drafts(b, f, service, id)
	service.kill()
	memory(b, f)
	if n := largeRows(b); n > 0 {
		memory(b, newFixture(b, n, 0))
	}
	results.finish(b, f)
}

// same fails unless service and floor answer the same rows.
func same(service, floor *client) {
	h := sha256.New()
	floor.stream(h)
	if !bytes.Equal(service.digest(service.submit()), h.Sum(nil)) {
		service.b.Fatal("the service and the floor answer different rows")
	}
}

// reading measures one client that reads all rows, and answers an execution.
func reading(service, floor *client) (id string) {
	b, f := service.b, service.f
	var stream, copied, first, second, unpacked []time.Duration
	exports := map[string][]time.Duration{}
	for range *roundsFlag {
		stream = append(stream, timed(func() { floor.stream(discard{}) }))
		first = append(first, timed(func() {
			id = service.submit()
			service.pages(id, nil)
		}))
		if d, ok := psql(b, f); ok {
			copied = append(copied, d)
		}
		second = append(second, timed(func() { service.pages(id, nil) }))
		service.inflate = true
		unpacked = append(unpacked, timed(func() { service.pages(id, nil) }))
		service.inflate = false
		for _, format := range dataquery.Formats {
			exports[format] = append(exports[format], timed(func() { check(b, service.export(id, format)) }))
		}
	}
	all := fmt.Sprintf("%d rows of 31 columns: ", f.rows)
	results.slower(all+"submit to last page", first, stream, 1.3)
	results.slower(all+"second reading of the result", second, stream, 0.25)
	results.slower(all+"second reading, inflated by the client", unpacked, stream, 0.25)
	for _, format := range dataquery.Formats {
		results.slower(all+"export as "+format, exports[format], stream, 1)
	}
	if copied != nil {
		o, c := median(stream), median(copied)
		results.notes = append(results.notes, fmt.Sprintf("The floor must not be slow itself: `psql` takes %s to COPY the same rows to standard output, "+
			"the floor %.2f times as long (bar 2.00, %s).", short(c), o.Seconds()/c.Seconds(), verdict(o <= 2*c)))
	}
	return id
}

// pages measures one page, asked for by 8 clients, against as many bytes by
// primary key.
func pages(b *testing.B, f *fixture, service, floor *process, id string) {
	const clients, each = 8, 150
	var bodies []string
	c := newClient(b, f, service)
	c.pages(id, func(token string) {
		body := `{"executionId":"` + id + `","nextPageId":"` + token + `"}`
		if token == "" {
			body = `{"executionId":"` + id + `"}`
		}
		_, err := f.db.Exec(`insert into bench_pages values ($1, $2)`, len(bodies), c.body.Bytes())
		check(b, err)
		bodies = append(bodies, body)
	})
	_, err := f.db.Exec(`vacuum analyze bench_pages`)
	check(b, err)
	p50 := func(p *process, ask func(c *client, n int)) time.Duration {
		var mu sync.Mutex
		var all []time.Duration
		var running sync.WaitGroup
		for n := range clients {
			c := newClient(b, f, p)
			running.Go(func() {
				for i := range each {
					d := timed(func() { ask(c, (n*7919+i*31)%len(bodies)) })
					mu.Lock()
					all = append(all, d)
					mu.Unlock()
				}
			})
		}
		running.Wait()
		return median(all)
	}
	var ours, theirs []time.Duration
	for range *roundsFlag {
		theirs = append(theirs, p50(floor, func(c *client, n int) { c.send("GET", fmt.Sprint("/page?id=", n), "", "gzip") }))
		ours = append(ours, p50(service, func(c *client, n int) { c.send("POST", queryPath, bodies[n], "gzip") }))
	}
	results.slower("one page of 1000 rows, 8 clients, p50", ours, theirs, 1.5)
}

// drafts measures a list of drafts while results are exported, against alone.
func drafts(b *testing.B, f *fixture, service *process, id string) {
	const lists = 400
	as := store.As(b.Context(), 7, 1)
	source, err := f.app.Reference.RankSources.Create(store.System(b.Context()), map[string]any{"name": "Bench"})
	check(b, err)
	for i := range 100 {
		_, err := f.app.Drafts.Create(as, map[string]any{"topics": []any{fmt.Sprint("topic ", i)}, "rankSourceId": source.ID})
		check(b, err)
	}
	c, exporting := newClient(b, f, service), newClient(b, f, service)
	p99 := func() time.Duration {
		var all []time.Duration
		for range lists {
			time.Sleep(5 * time.Millisecond)
			all = append(all, timed(func() { c.send("GET", "/v4/accounts/"+account+"/drafts", "", "gzip") }))
		}
		slices.Sort(all)
		return all[len(all)*99/100]
	}
	var alone, beside []time.Duration
	for range *roundsFlag {
		alone = append(alone, p99())
		var over atomic.Bool
		var running sync.WaitGroup
		running.Go(func() {
			for i := 0; !over.Load(); i++ {
				if err := exporting.export(id, dataquery.Formats[i%len(dataquery.Formats)]); err != nil {
					b.Error(err)
					return
				}
			}
		})
		beside = append(beside, p99())
		over.Store(true)
		running.Wait()
	}
	results.slower("list of drafts, p99, while results are exported, against alone", beside, alone, 3)
}
