package text

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// A bar stands where a sentence ends.
var sentenceCases = map[string][]string{
	"en": {
		"Dr. Okafor met Mr. Lund at 5 p.m. in the lobby. | They spoke for an hour.",
		"The talk ends at 5 p.m. | Mrs. Ito closes the hall.",
		"We open at 9 a.m. EST on weekdays.",
		"He moved to the U.S. in 2019. | It was cold.",
		"The U.S. Senate met. | She left the U.S. | The flight was long.",
		"Bring fruit, e.g. Apples or pears. | Water is there.",
		"J. R. R. Halvorsen wrote it. | Nobody read it.",
		"Nobody but I. | Then we left.",
		"See Fig. 3 and pp. 12 of Vol. 2 for more. | No. 7 is missing.",
		"It costs $4.50. | That is 0.3 kg at v2.1.0 of node.js on www.example.org. | Fine!",
		"Acme Inc. Chairman Bo Lind resigned. | Acme Ltd. | The end.",
		"1. Peel the onion.\n2. Chop it. | Add oil.\na) Wait.\niv. Serve.",
		"She said \"Stop! Come back.\" and ran. | He stayed.",
		"\"Stop! Come back!\" he shouted. | Nobody came.",
		"“Is it open?” she asked. | “No.” | She left.",
		"He said, “I am tired. I want to go.” | Then he went.",
		"“I am tired. | I want to go home.” | Then he went.",
		"They left (it was late. Too late.) for home. | Good.",
		"(It was late.) | They left.",
		"Is it true? | Yes! | Really?! | Well... | So be it.",
		"Wait... what? | No way…",
		"It ended in 2020. | 15 people came. | iPhones were new. | eBay too.",
		"we write small. | we never use capitals. | ok? | fine",
		"Great! | Next one. 👍",
		"Planting\nTools you need\n\nA spade. | A rake.\r\nGloves",
		"The plan B. | The next one.",
		"Prices: 5 vs. 7. | Approx. 3 left.",
		"They sell pens, paper, etc. | Orders ship today.",
		"No full stop at the end",
		"Two. |  Spaces. | New. | \u00a0Line.",
		"See https://example.org/a.b?c=d. | Then go.",
	},
	"de": {
		"Am 3. Oktober feiern wir z.B. in Berlin. | Dr. Weiß kommt auch.",
		"Das kostet ca. 30 Euro, d. h. wenig. | Es lohnt sich.",
		"Es gibt Äpfel, Birnen usw. | Der Laden ist offen.",
		"Im 19. Jahrhundert lebte Friedrich II. König von Nirgendwo. | Das war früh.",
		"Das war 2020. | Millionen kamen.",
		"„Halt! Komm zurück!“, rief er. | Niemand kam.",
		"Sie sagte: „Ich gehe. Du bleibst.“ | Dann ging sie.",
		"Die Nr. 5 u. a. Dinge, vgl. Abb. 3 auf S. 12. | Ende.",
		"Termin: 3. 10. 2026 um 8 Uhr. | Bitte pünktlich.",
		"Er trinkt um 8. | Das ist spät.",
		"z. B. Tomaten brauchen Wärme. | Gurken auch.",
		"Die Müller GmbH liefert i. d. R. Montags. | Gut so.",
	},
	"es":  {"El Sr. Ruiz vive en EE.UU. desde 2010. | ¿Dónde está? | ¡Aquí!", "Compra fruta, p. ej. Manzanas. | Es sana.", "—¡Alto! —gritó ella. | Nadie paró."},
	"fr":  {"M. Petit habite ici. | Mme. Roy aussi.", "« Arrête ! Reviens ! » cria-t-il. | Personne ne vint.", "Vers 300 av. J.-C. Rome grandit. | C’est loin."},
	"it":  {"Il Sig. Neri e la dott.ssa Bo arrivano. | Va bene?", "Frutta, verdura ecc. | Il resto domani."},
	"nl":  {"Dhr. Bos komt o.a. Maandag. | Dat is goed.", "Neem bijv. Appels mee. | Klaar!"},
	"pt":  {"O Sr. Lima mora na Av. Central. | Onde fica?", "Leve frutas, p. ex. Maçãs. | É bom."},
	"ru":  {"Дом стоит 5 тыс. Рублей. | Он стар.", "Он живёт на ул. Мира, д. 5. | Это рядом.", "А. С. Петров написал книгу. | Она хорошая.", "Рост на 5 % и т.д. | Это много.", "— Стой! — крикнул он. | Никто не ждал."},
	"pl":  {"Mieszka przy ul. Długiej, np. Pod nr. 5. | To blisko."},
	"ja":  {"今日は晴れです。 | 明日は雨でしょう。 | そうですか？ | はい。", "「行く。」と彼は言った。 | 彼女は笑った。"},
	"zh":  {"今天天气很好。 | 我们去公园吧！ | 好吗？"},
	"hi":  {"यह एक वाक्य है। | यह दूसरा है।"},
	"ar":  {"أين أنت؟ | أنا هنا."},
	"el":  {"Πού είσαι; | Εδώ είμαι."},
	"":    {"Nothing known. | Still works."},
	"xyz": {""},
}

func TestSentences(t *testing.T) {
	t.Parallel()
	for lang, cases := range sentenceCases {
		for _, c := range cases {
			var want []string
			for line := range strings.Lines(c) {
				for part := range strings.SplitSeq(line, " | ") {
					if part = strings.TrimSpace(part); part != "" {
						want = append(want, part)
					}
				}
			}
			s := strings.ReplaceAll(c, " | ", " ")
			if lang == "ja" || lang == "zh" {
				s = strings.ReplaceAll(c, " | ", "")
			}
			var got []string
			for _, at := range Sentences(lang, s) {
				got = append(got, s[at.Start:at.End])
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s\n got %q\nwant %q", lang, got, want)
			}
		}
	}
}

// Hostile text costs no more than its length.
func TestStaysLinear(t *testing.T) {
	t.Parallel()
	const n, many = 1 << 13, 1 << 17
	for _, s := range []string{"a." + strings.Repeat(" ", many), "a." + strings.Repeat(")", many), "a. " + strings.Repeat("- ", many), strings.Repeat("x", many),
		strings.Repeat("a (", n), strings.Repeat("„a ", n), strings.Repeat("a. \"", n), strings.Repeat("a. ", n), strings.Repeat("x.y.", n), strings.Repeat("a! ( ", n),
		strings.Repeat("a (b. ", n) + strings.Repeat(")", n), strings.Repeat("in-a ", n), strings.Repeat("a-", n), strings.Repeat("a&", n), strings.Repeat("a'", n),
		strings.Repeat("\u0301", n), strings.Repeat("日", n)} {
		begin := time.Now()
		Sentences("en", s)
		Readable("en", s)
		Terms("en", s)
		Prepare("en", s).Find(Compile("en", "a b-a in-a a"))
		if took := time.Since(begin); took > time.Minute { // quadratic time would be minutes
			t.Errorf("%.20q: %v", s, took)
		}
	}
}
