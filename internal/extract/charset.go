package extract

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// sampleSize is how many bytes of a text decide about its charset.
const sampleSize = 32 << 10

// unicodes are the encodings of Unicode that are not UTF-8.
var unicodes = map[string]encoding.Encoding{
	"utf-16le": unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM),
	"utf-16be": unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM),
	"utf-32le": utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM),
	"utf-32be": utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM),
	"gb18030":  simplifiedchinese.GB18030,
}

// decodeText makes text of bytes and names their charset, which it finds by a
// ladder: a byte order mark, the zero bytes of UTF-16 and UTF-32 (before UTF-8,
// which they can resemble), the escapes of ISO-2022-JP (which is ASCII
// otherwise), valid UTF-8, and then by what the text says in each charset.
func decodeText(b []byte) (s, charset string) {
	if charset, size := byteOrderMark(b); size > 0 {
		return decodeAs(b[size:], charset, unicodes[charset]), charset
	}
	if charset := wideUnicode(b[:min(len(b), sampleSize)]); charset != "" {
		return decodeAs(b, charset, unicodes[charset]), charset
	}
	if isISO2022JP(b) {
		return decodeAs(b, "", japanese.ISO2022JP), "iso-2022-jp"
	}
	if isUTF8(b) {
		return string(b), "utf-8"
	}
	guess := guessCharset(sample(b))
	return decodeAs(b, "", guess.encoding), guess.name
}

// decodeAs decodes with an encoding, nil for UTF-8. What is no character
// becomes U+FFFD.
func decodeAs(b []byte, charset string, e encoding.Encoding) string {
	if e == nil || charset == "utf-8" {
		return string(b)
	}
	s, _ := e.NewDecoder().Bytes(b) // decoders of text put U+FFFD for errors
	return string(s)
}

// byteOrderMark is the charset that a byte order mark names, and its length.
func byteOrderMark(b []byte) (charset string, size int) {
	for _, m := range []struct{ mark, charset string }{
		{"\xEF\xBB\xBF", "utf-8"},
		{"\xFF\xFE\x00\x00", "utf-32le"}, // before UTF-16, whose mark begins it
		{"\x00\x00\xFE\xFF", "utf-32be"},
		{"\xFF\xFE", "utf-16le"},
		{"\xFE\xFF", "utf-16be"},
		{"\x84\x31\x95\x33", "gb18030"},
	} {
		if bytes.HasPrefix(b, []byte(m.mark)) {
			return m.charset, len(m.mark)
		}
	}
	return "", 0
}

// wideUnicode recognises UTF-32 and UTF-16 without a mark. Nearly every text
// has blanks, line ends or digits, and so zero bytes, in one half of its units;
// which half is told by how often the most common characters appear.
func wideUnicode(b []byte) string {
	if bytes.IndexByte(b, 0) < 0 || len(b) < 4 || strayZeros(b) {
		return ""
	}
	for _, charset := range []string{"utf-32le", "utf-32be"} {
		if len(b)%4 == 0 && plausible(decodeAs(b, charset, unicodes[charset])) > 0 {
			return charset
		}
	}
	b = b[:len(b)&^1]
	le := plausible(decodeAs(b, "utf-16le", unicodes["utf-16le"]))
	be := plausible(decodeAs(b, "utf-16be", unicodes["utf-16be"]))
	switch {
	case le == 0 && be == 0:
		return ""
	case le >= be:
		return "utf-16le"
	}
	return "utf-16be"
}

// strayZeros reports plain text that has a zero byte here and there: without
// them it is readable UTF-8. In UTF-16 and UTF-32 either every other byte is
// zero, or what is left is full of control characters or no UTF-8.
func strayZeros(b []byte) bool {
	zeros := bytes.Count(b, []byte{0})
	if zeros*5 >= len(b) {
		return false
	}
	rest := bytes.ReplaceAll(b, []byte{0}, nil)
	for len(rest) > 0 && !utf8.FullRune(rest[len(rest)-min(len(rest), utf8.UTFMax):]) {
		rest = rest[:len(rest)-1] // the sample may end within a character
	}
	control := bytes.IndexFunc(rest, func(r rune) bool {
		return r < ' ' && r != '\n' && r != '\r' && r != '\t' && r != '\f' || r == 0x7F || r == utf8.RuneError
	})
	return control < 0
}

// plausible is the share of common characters in s, 0 when s is no text.
func plausible(s string) float64 {
	var all, common, bad int
	for i, r := range s {
		all++
		switch {
		case r == ' ', r == '\n', r == '\r', r == '\t', r >= '0' && r <= '9', r >= 'a' && r <= 'z', r >= 0x3001 && r <= 0x3002, r == 0xFF0C:
			common++
		case r == utf8.RuneError && i+3 == len(s): // cut within a character
		case r == utf8.RuneError, r < 0x20 && r != '\f', r >= 0x7F && r < 0xA0, r >= 0xE000 && r <= 0xF8FF, r&0xFFFE == 0xFFFE:
			bad++
		}
	}
	if bad*50 > all || common*100 < all || common == 0 {
		return 0
	}
	return float64(common) / float64(all)
}

// isISO2022JP reports 7-bit text with the escapes to Japanese characters.
func isISO2022JP(b []byte) bool {
	if bytes.IndexByte(b, 0x1B) < 0 {
		return false
	}
	found := false
	for i, c := range b {
		switch {
		case c >= 0x80:
			return false
		case c == 0x1B:
			rest := b[i+1:]
			found = found || bytes.HasPrefix(rest, []byte("$B")) || bytes.HasPrefix(rest, []byte("$@")) ||
				bytes.HasPrefix(rest, []byte("(I")) || bytes.HasPrefix(rest, []byte("$(D"))
		}
	}
	return found
}

// isUTF8 reports UTF-8 text, which may be cut within its last character or have
// a few bytes of another charset in it: long sequences hardly come about by
// chance.
func isUTF8(b []byte) bool {
	good, bad := 0, 0
	for len(b) > 0 {
		if b[0] < utf8.RuneSelf {
			b = b[1:]
			continue
		}
		r, n := utf8.DecodeRune(b)
		switch {
		case r != utf8.RuneError || n > 1:
			good++
		case good > 0 && !utf8.FullRune(b): // the end is cut
			n = len(b)
		default:
			bad++
		}
		b = b[n:]
	}
	return bad == 0 || good > 4*bad
}

// sample is the part of a text that tells most of its charset: lines that begin
// where bytes beyond ASCII do.
func sample(b []byte) []byte {
	if len(b) <= sampleSize {
		return b
	}
	const stretch = 4 << 10
	var s []byte
	for len(s) < sampleSize {
		start := bytes.IndexFunc(b, func(r rune) bool { return r >= utf8.RuneSelf })
		if start < 0 {
			break
		}
		b = b[start:]
		end := min(stretch, len(b))
		for end < min(2*stretch, len(b)) && b[end] != '\n' { // never within a character
			end++
		}
		s, b = append(s, b[:end]...), b[end:]
	}
	return s
}
