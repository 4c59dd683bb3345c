package facts

import (
	"net/netip"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/contentgraph/contentgraph/internal/vocab"
)

// Fold is the form of s in which values are compared for m: that of a twin
// column and of a filter value alike. Members takes the whole list; see Member
// for a single one. The form of "" is "".
func Fold(m vocab.Match, s string) string {
	switch m {
	case vocab.Fold:
		return fold(s)
	case vocab.Trim:
		return strings.TrimSpace(s)
	case vocab.Place:
		return strings.ToUpper(norm.NFC.String(separators.Replace(strings.TrimSpace(s))))
	case vocab.Members:
		return members(s)
	case vocab.Page:
		page, _, _ := strings.Cut(s, "#")
		return fold(strings.TrimRight(strings.TrimSpace(page), "/"))
	case vocab.Registrable:
		return registrable(s)
	}
	return s
}

// fold trims and folds case by Unicode's full rules, so that ß equals SS and
// composed letters equal decomposed ones.
func fold(s string) string {
	s = strings.TrimSpace(s)
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return cases.Fold().String(norm.NFC.String(s))
		}
	}
	return strings.ToLower(s)
}

var separators = strings.NewReplacer(" ", "-", "_", "-")

func members(list string) string {
	var b strings.Builder
	for member := range strings.SplitSeq(list, ",") {
		if member = fold(member); member != "" {
			b.WriteString(",")
			b.WriteString(member)
		}
	}
	if b.Len() > 0 {
		b.WriteString(",")
	}
	return b.String()
}

// maxHost is longer than any host, and short enough for code that takes the
// square of the time.
const maxHost = 1024

// registrable is the part of a host that somebody registered: example.co.uk of
// shop.example.co.uk. A host that has none, such as an address, is itself.
func registrable(s string) string {
	host := fold(s)
	if a, err := netip.ParseAddrPort(host); err == nil {
		return a.Addr().String()
	}
	if a, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return a.String()
	}
	host, _, _ = strings.Cut(host, ":")
	host = strings.TrimSuffix(host, ".")
	if len(host) > maxHost {
		return host
	}
	if ascii, err := idna.ToASCII(host); err == nil {
		host = ascii // as the list spells the suffixes
	}
	if domain, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return domain
	}
	return host
}
