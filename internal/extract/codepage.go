package extract

import (
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
)

// codePages are the encodings of old Office files by Windows code page.
var codePages = map[int]encoding.Encoding{
	437: charmap.CodePage437, 850: charmap.CodePage850, 852: charmap.CodePage852, 855: charmap.CodePage855,
	858: charmap.CodePage858, 860: charmap.CodePage860, 862: charmap.CodePage862, 863: charmap.CodePage863,
	865: charmap.CodePage865, 866: charmap.CodePage866, 874: charmap.Windows874,
	932: japanese.ShiftJIS, 936: simplifiedchinese.GBK, 949: korean.EUCKR, 950: traditionalchinese.Big5,
	1200: unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM),
	1250: charmap.Windows1250, 1251: charmap.Windows1251, 1252: charmap.Windows1252, 1253: charmap.Windows1253,
	1254: charmap.Windows1254, 1255: charmap.Windows1255, 1256: charmap.Windows1256, 1257: charmap.Windows1257,
	1258: charmap.Windows1258, 10000: charmap.Macintosh, 10007: charmap.MacintoshCyrillic,
	32768: charmap.Macintosh, 32769: charmap.Windows1252, // as Excel names them
}

// codePage is the encoding of a code page, Western where it is unknown.
func codePage(n int) encoding.Encoding {
	if e := codePages[n]; e != nil {
		return e
	}
	return charmap.Windows1252
}

// languagePages are the code pages of Windows by language, the low 10 bits of a
// language id ([MS-LCID]); languages that are not here are Western.
var languagePages = map[int]int{
	0x01: 1256, 0x02: 1251, 0x04: 936, 0x05: 1250, 0x08: 1253, 0x0D: 1255, 0x0E: 1250, 0x11: 932, 0x12: 949,
	0x15: 1250, 0x18: 1250, 0x19: 1251, 0x1A: 1250, 0x1B: 1250, 0x1C: 1250, 0x1E: 874, 0x1F: 1254, 0x20: 1256,
	0x22: 1251, 0x23: 1251, 0x24: 1250, 0x25: 1257, 0x26: 1257, 0x27: 1257, 0x29: 1256, 0x2A: 1258, 0x2F: 1251,
	0x3F: 1251, 0x40: 1251, 0x44: 1251,
}

// languagePage is the code page of a language id.
func languagePage(lid int) int {
	switch lid {
	case 0x0404, 0x0C04, 0x1404: // Chinese in Taiwan, Hong Kong, Macau
		return 950
	case 0x0C1A: // Serbian in Cyrillic
		return 1251
	}
	if n := languagePages[lid&0x3FF]; n != 0 {
		return n
	}
	return 1252
}

// fontPages are the code pages of Windows by the character set of a font.
var fontPages = map[int]int{
	77: 10000, 128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255, 178: 1256,
	186: 1257, 204: 1251, 222: 874, 238: 1250,
}

// decode is b in UTF-8; what the encoding does not have becomes U+FFFD.
func decode(e encoding.Encoding, b []byte) string {
	s, err := e.NewDecoder().Bytes(b)
	if err != nil {
		return ""
	}
	return string(s)
}
