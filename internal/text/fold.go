package text

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold brings spellings together that count as equal: case (Unicode case
// folding, ß as ss, Turkish and Azerbaijani i by their own rule), typographic
// apostrophes, wide and ligature forms, and invisible characters. Accents are
// taken off Latin, Greek, Arabic and Hebrew letters and from Cyrillic ones that
// keep their name without (ё, not й), except in da, de, fi, nb, nn, sv and tr,
// where they make other letters. Letters without a base, as ø and ł, go with
// the nearest one.
func Fold(lang, s string) string {
	l := languageOf(lang)
	return l.fold(s, l.accents)
}

// fold is Fold with a choice about accents: stemmers want them kept.
func (l *language) fold(s string, accents bool) string {
	plain := true // nothing to do
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= utf8.RuneSelf || 'A' <= c && c <= 'Z' {
			plain = false
			break
		}
	}
	if plain {
		return s
	}
	if strings.ContainsFunc(s, func(r rune) bool { return r >= 0xF900 }) {
		s = norm.NFKC.String(s)
	} else if !norm.NFC.IsNormalString(s) {
		s = norm.NFC.String(s)
	}
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s {
		l.foldRune(&b, r, accents)
	}
	return b.String()
}

func (l *language) foldRune(b *strings.Builder, r rune, accents bool) {
	switch {
	case r < utf8.RuneSelf:
		if r == 'I' && l.dotless {
			b.WriteRune('ı')
			return
		}
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		b.WriteByte(byte(r))
		return
	case r == 'ß' || r == 'ẞ':
		b.WriteString("ss")
		return
	case r == '’' || r == 'ʼ' || r == '‘':
		b.WriteByte('\'')
		return
	case r == 'İ' && l.dotless:
		b.WriteByte('i')
		return
	}
	if accents {
		if r = lower(r); !invisible(r) {
			b.WriteRune(r)
		}
		return
	}
	switch r = bare(r); r {
	case 0:
	case 'æ':
		b.WriteString("ae")
	case 'œ':
		b.WriteString("oe")
	case 'þ':
		b.WriteString("th")
	default:
		b.WriteRune(r)
	}
}

// lower is the simple case folding that does not depend on the language.
func lower(r rune) rune {
	switch r {
	case 'ς':
		return 'σ'
	case 'ſ':
		return 's'
	}
	return unicode.ToLower(r)
}

// bare is a letter in lower case without its accents, or 0 when nothing is left of it.
func bare(r rune) rune {
	if int(r) < len(bareTable()) {
		return bareTable()[r]
	}
	if invisible(r) {
		return 0
	}
	return lower(r)
}

// bareTable holds bare for all scripts that have accents.
var bareTable = sync.OnceValue(func() *[0x2000]rune {
	t := new([0x2000]rune)
	for r := range rune(len(t)) {
		t[r] = withoutAccents(lower(r))
	}
	return t
})

func withoutAccents(r rune) rune {
	switch r {
	case 'ø':
		return 'o'
	case 'ł':
		return 'l'
	case 'đ', 'ð':
		return 'd'
	case 'ħ':
		return 'h'
	case 'ı':
		return 'i'
	case 'й', 'ў', 'ї', 'ѓ', 'ќ': // letters of their own
		return r
	}
	if invisible(r) || r >= 0x300 && r <= 0x36F || r >= 0x483 && r <= 0x487 {
		return 0
	}
	if unicode.Is(unicode.Mn, r) && unicode.In(r, unicode.Arabic, unicode.Hebrew, unicode.Inherited) {
		return 0
	}
	if !unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Arabic) {
		return r
	}
	d := norm.NFD.PropertiesString(string(r)).Decomposition()
	if base, _ := utf8.DecodeRune(d); len(d) > 0 {
		return lower(base)
	}
	return r
}

// invisible holds what takes no part in a word: soft hyphens, joiners, marks of
// direction and the Arabic stretching letter.
func invisible(r rune) bool {
	switch {
	case r == 0xAD, r == 0x640, r == 0x61C, r == 0xFEFF, r == 0x2060:
		return true
	}
	return r >= 0x200B && r <= 0x200F || r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069
}
