package htmldoc

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// center is the element that holds the content: one that says so and has at
// least half of the text, else the deepest that has nearly all of it. It sets
// kept of all elements.
func center(root *node, plain []run) *node {
	for i := range plain {
		r := &plain[i]
		if r.Kind == Heading || r.stray() || r.listsLinks() {
			continue
		}
		for n := r.at; n != nil; n = n.parent {
			n.kept += len(r.Text) - r.linked()
		}
	}
	best, rank := (*node)(nil), 0
	root.all(func(n *node) bool {
		if n.kept >= few && 2*n.kept >= root.kept {
			if c := n.claim(); c > rank {
				best, rank = n, c
			}
		}
		return true
	})
	if best == nil {
		return root.densest()
	}
	for p := best.parent; p != nil && best.tag != atom.Article && 10*p.kept <= 13*best.kept; p = best.parent {
		best = p // an introduction often stands beside the body of the text
	}
	return best
}

// densest goes down from n as long as one child has nine tenths of the text.
func (n *node) densest() *node {
	for {
		var next *node
		for c := n.first; c != nil; c = c.next {
			if 10*c.kept >= 9*n.kept && c.tag != atom.P && c.text == "" {
				next = c
			}
		}
		if next == nil || n.kept == 0 {
			return n
		}
		n = next
	}
}

// bodies are parts of the names that templates give the element around an article.
var bodies = strings.Fields(`articlebody article-body article__body article_body article-content article-text
	entry-content post-content post_content post-body post-text story-body`)

// claim ranks how clearly an element says that it holds the content; 0 is not at all.
func (n *node) claim() int {
	switch {
	case n.attr("itemprop") == "articleBody":
		return 4
	case n.tag == atom.Article, n.attr("role") == "article":
		return 3
	case n.tag == atom.Main, n.attr("role") == "main":
		return 2
	case n.tag == atom.Div || n.tag == atom.Section:
		if containsAny(strings.ToLower(n.attr("id")+" "+n.attr("class")), bodies) {
			return 4
		}
	}
	return 0
}
