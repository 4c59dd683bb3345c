package extract

import (
	"strings"
	"testing"
	"time"
)

func TestMarkdown(t *testing.T) {
	t.Parallel()
	fence := "```"
	for _, c := range []struct{ name, in, want string }{
		{"headings", "# One\n\nTwo\n===\ntext\n### Three ###", "One\n\nTwo\n\ntext\n\nThree"},
		{"emphasis", "Some **bold**, *it*alic, `co_de`, ~~struck~~ and snake_case_name", "Some bold, italic, co_de, ~~struck~~ and snake_case_name"},
		{"line breaks", "a\nb  \nc\\\nd", "a\nb\nc\nd"},
		{"lists", "- one\n- two\n  1. deep\n  2. deeper\n\n3) third\n4) fourth\n-\n", "- one\n- two\n  1. deep\n  2. deeper\n\n3) third\n4) fourth\n\n-"},
		{"quotes", "> a quote\n> of two lines\n\nafter", "a quote\nof two lines\n\nafter"},
		{"code", fence + "go title=\"x\"\nif a < b {\n\t*p = 1\n}\n" + fence + "\n\n    indented *code*", "go title=\"x\"\nif a < b {\n\t*p = 1\n}\n\nindented *code*"},
		{"links", "[text](https://a.example/x \"Title\") <https://b.example> [c][d] [e][] ![alt `x`](i.png)\n\n[d]: /d \"D\"\n[e]: /e", "text (https://a.example/x \"Title\") https://b.example c [d] e alt x (i.png)\n\n[d]: /d \"D\"\n[e]: /e"},
		{"escapes", `1 \* 2 &amp; 3 &lt; &#8364; \\ ` + "`\\* &amp;`", `1 * 2 & 3 < € \ \* &amp;`},
		{"HTML", "<div>\n*as* it is\n</div>\n\nin<br>line", "<div>\n*as* it is\n</div>\n\nin<br>line"},
		{"table", "| a | b |\n|---|---|\n| 1 | 2 |", "| a | b |\n|---|---|\n| 1 | 2 |"},
		{"front matter", "---\ntitle: T\n---\n\ntext", "title: T\n\ntext"},
		{"rule", "a\n\n***\n\nb", "a\n\n\nb"},
		{"line ends", "# a\r\n\r\nb\rc", "a\n\nb\nc"},
		{"scripts", "# Привет\n\nשלום **עולם**", "Привет\n\nשלום עולם"},
	} {
		got, err := extracted(t, readMarkdown, []byte(c.in))
		if err != nil || got.Text != c.want {
			t.Errorf("%s: got %q, %v, want %q", c.name, got.Text, err, c.want)
		}
	}
}

// TestLargeMarkdown holds that what is too large for the parser is kept as it
// is written, and the rest is read.
func TestLargeMarkdown(t *testing.T) {
	t.Parallel()
	large := strings.TrimSpace(strings.Repeat("*word* ", maxParagraph/7+1))
	code := "```\n" + strings.Repeat("*a*\n\n", maxParagraph/5+1) + "```"
	for _, c := range []struct{ name, in, want string }{
		{"paragraph", "# a\n\n" + large + "\n\n*b*", "a\n\n" + large + "\n\nb"},
		{"code", "*a*\n\n" + code + "\n\n*b*", "a\n\n" + code + "\n\nb"},
		{"open code", "*a*\n\n" + code[:len(code)-3], "a\n\n" + strings.TrimSpace(code[:len(code)-3])},
		{"small parts", strings.Repeat("- *word*\n", maxParagraph/5), strings.TrimSpace(strings.Repeat("- word\n", maxParagraph/5))},
		{"file", strings.Repeat("*a*\n\n", maxMarkdown/5+1), strings.TrimSpace(strings.Repeat("*a*\n\n", maxMarkdown/5+1))},
	} {
		got, err := extracted(t, readMarkdown, []byte(c.in))
		if err != nil || got.Text != c.want {
			t.Errorf("%s: got %d bytes, %v, want %d: %.30q... %.30q", c.name, len(got.Text), err, len(c.want), got.Text, got.Text[max(0, len(got.Text)-30):])
		}
	}
}

// TestHostileMarkdown holds that the parser ends in time on what is quadratic
// without limits.
func TestHostileMarkdown(t *testing.T) {
	t.Parallel()
	for _, piece := range []string{"[a](", "[](", "*a_ ", "> ", "- [a](\n", "\n# [a](", "- a\n  - b\n    - c\n", "`a``b```c", "<!--\n```\n-->\n[a](", "    - [a](\n"} {
		start := time.Now()
		if _, err := extracted(t, readMarkdown, []byte(strings.Repeat(piece, maxMarkdown/4/len(piece)))); err != nil {
			t.Errorf("%q: %v", piece, err)
		}
		if took := time.Since(start); took > 2*time.Minute {
			t.Errorf("%q: took %s", piece, took)
		}
	}
}

func FuzzMarkdown(f *testing.F) {
	for _, s := range []string{"# a\n\n- b\n  1. c\n\n> d\n\n```x\ne\n```\n[f](g \"h\")\n\n[i]: j\n", "<div>\n</div>\n\n![a][i] &amp; \\*", "a\n=\n\n***\n\n    b", "~~~\n```\n~~~\n[a"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := extracted(t, readMarkdown, b)
		if err != nil || len(got.Text) > maxText {
			t.Error(len(got.Text), err)
		}
	})
}
