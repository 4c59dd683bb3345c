package extract

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// paragraphs are written for these tests.
var paragraphs = map[string]string{
	"de": "Über den Dächern der Stadt lag früh am Morgen dichter Nebel. Die Bäckerin öffnete ihre Tür, stellte süße Brötchen in die Auslage und grüßte die ersten Gäste.",
	"fr": "Dès l'été, les élèves préparent la fête de l'école : ils répètent une pièce de théâtre, décorent les fenêtres et goûtent les gâteaux à la crème. Ça leur plaît beaucoup.",
	"es": "El niño soñaba con una montaña pequeña; mañana subirá allí con su compañero. ¿Quién llevará la caña? Según él, será fácil encontrar más árboles en el camino.",
	"pt": "A reunião começou às três horas. Não houve discussão: a decisão de construir uma estação no coração da região já era conhecida, e a população ficou satisfeita.",
	"it": "La città è più bella di sera, perché le luci si accendono già alle sei. Chissà se domani farà freddo: così potrò bere un caffè con la società degli amici.",
	"sv": "På vårvintern åkte vi över sjön för att hälsa på mormor. Hon kokade gröt, bakade småkakor och berättade sagor om älvor tills vi måste åka hem på kvällen.",
	"da": "På øen bor der få mennesker, og færgen sejler kun om lørdagen. Fra tårnet kan man se både skæret, bøgeskoven og de små gårde, hvor børnene fløjter på græsstrå.",
	"is": "Það var kalt í morgun þegar ég gekk niður að höfninni. Bátarnir lágu kyrrir og ísinn á sjónum glitraði, en þó var enginn maður á ferð nema ég og hundurinn.",
	"pl": "Wczesną wiosną łąki są jeszcze żółte, lecz źdźbła trawy już się zielenią. Dziś wieczór pójdziemy nad jezioro, gdzie można usłyszeć śpiew ptaków i żab.",
	"cs": "Příliš časně ráno vyšel žák ze školy a šel přes náměstí k řece. Děti tam házely kameny do vody, křičely a smály se, až je uslyšel i starý převozník.",
	"hu": "A gyönyörű őszi időben a szőlősgazdák énekelve szüretelnek. Fülükbe csendül a hűs szellő, és a legidősebbik férfi hűvös bort tölt a korsókba, köszöntőt mondva.",
	"ro": "În fiecare dimineaţă, bătrânul îşi ia pălăria şi coboară în grădină. Pâinea caldă aşteaptă pe masă, iar copiii ţin în mâini căni cu lapte şi râd fără griji.",
	"tr": "Güneş doğarken küçük çocuk bahçeye çıktı. Ağaçların gölgesinde uyuyan kediyi görünce gülümsedi, sonra ışıltılı göle doğru yürüdü ve şarkı söylemeye başladı.",
	"lt": "Ankstų rytą žvejai išplaukia į ežerą. Vėjas pučia iš šiaurės, todėl bangos aukštos, bet žmonės įpratę dirbti ir grįžta tik vakare, kai žuvų būna užtektinai.",
	"lv": "Agrā rītā zvejnieki dodas jūrā. Vējš pūš no ziemeļiem, viļņi ir augsti, taču cilvēki ir pieraduši strādāt un atgriežas mājās tikai vakarā, kad zivju pietiek.",
	"et": "Väike tüdruk jõudis õhtuks koju, kus ema küpsetas õunakooki. Köögis oli soe, aknal põles küünal ja õues sadas lund, nii et öö tuli päris valge.",
	"ru": "Ранним утром рыбаки выходят в море. Ветер дует с севера, волны высокие, но люди привыкли работать и возвращаются домой только вечером, когда рыбы достаточно.",
	"uk": "Щоранку рибалки виходять у море. Вітер дме з півночі, хвилі високі, але люди звикли працювати й повертаються додому лише ввечері, коли риби їм вистачає.",
	"bg": "Рано сутрин рибарите излизат в морето. Вятърът духа от север, вълните са високи, но хората са свикнали да работят и се прибират чак вечер, когато имат достатъчно риба.",
	"el": "Νωρίς το πρωί οι ψαράδες βγαίνουν στη θάλασσα. Ο άνεμος φυσάει από τον βορρά και τα κύματα είναι ψηλά, αλλά οι άνθρωποι έχουν συνηθίσει τη δουλειά τους.",
	"he": "מוקדם בבוקר יוצאים הדייגים אל הים. הרוח נושבת מצפון והגלים גבוהים, אבל האנשים רגילים לעבוד וחוזרים הביתה רק בערב, כשיש להם מספיק דגים.",
	"ar": "في الصباح الباكر يخرج الصيادون إلى البحر. تهب الريح من الشمال والأمواج عالية، لكن الناس اعتادوا العمل ولا يعودون إلى بيوتهم إلا في المساء.",
	"th": "เช้าตรู่ชาวประมงออกไปในทะเล ลมพัดมาจากทิศเหนือและคลื่นสูง แต่ผู้คนเคยชินกับการทำงาน และกลับบ้านในตอนเย็นเมื่อได้ปลาเพียงพอแล้ว",
	"ja": "早朝、漁師たちは海へ出る。北から風が吹いて波は高いが、人々は働くことに慣れていて、魚が十分にとれた夕方になってようやく家に帰ってくるのである。",
	"zh": "清晨，渔民们出海打鱼。北风吹来，海浪很高，但是人们已经习惯了这样的工作，直到傍晚打到足够的鱼才会回家，和家里人一起吃饭。",
	"tw": "清晨，漁民們出海捕魚。北風吹來，海浪很高，但是人們已經習慣了這樣的工作，直到傍晚捕到足夠的魚才會回家，和家裡的人一起吃飯。",
	"ko": "이른 아침 어부들은 바다로 나간다. 북쪽에서 바람이 불어 파도가 높지만 사람들은 일하는 데 익숙해서 물고기를 충분히 잡은 저녁에야 집으로 돌아온다.",
}

var pairs = []struct {
	language, charset string
	encoding          encoding.Encoding
}{
	{"de", "iso-8859-1", charmap.ISO8859_1}, {"fr", "iso-8859-1", charmap.ISO8859_1}, {"es", "iso-8859-1", charmap.ISO8859_1},
	{"pt", "iso-8859-1", charmap.ISO8859_1}, {"it", "iso-8859-1", charmap.ISO8859_1}, {"sv", "iso-8859-1", charmap.ISO8859_1},
	{"da", "iso-8859-1", charmap.ISO8859_1}, {"is", "iso-8859-1", charmap.ISO8859_1},
	{"de", "macintosh", charmap.Macintosh}, {"fr", "macintosh", charmap.Macintosh}, {"de", "ibm850", charmap.CodePage850}, {"fr", "ibm850", charmap.CodePage850},
	{"pl", "windows-1250", charmap.Windows1250}, {"cs", "windows-1250", charmap.Windows1250}, {"hu", "windows-1250", charmap.Windows1250}, {"ro", "windows-1250", charmap.Windows1250},
	{"pl", "iso-8859-2", charmap.ISO8859_2}, {"cs", "iso-8859-2", charmap.ISO8859_2}, {"hu", "iso-8859-2", charmap.ISO8859_2}, {"pl", "ibm852", charmap.CodePage852}, {"cs", "ibm852", charmap.CodePage852},
	{"tr", "windows-1254", charmap.Windows1254}, {"lt", "windows-1257", charmap.Windows1257}, {"lv", "windows-1257", charmap.Windows1257}, {"et", "windows-1257", charmap.Windows1257},
	{"ru", "windows-1251", charmap.Windows1251}, {"ru", "koi8-r", charmap.KOI8R}, {"ru", "ibm866", charmap.CodePage866}, {"ru", "iso-8859-5", charmap.ISO8859_5}, {"ru", "x-mac-cyrillic", charmap.MacintoshCyrillic},
	{"uk", "windows-1251", charmap.Windows1251}, {"uk", "koi8-u", charmap.KOI8U}, {"bg", "windows-1251", charmap.Windows1251}, {"bg", "ibm866", charmap.CodePage866},
	{"el", "iso-8859-7", charmap.ISO8859_7}, {"el", "windows-1253", charmap.Windows1253}, {"he", "windows-1255", charmap.Windows1255}, {"ar", "windows-1256", charmap.Windows1256}, {"ar", "iso-8859-6", charmap.ISO8859_6},
	{"th", "tis-620", charmap.Windows874},
	{"ja", "shift_jis", japanese.ShiftJIS}, {"ja", "euc-jp", japanese.EUCJP}, {"ja", "iso-2022-jp", japanese.ISO2022JP},
	{"zh", "gb18030", simplifiedchinese.GB18030}, {"tw", "big5", traditionalchinese.Big5}, {"ko", "euc-kr", korean.EUCKR},
	{"ru", "utf-16le", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)}, {"ru", "utf-16be", unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)},
	{"de", "utf-16le", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)}, {"de", "utf-32be", utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM)},
	{"ko", "utf-16le", unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)}, {"ja", "utf-16be", unicode.UTF16(unicode.BigEndian, unicode.UseBOM)},
	{"th", "utf-8", unicode.UTF8}, {"zh", "utf-8", unicode.UTF8BOM}, {"zh", "gb18030", simplifiedchinese.GBK},
}

func TestCharsets(t *testing.T) {
	t.Parallel()
	for _, p := range pairs {
		text := paragraphs[p.language]
		words := strings.Fields(text)
		short, long := "", text+"\r\n\r\n"+text
		for _, w := range words {
			if short += w + " "; utf8.RuneCountInString(short) >= 40 {
				break
			}
		}
		for size, want := range map[string]string{"short": short, "paragraph": text, "long": long} {
			b, err := p.encoding.NewEncoder().Bytes([]byte(want))
			if err != nil {
				t.Errorf("%s %s: %v", p.language, p.charset, err)
				continue
			}
			got, charset := decodeText(b)
			if got != want {
				t.Errorf("%s %s %s: as %s: %.60q", p.language, p.charset, size, charset, got)
			}
		}
	}
}

func TestShortTexts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text     string
		encoding encoding.Encoding
	}{
		{"Привет", charmap.Windows1251}, {"привет мир", charmap.CodePage866}, {"ПРИВЕТ", charmap.KOI8R}, {"ЦЕНЫ НА ПРОДУКЦИЮ", charmap.Windows1251}, {"ТОВАР;ЦЕНА\nстол;5\n", charmap.CodePage866},
		{"// комментарий в коде x = y + 1", charmap.Windows1251}, {"Ελλάδα", charmap.ISO8859_7}, {"مرحبا بالعالم", charmap.Windows1256}, {"ภาษาไทย", charmap.Windows874},
		{"简体中文", simplifiedchinese.GBK}, {"中国", simplifiedchinese.GBK}, {"繁體中文", traditionalchinese.Big5}, {"日本語", japanese.ShiftJIS}, {"日本語", japanese.EUCJP}, {"カタカナ", japanese.ShiftJIS}, {"한국어 문서", korean.EUCKR},
		{"Ärger Äpfel Übung", charmap.Windows1252}, {"Größe", charmap.Windows1252}, {"café", charmap.Windows1252}, {"résumé – naïve “quoted”", charmap.Windows1252}, {"price 5 €", charmap.Windows1252},
		{"50 % – 70 %", charmap.Windows1252}, {"© 2020 ACME", charmap.Windows1252}, {"100°C", charmap.Windows1252}, {"El señor Núñez", charmap.Windows1252}, {"Ångström Ørsted", charmap.Windows1252}, {"Łódź", charmap.Windows1250}, {"Müller", charmap.CodePage850},
	} {
		b, err := c.encoding.NewEncoder().Bytes([]byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		if got, charset := decodeText(b); got != c.text {
			t.Errorf("%s: got %q as %s", c.text, got, charset)
		}
	}
}

func TestUTF8(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"ascii": "utf-8", "é": "utf-8", "日本": "utf-8", "日本\xe8": "utf-8", "日本語の文書\xff": "utf-8", "caf\xe9": "iso-8859-1",
		"\xEF\xBB\xBF": "utf-8", "\x84\x31\x95\x33\xd6\xd0": "gb18030", "\x1b[31mred\x1b[0m": "utf-8",
	} {
		if _, got := decodeText([]byte(in)); got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
}

// TestLateCharset holds that the letters that decide may come late.
func TestLateCharset(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("plain ASCII\n", 20_000) + paragraphs["ru"] + strings.Repeat("\nplain ASCII", 20_000) + paragraphs["ru"]
	b, err := charmap.KOI8R.NewEncoder().Bytes([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if got, charset := decodeText(b); got != text {
		t.Errorf("as %s", charset)
	}
}

func FuzzTXT(f *testing.F) {
	for _, p := range pairs {
		b, err := p.encoding.NewEncoder().Bytes([]byte(paragraphs[p.language]))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := extracted(t, readTXT, b)
		if err != nil || len(got.Text) > maxText || !utf8.ValidString(got.Text) {
			t.Error(len(got.Text), err)
		}
	})
}
