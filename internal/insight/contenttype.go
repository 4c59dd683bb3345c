package insight

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/contentgraph/contentgraph/internal/htmldoc"
	"github.com/contentgraph/contentgraph/internal/text"
)

// ContentTypes are the kinds of pages, in the order of preference.
var ContentTypes = []string{"ARTICLE", "GUIDE", "LISTICLE", "COMPARISON", "PRODUCT", "CATEGORY", "HOMEPAGE", "FORUM", "VIDEO", "NEWS", "DOCUMENTATION", "FAQ"}

var contentType = define(spec[ContentTypeGuidance]{
	Type: "CONTENT_TYPE_INSIGHT", Doc: "What kind of page is found for the topic.", Weight: 1, Needs: needsPages,
	Generate: func(_ context.Context, b *Brief) (ContentTypeGuidance, error) {
		count := map[string]int{}
		g := ContentTypeGuidance{Distribution: []TypeShare{}, Evidence: []string{}}
		for _, p := range b.Pages {
			count[p.contentType()]++
		}
		for _, t := range ContentTypes {
			if n := count[t]; n > 0 {
				g.Distribution = append(g.Distribution, TypeShare{t, n, round(float64(n) / float64(len(b.Pages)))})
			}
		}
		slices.SortStableFunc(g.Distribution, func(a, b TypeShare) int { return b.Pages - a.Pages })
		g.ContentType, g.Share = g.Distribution[0].ContentType, g.Distribution[0].Share
		for _, p := range b.Pages {
			if class := p.class(); class.Class == g.ContentType && len(class.Evidence) > 0 && len(g.Evidence) < maxEvidence {
				g.Evidence = append(g.Evidence, fmt.Sprintf("%s: %s", p.Address, strings.Join(class.Evidence, ", ")))
			}
		}
		return g, nil
	},
	Check: func(g ContentTypeGuidance, c *Copy) Check {
		have := looks{language: c.Language, title: c.title, content: &c.content}.classify()
		matches := have.Class == g.ContentType
		score, summary := 0.0, fmt.Sprintf("The text looks like %s; most pages are of type %s.", have.Class, g.ContentType)
		if matches {
			score, summary = 1, "The text is of the type that most pages are: "+g.ContentType+"."
		}
		return Check{Details: map[string]any{
			"contentType": g.ContentType, "share": g.Share, "distribution": g.Distribution, "contentTypeOfCopy": have.Class, "matches": matches,
		}, Score: &score, Summary: summary}
	},
})

// looks are the properties of a page or copy that tell its kind.
type looks struct {
	language string
	title    string
	url      string   // "" of a copy
	types    []string // of schema.org
	links    int
	content  *htmldoc.Content
}

func (p *Page) looks() looks {
	return looks{p.Language, p.Title, p.Address, p.Types, len(p.Links), &p.Content}
}

func (l looks) classify() verdict {
	v := &votes{}
	u := parseURL(l.url)
	headings := strings.Join(append(l.content.Headings(1), append(l.content.Headings(2), l.content.Headings(3)...)...), "\n")
	layout := l.layout(u)
	titleDoc, headingDoc := text.Prepare(l.language, l.title), text.Prepare(l.language, headings)
	for _, r := range rules("contenttype", l.language) {
		switch {
		case r.where == "schema" && slices.Contains(l.types, r.what):
			v.add(r.class, r.weight, "schema.org type %s", r.what)
		case r.where == "url" && strings.Contains(strings.ToLower(u.Path)+"/", r.what):
			v.add(r.class, r.weight, "%s in the address", r.what)
		case r.where == "host" && strings.Contains(u.Hostname(), r.what):
			v.add(r.class, r.weight, "host %s", u.Hostname())
		case r.where == "layout" && layout[r.what]:
			v.add(r.class, r.weight, "%s", r.what)
		case r.where == "title" && titleDoc.Covers(r.phrase):
			v.add(r.class, r.weight, "%q in the title", r.what)
		case r.where == "heading" && headingDoc.Covers(r.phrase):
			v.add(r.class, r.weight, "%q in a heading", r.what)
		}
	}
	return v.best(ContentTypes)
}

func parseURL(s string) *url.URL {
	if u, err := url.Parse(s); err == nil {
		return u
	}
	return &url.URL{}
}

var (
	numberInTitle = regexp.MustCompile(`(?:^|\s)\d{1,3}\s+\pL`)
	numbered      = regexp.MustCompile(`^(?:#|№)?\d{1,3}[.):]?\s`)
	price         = regexp.MustCompile(`[$€£¥]\s?\d|\d\s?[€£¥]|\b(?:USD|EUR|GBP)\s?\d`)
	dateInPath    = regexp.MustCompile(`/20\d\d/\d{1,2}/`)
)

// layout are the properties that rules name.
func (l looks) layout(u *url.URL) map[string]bool {
	words, prices, cells, code, ordered, asked := 0, 0, 0, 0, 0, 0
	for i := range l.content.Blocks {
		b := &l.content.Blocks[i]
		words += len(strings.Fields(b.Text))
		prices += len(price.FindAllStringIndex(b.Text, 20))
		switch {
		case b.Kind == htmldoc.Cell:
			cells++
		case b.Kind == htmldoc.Code:
			code++
		case b.Kind == htmldoc.Heading && numbered.MatchString(b.Text):
			ordered++
		case b.Kind == htmldoc.Heading && text.Question(l.language, b.Text):
			asked++
		}
	}
	return map[string]bool{
		"long text":             words >= 300,
		"steps":                 strings.Contains(strings.ToLower(strings.Join(l.content.Headings(2), "\n")), "step 1"),
		"number in title":       numberInTitle.MatchString(l.title),
		"numbered headings":     ordered >= 3,
		"table":                 cells >= 12,
		"price":                 prices == 1 || prices == 2,
		"many prices":           prices > 5,
		"many links":            l.links > 80 && words < 300,
		"root path":             l.url != "" && strings.Trim(u.Path, "/") == "" && u.RawQuery == "",
		"date in path":          dateInPath.MatchString(u.Path),
		"code":                  code >= 2,
		"questions in headings": asked >= 4,
	}
}
