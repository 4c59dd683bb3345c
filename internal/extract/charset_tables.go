package extract

import (
	"unicode"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// eastAsianCharset is a charset of two bytes a character.
type eastAsianCharset struct {
	legacy
	common      string // the most common characters of its language
	kana        bool   // the language is Japanese
	first, last uint16 // codes of the characters in daily use
	trail       byte   // their least second byte
}

var eastAsian = []eastAsianCharset{
	{legacy{"shift_jis", japanese.ShiftJIS}, kanji, true, 0x889F, 0x9872, 0},
	{legacy{"euc-jp", japanese.EUCJP}, kanji, true, 0xB0A1, 0xCFD3, 0xA1},
	{legacy{"gb18030", simplifiedchinese.GB18030}, simplified, false, 0xB0A1, 0xD7F9, 0xA1},
	{legacy{"big5", traditionalchinese.Big5}, traditional, false, 0xA440, 0xC67E, 0},
	{legacy{"euc-kr", korean.EUCKR}, hangul, false, 0xFFFF, 0, 0},
}

// The most common characters of written Chinese, Japanese and Korean, by any
// frequency list of newspapers.
const (
	simplified = "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里" +
		"用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力" +
		"它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制" +
		"身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活" +
		"简汉字语书价格产品服务网络系统信息技术公司客户"
	traditional = "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡" +
		"用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日軍者意無力" +
		"它與長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產或新己制" +
		"身果加西斯月話合回特代內信表化老給世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活" +
		"繁漢字語書價格產品服務網路系統資訊技術公司客戶"
	kanji = "日本人語年大国会中上行出時分学生事者社自部地方見後間場前手気話新高物言合長電同体文字化用法度一二三十月" +
		"今何作使名力動回報小山川市東京車金目的性最全定対通現問題意思開業理田実情発表多少内外主代立数点度当不要明来" +
		"々、。・「」（）ー！？"
	hangul = "이다는의에을가고하지한은로를기도사어서자나리인일그대들해있과시아정수게라니여것보전만제상구면부으원스주적장동성공선" +
		"관유안조신거우마비중무러오계내모했세경영소국입년습까요말문학생산업품치물개방회위때할드재라트음력"
)

// script is a script whose charsets have one byte a letter.
type script struct {
	table    *unicode.RangeTable
	ranks    map[rune]int // of its small letters, the most common first
	vowels   string       // "" in scripts that do not write them
	charsets []legacy
}

var scripts = []script{
	{unicode.Cyrillic, rank("оеаинтсрвлкмдпуіяыьгзбчйхжшюцщэфъїєёґўјљњћђџѓќ"), "аеёиіїоуыъьэюяє", []legacy{
		{"windows-1251", charmap.Windows1251}, {"koi8-r", charmap.KOI8R}, {"koi8-u", charmap.KOI8U},
		{"ibm866", charmap.CodePage866}, {"iso-8859-5", charmap.ISO8859_5}, {"x-mac-cyrillic", charmap.MacintoshCyrillic},
		{"ibm855", charmap.CodePage855},
	}},
	{unicode.Greek, rank("αοιετσνηυρπκμλωςδγχθφβξζψίόάέήύώϊϋΐΰ"), "αεηιουωάέήίόύώϊϋΐΰ", []legacy{
		{"iso-8859-7", charmap.ISO8859_7}, {"windows-1253", charmap.Windows1253},
	}},
	{unicode.Hebrew, rank("יהולאתרבמשנעכדקפחזגטצסםןךץף"), "", []legacy{
		{"windows-1255", charmap.Windows1255}, {"ibm862", charmap.CodePage862},
	}},
	{unicode.Arabic, rank("اليمنوتربعدسفهكقجحخصأةطشىإضزذءئثغؤآظکیپچژگ"), "", []legacy{
		{"windows-1256", charmap.Windows1256}, {"iso-8859-6", charmap.ISO8859_6},
	}},
}

func rank(letters string) map[rune]int {
	ranks := map[rune]int{}
	for _, r := range letters {
		ranks[r] = len(ranks)
	}
	return ranks
}

// latinCharsets are the charsets of Latin letters, the more usual ones first.
var latinCharsets = []legacy{
	{"windows-1252", charmap.Windows1252}, {"windows-1250", charmap.Windows1250}, {"iso-8859-2", charmap.ISO8859_2},
	{"windows-1254", charmap.Windows1254}, {"windows-1257", charmap.Windows1257}, {"iso-8859-15", charmap.ISO8859_15},
	{"macintosh", charmap.Macintosh}, {"ibm850", charmap.CodePage850}, {"ibm852", charmap.CodePage852},
	{"iso-8859-16", charmap.ISO8859_16}, {"iso-8859-3", charmap.ISO8859_3}, {"iso-8859-4", charmap.ISO8859_4},
	{"iso-8859-10", charmap.ISO8859_10}, {"windows-1258", charmap.Windows1258},
}

// alphabets are the letters beyond ASCII of the languages in Latin letters.
var alphabets = [...]string{
	"éèàêçùôâûîïëœüÿæ",  // French
	"äöüßé",             // German
	"óíáéñúü",           // Spanish
	"ãçéáíóõâêúôàü",     // Portuguese
	"èàòùéìî",           // Italian
	"ëéïöüèêáó",         // Dutch
	"åäöéü",             // Swedish, Finnish
	"æøåéòôêü",          // Danish, Norwegian
	"áðéíóúýþæö",        // Icelandic
	"àéèíïóòúüç",        // Catalan
	"ąćęłńóśźż",         // Polish
	"áčďéěíňóřšťúůýž",   // Czech
	"áäčďéíĺľňóôŕšťúýž", // Slovak
	"áéíóöőúüű",         // Hungarian
	"ăâîșțşţ",           // Romanian
	"čćđšž",             // Croatian, Slovene, Bosnian, Serbian
	"çğıöşü",            // Turkish
	"ąčęėįšųūž",         // Lithuanian
	"āčēģīķļņšūž",       // Latvian
	"äõöüšž",            // Estonian
	"çë",                // Albanian
	"ĉĝĥĵŝŭ",            // Esperanto
	"ċġħż",              // Maltese
	"ăâđêôơưàảãáạèẻẽéẹìỉĩíịòỏõóọùủũúụỳỷỹýỵ", // Vietnamese
	"áêéèëïíîôóúûýŵŷ", // Welsh, Afrikaans, Irish
}

// punctuation are the signs beyond ASCII that stand in plain text.
const punctuation = "«»„“”‘’‚‹›–—…•·§©®™°№€£¥¿¡ªº²³½¼¾±×÷µ†‡\u00A0\u00AD،؛؟ـ׳״־΄΅"

// finals are letters that stand at the end of words alone.
const finals = "ךםןףץς"
