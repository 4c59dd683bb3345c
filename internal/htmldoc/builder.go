package htmldoc

import (
	"bytes"
	"slices"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// builder makes a tree of tokens. It follows the rules for implied end tags
// and leaves out two parts of the HTML algorithm: formatting elements are not
// opened again in later blocks, because that lets a few bytes make millions of
// nodes, and nothing is moved out of tables.
type builder struct {
	root  *node
	stack []open            // the open elements; the root is not among them
	count map[atom.Atom]int // the same by tag, all headings as h1
	over  map[string]int    // open elements by name that were too deep for the tree
	slab  []node
	nodes int
	full  bool
}

type open struct {
	*node
	name string // of an element that HTML does not know
}

// tree reads a document or a fragment. It never fails: whatever it cannot
// read as a tag is text, or is dropped.
func tree(doc string) (root *node, cut bool) {
	b := &builder{root: &node{tag: atom.Html}, count: make(map[atom.Atom]int)}
	z := html.NewTokenizer(bytes.NewReader([]byte(doc)))
	for !b.full {
		switch z.Next() {
		case html.ErrorToken:
			return b.root, b.full
		case html.TextToken:
			b.add(node{text: string(z.Text())})
		case html.StartTagToken:
			b.start(z, false)
		case html.SelfClosingTagToken:
			b.start(z, true)
		case html.EndTagToken:
			name, _ := z.TagName()
			b.end(name)
		}
	}
	return b.root, b.full
}

// top is the element that takes the next node.
func (b *builder) top() *node {
	if len(b.stack) == 0 {
		return b.root
	}
	return b.stack[len(b.stack)-1].node
}

func (b *builder) add(n node) *node {
	if b.nodes++; b.nodes > maxNodes {
		b.full = true
		return b.root
	}
	if len(b.slab) == cap(b.slab) {
		b.slab = make([]node, 0, min(max(16, 2*cap(b.slab)), 1024))
	}
	b.slab = append(b.slab, n)
	p, c := b.top(), &b.slab[len(b.slab)-1]
	c.parent = p
	if p.last == nil {
		p.first = c
	} else {
		p.last.next = c
	}
	p.last = c
	return c
}

// start opens the element of a start tag.
func (b *builder) start(z *html.Tokenizer, closed bool) {
	name, more := z.TagName()
	tag := atom.Lookup(name)
	n := node{tag: tag, traits: traits[tag]}
	var key, val []byte
	for more {
		key, val, more = z.TagAttr()
		if k := kept(key); k != "" {
			n.attrs = append(n.attrs, attr{k, string(val)})
		}
	}
	switch tag {
	case atom.Html, atom.Body: // one of each is enough; later ones add attributes
		b.root.attrs = append(b.root.attrs, n.attrs...)
		return
	case atom.Head:
		return
	}
	b.imply(n)
	void := n.is(void) || closed && (n.is(foreign) || tag == 0)
	if len(b.stack) >= maxDepth && !void {
		if b.over == nil {
			b.over = make(map[string]int)
		}
		b.over[string(name)]++
		return
	}
	c := b.add(n)
	if !void {
		o := open{node: c}
		if tag == 0 {
			o.name = string(name)
		}
		b.stack = append(b.stack, o)
		b.count[o.counted()]++
	}
}

// counted is the tag as which an element is counted.
func (o open) counted() atom.Atom {
	if o.is(heading) {
		return atom.H1
	}
	return o.tag
}

// cut ends the elements from the i-th of the stack on.
func (b *builder) cutTo(i int) {
	for _, o := range b.stack[i:] {
		b.count[o.counted()]--
	}
	b.stack = b.stack[:i]
}

// imply closes the elements whose end tags a start tag implies.
func (b *builder) imply(n node) {
	switch n.tag {
	case atom.Li:
		b.close(listEdge, atom.Li)
	case atom.Dt, atom.Dd:
		b.close(listEdge, atom.Dt, atom.Dd)
	case atom.Tr:
		b.close(tableEdge, atom.Tr)
	case atom.Td, atom.Th:
		b.close(tableEdge, atom.Td, atom.Th)
	case atom.Thead, atom.Tbody, atom.Tfoot:
		b.close(tableEdge, atom.Thead, atom.Tbody, atom.Tfoot)
	case atom.A:
		b.close(block|cell, atom.A)
	}
	if !n.is(block) {
		return
	}
	b.close(cell, atom.Svg, atom.Math) // these hold no blocks: their end tag was lost
	b.close(cell, atom.P)
	if k := len(b.stack) - 1; k >= 0 && n.is(heading) && b.stack[k].is(heading) {
		b.cutTo(k)
	}
}

// close ends the innermost open element that has one of the tags, unless an
// element of the edge lies in between.
func (b *builder) close(edge trait, tags ...atom.Atom) {
	some := false
	for _, t := range tags {
		some = some || b.count[t] > 0
	}
	for i := len(b.stack) - 1; some && i >= 0; i-- {
		if slices.Contains(tags, b.stack[i].tag) {
			b.cutTo(i)
			return
		}
		if b.stack[i].is(edge) {
			return
		}
	}
}

// end closes the element of an end tag. An end tag without a start tag is
// dropped, and one of an inline element never closes a block.
func (b *builder) end(name []byte) {
	if b.over[string(name)] > 0 {
		b.over[string(name)]--
		return
	}
	n := node{tag: atom.Lookup(name)}
	n.traits = traits[n.tag]
	edge := cell
	switch n.tag {
	case atom.Br:
		b.add(n)
		return
	case atom.Td, atom.Th, atom.Tr, atom.Thead, atom.Tbody, atom.Tfoot, atom.Caption, atom.Table:
		edge = tableEdge &^ n.traits
	case atom.Button, atom.Object, atom.Template, atom.Marquee:
		edge = tableEdge
	default:
		if n.tag != 0 && !n.is(block|foreign|hidden) {
			edge |= block
		}
	}
	for i := len(b.stack) - 1; i >= 0 && b.count[open{node: &n}.counted()] > 0; i-- {
		o := b.stack[i]
		if n.is(heading) && o.is(heading) || o.tag == n.tag && (n.tag != 0 || o.name == string(name)) {
			b.cutTo(i)
			return
		}
		if o.is(edge) {
			return
		}
	}
}

// kept names the attributes that are read; others are dropped at once.
func kept(key []byte) string {
	switch string(key) {
	case "id":
		return "id"
	case "class":
		return "class"
	case "href":
		return "href"
	case "src":
		return "src"
	case "name":
		return "name"
	case "content":
		return "content"
	case "property":
		return "property"
	case "http-equiv":
		return "http-equiv"
	case "rel":
		return "rel"
	case "type":
		return "type"
	case "lang", "xml:lang":
		return "lang"
	case "hidden":
		return "hidden"
	case "style":
		return "style"
	case "role":
		return "role"
	case "aria-hidden":
		return "aria-hidden"
	case "itemscope":
		return "itemscope"
	case "itemtype":
		return "itemtype"
	case "itemprop":
		return "itemprop"
	case "typeof":
		return "typeof"
	case "vocab":
		return "vocab"
	case "title":
		return "title"
	}
	return ""
}
