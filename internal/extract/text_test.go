package extract

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestClean(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"line ends", "a\r\nb\rc\u2028d\u0085e\x0bf\x0cg", "a\nb\nc\nd\ne\nf\ng"},
		{"empty lines", "\n\n \t\na\n\n\n\n\n \nb\n\n\nc\n\n", "a\n\n\nb\n\n\nc"},
		{"trailing blanks", "a \t\u3000\n  b\u00A0\n", "a\n  b"},
		{"tabs stay", "a\t\tb", "a\t\tb"},
		{"kinds of blanks", "1\u00A0000\u202Fkm\u2009h", "1 000 km h"},
		{"controls", "a\x00b\x01c\x7Fd\u009Fe", "abcde"},
		{"not UTF-8", "a\xffb\xed\xa0\x80c\xf0\x9f", "abc"},
		{"replacement character stays", "a\uFFFDb", "a\uFFFDb"},
		{"soft hyphens", "Donau\u00ADdampf\u00ADschiff", "Donaudampfschiff"},
		{"invisible", "a\uFEFFb\u200Bc\u2060d\uFFFCe\uFFFFf\U000E0041\U000E007Fg", "abcdefg"},
		{"directions", "a\u202Eb\u2066c\u2069", "abc"},
		{"joiners stay", "می\u200Cخواهم 👩\u200D🚀", "می\u200Cخواهم 👩\u200D🚀"},
		{"Latin ligatures", "oﬃce ﬁt ﬂy ﬀ ﬄ ﬅ ﬆ", "office fit fly ff ffl st st"},
		{"Arabic forms", "ﺍﻟﺴﻼﻡ", "السلام"},
		{"Hebrew forms", "שּׁלום", "שּׁלום"},
		{"Armenian ligatures", "ﬓ", "մն"},
		{"composed", "e\u0301 U\u0308 \u1100\u1161", "é Ü 가"},
		{"compatibility characters stay", "x² ½ № ™ Ａ", "x² ½ № ™ Ａ"},
		{"right to left in logical order", "שלום 123 عالم", "שלום 123 عالم"},
		{"nothing", " \n\t\x00", ""},
	} {
		if got := clean(c.in); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestFullText(t *testing.T) {
	t.Parallel()
	for _, c := range []string{"a", "語", "\U0001D160"} { // the last one grows in NFC
		out := &text{}
		var err error
		for n := 0; err == nil; n++ {
			if n > maxText {
				t.Fatal("is never full")
			}
			err = out.Write(strings.Repeat(c, 1000))
		}
		got := out.finish()
		if len(got.Text) > maxText || len(got.Text) < maxText-16 || !utf8.ValidString(got.Text) {
			t.Errorf("%q: %d bytes, valid %v", c, len(got.Text), utf8.ValidString(got.Text))
		}
	}
}

func TestAsides(t *testing.T) {
	t.Parallel()
	body := strings.Repeat("long text ", 200)
	out := &text{}
	out.Write(body)
	for _, s := range []string{" Head \n line ", "Head line", "", "Foot", strings.Repeat("x", 3000), "after"} {
		out.Aside(s)
	}
	if got, want := out.finish().Text, strings.TrimSpace(body)+"\nHead line\nFoot"; got != want {
		t.Errorf("long: got ...%q", got[len(got)-40:])
	}
	out = &text{}
	out.Write("short")
	out.Aside("Head line")
	if got := out.finish().Text; got != "short" {
		t.Errorf("short: got %q", got)
	}
}

func TestSheetNames(t *testing.T) {
	t.Parallel()
	rows := strings.Repeat("1\t2\t3\n", 50)
	out := &text{}
	out.Sheet("Empty")
	out.Sheet("Long")
	out.Write(rows)
	out.Sheet("Short")
	out.Write("1\n")
	out.Sheet("Also long")
	out.Write(rows + rows)
	if got, want := out.finish().Text, "Long\n"+rows+"1\n\nAlso long\n"+rows+strings.TrimSpace(rows); got != want {
		t.Errorf("got %q", got)
	}
}

func TestOneLine(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"": "", " \n": "", " a\t\r\nb  c ": "a b c", "語\u3000語": "語 語"} {
		if got := oneLine(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestEmptyFiles(t *testing.T) {
	t.Parallel()
	got := (&text{}).finish()
	if got.Text != "" || got.Reason != reasonEmpty {
		t.Errorf("got %+v", got)
	}
}
