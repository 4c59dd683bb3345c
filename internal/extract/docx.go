package extract

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"strings"
)

// reasonEmbedded is for a document that shows other documents, whose text it
// does not hold.
const reasonEmbedded = "Documents embedded in this one are not read."

// readDOCX reads Word documents, transitional and strict: the text, then notes
// and comments; headers and footers are asides.
func readDOCX(ctx context.Context, in *io.SectionReader, out *text) error {
	a, err := openArchive(in)
	if err != nil {
		return err
	}
	main, _ := a.main()
	if main == "" {
		return unreadable(reasonDamaged)
	}
	relations := a.relations(main)
	if len(related(relations, "aFChunk"))+len(related(relations, "subDocument")) > 0 {
		out.Reason = reasonEmbedded
	}
	d := &docx{ctx: ctx, archive: a, lists: readLists(a, relations)}
	if err := d.add(main, out); err != nil {
		return err
	}
	for _, kind := range []string{"footnotes", "endnotes", "comments"} {
		for _, name := range related(relations, kind) {
			if err := errors.Join(out.Write("\n"), d.add(name, out)); err != nil {
				return err
			}
		}
	}
	for _, kind := range []string{"header", "footer"} {
		for _, name := range related(relations, kind) {
			beside := &text{}
			if d.add(name, beside); ctx.Err() != nil { // a damaged header is no loss
				return ctx.Err()
			}
			out.Aside(beside.b.String())
		}
	}
	return nil
}

// docx reads the parts of a document, one after the other.
type docx struct {
	ctx     context.Context
	archive *archive
	lists   *lists
}

// add adds the text of a part. What is damaged is read as far as possible.
func (d *docx) add(name string, out *text) error {
	w := &words{lists: d.lists, flows: []*flow{{write: out.Write}}}
	err := d.archive.walk(d.ctx, name, walker{w.start, w.end, w.chars})
	if err := d.archive.verdict(d.ctx, err, out); err != nil {
		return err
	}
	return out.Write("\n")
}

// words reads one part of WordprocessingML.
type words struct {
	lists   *lists
	flows   []*flow // the text and the text boxes within each other
	inPara  bool    // within the properties of a paragraph
	inRun   bool    // within the properties of a run
	inText  bool
	hidden  bool   // the run is hidden
	chosen  []bool // of the alternatives around: one was taken
	numbers numbering
}

func (w *words) flow() *flow { return w.flows[len(w.flows)-1] }

func (w *words) chars(b []byte) error {
	if !w.inText || w.hidden {
		return nil
	}
	return w.flow().add(string(b))
}

func (w *words) start(e xml.StartElement) (skip bool, err error) {
	f := w.flow()
	switch e.Name.Local {
	case "del", "moveFrom", "delText", "instrText", "delInstrText", // not what readers see
		"rt",                     // pronunciation above East Asian text
		"pPrChange", "rPrChange", // how the paragraph or run was before
		"sectPr", "tblPr", "tblGrid", "trPr", "tcPr", "sdtPr", "rubyPr", "fldData", "binData":
		return true, nil
	case "AlternateContent":
		w.chosen = append(w.chosen, false)
	case "Choice", "Fallback": // the same content for programs of different age
		if n := len(w.chosen) - 1; n >= 0 {
			skip, w.chosen[n] = w.chosen[n], true
		}
		return skip, nil
	case "footnote", "endnote": // or the line above them
		return strings.HasSuffix(strings.ToLower(attribute(e, "type")), "separator"), nil
	case "txbxContent":
		if len(w.flows) == maxBoxes {
			return true, nil
		}
		w.flows = append(w.flows, newBox())
	case "p":
		w.numbers = numbering{}
	case "pPr":
		w.inPara = true
	case "rPr":
		w.inRun = true
	case "pStyle":
		w.numbers.style = attribute(e, "val")
	case "numId":
		w.numbers.id = attribute(e, "val")
	case "ilvl":
		w.numbers.level = attribute(e, "val")
	case "vanish":
		w.hidden = w.inRun && !w.inPara && isOn(attribute(e, "val"))
	case "t":
		w.inText = true
	case "tc":
		f.cells++
	case "tab", "ptab":
		if !w.inPara && !w.hidden {
			return false, f.add("\t")
		}
	case "br", "cr":
		f.end()
	case "noBreakHyphen":
		return false, f.add("-")
	}
	return false, nil
}

func (w *words) end(name string) error {
	f := w.flow()
	switch name {
	case "AlternateContent":
		w.chosen = w.chosen[:max(0, len(w.chosen)-1)]
	case "txbxContent":
		if n := len(w.flows) - 1; n > 0 {
			w.flows = w.flows[:n]
			w.flow().box(f)
		}
	case "pPr":
		w.inPara = false
		f.label = w.lists.label(w.numbers)
	case "rPr":
		w.inRun = false
	case "r":
		w.hidden = false
	case "t":
		w.inText = false
	case "p":
		f.label = ""
		f.end()
		return f.boxes()
	case "tc":
		f.cell()
	case "tr":
		f.row()
	}
	return nil
}

// isOn reads a switch of Word, whose absence of value means on.
func isOn(value string) bool { return value != "0" && value != "false" && value != "off" }
