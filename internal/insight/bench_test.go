package insight

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/contentgraph/contentgraph/internal/htmldoc"
	"github.com/contentgraph/contentgraph/internal/store"
)

// prose makes text of n words of a vocabulary as uneven as that of languages.
func prose(r *rand.Rand, n int) string {
	zipf := rand.NewZipf(r, 1.1, 4, 4000)
	var b strings.Builder
	for i := range n {
		w := int(zipf.Uint64())
		b.WriteString([]string{"coffee", "water", "the", "of", "jar", "filter", "brew", "steep", "with", "and"}[w%10])
		if w >= 10 {
			fmt.Fprintf(&b, "%c%c%c", 'a'+w%26, 'e'+w/26%8, 'a'+w/208%20)
		}
		switch {
		case i%14 == 13:
			b.WriteString(". ")
		default:
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// article is an HTML page of about n words.
func article(r *rand.Rand, n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<html lang=en><head><title>%s</title><meta name=description content=%q></head><body><main><h1>%s</h1>",
		prose(r, 8), prose(r, 20), prose(r, 6))
	for n > 0 {
		fmt.Fprintf(&b, "<h2>%s</h2><p>%s</p><h3>%s?</h3><p>%s</p>", prose(r, 6), prose(r, 120), "How long "+prose(r, 5), prose(r, 120))
		n -= 252
	}
	return b.String() + "</main></body></html>"
}

// loop is a fixed piece of work, to tell how fast the machine is meanwhile.
func loop() time.Duration {
	began, x := time.Now(), uint64(1)
	for range 10_000_000 {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	if x == 0 {
		panic("never")
	}
	return time.Since(began)
}

func benchBrief(b *testing.B, words int) (*Brief, []string) {
	r := rand.New(rand.NewPCG(1, 2))
	f := fixture{Topic: Topic{Phrases: []string{"cold brew coffee"}, RankSourceID: 1}, Language: "en", Site: "ours.example"}
	brief := f.brief(b, filepath.Join("testdata", "kinds", "MSV_SNIPPET"))
	var pages []string
	for range 15 {
		pages = append(pages, article(r, words))
	}
	return brief, pages
}

func (b *Brief) parse(pages []string) {
	b.Pages = nil
	for i, html := range pages {
		address := fmt.Sprintf("https://p%d.example/blog/x", i)
		b.Pages = append(b.Pages, &Page{Page: htmldoc.Parse([]byte(html), "text/html", address), Address: address})
	}
}

// BenchmarkValidate holds a body of 2,000 words against all kinds, as an editor
// does at each keystroke; loop-ms is a fixed loop beside it.
func BenchmarkValidate(b *testing.B) {
	brief, pages := benchBrief(b, 2000)
	brief.parse(pages)
	ctx := store.As(context.Background(), 7, 1)
	var list []*Insight
	for _, k := range Kinds {
		list = append(list, &Insight{Type: k.Type, Language: "en", Guidance: outcomeOf(ctx, k, brief).guidance})
	}
	text := parts{"Cold brew coffee at home", "All about cold brew.", article(rand.New(rand.NewPCG(3, 4)), 2000)}
	var times []time.Duration
	before := loop()
	for b.Loop() {
		began := time.Now()
		c := newCopy(text, languageFrom(list))
		for _, i := range list {
			i.validate(c)
		}
		times = append(times, time.Since(began))
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64((before+loop()).Microseconds())/2000, "loop-ms")
}

// BenchmarkInsights makes all kinds from 15 pages of 100 KB, reading them
// included, fetching not.
func BenchmarkInsights(b *testing.B) {
	brief, pages := benchBrief(b, 14_000)
	ctx := store.As(context.Background(), 7, 1)
	for b.Loop() {
		brief.parse(pages)
		var all errgroup.Group
		all.SetLimit(runtime.GOMAXPROCS(0)) // as the job does
		for _, k := range Kinds {
			all.Go(func() error {
				if o := outcomeOf(ctx, k, brief); o.guidance == nil {
					return errors.New(k.Type + ": " + o.message)
				}
				return nil
			})
		}
		if err := all.Wait(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(pages[0]))/1000, "KB/page")
}
