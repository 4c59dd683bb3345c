package htmldoc

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/renderer/html"
)

// Bounds of Markdown: the parser cannot be stopped, and its time grows with the
// square of what these limit. Beyond them a text is read as plain.
const (
	maxMarkdown   = 1 << 20
	maxDelimiters = 2000 // of emphasis and links between two empty lines
	maxContainers = 32   // lists and quotes inside each other
)

// commonMark makes HTML of Markdown. Line breaks are kept: tables are found by
// them. The core parser is used alone, as its table extension takes seconds for
// small hostile tables.
var commonMark = goldmark.New(goldmark.WithRendererOptions(html.WithUnsafe(), html.WithHardWraps()))

// markdown reads Markdown by way of HTML.
func markdown(s string) (all []Block) {
	var b bytes.Buffer
	if !tame(s) || commonMark.Convert([]byte(s), &b) != nil {
		return plain(s)
	}
	root, _ := tree(b.String())
	for _, block := range blocks(root.runs()) {
		if cells := block.table(); cells != nil {
			all = append(all, cells...)
			continue
		}
		if block.Kind != Code {
			block.Text = strings.ReplaceAll(block.Text, "\n", " ")
		}
		all = append(all, block)
	}
	return all
}

// tame reports whether the parser reads s in reasonable time.
func tame(s string) bool {
	if len(s) > maxMarkdown {
		return false
	}
	delimiters := 0
	for l := range strings.Lines(s) {
		if strings.TrimSpace(l) == "" {
			delimiters = 0
			continue
		}
		delimiters += strings.Count(l, "*") + strings.Count(l, "_") + strings.Count(l, "[")
		if delimiters > maxDelimiters || nesting(l) > maxContainers {
			return false
		}
	}
	return true
}

// nesting is the number of lists and quotes that a line opens.
func nesting(l string) (n int) {
	for {
		l = strings.TrimLeft(l, " \t")
		digits := len(l) - len(strings.TrimLeft(l, "0123456789"))
		switch {
		case l != "" && l[0] == '>':
			l = l[1:]
		case len(l) > 1 && strings.IndexByte("-*+", l[0]) >= 0 && (l[1] == ' ' || l[1] == '\t'):
			l = l[2:]
		case digits > 0 && len(l) > digits+1 && (l[digits] == '.' || l[digits] == ')'):
			l = l[digits+1:]
		default:
			return n
		}
		n++
	}
}

// table cuts a block that is a table of Markdown into its cells; it is nil for
// any other block. The second line of a table is of dashes and bars.
func (b *Block) table() (cells []Block) {
	first, rest, _ := strings.Cut(b.Text, "\n")
	rule, _, _ := strings.Cut(rest, "\n")
	if b.Kind != Paragraph || !strings.Contains(first, "|") || !strings.Contains(rule, "-") || strings.Trim(rule, "-:| ") != "" {
		return nil
	}
	cells = []Block{}
	end, k := 0, 0
	for i, l := range strings.Split(b.Text, "\n") {
		for _, c := range strings.SplitAfter(l, "|") {
			start := end
			end += len(c)
			text := strings.TrimSpace(strings.TrimSuffix(c, "|"))
			if text == "" || i == 1 {
				continue
			}
			cell := Block{Kind: Cell, Text: text}
			start += strings.Index(c, text)
			for k < len(b.Links) && b.Links[k].Start < start+len(text) {
				if s := b.Links[k]; s.Start >= start && s.End <= start+len(text) {
					cell.Links = append(cell.Links, Span{s.Start - start, s.End - start, s.URL})
				}
				k++
			}
			cells = append(cells, cell)
		}
		end++ // the line break
	}
	return cells
}
