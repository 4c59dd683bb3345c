package extract

import (
	"fmt"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/contentgraph/contentgraph/internal/fault"
)

const excelType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"

// xlsxOf writes a workbook with sheets of the given rows, named A, B and so on,
// and other parts, which the workbook or the first sheet relates to.
func xlsxOf(sheets []string, parts ...entry) []byte {
	book, pairs, first := "", []string{}, []string{}
	var entries []entry
	for i, rows := range sheets {
		part := fmt.Sprintf("worksheets/sheet%d.xml", i+1)
		book += fmt.Sprintf(`<sheet name="%c" sheetId="%d" r:id="rId%d"/>`, 'A'+i, i+1, i+1)
		pairs = append(pairs, "worksheet", part)
		if !strings.Contains(rows, "<worksheet") {
			rows = "<worksheet><sheetData>" + rows + "</sheetData></worksheet>"
		}
		entries = append(entries, entry{"xl/" + part, rows})
	}
	for _, p := range parts {
		switch name := strings.TrimPrefix(p.name, "xl/"); name {
		case "comments.xml", "drawing.xml":
			first = append(first, strings.TrimSuffix(name, ".xml"), "../"+name)
		default:
			pairs = append(pairs, strings.TrimSuffix(name, ".xml"), name)
		}
	}
	entries = append(entries, typesOf("xl/workbook.xml", excelType), entry{"_rels/.rels", relationsOf("officeDocument", "xl/workbook.xml")},
		entry{"xl/workbook.xml", `<workbook><workbookPr date1904="0"/><sheets>` + book + `</sheets></workbook>`},
		entry{"xl/_rels/workbook.xml.rels", relationsOf(pairs...)}, entry{"xl/worksheets/_rels/sheet1.xml.rels", relationsOf(first...)})
	return zipOf(append(entries, parts...)...)
}

const excelStyles = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\-mm\-dd"/><numFmt numFmtId="165" formatCode="#,##0.00\ &quot;€&quot;"/></numFmts>` +
	`<cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="10"/><xf numFmtId="20"/></cellXfs><dxfs><dxf><numFmt numFmtId="0" formatCode="x"/></dxf></dxfs></styleSheet>`

func TestXLSX(t *testing.T) {
	t.Parallel()
	shared := entry{"xl/sharedStrings.xml", `<sst><si><t>one</t></si><si><r><t xml:space="preserve">rich </t></r><r><t>text</t></r></si><si><t>東京</t><rPh><t>トウキョウ</t></rPh><phoneticPr/></si>` +
		`<si><t xml:space="preserve">a_x000D_
b _x005F_x000D_ _x1</t></si></sst>`}
	styles := entry{"xl/styles.xml", excelStyles}
	for _, c := range []struct{ name, rows, want string }{
		{"shared texts", `<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>2</v></c></row><row><c t="s"><v>3</v></c><c t="s"><v>4</v></c><c t="s"><v>-1</v></c></row>`, "one\trich text\t東京\na b _x000D_ _x1"},
		{"own texts", `<row><c t="inlineStr"><is><t>in</t><rPh><t>x</t></rPh><r><t> line</t></r></is></c><c t="str"><f>A1&amp;"x"</f><v>formula</v></c></row>`, "in line\tformula"},
		{"numbers", `<row><c><v>42</v></c><c t="n"><v>0.5</v></c><c s="3"><v>0.125</v></c><c s="2"><v>1234.5</v></c><c s="99"><v>1E3</v></c></row>`, "42\t0.5\t12.50%\t1,234.50 €\t1000"},
		{"dates", `<row><c s="1"><v>39507</v></c><c s="4"><v>0.3125</v></c><c t="d"><v>2008-02-29</v></c></row>`, "2008-02-29\t7:30\t2008-02-29"},
		{"other values", `<row><c t="b"><v>1</v></c><c t="b"><v>0</v></c><c t="b"/><c t="e"><v>#DIV/0!</v></c></row>`, "TRUE\tFALSE\t\t#DIV/0!"},
		{"gaps", `<row r="1"><c r="C1"><v>1</v></c><c r="D1"/><c r="E1"><v>2</v></c></row><row r="3"/><row r="900000"><c r="A900000"><v>3</v></c><c><v>4</v></c></row>`, "\t\t1\t\t2\n3\t4"},
		{"far columns", `<row><c r="A1"><v>1</v></c><c r="XFD1"><v>2</v></c><c r="?"><v>3</v></c></row>`, "1" + strings.Repeat("\t", maxOwedTabs) + "2\t3"},
		{"extensions", `<row><c><v>1</v></c></row></sheetData><extLst><ext><f>x</f><t>x</t></ext></extLst><sheetData>`, "1"},
	} {
		wantText(t, readXLSX, xlsxOf([]string{c.rows}, shared, styles), c.want)
	}
}

func TestSheetsOfXLSX(t *testing.T) {
	t.Parallel()
	row := `<row><c t="inlineStr"><is><t>` + strings.TrimSpace(strings.Repeat("word ", 40)) + `</t></is></c></row>`
	words := strings.TrimSpace(strings.Repeat("word ", 40))
	page := `<worksheet><sheetData>` + row + `</sheetData><headerFooter><oddHeader>&amp;CTop</oddHeader><evenHeader>&amp;CTop</evenHeader></headerFooter></worksheet>`
	wantText(t, readXLSX, xlsxOf([]string{page, `<row><c><v>1</v></c></row>`, "", row}), "A\n"+words+"\n\n1\n\n\nD\n"+words+"\n\nTop")
}

func TestNotesOfXLSX(t *testing.T) {
	t.Parallel()
	wantText(t, readXLSX, xlsxOf([]string{`<row><c><v>1</v></c></row>`, `<row><c><v>2</v></c></row>`},
		entry{"xl/comments.xml", `<comments><authors><author>Ann</author></authors><commentList><comment><text><r><t>Ann:</t></r><r><t> check
this</t></r></text></comment><comment><text><t>and this</t></text></comment></commentList></comments>`},
		entry{"xl/drawing.xml", `<wsDr><sp><txBody><a:p><a:r><a:t>In a </a:t></a:r><a:r><a:t>shape</a:t></a:r></a:p></txBody></sp><mc:AlternateContent><mc:Choice/><mc:Fallback><a:p><a:t>old</a:t></a:p></mc:Fallback></mc:AlternateContent></wsDr>`}),
		"1\n\nAnn: check this\nand this\n\nIn a shape\n\n2")
}

func TestStrictXLSX(t *testing.T) {
	t.Parallel()
	strict := strings.NewReplacer("http://schemas.openxmlformats.org/officeDocument/2006/relationships", "http://purl.oclc.org/ooxml/officeDocument/relationships").Replace
	wantText(t, readXLSX, zipOf(entry{"_rels/.rels", strict(relationsOf("officeDocument", "xl/workbook.xml"))},
		entry{"xl/workbook.xml", `<x:workbook><x:workbookPr date1904="true"/><x:sheets><x:sheet name="S" r:id="rId1"/></x:sheets></x:workbook>`},
		entry{"xl/_rels/workbook.xml.rels", strict(relationsOf("worksheet", "/xl/s.xml", "styles", "styles.xml"))}, entry{"xl/styles.xml", excelStyles},
		entry{"xl/s.xml", `<x:worksheet><x:sheetData><x:row><x:c s="1"><x:v>0</x:v></x:c></x:row></x:sheetData></x:worksheet>`}), "1904-01-01")
}

// TestXLSXOfExcelize reads what another program writes.
func TestXLSXOfExcelize(t *testing.T) {
	t.Parallel()
	f := excelize.NewFile()
	f.SetSheetRow("Sheet1", "A1", &[]any{"Bread", "Price", "Хлеб", 2.5, true})
	f.SetCellRichText("Sheet1", "A2", []excelize.RichTextRun{{Text: "rich "}, {Text: "text"}})
	f.SetCellFormula("Sheet1", "B2", "SUM(D1)")
	f.AddComment("Sheet1", excelize.Comment{Cell: "A1", Author: "Ann", Text: "A remark"})
	f.NewSheet("Second")
	f.SetCellValue("Second", "B3", "naïve café")
	b, err := f.WriteToBuffer()
	if err != nil {
		t.Fatal(err)
	}
	wantText(t, readXLSX, b.Bytes(), "Bread\tPrice\tХлеб\t2.5\tTRUE\nrich text\n\nA remark\n\n\tnaïve café")
}

func TestDamagedXLSX(t *testing.T) {
	t.Parallel()
	damaged(t, readXLSX, xlsxOf([]string{`<row><c s="1"><v>1</v></c></row>`}, entry{"xl/styles.xml", excelStyles}))
	row := `<worksheet><sheetData><row><c><v>1</v></c></row><row><c t="s"><v>0</v></c><c><v>2</v`
	got, err := extracted(t, readXLSX, xlsxOf([]string{row}))
	if err != nil || got.Text != "1" || got.Reason != reasonPartly {
		t.Errorf("got %+v, %v", got, err)
	}
	got, err = extracted(t, readXLSX, xlsxOf([]string{`<row><c><v>1</v></c></row>`}, entry{"xl/sharedStrings.xml", `<!DOCTYPE sst [<!ENTITY a "b">]><sst><si><t>&a;</t></si></sst>`}))
	if err != nil || got.Text != "1" || got.Reason != reasonPartly {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestHostileXLSX(t *testing.T) {
	t.Parallel()
	row := `<row><c t="s"><v>0</v></c></row>`
	got, err := extracted(t, readXLSX, xlsxOf([]string{strings.Repeat(row, 1000)}, entry{"xl/sharedStrings.xml", "<sst><si><t>" + strings.Repeat("x", maxCell+1000) + "</t></si></sst>"}))
	if err != nil || len(got.Text) != maxText || !got.Cut {
		t.Errorf("one text in many cells: %d bytes, cut %v, %v", len(got.Text), got.Cut, err)
	}
	for name, file := range map[string][]byte{
		"blanks":        xlsxOf([]string{strings.Repeat(" ", maxPart+1)}),
		"blank strings": xlsxOf([]string{row}, entry{"xl/sharedStrings.xml", "<sst>" + strings.Repeat("<si>"+strings.Repeat(" ", 9999)+"</si>", maxPart/10000)}),
		"no sheets":     xlsxOf(nil, entry{"xl/sharedStrings.xml", "<sst><"}),
	} {
		if got, err := extracted(t, readXLSX, file); !fault.Is(err, fault.Unprocessable) {
			t.Errorf("%s: %d bytes, %v", name, len(got.Text), err)
		}
	}
}

func FuzzXLSX(f *testing.F) {
	f.Add([]byte(`<worksheet><row><c t="s"><v>0</v></c><c s="1"><v>39507.5</v></c></row></worksheet>`), []byte("<sst><si><t>a_x0041_</t></si></sst>"), []byte(excelStyles))
	f.Add([]byte(`<worksheet><row><c r="XFD9" t="inlineStr"><is><t>a</t></is></c></row><headerFooter><oddHeader>&amp;L&amp;P</oddHeader>`), []byte("<sst><si><rPh><t>x"), []byte("<cellXfs><xf numFmtId='46'/>"))
	f.Fuzz(func(t *testing.T, sheet, shared, styles []byte) {
		got, err := extracted(t, readXLSX, xlsxOf([]string{"<worksheet>" + string(sheet)}, entry{"xl/sharedStrings.xml", string(shared)}, entry{"xl/styles.xml", string(styles)},
			entry{"xl/comments.xml", string(shared)}))
		if len(got.Text) > maxText || err != nil && !fault.Is(err, fault.Unprocessable) {
			t.Error(len(got.Text), err)
		}
	})
}
