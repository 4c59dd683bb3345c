package extract

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/contentgraph/contentgraph/internal/fault"
)

// entry is a part of an archive to be written.
type entry struct{ name, content string }

// zipOf writes an archive.
func zipOf(entries ...entry) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, e := range entries {
		w, err := z.Create(e.name)
		if err != nil {
			panic(err)
		}
		w.Write([]byte(e.content))
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// relationsOf writes relationships: a kind and a target each.
func relationsOf(pairs ...string) string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`)
	for i := 0; i < len(pairs); i += 2 {
		fmt.Fprintf(&b, `<Relationship Id="rId%d" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/%s" Target="%s"/>`, i/2+1, pairs[i], pairs[i+1])
	}
	return b.String() + `</Relationships>`
}

const wordType = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"

func typesOf(part, kind string) entry {
	return entry{"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
		`<Override PartName="/` + part + `" ContentType="` + kind + `"/></Types>`}
}

func TestPartNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ folder, target, want string }{
		{"word", "footnotes.xml", "word/footnotes.xml"}, {"word", "/word/Header1.xml", "word/header1.xml"},
		{"xl", "../docProps/app.xml", "docprops/app.xml"}, {"", `word\document.xml`, "word/document.xml"},
		{"", "../../../etc/passwd", "etc/passwd"}, {"", "", ""},
	} {
		if got := partName(c.folder, c.target); got != c.want {
			t.Errorf("%s %s: got %s, want %s", c.folder, c.target, got, c.want)
		}
	}
}

// TestHostileArchives holds that archives which unpack to far more than they
// are, or whose directory lies, end in time and with little memory.
func TestHostileArchives(t *testing.T) {
	t.Parallel()
	blanks := strings.Repeat(" ", maxPart+1)
	for _, c := range []struct {
		name   string
		file   []byte
		reason string
	}{
		{"blanks", docxOf("<w:p>" + blanks + "</w:p>"), reasonUnpacked},
		{"one attribute", docxOf(`<w:p w:x="` + strings.Repeat("x", maxToken+1) + `"/>`), reasonUnpacked},
		{"nesting", docxOf(strings.Repeat("<w:sdt>", maxNesting+1)), reasonDamaged},
		{"billion laughs", docxOf("", entry{"word/document.xml", `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><w:document><w:p><w:r><w:t>&b;</w:t></w:r></w:p></w:document>`}), reasonDamaged},
		{"entity of a file", docxOf("", entry{"word/document.xml", `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><w:document><w:p><w:r><w:t>&a;</w:t></w:r></w:p></w:document>`}), reasonDamaged},
		{"entity of a server", docxOf("", entry{"word/document.xml", `<!DOCTYPE x SYSTEM "http://192.0.2.1/x.dtd"><w:document/>`}), reasonDamaged},
		{"no main part", zipOf(entry{"_rels/.rels", relationsOf("officeDocument", "word/none.xml")}), reasonDamaged},
	} {
		if got, err := extracted(t, readDOCX, c.file); !fault.Is(err, fault.Unprocessable) || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%s: got %.40q, %v", c.name, got.Text, err)
		}
	}
}

// TestBoxesWithinEachOther holds that elements which do not end as they began
// take no memory.
func TestBoxesWithinEachOther(t *testing.T) {
	t.Parallel()
	got, err := extracted(t, readDOCX, docxOf(strings.Repeat("<w:txbxContent></w:x>", 1<<16)+wordText("lost")))
	if err != nil || got.Text != "" {
		t.Errorf("got %q, %v", got.Text, err)
	}
}

// TestTextBeforeBomb holds that what stands before a bomb is kept.
func TestTextBeforeBomb(t *testing.T) {
	t.Parallel()
	got, err := extracted(t, readDOCX, docxOf(wordText("before")+"<w:p>"+strings.Repeat(" ", maxToken+1)+"</w:p>"))
	if err != nil || got.Text != "before" || !got.Cut {
		t.Errorf("got %q, cut %v, %v", got.Text, got.Cut, err)
	}
}

// TestPathsInArchives holds that names of entries are names and no paths.
func TestPathsInArchives(t *testing.T) {
	t.Parallel()
	got, err := extracted(t, readDOCX, zipOf(
		entry{"../../../../tmp/evil.txt", "x"}, entry{"/etc/passwd", "x"}, entry{`C:\evil.txt`, "x"}, entry{"a\x00b", "x"}, entry{strings.Repeat("d/", 5000), ""},
		entry{`_rels\.rels`, relationsOf("officeDocument", `\word\document.xml`)}, typesOf("word/document.xml", wordType),
		entry{`word\document.xml`, "<w:document>" + wordText("text") + "</w:document>"},
	))
	if err != nil || got.Text != "text" {
		t.Errorf("got %q, %v", got.Text, err)
	}
}

// TestManyEntries holds that a directory is not read without end.
func TestManyEntries(t *testing.T) {
	t.Parallel()
	entries := make([]entry, 5_000)
	for i := range entries {
		entries[i].name = fmt.Sprintf("%01000d", i)
	}
	if _, err := openArchive(sectionOf(zipOf(entries...))); !fault.Is(err, fault.Unprocessable) {
		t.Errorf("got %v", err)
	}
}

// TestEncryptedEntries holds that an archive with a password is named so.
func TestEncryptedEntries(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.CreateHeader(&zip.FileHeader{Name: "word/document.xml", Flags: 1})
	if err != nil {
		t.Fatal(err)
	}
	w.Write([]byte("secret"))
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	wantReason(t, readDOCX, b.Bytes(), reasonPassword)
}
