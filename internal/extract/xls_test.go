package extract

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
)

// rec is a record of a workbook.
func rec(id int, values ...any) []byte {
	data := le(values...)
	return le(uint16(id), uint16(len(data)), data)
}

// Places of cells: row, column, cell format.
func place(row, col, xf int) []byte { return le(uint16(row), uint16(col), uint16(xf)) }

// narrow and wideText are strings of version 8 with lengths of one or two bytes.
func narrow(size int, s string) []byte   { return lengthOf(size, len(s), 0, []byte(s)) }
func wideText(size int, s string) []byte { return lengthOf(size, len(wide(s))/2, 1, wide(s)) }

func lengthOf(size, n int, flags uint8, b []byte) []byte {
	if size == 1 {
		return le(uint8(n), flags, b)
	}
	return le(uint16(n), flags, b)
}

// bookOf is a workbook of version 8: globals, then sheets, each with its name
// and its records.
func bookOf(globals []byte, sheets ...testSheet) []byte {
	head := func(at []int) []byte {
		b := le(rec(recBOF5, uint16(0x0600), uint16(5), make([]byte, 12)), globals)
		for i, s := range sheets {
			b = le(b, rec(recSheet, uint32(at[i]), uint16(0), wideText(1, s.name)))
		}
		return le(b, rec(recEOF))
	}
	at := make([]int, len(sheets))
	b := head(at)
	for i, s := range sheets {
		at[i] = len(b)
		b = le(b, rec(recBOF5, uint16(0x0600), uint16(partSheet), make([]byte, 12)), s.records, rec(recEOF))
	}
	copy(b, head(at))
	return b
}

type testSheet struct {
	name    string
	records []byte
}

func xlsOf(book []byte) []byte { return writeOLE(stream{"Workbook", book}) }

// The cell formats that the test books have, by number.
var testFormats = le(
	rec(recFormat, uint16(164), narrow(2, "0.00\" kg\"")),
	rec(recFormat, uint16(165), wideText(2, "#,##0.00\u00a0\u20ac")),
	rec(recXF, uint16(0), uint16(0)), rec(recXF, uint16(0), uint16(14)), rec(recXF, uint16(0), uint16(164)),
	rec(recXF, uint16(0), uint16(165)), rec(recXF, uint16(0), uint16(10)))

func TestXLS(t *testing.T) {
	t.Parallel()
	table := rec(recStrings, uint32(9), uint32(3), narrow(2, "Fruit"), wideText(2, "Цена"),
		uint16(4), uint8(4|8), uint16(1), uint32(3), "rich", uint32(0), "xyz")
	cells := le(
		rec(recSharedTxt, place(0, 0, 0), uint32(0)), rec(recSharedTxt, place(0, 1, 0), uint32(1)), rec(recSharedTxt, place(0, 2, 0), uint32(2)),
		rec(recLabel, place(1, 0, 0), narrow(2, "Apple\n\tpie")), rec(recNumber, place(1, 1, 3), 1234.5), rec(recNumber, place(1, 3, 1), 39448.0),
		rec(recRK, place(2, 0, 2), uint32(150<<2|3)),
		rec(recManyRK, uint16(2), uint16(1), uint16(0), uint32(7<<2|2), uint16(4), uint32(math.Float64bits(0.25)>>32), uint16(0), uint32(0xFFFFFFFF&^1), uint16(3)),
		rec(recBool, place(3, 0, 0), uint8(1), uint8(0)), rec(recBool, place(3, 1, 0), uint8(0x2A), uint8(1)), rec(recBool, place(3, 2, 0), uint8(0), uint8(0)),
		rec(recFormula, place(4, 0, 0), 3.5, make([]byte, 8)),
		rec(recFormula, place(4, 1, 0), uint8(0), make([]byte, 5), uint16(0xFFFF), make([]byte, 8)), rec(0x04BC, make([]byte, 10)), rec(recFormulaText, narrow(2, "sum")),
		rec(recFormula, place(4, 2, 0), uint8(1), uint8(0), uint8(1), make([]byte, 3), uint16(0xFFFF)),
		rec(recFormula, place(4, 3, 0), uint8(2), uint8(0), uint8(7), make([]byte, 3), uint16(0xFFFF)),
		rec(recFormula, place(4, 4, 0), uint8(3), make([]byte, 5), uint16(0xFFFF)),
		rec(recSharedTxt, place(5, 0, 0), uint32(99)),
		rec(recNumber, place(9, 250, 0), 1.0),
		rec(0x00EC), rec(recText, make([]byte, 10), uint16(9), uint16(0), make([]byte, 4)), rec(recContinue, uint8(0), "Check"), rec(recContinue, uint8(1), wide(" ит!")),
		rec(recNote, make([]byte, 8), narrow(2, "Author")),
		rec(recBOF5, uint16(0x0600), uint16(0x20), make([]byte, 12)), rec(recSeriesText, uint16(0), narrow(1, "Chart title")), rec(recNumber, place(0, 0, 0), 666.0), rec(recEOF),
	)
	want := "Fruit\tЦена\trich\nApple pie\t1,234.50 €\t\t1/1/2008\n1.50 kg\t7\t25.00%\t-1\nTRUE\t#N/A\tFALSE\n3.5\tsum\tTRUE\t#DIV/0!\n" +
		strings.Repeat("\t", maxOwedTabs) + "1\n\nCheck ит!\nChart title\n\n2"
	wantText(t, readXLS, xlsOf(bookOf(le(testFormats, table), testSheet{"Prices 2008", cells}, testSheet{"empty", nil},
		testSheet{"Лист", rec(recNumber, place(0, 0, 0), 2.0)})), want)
}

// Some programs write cells in any order.
func TestLooseCells(t *testing.T) {
	t.Parallel()
	wantText(t, readXLS, xlsOf(bookOf(nil, testSheet{"S", le(
		rec(recNumber, place(1, 1, 0), 4.0), rec(recNumber, place(0, 1, 0), 2.0), rec(recNumber, place(1, 0, 0), 3.0), rec(recNumber, place(0, 0, 0), 1.0),
	)})), "1\t2\n3\t4")
}

// A string goes on in another record at any place, and says there whether in
// one byte or two.
func TestBrokenStrings(t *testing.T) {
	t.Parallel()
	cells := le(rec(recSharedTxt, place(0, 0, 0), uint32(0)), rec(recSharedTxt, place(0, 1, 0), uint32(1)), rec(recSharedTxt, place(0, 2, 0), uint32(2)))
	const first, second = "plain then", "кириллица"
	want := first + " больше\t" + second + "\tend"
	for cut := range len(first) + 1 {
		book := bookOf(le(
			rec(recStrings, uint32(3), uint32(3), uint16(len(first)+7), uint8(0), first[:cut]),
			rec(recContinue), rec(recContinue, uint8(0), first[cut:]), rec(recContinue, uint8(1), wide(" больше"), uint16(9), uint8(1), wide(second)[:2*(cut%9)]),
			rec(recContinue, uint8(1), wide(second)[2*(cut%9):]), rec(recContinue, narrow(2, "end"))), testSheet{"S", cells})
		wantText(t, readXLS, xlsOf(book), want)
	}
}

func TestHeadersOfSheets(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"&LConfidential&C&A&RPage &P of &N":                "Confidential",
		`&C&"Times New Roman,Bold"&12Annual report 2008&D`: "Annual report 2008",
		"Fish && chips":                      "Fish & chips",
		"&RPrinted by the office on page &P": "Printed by the office on page",
		"&":                                  "&", "": "", `&"open`: "open", "&12": "",
	} {
		if got := pageText(in); got != want {
			t.Errorf("%q says %q, want %q", in, got, want)
		}
	}
	rows := rec(recLabel, place(0, 0, 0), narrow(2, strings.Repeat("word ", 300)))
	page := le(rec(recHeader, narrow(2, "&CTop")), rec(recFooter))
	wantText(t, readXLS, xlsOf(bookOf(nil, testSheet{"A", le(page, rows)}, testSheet{"B", le(page, rows)})),
		"A\n"+strings.Repeat("word ", 299)+"word\n\n\nB\n"+strings.Repeat("word ", 299)+"word\n\nTop")
}

// Excel 5 and 95: bytes in the charset of the book.
func TestXLSOfExcel95(t *testing.T) {
	t.Parallel()
	ru := func(s string) []byte { return encoded(charmap.Windows1251, s) }
	head := le(rec(recBOF5, uint16(0x0500), uint16(5), uint32(0)), rec(recCodePage, uint16(1251)), rec(recDateMode, uint16(1)),
		rec(recFormat, uint16(170), uint8(10), "dd.mm.yyyy"), rec(recXF, uint16(0), uint16(0)), rec(recXF, uint16(0), uint16(170)))
	at := len(head) + 4 + 11 + 4
	book := le(head, rec(recSheet, uint32(at), uint16(0), uint8(4), ru("Лист")), rec(recEOF),
		rec(recBOF5, uint16(0x0500), uint16(partSheet), uint32(0)), rec(recHeader, uint8(4), ru("верх")),
		rec(recLabel, place(0, 0, 0), uint16(6), ru("Привет")), rec(recRichLabel, place(0, 1, 0), uint16(3), ru("мир"), uint8(0)),
		rec(recNumber, place(1, 0, 1), 37986.0), rec(recFormula, place(1, 1, 0), uint8(0), make([]byte, 5), uint16(0xFFFF)), rec(recFormulaText, uint16(2), ru("да")),
		rec(recNote, uint16(0), uint16(0), uint16(7), ru("Заметка")), rec(recEOF))
	wantText(t, readXLS, writeOLE(stream{"BOOK", book}), "Привет\tмир\n01.01.2008\tда\n\nЗаметка")
	wantText(t, readXLS, book, "Привет\tмир\n01.01.2008\tда\n\nЗаметка")
}

// Excel 2 to 4: one sheet and no container.
func TestXLSWithoutContainer(t *testing.T) {
	t.Parallel()
	attributes := []byte{0, 1, 0}
	wantText(t, readXLS, le(rec(recBOF2, uint16(2), uint16(partSheet)), rec(recFormat3, uint8(7), "General"), rec(recFormat3, uint8(4), "0.00"),
		rec(recLabel2, uint16(0), uint16(0), attributes, uint8(3), "two"), rec(recInteger2, uint16(0), uint16(1), attributes, uint16(5)),
		rec(recNumber2, uint16(1), uint16(0), attributes, 0.5), rec(recBool2, uint16(1), uint16(1), attributes, uint8(1), uint8(0)),
		rec(recFormula, uint16(2), uint16(0), attributes, uint8(0), make([]byte, 5), uint16(0xFFFF)), rec(recFormulaText2, uint8(4), "text"), rec(recEOF)),
		"two\t5.00\n0.50\tTRUE\ntext")
	wantText(t, readXLS, le(rec(recBOF3, uint16(3), uint16(partSheet), uint16(0)), rec(recFormat3, uint8(7), "General"), rec(recFormat3, uint8(2), "0%"),
		rec(recXF3, uint8(0), uint8(1), make([]byte, 10)), rec(recLabel, place(0, 0, 0), uint16(5), "three"), rec(recRK, place(0, 1, 0), uint32(2<<2|2)), rec(recEOF)),
		"three\t200%")
	wantText(t, readXLS, le(rec(recBOF4, uint16(4), uint16(0x100), uint16(0)), rec(recSheet4, uint32(0), uint8(6), "Fourth"),
		rec(recBOF4, uint16(4), uint16(partSheet), uint16(0)), rec(recFormat, uint16(0), uint8(7), "General"), rec(recFormat, uint16(0), uint8(3), "0.0"),
		rec(recXF4, uint8(0), uint8(1), make([]byte, 10)), rec(recNumber, place(0, 0, 0), 4.0), rec(recEOF), rec(recEOF)), "4.0")
}

func TestUnreadableXLS(t *testing.T) {
	t.Parallel()
	wantReason(t, readXLS, xlsOf(bookOf(rec(recFilePass, make([]byte, 6)), testSheet{"S", nil})), reasonPassword)
	wantReason(t, readXLS, writeOLE(stream{"Other", nil}), reasonDamaged)
	wantReason(t, readXLS, xlsOf(nil), reasonDamaged)
	wantReason(t, readXLS, xlsOf([]byte("text that is no workbook")), reasonDamaged)
	wantReason(t, readXLS, []byte("not a container"), reasonDamaged)
	wantReason(t, readXLS, nil, reasonDamaged)
	wantText(t, readXLS, writeOLE(stream{"wORKBOOK", bookOf(nil, testSheet{"S", rec(recNumber, place(0, 0, 0), 1.0)})}), "1")
}

func TestTornXLS(t *testing.T) {
	t.Parallel()
	book := bookOf(nil, testSheet{"S", le(rec(recNumber, place(0, 0, 0), 1.0), rec(recNumber, place(1, 0, 0), 2.0))})
	got, err := extracted(t, readXLS, book[:len(book)-10])
	if err != nil || got.Text != "1" || got.Reason != reasonPartly {
		t.Error(err, got)
	}
}

// A long string in many cells, charts in charts, and a table of strings that
// promises more than there is.
func TestHostileXLS(t *testing.T) {
	t.Parallel()
	var cells []byte
	for i := range 2000 {
		cells = le(cells, rec(recSharedTxt, place(i, 0, 0), uint32(0)))
	}
	got, err := extracted(t, readXLS, bookOf(rec(recStrings, uint32(1), uint32(math.MaxUint32), narrow(2, strings.Repeat("x", 8000))), testSheet{"S", cells}))
	if err != nil || !got.Cut || len(got.Text) > maxText {
		t.Error(err, got.Cut, len(got.Text))
	}
	nested := bytes.Repeat(rec(recBOF5, uint16(0x0600), uint16(0x20)), 10_000)
	if got, err = extracted(t, readXLS, bookOf(nil, testSheet{"S", le(rec(recNumber, place(0, 0, 0), 1.0), nested)})); err != nil || got.Reason != reasonPartly {
		t.Error(err, got)
	}
}

// prices.xls was written by LibreOffice from a table made for this test.
func TestXLSOfLibreOffice(t *testing.T) {
	t.Parallel()
	wantText(t, readXLS, testdata(t, "prices.xls"), `Bread	Since	Price	Share	Opens	Sum
Rye	2008-02-29	1,234.50 €	12.5%	07:30	2469
Хлеб ржаной		0.25	TRUE	ab	#DIV/0!

A remark on rye.

naïve café`)
}

func TestDamagedXLS(t *testing.T) {
	t.Parallel()
	book := bookOf(le(testFormats, rec(recStrings, uint32(2), uint32(2), narrow(2, "one"), uint16(5), uint8(1), wide("дв")), rec(recContinue, uint8(0), "abc")),
		testSheet{"S", le(rec(recSharedTxt, place(0, 0, 0), uint32(1)), rec(recNumber, place(0, 1, 2), 2.5), rec(recRK, place(1, 0, 1), uint32(39448<<2|2)),
			rec(recFormula, place(1, 1, 0), uint8(0), make([]byte, 5), uint16(0xFFFF)), rec(recFormulaText, narrow(2, "x")))})
	damaged(t, readXLS, xlsOf(book))
	damaged(t, readXLS, book)
	damaged(t, readXLS, testdata(t, "prices.xls"))
}

func FuzzXLS(f *testing.F) {
	f.Add(bookOf(testFormats, testSheet{"S", rec(recNumber, place(0, 0, 3), 2.5)}))
	f.Add(bookOf(le(rec(recStrings, uint32(1), uint32(1), uint16(5), uint8(1), wide("дв")), rec(recContinue, uint8(0), "abc")),
		testSheet{"S", rec(recSharedTxt, place(0, 0, 0), uint32(0))}))
	f.Add(le(rec(recBOF2, uint16(2), uint16(partSheet)), rec(recLabel2, uint16(0), uint16(0), make([]byte, 3), uint8(3), "two"), rec(recEOF)))
	for i, code := range []string{"[$-407]dddd", "0.0E+0", "# ?/?", "[h]:mm:ss.0", "[>5]0;;;@"} {
		f.Add(bookOf(le(rec(recFormat, uint16(164), narrow(2, code)), rec(recXF, uint16(0), uint16(164))),
			testSheet{fmt.Sprint(i), rec(recNumber, place(0, 0, 0), 39448.5)}))
	}
	f.Fuzz(func(t *testing.T, book []byte) {
		if got, err := extracted(t, readXLS, book); err == nil && len(got.Text) > maxText {
			t.Error(len(got.Text))
		}
	})
}

// FuzzNumberFormat needs no workbook around the code.
func FuzzNumberFormat(f *testing.F) {
	for _, code := range []string{"[$-407]dddd", "0.0E+0", "# ?/?", "[h]:mm:ss.0", "[>5]0;;;@", "#,##0.00,", "[$€-2] 0%", "0.0E-00"} {
		f.Add(code, 39448.5)
	}
	f.Fuzz(func(t *testing.T, code string, v float64) {
		var known formats
		known.set(164, code)
		if got := known.number(v, 164); len(got) > 1<<20 {
			t.Error(len(got))
		}
	})
}
