package text

import (
	"strings"
	"testing"
)

var samples = map[string]string{
	"en": "We planted the young trees along the old wall before the rain came. They will need water every second day until the end of summer.",
	"de": "Wir haben die jungen Bäume vor dem Regen an der alten Mauer gepflanzt. Sie brauchen bis zum Ende des Sommers jeden zweiten Tag Wasser.",
	"es": "Plantamos los árboles jóvenes junto al muro viejo antes de que lloviera. Necesitan agua cada dos días hasta el final del verano.",
	"fr": "Nous avons planté les jeunes arbres le long du vieux mur avant la pluie. Ils ont besoin d'eau tous les deux jours jusqu'à la fin de l'été.",
	"it": "Abbiamo piantato i giovani alberi lungo il vecchio muro prima della pioggia. Hanno bisogno di acqua ogni due giorni fino alla fine dell'estate.",
	"nl": "We hebben de jonge bomen langs de oude muur geplant voordat het ging regenen. Ze hebben tot het einde van de zomer om de dag water nodig.",
	"pt": "Plantamos as árvores novas junto ao muro velho antes da chuva. Elas precisam de água a cada dois dias até o fim do verão.",
	"ru": "Мы посадили молодые деревья у старой стены ещё до дождя. До конца лета их нужно поливать через день.",
	"uk": "Ми посадили молоді дерева біля старої стіни ще до дощу. До кінця літа їх треба поливати через день.",
	"sv": "Vi planterade de unga träden längs den gamla muren innan regnet kom. De behöver vatten varannan dag fram till slutet av sommaren.",
	"da": "Vi plantede de unge træer langs den gamle mur, før regnen kom. De skal have vand hver anden dag, indtil sommeren er forbi.",
	"nb": "Vi plantet de unge trærne langs den gamle muren før regnet kom. Noen av dem trenger vann annenhver dag, for at røttene ikke skal tørke ut etter hvert.",
	"fi": "Istutimme nuoret puut vanhan muurin viereen ennen kuin sade alkoi. Ne tarvitsevat vettä joka toinen päivä kesän loppuun asti.",
	"pl": "Posadziliśmy młode drzewa przy starym murze, zanim spadł deszcz. Do końca lata będą potrzebowały wody co drugi dzień.",
	"cs": "Mladé stromy jsme zasadili u staré zdi ještě před deštěm. Až do konce léta budou potřebovat vodu každý druhý den.",
	"tr": "Genç ağaçları yağmurdan önce eski duvarın yanına diktik. Yaz sonuna kadar iki günde bir suya ihtiyaçları var.",
	"ro": "Am plantat copacii tineri lângă zidul vechi înainte de ploaie. Ei au nevoie de apă la fiecare două zile până la sfârșitul verii.",
	"hu": "A fiatal fákat még az eső előtt ültettük el a régi fal mellett. A nyár végéig minden második nap vízre van szükségük.",
	"id": "Kami menanam pohon muda di sepanjang tembok tua sebelum hujan turun. Pohon itu membutuhkan air setiap dua hari sampai akhir musim panas.",
	"el": "Φυτέψαμε τα νεαρά δέντρα δίπλα στον παλιό τοίχο πριν από τη βροχή.",
	"ar": "زرعنا الأشجار الصغيرة بجانب الجدار القديم قبل المطر. وهي تحتاج إلى الماء كل يومين حتى نهاية الصيف.",
	"he": "נטענו את העצים הצעירים ליד הקיר הישן לפני הגשם. הם צריכים מים כל יומיים עד סוף הקיץ.",
	"hi": "हमने बारिश से पहले पुरानी दीवार के पास छोटे पेड़ लगाए। गर्मी के अंत तक उन्हें हर दूसरे दिन पानी चाहिए।",
	"th": "เราปลูกต้นไม้เล็กริมกำแพงเก่าก่อนฝนตก",
	"ko": "우리는 비가 오기 전에 오래된 담을 따라 어린 나무를 심었다.",
	"ja": "雨が降る前に、古い塀に沿って若い木を植えました。夏の終わりまで一日おきに水が必要です。",
	"zh": "下雨之前，我们在老墙边种了小树。夏天结束之前，每两天要浇一次水。",
}

func TestDetect(t *testing.T) {
	t.Parallel()
	short, right := 0, 0
	for want, s := range samples {
		if lang, sure := Detect(s); lang != want || !sure {
			t.Errorf("%s: %s %v", want, lang, sure)
		}
		first, _, _ := strings.Cut(s, ". ")
		words := strings.Fields(first)
		some := strings.Join(words[:min(len(words), 8)], " ")
		lang, sure := Detect(some)
		if sure && lang != want {
			t.Errorf("%q is surely %s", some, lang)
		}
		short++
		if lang == want {
			right++
		}
	}
	t.Logf("eight words: %d of %d right", right, short)
	if right*10 < short*8 {
		t.Errorf("only %d of %d short texts", right, short)
	}
}

func TestDetectUnsure(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", "   ", "123 456", "!!!", "😀", "ok", "Garten", "\xff\xfe", "a", "iPhone 15"} {
		for range 3 {
			if lang, sure := Detect(s); sure {
				t.Errorf("%q: %s", s, lang)
			}
		}
	}
	if lang, sure := Detect(strings.Repeat("Das ist ein sehr langer Text über die Pflege von Rosen im Garten. ", 100_000)); lang != "de" || !sure {
		t.Error("long text", lang, sure)
	}
}

func TestLanguage(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		"en": "en", "EN": "en", "en_US": "en", "en-us": "en", " de-AT ": "de", "eng": "en", "deu": "de", "ger": "de", "no": "nb", "nb-NO": "nb", "nor": "nb", "nn": "nn",
		"zh-Hans": "zh", "hant_TW": "zh", "zh": "zh", "iw": "he", "in": "id", "pt-BR": "pt", "fil": "fil", "sr-Latn-RS": "sr",
		"": "", "und": "", "xx": "", "english": "", "e": "", "12": "", "en\x00": "", "-": "", "☃": "", "_US": "",
	} {
		if got := Language(code); got != want {
			t.Errorf("%q: %q, want %q", code, got, want)
		}
	}
}

func BenchmarkDetect(b *testing.B) {
	s := strings.Repeat(samples["de"]+" ", 10)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		Detect(s)
	}
}
