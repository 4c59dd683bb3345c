package htmldoc

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// weight is what the text below an element amounts to, in bytes of UTF-8, so
// that a character of Japanese counts about as much as three of English.
type weight struct {
	size    int  // all text
	linked  int  // of it inside links
	prose   int  // of it in running text
	kept    int  // outside links, of what may be content
	title   bool // there is an h1
	cookies bool // it speaks of cookies
	accepts bool // there is a button to accept something
	judged  verdict
}

// few is the number of bytes under which text is no article.
const few = 250

// content picks the runs that are the main content, in their order. whole says
// that no such part was found: main is then all but navigation.
//
// What names itself navigation, advertisement and so on is left out first. The
// element that holds the content is the one that says so, else the one where
// most of the remaining prose is; lists of links and stray words in it are left
// out too. The idea is that of Kohlschütter, Fankhauser and Nejdl, "Boilerplate
// Detection using Shallow Text Features" (2010), and of trafilatura; thresholds
// and words were tuned on half of trafilatura's evaluation pages.
func content(root *node, runs []run) (main []run, whole bool) {
	weigh(runs)
	root.findButtons()
	var plain, all []run
	for _, r := range runs {
		switch r.at.judge(root) {
		case good:
			plain = append(plain, r)
			fallthrough
		case beside:
			all = append(all, r)
		}
	}
	top := center(root, plain)
	if root.kept < few && 5*root.kept < size(all) {
		return all, true
	}
	main = sift(runs, top)
	if 5*size(main) < size(plain) {
		return plain, true
	}
	return main, false
}

// weigh tells every element what its text amounts to.
func weigh(runs []run) {
	for i := range runs {
		r := &runs[i]
		linked, prose := r.linked(), r.prose()
		for n := r.at; n != nil; n = n.parent {
			n.size += len(r.Text)
			n.linked += linked
			n.prose += prose
			n.title = n.title || r.Level == 1
		}
		if containsAny(strings.ToLower(r.Text), cookieWords) {
			for n := r.at; n != nil && !n.cookies; n = n.parent {
				n.cookies = true
			}
		}
	}
}

func size(runs []run) (n int) {
	for i := range runs {
		n += len(runs[i].Text)
	}
	return n
}

// prose is the number of bytes outside links when a run reads like sentences, else 0.
func (r *run) prose() int {
	linked := r.linked()
	switch n := len(r.Text); {
	case r.Kind == Heading, r.Kind == Code, 2*linked > n, n < 25:
		return 0
	case n < 80 && !strings.ContainsAny(r.Text, ".!?:;,。！？、؟،।"):
		return 0
	default:
		return n - linked
	}
}

// sift takes from the runs what is content: below top, or a paragraph between
// the title and top.
func sift(runs []run, top *node) (main []run) {
	lead := leadIn(runs, top)
	heads := 0 // the headings at the end of main
	skipped := false
	seen := make(map[string]bool)
	for _, r := range runs {
		if !lead[r.at] && (r.at.judged != good || !r.at.within(top)) {
			skipped = skipped || heads > 0 && r.at.judged == beside && r.at.within(top)
			continue
		}
		if r.Kind == Heading {
			if skipped { // what stood below the last headings was no content
				main = main[:len(main)-heads]
				heads, skipped = 0, false
			}
			heads++
			main = append(main, r)
			continue
		}
		if r.listsLinks() || r.stray() || len(r.Text) >= 80 && seen[r.Text] {
			skipped = skipped || heads > 0
			if k := len(main) - 1; k >= 0 && main[k].announces() {
				main = main[:k]
			}
			continue
		}
		seen[r.Text] = true
		heads, skipped = 0, false
		main = append(main, r)
	}
	if skipped {
		main = main[:len(main)-heads]
	}
	return main
}

// announces reports whether a run is a line like "See also:".
func (r *run) announces() bool {
	return r.Kind == Paragraph && len(r.Text) < 80 && strings.HasSuffix(r.Text, ":")
}

// leadIn finds the elements with the paragraphs between the title of the page
// and its content, even when they stand in a header.
func leadIn(runs []run, top *node) map[*node]bool {
	var lead map[*node]bool
	for _, r := range runs {
		switch {
		case r.at.within(top):
			return lead
		case r.Level == 1:
			lead = make(map[*node]bool)
		case lead != nil && r.prose() > 0 && (r.at.judged == good || r.at.headed()) && !r.listsLinks():
			lead[r.at] = true
		}
	}
	return nil // top is where the document begins
}

// headed reports whether n is left out only because it is in a header.
func (n *node) headed() bool {
	for ; n.judged == beside; n = n.parent {
		if n.tag == atom.Header && n.parent.judged == good {
			return true
		}
	}
	return false
}

// within reports whether n is top or below it.
func (n *node) within(top *node) bool {
	for ; n != nil; n = n.parent {
		if n == top {
			return true
		}
	}
	return false
}

// listsLinks reports whether a run is a piece of a list of links, or of a card
// that leads to another page.
func (r *run) listsLinks() bool {
	n := r.at
	for up := 0; n != nil && up < 4; n, up = n.parent, up+1 {
		switch {
		case n.tag == atom.P:
			if 10*n.linked > 7*n.size {
				return true
			}
		case n.tag == atom.Div || n.tag == atom.Li || n.is(listEdge):
			if n.size < 2000 && 10*n.linked > 7*n.size || n.size < 600 && 10*n.linked > 4*n.size {
				return true
			}
		}
	}
	return false
}

// stray reports whether a run is a word or two that stand in no paragraph.
func (r *run) stray() bool {
	if len(r.Text) >= 50 || r.Kind != Paragraph || strings.ContainsAny(r.Text, ".!?:。！？؟।") {
		return false
	}
	for n := r.at; n != nil; n = n.parent {
		switch n.tag {
		case atom.P, atom.Blockquote:
			return false
		case atom.Div, atom.Section, atom.Article, atom.Main, atom.Header:
			return true
		}
	}
	return true
}
