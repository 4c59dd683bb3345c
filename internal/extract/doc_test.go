package extract

import (
	"bytes"
	"encoding/binary"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
)

// docFile is a document to be written.
type docFile struct {
	pieces []docPiece
	counts [docParts]int // characters; all are of the body when they are 0
	flags  uint16
	// The formats of stretches of the first piece, as in docformat.go.
	characters, paragraphs []docFormat
}

// docPiece is a piece in 8 bits or UTF-16, or with n bytes of another one, which
// are at an offset.
type docPiece struct {
	text  string
	wide  bool
	at, n int
}

type docFormat struct {
	from, to int // characters
	sprm     []byte
}

const docTextAt = 512

func (f docFile) write() []byte {
	text := make([]byte, docTextAt)
	var cps []uint32
	var pieces []byte
	cp := 0
	for _, p := range f.pieces {
		at := p.at
		if at == 0 {
			at = len(text)
		}
		b, fc := encoded(charmap.Windows1252, p.text), uint32(at)*2|1<<30
		switch {
		case p.at > 0:
			b = make([]byte, p.n)
		case p.wide:
			b, fc = wide(p.text), uint32(at)
		}
		if p.at == 0 {
			text = append(text, b...)
		}
		cps = append(cps, uint32(cp))
		pieces = le(pieces, uint16(0), fc, uint16(0))
		if cp += len(b); p.wide {
			cp -= len(b) / 2
		}
	}
	cps = append(cps, uint32(cp))
	if f.counts == [docParts]int{} {
		f.counts[docMain] = cp
	}
	plc := le(cps, pieces)
	table := le(uint8(2), uint32(len(plc)), plc)
	pairs := make([]uint32, 2*(docPieces+1))
	pairs[2*docPieces+1] = uint32(len(table))
	for number, formats := range map[int][]docFormat{docCharacters: f.characters, docParagraphs: f.paragraphs} {
		if formats == nil {
			continue
		}
		text = append(text, make([]byte, (docPage-len(text)%docPage)%docPage)...)
		pairs[2*number], pairs[2*number+1] = uint32(len(table)), 12
		table = le(table, uint32(docTextAt), uint32(len(text)), uint32(len(text)/docPage))
		text = append(text, formatPage(number, formats)...)
	}
	counts := make([]uint32, 22)
	for i, n := range f.counts {
		counts[3+i] = uint32(n)
	}
	fib := le(uint16(0xA5EC), uint16(0xC1), make([]byte, 2), uint16(0x0409), make([]byte, 2), f.flags, make([]byte, 20),
		uint16(14), make([]byte, 28), uint16(22), counts, uint16(len(pairs)/2), pairs)
	copy(text, fib)
	return writeOLE(stream{"WordDocument", text}, stream{"0Table", table})
}

// formatPage is a page of formats of characters or paragraphs.
func formatPage(number int, formats []docFormat) []byte {
	page := make([]byte, docPage)
	page[docPage-1] = byte(len(formats))
	at, step := docPage-2, 1
	if number == docParagraphs {
		step = 13
	}
	for i, f := range formats {
		binary.LittleEndian.PutUint32(page[4*i:], uint32(docTextAt+f.from))
		binary.LittleEndian.PutUint32(page[4*i+4:], uint32(docTextAt+f.to))
		properties := append([]byte{byte(len(f.sprm))}, f.sprm...)
		if number == docParagraphs { // a style in front, a length in words
			properties = append([]byte{0, byte((len(f.sprm) + 3) / 2), 0, 0}, f.sprm...)
		}
		at = (at - len(properties) - 1) &^ 1
		copy(page[at:], properties)
		page[4*(len(formats)+1)+step*i] = byte(at / 2)
	}
	return page
}

// encoded is s in a charset; what that lacks becomes a question mark.
func encoded(e *charmap.Charmap, s string) []byte {
	b, err := encoding.ReplaceUnsupported(e.NewEncoder()).Bytes([]byte(s))
	if err != nil {
		panic(err)
	}
	return b
}

// plainDoc is a document of one 8-bit piece.
func plainDoc(s string) docFile { return docFile{pieces: []docPiece{{text: s}}} }

func TestDOC(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file docFile
		want string
	}{
		"plain":   {plainDoc("A caf\u00e9 costs \u20ac5.\rSecond\u00a0paragraph.\r"), "A caf\u00e9 costs \u20ac5.\nSecond paragraph."},
		"marks":   {plainDoc("non\x1ebreaking soft\x1fhyphen\vline\fpage\x01\x02\x08 end\r"), "non-breaking softhyphen\nline\npage end"},
		"unicode": {docFile{pieces: []docPiece{{text: "Привет, мир \U0001F600\r", wide: true}}}, "Привет, мир \U0001F600"},
		"both": {docFile{pieces: []docPiece{{text: "One "}, {text: "два ", wide: true}, {text: "three\r"}}},
			"One два three"},
		"fields":                {plainDoc("See \x13 HYPERLINK \"http://x\" \x14the \x13 PAGE \x147\x15th page\x15, \x13 XE \"index\" \x15ok\r"), "See the 7th page, ok"},
		"nested code":           {plainDoc("a \x13 IF \x13 PAGE \x142\x15 = 2 \"x\" \x14yes\x15 b\r"), "a yes b"},
		"open field":            {plainDoc("before \x13 REF after\r"), "before  REF after"},
		"stray marks":           {plainDoc("a\x15b\x14c\r"), "abc"},
		"symbols":               {docFile{pieces: []docPiece{{text: "a \uF0B7 b\r", wide: true}}}, "a  b"},
		"table without formats": {plainDoc("a\x07b\x07\x07c\x07d\x07\x07after\r"), "a\tb\nc\td\nafter"},
		"table": {docFile{pieces: []docPiece{{text: "a\x07\x07c\x07\x07d\x07e\x07f\x07\x07after\r"}},
			paragraphs: []docFormat{{0, 5, nil}, {5, 6, le(uint16(sprmRowEnd), uint8(1))}, {6, 12, nil}, {12, 13, le(uint16(0x4600), uint16(7), uint16(sprmRowEnd), uint8(1))}}},
			"a\t\tc\nd\te\tf\nafter"},
		"hidden and deleted": {docFile{pieces: []docPiece{{text: "seen hidden deleted struck (kept\r"}},
			characters: []docFormat{{0, 5, nil}, {5, 12, le(uint16(sprmHidden), uint8(0x81))}, {12, 20, le(uint16(sprmDeleted), uint8(1))},
				{20, 27, le(uint16(0x0837), uint8(1))}, {27, 28, le(uint16(sprmSymbol), uint32(0))}, {28, 33, le(uint16(sprmHidden), uint8(0))}}},
			"seen struck kept"},
		"parts": {docFile{pieces: []docPiece{{text: strings.Repeat("Body. ", 500) + "\r\x02 Footnote\rHeader\rHeader\rmacro\r\x05Comment\r\x02 Endnote\rBox\rHeader box\r"}},
			counts: [docParts]int{3001, 11, 14, 6, 9, 10, 4, 11}},
			strings.Repeat("Body. ", 500)[:2999] + "\n\nBox\n\n Footnote\n\n Endnote\n\nComment\n\nHeader\nHeader box"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantText(t, readDOC, c.file.write(), c.want)
		})
	}
}

// Word 97 knows Western text in 8 bits alone; other programs wrote their own.
func TestDOCInAnotherCharset(t *testing.T) {
	t.Parallel()
	const text = "Съешь же ещё этих мягких булок"
	file := plainDoc(string(latin(encoded(charmap.Windows1251, text))) + "\r").write()
	at := bytes.Index(file, []byte{0xEC, 0xA5})
	binary.LittleEndian.PutUint16(file[at+6:], 0x0419)
	wantText(t, readDOC, file, text)
}

// latin is b as the text it is in Windows-1252.
func latin(b []byte) []byte { return []byte(decode(charmap.Windows1252, b)) }

// oldDoc is a document of Word 95.
func oldDoc(language uint16, fonts, text []byte) []byte {
	fib := make([]byte, docTextAt)
	copy(fib, le(uint16(0xA5DC), uint16(104), make([]byte, 2), language, make([]byte, 16), uint32(docTextAt), uint32(docTextAt+len(text))))
	binary.LittleEndian.PutUint32(fib[0x34:], uint32(len(text)))
	copy(fib[0x58+8*docFonts:], le(uint32(docTextAt+len(text)), uint32(len(fonts))))
	return writeOLE(stream{"WordDocument", le(fib, text, fonts)})
}

func TestOldDOC(t *testing.T) {
	t.Parallel()
	const text = "Съешь же ещё этих мягких французских булок"
	font := func(charset byte) []byte { return []byte{6, 0, 0, 0, charset, 0, 'A'} }
	fonts := slices.Concat([]byte{14, 0}, font(0), font(204))
	cyrillic := encoded(charmap.Windows1251, text+"\r")
	wantText(t, readDOC, oldDoc(0x0409, nil, []byte("plain caf\xe9\r")), "plain café")
	wantText(t, readDOC, oldDoc(0x0419, nil, cyrillic), text)
	wantText(t, readDOC, oldDoc(0x0409, fonts, cyrillic), text)
	wantText(t, readDOC, oldDoc(0x0409, fonts, []byte("plain caf\xe9\r")), "plain café")
	wantText(t, readDOC, oldDoc(0x0411, nil, []byte("\x93\xfa\x96\x7b\r")), "日本")
	wantText(t, readDOC, oldDoc(0x0415, nil, encoded(charmap.Windows1250, "Zażółć gęślą\r")), "Zażółć gęślą")
}

func TestUnreadableDOC(t *testing.T) {
	t.Parallel()
	protected := plainDoc("secret\r")
	protected.flags = 0x0100
	wantReason(t, readDOC, protected.write(), reasonPassword)
	wantReason(t, readDOC, writeOLE(stream{"Other", nil}), reasonDamaged)
	wantReason(t, readDOC, writeOLE(stream{"WordDocument", nil}), reasonDamaged)
	wantReason(t, readDOC, []byte("not a container"), reasonDamaged)
	wantReason(t, readDOC, nil, reasonDamaged)
	file := plainDoc("text\r").write()
	wantReason(t, readDOC, bytes.Replace(file, wide("0Table"), wide("9Table"), 1), reasonDamaged)
}

// Without the counts of its parts, all text is taken for the body.
func TestDOCWithoutCounts(t *testing.T) {
	t.Parallel()
	file := plainDoc("text\r").write()
	at := bytes.Index(file, []byte{0xEC, 0xA5}) + 0x20 + 2 + 28 + 2 + 3*4
	binary.LittleEndian.PutUint32(file[at:], 0)
	wantText(t, readDOC, file, "text")
}

func TestDOCInOtherCase(t *testing.T) {
	t.Parallel()
	file := plainDoc("text\r").write()
	file = bytes.Replace(file, wide("WordDocument"), wide("WORDDOCUMENT"), 1)
	file = bytes.Replace(file, wide("0Table"), wide("0tABLE"), 1)
	wantText(t, readDOC, file, "text")
}

// Pieces that all lie at the same place ask for more than there is.
func TestOverlappingPieces(t *testing.T) {
	t.Parallel()
	line := strings.Repeat("All work and no play. ", 2000) + "\r"
	for name, text := range map[string]string{"seen": line, "never seen": "\x13" + line} {
		file := plainDoc(text)
		for range 1000 {
			file.pieces = append(file.pieces, docPiece{at: docTextAt, n: len(text)})
		}
		if got, err := extracted(t, readDOC, file.write()); err != nil || !got.Cut || len(got.Text) > maxText {
			t.Error(name, err, got.Cut, len(got.Text))
		}
	}
}

// Of a document whose end is missing, the beginning is kept.
func TestTornDOC(t *testing.T) {
	t.Parallel()
	file := docFile{pieces: []docPiece{{text: "Beginning. "}, {text: strings.Repeat("More. ", 100)}}}
	file.pieces = append(file.pieces, docPiece{n: 4, at: 1 << 24})
	got, err := extracted(t, readDOC, file.write())
	if err != nil || got.Reason != reasonPartly || !strings.HasPrefix(got.Text, "Beginning. More. ") {
		t.Error(err, got)
	}
}

// letter.doc was written by LibreOffice from a text made for this test.
func TestDOCOfLibreOffice(t *testing.T) {
	t.Parallel()
	wantText(t, readDOC, testdata(t, "letter.doc"), `A letter about bread
Dear reader, the café opens at 7 — naïve as it sounds. It closes at noon.
We keep the remaining words. See our list of bread for more.
Bread	Weight	Price
Rye		€ 4
Хлеб ржаной	1 kg
After the table
a second line, 	a tab, a hard space and an emoji 😀.
The last paragraph.

Text in a frame of its own.


	Except on Sundays.


	A note at the very end.


A remark in the margin.`)
}

func testdata(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestDamagedDOC(t *testing.T) {
	t.Parallel()
	damaged(t, readDOC, docFile{pieces: []docPiece{{text: "a\x07b\x07\x07\x13 X \x14y\x15\r"}, {text: "Привет\r", wide: true}},
		characters: []docFormat{{0, 5, le(uint16(sprmHidden), uint8(1))}},
		paragraphs: []docFormat{{4, 5, le(uint16(sprmRowEnd), uint8(1))}}}.write())
	damaged(t, readDOC, testdata(t, "letter.doc"))
	damaged(t, readDOC, oldDoc(0x0411, []byte{9, 0, 6, 0, 0, 0, 204, 0, 'A'}, []byte("\x93\xfa\x96\x7b\r")))
}

func FuzzDOC(f *testing.F) {
	for _, file := range [][]byte{
		plainDoc("text \x13 PAGE \x141\x15\r").write(),
		docFile{pieces: []docPiece{{text: "a\x07b\x07\x07"}, {text: "Привет\r", wide: true}},
			characters: []docFormat{{0, 5, le(uint16(sprmHidden), uint8(1))}},
			paragraphs: []docFormat{{4, 5, le(uint16(sprmRowEnd), uint8(1))}}}.write(),
		oldDoc(0x0419, nil, encoded(charmap.Windows1251, "Привет\r")),
	} {
		c, err := openOLE(sectionOf(file))
		if err != nil {
			f.Fatal(err)
		}
		word, _, _ := c.stream("WordDocument")
		table, _, _ := c.stream("0Table")
		f.Add(bytes.TrimRight(word, "\x00"), bytes.TrimRight(table, "\x00"))
	}
	f.Fuzz(func(t *testing.T, word, table []byte) {
		got, err := extracted(t, readDOC, writeOLE(stream{"WordDocument", word}, stream{"0Table", table}))
		if err == nil && len(got.Text) > maxText {
			t.Error(len(got.Text))
		}
	})
}
