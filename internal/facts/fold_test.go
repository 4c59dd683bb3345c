package facts

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/contentgraph/contentgraph/internal/vocab"
)

func TestFold(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		match    vocab.Match
		in, want string
	}{
		{vocab.Exact, " A ", " A "},
		{vocab.Fold, "", ""},
		{vocab.Fold, "  Desktop\t", "desktop"},
		{vocab.Fold, "STRASSE", "strasse"},
		{vocab.Fold, "Straße", "strasse"},
		{vocab.Fold, "ΣΊΣΥΦΟΣ", "σίσυφοσ"},
		{vocab.Fold, "Cafe\u0301", "café"},
		{vocab.Trim, "  Two  words ", "Two  words"},
		{vocab.Place, "US NYC", "US-NYC"},
		{vocab.Place, "us_nyc", "US-NYC"},
		{vocab.Place, " us-NYC ", "US-NYC"},
		{vocab.Place, "us _-nyc", "US---NYC"},
		{vocab.Place, "US_", "US-"},
		{vocab.Place, "de münchen", "DE-MÜNCHEN"},
		{vocab.Members, "Shoes,Red Boots", ",shoes,red boots,"},
		{vocab.Members, " a , , B,", ",a,b,"},
		{vocab.Members, ",", ""},
		{vocab.Members, "12", ",12,"},
		{vocab.Page, "https://Example.com/A/#top", "https://example.com/a"},
		{vocab.Page, "https://example.com/a/?q=1/", "https://example.com/a/?q=1"},
		{vocab.Page, "https://example.com", "https://example.com"},
		{vocab.Registrable, "www.Example.co.uk", "example.co.uk"},
		{vocab.Registrable, "example.com", "example.com"},
		{vocab.Registrable, "a.b.github.io", "b.github.io"},
		{vocab.Registrable, "github.io", "github.io"},
		{vocab.Registrable, "co.uk", "co.uk"},
		{vocab.Registrable, "Localhost", "localhost"},
		{vocab.Registrable, "www.example.com.:8080", "example.com"},
		{vocab.Registrable, "192.0.2.7", "192.0.2.7"},
		{vocab.Registrable, "192.0.2.7:80", "192.0.2.7"},
		{vocab.Registrable, "[2001:DB8::1]:80", "2001:db8::1"},
		{vocab.Registrable, "[2001:db8::1]", "2001:db8::1"},
		{vocab.Registrable, "www.bücher.example", "xn--bcher-kva.example"},
		{vocab.Registrable, "a.example.公司.cn", "example.xn--55qx5d.cn"},
		{vocab.Registrable, "", ""},
	} {
		if got := Fold(c.match, c.in); got != c.want {
			t.Errorf("Fold(%s, %q) = %q, want %q", c.match, c.in, got, c.want)
		}
	}
}

func TestMember(t *testing.T) {
	t.Parallel()
	list := Fold(vocab.Members, "Red Shoes,Boots,a,b")
	for _, c := range []struct {
		member string
		want   bool
	}{
		{"red shoes", true}, {" BOOTS ", true}, {"shoes", false}, {"red", false}, {"", false}, {",", false}, {"a,b", false}, {"boots,b", false},
	} {
		if got := strings.Contains(list, Member(c.member)); got != c.want {
			t.Errorf("%q in the list: %v", c.member, got)
		}
	}
}

func FuzzFold(f *testing.F) {
	for _, s := range []string{"", "US NYC", "a,b,", "https://x.example/#a", "www.example.co.uk:80", "[::1]:1", "İ", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, m := range []vocab.Match{vocab.Fold, vocab.Trim, vocab.Place, vocab.Members, vocab.Page, vocab.Registrable} {
			got := Fold(m, s)
			if utf8.ValidString(s) && !utf8.ValidString(got) {
				t.Errorf("Fold(%s, %q) = %q", m, s, got)
			}
			if strings.IndexByte(s, 0) < 0 && strings.IndexByte(got, 0) >= 0 {
				t.Errorf("Fold(%s, %q) has a NUL", m, s)
			}
		}
		if m := Member(s); len(m) < 2 || m[0] != ',' || m[len(m)-1] != ',' {
			t.Errorf("Member(%q) = %q", s, m)
		}
	})
}
