package extract

import "testing"

const numberingPart = `<w:numbering>
<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl><w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1.%2)"/></w:lvl></w:abstractNum>
<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="-"/></w:lvl></w:abstractNum>
<w:abstractNum w:abstractNumId="2"><w:lvl w:ilvl="0"><w:start w:val="3"/><w:numFmt w:val="upperRoman"/><w:pStyle w:val="Chapter"/><w:lvlText w:val="Chapter %1"/></w:lvl></w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>
<w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>
<w:num w:numId="3"><w:abstractNumId w:val="2"/></w:num>
<w:num w:numId="4"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="8"/></w:lvlOverride></w:num>
<w:num w:numId="5"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimalZero"/><w:lvlText w:val="(%1)"/></w:lvl></w:lvlOverride></w:num>
</w:numbering>`

func TestListsOfDOCX(t *testing.T) {
	t.Parallel()
	item := func(id, level, text string) string {
		return `<w:p><w:pPr><w:numPr><w:ilvl w:val="` + level + `"/><w:numId w:val="` + id + `"/></w:numPr></w:pPr><w:r><w:t>` + text + "</w:t></w:r></w:p>"
	}
	styled := func(style, text string) string {
		return `<w:p><w:pPr><w:pStyle w:val="` + style + `"/></w:pPr><w:r><w:t>` + text + "</w:t></w:r></w:p>"
	}
	body := item("1", "0", "one") + item("1", "1", "deep") + item("1", "1", "deeper") + item("1", "0", "two") + item("1", "1", "again") + item("2", "0", "dot") +
		styled("Chapter", "The start") + styled("Derived", "The end") + styled("Plain", "no number") + item("4", "0", "eight") + item("4", "0", "nine") + item("5", "0", "own look") +
		item("0", "0", "none") + item("99", "0", "unknown") + item("1", "9", "out of range")
	styles := `<w:styles><w:style w:styleId="Chapter"><w:pPr><w:numPr><w:numId w:val="3"/></w:numPr></w:pPr></w:style><w:style w:styleId="Derived"><w:basedOn w:val="Chapter"/></w:style>` +
		`<w:style w:styleId="Plain"><w:basedOn w:val="Plain"/></w:style></w:styles>`
	wantText(t, readDOCX, docxOf(body, entry{"word/numbering.xml", numberingPart}, entry{"word/styles.xml", styles}),
		"1. one\n1.a) deep\n1.b) deeper\n2. two\n2.a) again\n• dot\nChapter III The start\nChapter IV The end\nno number\n8. eight\n9. nine\n(01) own look\nnone\nunknown\n10. out of range")
}

func TestOrdinals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n            int
		format, want string
	}{
		{4, "lowerRoman", "iv"}, {1999, "upperRoman", "MCMXCIX"}, {5000, "upperRoman", "5000"}, {0, "upperRoman", "0"},
		{26, "upperLetter", "Z"}, {27, "lowerLetter", "aa"}, {-1, "lowerLetter", "-1"}, {9, "decimalZero", "09"}, {10, "decimalZero", "10"}, {3, "none", ""}, {3, "thaiLetters", "3"},
	} {
		if got := ordinal(c.n, c.format); got != c.want {
			t.Errorf("%d %s: got %s, want %s", c.n, c.format, got, c.want)
		}
	}
}
