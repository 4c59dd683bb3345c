package knowledge

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/contentgraph/contentgraph/internal/extract"
)

// sentence is a sentence of n words.
func sentence(n int) string { return "Water" + strings.Repeat(" flows", n-1) + "." }

// prose is a paragraph of some sentences of 20 words.
func prose(sentences int) string {
	return strings.TrimSpace(strings.Repeat(sentence(20)+" ", sentences))
}

func TestSplit(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want string // size and heading of each passage
	}{
		"nothing":          {"", ""},
		"blanks":           {" \n\n\t", ""},
		"a word":           {"\n word \n", "1:"},
		"short paragraphs": {strings.Repeat(prose(2)+"\n", 4), "120: 40:"},
		"with empty lines": {strings.Repeat(prose(2)+"\n\n", 4), "120: 40:"},
		"long paragraph":   {prose(12), "180: 60:"},
		"headings": {"Moka pots\n\n" + prose(3) + "\n\nCleaning\n\n" + prose(3) + "\n\nStorage\n" + prose(1) + "\n\nDescaling\n" + prose(1),
			"62:Moka pots 61:Cleaning 42:Storage"},
		"titles":           {"The book\n\nChapter one is long\n\n" + prose(8), "166:Chapter one is long"},
		"markdown":         {"# Title\n" + prose(3) + "\n## What is it?\n" + prose(7), "61:Title 143:What is it?"},
		"heading above":    {"Above\n" + prose(12), "161:Above 80:Above"},
		"page number":      {"16\n" + prose(1), "21:"},
		"lines of a table": {strings.Repeat("moka\t3\tcup of coffee\n", 60), "180: 120:"},
		"broken lines":     {strings.Repeat("Water flows on and on without\nan end of any kind here, it seems to\nflow so.\n", 12), "136: 68:"},
		"one sentence":     {strings.TrimSuffix(sentence(400), "."), "180: 180: 40:"},
		"no blanks":        {strings.Repeat("x", 5000), "180: 132:"},
		"chinese":          {strings.Repeat("水流过咖啡粉。", 100), "180: 120:"},
		"rules":            {"a\n" + strings.Repeat("-", 4000) + "\nb", "*"},
	} {
		var got []string
		passages := split("en", c.text)
		for _, p := range passages {
			got = append(got, fmt.Sprintf("%d:%s", size(p.text), p.heading))
		}
		if c.want != "*" && strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %q", name, strings.Join(got, " "), c.want)
		}
		sound(t, c.text, passages)
	}
}

// sound demands that passages are what their offsets say, in order and within
// the size.
func sound(t *testing.T, text string, passages []passage) {
	t.Helper()
	runes, at := []rune(text), 0
	for i, p := range passages {
		if p.start < at || p.end > len(runes) || string(runes[p.start:p.end]) != p.text || strings.TrimSpace(p.text) != p.text || p.text == "" {
			t.Errorf("passage %d is from %d to %d: %.80q", i, p.start, p.end, p.text)
			return
		}
		if len(p.text) > (most+1)*longWord {
			t.Errorf("passage %d has %d bytes", i, len(p.text))
		}
		at = p.end
	}
}

func FuzzSplit(f *testing.F) {
	f.Add("Heading\n\nA sentence. Another one!\n# x\n\tcell\tcell\n水。")
	f.Add(strings.Repeat("word ", 300))
	f.Add("\u00a0\u2028a.\u0301\n")
	f.Fuzz(func(t *testing.T, s string) {
		if utf8.ValidString(s) {
			sound(t, s, split("en", s))
		}
	})
}

func BenchmarkContent(b *testing.B) {
	said := strings.Repeat("Moka pots press hot water through ground coffee\n\n"+prose(12)+"\n", 4000)[:5<<20]
	b.SetBytes(int64(len(said)))
	for b.Loop() {
		contentOf(extract.Result{Text: said})
	}
}

// TestSplitHostile texts in time that grows with their length alone.
func TestSplitHostile(t *testing.T) {
	t.Parallel()
	for _, piece := range []string{"x", "x ", "水", "-", "\n", "a\n", "a\n\n", "# ", ". ", "\u0301", "a.\n", "\t|"} {
		said := strings.Repeat(piece, (2<<20)/len(piece))
		began := time.Now()
		sound(t, said, split("en", said))
		if took := time.Since(began); took > 2*time.Minute {
			t.Errorf("%q takes %v", piece, took)
		}
	}
}
