package htmldoc

import (
	"bytes"

	"golang.org/x/net/html/atom"
)

// Bounds of a tree. Deeper elements lose their tags, not their text; what
// comes after the last node is dropped.
const (
	maxDepth = 256
	maxNodes = 200_000
)

// node is an element, or a text when tag and attrs are zero and text is set.
// Elements that HTML does not know have the tag 0 and an empty text.
type node struct {
	tag                       atom.Atom
	traits                    trait
	text                      string
	attrs                     []attr
	parent, first, last, next *node
	weight
}

type attr struct{ key, val string }

// attr is the value of an attribute, "" when absent.
func (n *node) attr(key string) string {
	for _, a := range n.attrs {
		if a.key == key {
			return a.val
		}
	}
	return ""
}

// has reports whether the attribute is there, empty or not.
func (n *node) has(key string) bool {
	for _, a := range n.attrs {
		if a.key == key {
			return true
		}
	}
	return false
}

// all calls fn for n and everything below it, in document order, until fn says
// no. The depth of a tree is bounded, so recursion is too.
func (n *node) all(fn func(*node) bool) bool {
	if !fn(n) {
		return false
	}
	for c := n.first; c != nil; c = c.next {
		if !c.all(fn) {
			return false
		}
	}
	return true
}

// content is the text below n with blanks as they are, for elements that hold text alone.
func (n *node) content() string {
	if n.first != nil && n.first == n.last {
		return n.first.text
	}
	var b bytes.Buffer
	n.all(func(c *node) bool { b.WriteString(c.text); return true })
	return b.String()
}
