package extract

import (
	"bytes"
	"context"
	"html"
	"io"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	source "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// The parser cannot be stopped and takes quadratic time on hostile paragraphs:
// what is larger is taken as it is written.
const (
	maxMarkdown  = 1 << 20  // bytes of a file
	maxParagraph = 16 << 10 // bytes of a paragraph
)

// readMarkdown reads Markdown (CommonMark) as a person sees it: headings and
// paragraphs as lines, lists with their marks, code as it is, links with their
// addresses. HTML within stays as it is written.
func readMarkdown(_ context.Context, in *io.SectionReader, out *text) error {
	s, err := readText(in, out)
	if err != nil {
		return err
	}
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	if len(s) > maxMarkdown {
		return out.Write(s)
	}
	for s != "" && err == nil {
		size, plain := nextParts(s)
		err = writeMarkdown(out, []byte(s[:size]))
		if err == nil {
			err = out.Write(s[size:size+plain] + "\n")
		}
		s = s[size+plain:]
	}
	return err
}

// nextParts is how much of s can be parsed, and how much after it cannot. Code
// between fences counts as one paragraph, so that it is never cut within.
func nextParts(s string) (size, plain int) {
	start, at := 0, 0 // of the paragraph, of the line
	fence := ""       // the marks that end the code around
	for line := range strings.Lines(s) {
		mark, big := fenceOf(line), at-start > maxParagraph
		switch {
		case fence != "" && strings.HasPrefix(mark, fence) && strings.TrimSpace(line) == mark:
			fence = ""
			if big {
				return start, at + len(line) - start
			}
			start = at + len(line)
		case fence != "": // within code
		case big && beginsBlock(line):
			return start, at - start
		case big:
		case mark != "":
			start, fence = at, mark
		case strings.TrimSpace(line) == "":
			start = at + len(line)
		case beginsBlock(line):
			start = at
		}
		at += len(line)
	}
	if at-start > maxParagraph {
		return start, len(s) - start
	}
	return len(s), 0
}

// fenceOf is the row of marks that begins or ends code, "" on other lines.
func fenceOf(line string) string {
	rest := strings.TrimLeft(line, " ")
	after := strings.TrimLeft(rest, "`")
	if rest[:min(1, len(rest))] == "~" {
		after = strings.TrimLeft(rest, "~")
	}
	mark := rest[:len(rest)-len(after)]
	if len(line)-len(rest) > 3 || len(mark) < 3 || mark[0] == '`' && strings.Contains(after, "`") {
		return ""
	}
	return mark
}

// beginsBlock reports lines that end a paragraph before them: empty ones,
// headings and items of lists.
func beginsBlock(line string) bool {
	line = strings.TrimRight(line, " \t\n")
	rest := strings.TrimLeft(line, " ")
	if rest == "" {
		return true
	}
	mark, text, ok := strings.Cut(rest, " ")
	if !ok || len(line)-len(rest) > 3 || text == "" {
		return false
	}
	return mark == "-" || mark == "*" || mark == "+" || len(mark) <= 6 && strings.Trim(mark, "#") == ""
}

// markdown is the parser: the core of CommonMark, since the extension for
// tables takes quadratic time on few bytes.
var markdown = parser.NewParser(
	parser.WithBlockParsers(parser.DefaultBlockParsers()...),
	parser.WithInlineParsers(parser.DefaultInlineParsers()...),
	parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
)

func writeMarkdown(out *text, src []byte) error {
	w := &markdownWriter{out: out, src: src}
	w.blocks(markdown.Parse(source.NewReader(src)))
	return w.err
}

// markdownWriter writes a tree of Markdown as text; after an error it writes
// nothing more.
type markdownWriter struct {
	out   *text
	src   []byte
	err   error
	lists int // within each other around here
}

func (w *markdownWriter) write(s string) {
	if w.err == nil {
		w.err = w.out.Write(s)
	}
}

// blocks writes the blocks within a node.
func (w *markdownWriter) blocks(parent ast.Node) {
	for n := parent.FirstChild(); n != nil && w.err == nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.List:
			w.list(n)
		case *ast.Blockquote:
			w.blocks(n)
		case *ast.FencedCodeBlock:
			if n.Info != nil { // the language and sometimes the name of the code
				w.write(string(n.Info.Segment.Value(w.src)) + "\n")
			}
			w.lines(n)
		case *ast.HTMLBlock:
			w.lines(n)
			if n.HasClosure() {
				w.write(string(n.ClosureLine.Value(w.src)))
			}
		case *ast.CodeBlock, *ast.LinkReferenceDefinition:
			w.lines(n)
		case *ast.ThematicBreak:
			w.write("\n")
		default:
			w.inlines(n)
			w.write("\n")
			if w.lists == 0 {
				w.write("\n")
			}
		}
	}
}

// lines writes a block as it is in the file.
func (w *markdownWriter) lines(n ast.Node) {
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		w.write(string(line.Value(w.src)))
	}
	w.write("\n")
}

func (w *markdownWriter) list(list *ast.List) {
	number := list.Start
	for n := list.FirstChild(); n != nil && w.err == nil; n = n.NextSibling() {
		mark := "- "
		if list.IsOrdered() {
			mark = strconv.Itoa(number) + string(list.Marker) + " "
			number++
		}
		w.write(strings.Repeat("  ", min(w.lists, 16)) + mark)
		if !n.HasChildren() {
			w.write("\n")
		}
		w.lists++
		w.blocks(n)
		w.lists--
	}
	if w.lists == 0 {
		w.write("\n")
	}
}

// inlines writes the text within a node.
func (w *markdownWriter) inlines(parent ast.Node) {
	for n := parent.FirstChild(); n != nil && w.err == nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Text:
			w.text(n)
		case *ast.String:
			w.write(string(n.Value))
		case *ast.RawHTML:
			for i := range n.Segments.Len() {
				segment := n.Segments.At(i)
				w.write(string(segment.Value(w.src)))
			}
		case *ast.AutoLink:
			w.write(string(n.Label(w.src)))
		case *ast.Link:
			w.inlines(n)
			w.target(n.Destination, n.Title, n.Reference)
		case *ast.Image:
			w.inlines(n)
			w.target(n.Destination, n.Title, n.Reference)
		default: // emphasis, code
			w.inlines(n)
		}
	}
}

func (w *markdownWriter) text(n *ast.Text) {
	value := n.Segment.Value(w.src)
	if _, code := n.Parent().(*ast.CodeSpan); !code && !n.IsRaw() && bytes.ContainsAny(value, `\&`) {
		value = []byte(html.UnescapeString(string(util.UnescapePunctuations(value))))
	}
	w.write(string(value))
	if n.SoftLineBreak() || n.HardLineBreak() {
		w.write("\n")
	}
}

// target writes where a link or image leads: its address, or the label under
// which that stands elsewhere in the file.
func (w *markdownWriter) target(destination, title []byte, reference *ast.ReferenceLink) {
	switch {
	case reference == nil && len(title) > 0:
		w.write(" (" + string(destination) + " \"" + string(title) + "\")")
	case reference == nil && len(destination) > 0:
		w.write(" (" + string(destination) + ")")
	case reference != nil && reference.Type == ast.ReferenceLinkFull:
		w.write(" [" + string(reference.Value) + "]")
	}
}
