package extract

import (
	"context"
	"encoding/xml"
	"io"
	"strconv"
	"strings"
)

// readXLSX reads Excel workbooks, transitional and strict: of every sheet the
// cells as a person sees them, a row as a line, then its comments and the text
// of its shapes. Sheets are streamed; the texts they share are kept.
func readXLSX(ctx context.Context, in *io.SectionReader, out *text) error {
	a, err := openArchive(in)
	if err != nil {
		return err
	}
	main, _ := a.main()
	if main == "" {
		return unreadable(reasonDamaged)
	}
	w := &workbook{ctx: ctx, archive: a, out: out}
	relations := a.relations(main)
	for _, name := range related(relations, "styles") {
		w.readStyles(name)
	}
	var damage error // of the shared texts, which is told once it is known what is left
	for _, name := range related(relations, "sharedStrings") {
		damage = w.readShared(name)
	}
	for _, s := range w.readSheets(main, relations) {
		err := out.Write("\n")
		out.Sheet(s.name)
		if err == nil {
			err = w.addSheet(s.part)
		}
		for _, r := range a.relations(s.part) {
			if err == nil && (r.kind == "comments" || r.kind == "drawing") {
				err = w.addNotes(r.target)
			}
		}
		if err := a.verdict(ctx, err, out); err != nil {
			return err
		}
	}
	return a.verdict(ctx, damage, out)
}

// workbook is what the sheets share.
type workbook struct {
	ctx     context.Context
	archive *archive
	out     *text
	shared  []string
	formats formats
}

const maxShared = 4 << 20 // shared texts that are kept

// readStyles reads the number formats.
func (w *workbook) readStyles(name string) {
	within := false // the formats of cells, not those of styles
	w.archive.elements(name, func(e xml.StartElement) {
		id := number(attribute(e, "numFmtId"))
		switch e.Name.Local {
		case "numFmt":
			if len(w.formats.codes) < maxFormats {
				w.formats.set(id, attribute(e, "formatCode"))
			}
		case "cellXfs":
			within = true
		case "cellStyles", "dxfs":
			within = false
		case "xf":
			if within && len(w.formats.cells) < 1<<16 {
				w.formats.cells = append(w.formats.cells, uint16(min(id, 1<<16-1)))
			}
		}
	})
}

// readSheets reads the list of the sheets.
func (w *workbook) readSheets(main string, relations []relation) (sheets []struct{ name, part string }) {
	parts := map[string]string{}
	for _, r := range relations {
		if r.kind == "worksheet" {
			parts[r.id] = r.target
		}
	}
	w.archive.elements(main, func(e xml.StartElement) {
		switch e.Name.Local {
		case "workbookPr":
			date := attribute(e, "date1904")
			w.formats.date1904 = date != "" && isOn(date)
		case "sheet":
			if part := parts[attribute(e, "id")]; part != "" && len(sheets) < maxSheets {
				sheets = append(sheets, struct{ name, part string }{attribute(e, "name"), part})
			}
		}
	})
	return sheets
}

// readShared reads the texts that cells refer to.
func (w *workbook) readShared(name string) error {
	var t cellText
	return w.archive.walk(w.ctx, name, walker{
		start: func(e xml.StartElement) (bool, error) {
			if e.Name.Local == "si" {
				t.Reset()
			}
			return t.start(e.Name.Local), nil
		},
		end: func(name string) error {
			if name == "si" && len(w.shared) < maxShared {
				w.shared = append(w.shared, t.show())
			}
			t.end(name)
			return nil
		},
		chars: t.chars,
	})
}

// addNotes adds the comments of a sheet, or the text of its shapes.
func (w *workbook) addNotes(name string) error {
	var t cellText
	before := "\n" // an empty line before the first one
	return w.archive.walk(w.ctx, name, walker{
		start: func(e xml.StartElement) (bool, error) {
			if name := e.Name.Local; name == "comment" || name == "p" {
				t.Reset()
			}
			return t.start(e.Name.Local), nil
		},
		end: func(name string) error {
			t.end(name)
			if name != "comment" && name != "p" || t.Len() == 0 {
				return nil
			}
			line := before + t.show()
			before = ""
			t.Reset()
			return w.out.Line(line)
		},
		chars: t.chars,
	})
}

// cellText collects the text of a cell, which may be in pieces.
type cellText struct {
	strings.Builder
	within bool
}

const maxCell = 64 << 10 // bytes of a cell or comment, more than Excel allows

// start reports elements to be left out: the pronunciation of East Asian text,
// formulas, and shapes once more for older programs.
func (t *cellText) start(name string) (skip bool) {
	t.within = t.within || name == "t" || name == "v"
	return name == "rPh" || name == "f" || name == "Fallback"
}

func (t *cellText) end(name string) { t.within = t.within && name != "t" && name != "v" }

func (t *cellText) chars(b []byte) error {
	if t.within {
		t.Write(b[:min(len(b), max(0, maxCell-t.Len()))])
	}
	return nil
}

// show is the text in one line, with the characters that XML cannot hold, which
// Excel writes as in "_x000D_".
func (t *cellText) show() string {
	s := t.String()
	if !strings.Contains(s, "_x") {
		return oneLine(s)
	}
	var b strings.Builder
	for {
		before, after, found := strings.Cut(s, "_x")
		b.WriteString(before)
		if !found {
			return oneLine(b.String())
		}
		s = after
		if n, err := strconv.ParseUint(after[:min(4, len(after))], 16, 16); err == nil && len(after) > 4 && after[4] == '_' {
			b.WriteRune(rune(n))
			s = after[5:]
		} else {
			b.WriteString("_x")
		}
	}
}
