package extract

import (
	"strings"
	"testing"
	"time"
)

func TestCSV(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"comma", "a,b,c\n1,2,3\n", "a\tb\tc\n1\t2\t3"},
		{"semicolon with decimal commas", "Name;Preis\r\nBrot;1,50\r\nMilch;0,99\r\n", "Name\tPreis\nBrot\t1,50\nMilch\t0,99"},
		{"tab", "a\tb, c\n1\t2\n", "a\tb, c\n1\t2"},
		{"bar", "a|b|c\n1,5|2|3\n", "a\tb\tc\n1,5\t2\t3"},
		{"hint for Excel", "sep=;\na,b;c\n1;2\n", "a,b\tc\n1\t2"},
		{"one column", "word\nother word\n", "word\nother word"},
		{"prose", "One sentence, with a comma.\nAnother one without.\nA third, and, so on.\n", "One sentence\twith a comma.\nAnother one without.\nA third\tand\tso on."},
		{"quotes", `a,"ha ""ha"" ha"` + "\n" + `"x, y",4`, "a\tha \"ha\" ha\nx, y\t4"},
		{"line ends within quotes", "a,b\n\"Once upon\r\na time\",5\n", "a\tb\nOnce upon a time\t5"},
		{"quotes within a cell", `5" disk,1` + "\n" + `"a "b" c",2`, "5\" disk\t1\n\"a \"b\" c\"\t2"},
		{"a lost quote", "a,b\n\"open,2\n3,4\n", "a\tb\n\"open\t2\n3\t4"},
		{"empty cells", ",,c\n1,,3\n,,\n\n4\n", "\t\tc\n1\t\t3\n\n\n4"},
		{"only quotes", `"",""` + "\n" + `"""",x`, "\n\"\tx"},
		{"line ends of old Macs", "a,b\r1,2\r", "a\tb\n1\t2"},
		{"blanks and tabs in cells", "a, b \t c ,d\n1,2,3\n", "a\tb c\td\n1\t2\t3"},
		{"end within a row", "a,b\n1,", "a\tb\n1"},
		{"delimiters in quotes do not count", "\"a;b;c\",1\n\"d;e;f\",2\n\"g;h;i\",3\n", "a;b;c\t1\nd;e;f\t2\ng;h;i\t3"},
	} {
		got, err := extracted(t, readCSV, []byte(c.in))
		if err != nil || got.Text != strings.TrimLeft(c.want, "\n") {
			t.Errorf("%s: got %q, %v, want %q", c.name, got.Text, err, c.want)
		}
	}
}

// TestHostileCSV holds that tables of any shape are read in linear time.
func TestHostileCSV(t *testing.T) {
	t.Parallel()
	const size = 1 << 20
	for name, piece := range map[string]string{
		"delimiters": ",", "quotes": `"`, "open quotes": `"a,`, "quoted delimiters": `","`, "doubled quotes": `"",""`, "rows": "\n", "quoted rows": "\"\n\",\n", "words": "a ", "mixed": `"",a"` + "\n",
	} {
		start := time.Now()
		if _, err := extracted(t, readCSV, []byte(strings.Repeat(piece, size/len(piece)))); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if took := time.Since(start); took > 2*time.Minute {
			t.Errorf("%s: took %s", name, took)
		}
	}
}

func TestCharsetOfCSV(t *testing.T) {
	t.Parallel()
	got, err := extracted(t, readCSV, []byte("Gr\xf6\xdfe;Ma\xdf\r\n1;2\r\n"))
	if err != nil || got.Text != "Größe\tMaß\n1\t2" || got.Charset != "iso-8859-1" {
		t.Errorf("got %+v, %v", got, err)
	}
}

func FuzzCSV(f *testing.F) {
	for _, s := range []string{"a,b\n1,2\n", "sep=|\na|b", `"a""b";"c` + "\n" + `d"`, "\xff\xfea\x00,\x00b\x00", "a\tb\r1\t2"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := extracted(t, readCSV, b)
		if err != nil || len(got.Text) > maxText {
			t.Error(len(got.Text), err)
		}
	})
}
