package htmldoc

import "golang.org/x/net/html/atom"

// trait says what a kind of element does.
type trait uint16

const (
	void      trait = 1 << iota // has no content
	block                       // stands on lines of its own and ends a paragraph
	heading                     // h1 to h6
	cell                        // end tags inside do not reach beyond it
	tableEdge                   // the same for end tags of table parts
	listEdge                    // the same for li, dt and dd
	foreign                     // svg and math
	hidden                      // is never text that a reader sees in place
)

// traits of the elements that have one.
var traits = map[atom.Atom]trait{}

func init() {
	for t, tags := range map[trait][]atom.Atom{
		void: {atom.Area, atom.Base, atom.Basefont, atom.Bgsound, atom.Br, atom.Col, atom.Embed, atom.Frame, atom.Hr,
			atom.Img, atom.Input, atom.Keygen, atom.Link, atom.Meta, atom.Param, atom.Source, atom.Track, atom.Wbr},
		block: {atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Caption, atom.Center, atom.Dd, atom.Details,
			atom.Dialog, atom.Dir, atom.Div, atom.Dl, atom.Dt, atom.Fieldset, atom.Figcaption, atom.Figure, atom.Footer,
			atom.Form, atom.Frameset, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Header, atom.Hgroup,
			atom.Hr, atom.Li, atom.Listing, atom.Main, atom.Menu, atom.Nav, atom.Ol, atom.P, atom.Plaintext, atom.Pre,
			atom.Search, atom.Section, atom.Summary, atom.Table, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead,
			atom.Tr, atom.Ul, atom.Xmp},
		heading:   {atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6},
		cell:      {atom.Td, atom.Th, atom.Caption, atom.Button, atom.Object, atom.Template, atom.Marquee},
		tableEdge: {atom.Table, atom.Template},
		listEdge:  {atom.Ul, atom.Ol, atom.Dl, atom.Menu, atom.Dir, atom.Td, atom.Th, atom.Table, atom.Template},
		foreign:   {atom.Svg, atom.Math},
		hidden: {atom.Applet, atom.Audio, atom.Base, atom.Canvas, atom.Datalist, atom.Embed, atom.Frame, atom.Iframe, atom.Link,
			atom.Math, atom.Meta, atom.Noembed, atom.Noframes, atom.Noscript, atom.Object, atom.Option, atom.Param, atom.Progress,
			atom.Rp, atom.Rt, atom.Script, atom.Select, atom.Style, atom.Svg, atom.Template, atom.Textarea, atom.Title, atom.Video},
	} {
		for _, tag := range tags {
			traits[tag] |= t
		}
	}
}

func (n *node) is(t trait) bool { return n.traits&t != 0 }

// is reports whether a kind of element has one of the traits.
func is(tag atom.Atom, t trait) bool { return tag != 0 && traits[tag]&t != 0 }
