package text

import (
	"slices"
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"Don't stop, it’s 3.50 or $1,000!": "Don't|stop|it’s|3.50|or|1,000",
		"node.js and www.example.org":      "node.js|and|www.example.org",
		"state-of-the-art re‐use":          "state|of|the|art|re|use",
		"snake_case __ 😀 — « »":            "snake_case",
		"日本語とEnglish混在":                    "日|本|語|と|English|混|在",
		"コード":                              "コ|ー|ド",
		"ที่บ้าน":                          "ที่|บ้|า|น",
		"정원 가꾸기":                           "정원|가꾸기",
		"e\u0301te\u0301":                  "e\u0301te\u0301",
		"":                                 "",
		"0\xe1 ":                           "0",
		"\xff\xfe ok \xc3":                 "ok",
	} {
		var got []string
		for w := range Words(s) {
			got = append(got, s[w.Start:w.End])
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q: %q, want %q", s, strings.Join(got, "|"), want)
		}
	}
	for range Words("one two") { // stopping early is fine
		break
	}
}

func TestCount(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]struct {
		n    int
		unit Unit
	}{
		"":                     {0, WordUnit},
		"Two words.":           {2, WordUnit},
		"well-known":           {2, WordUnit},
		"日本語の文章です。":            {8, CharacterUnit},
		"私のiPhone 15":          {4, WordUnit},
		"这是我的新iPhone。":         {6, CharacterUnit},
		"A short note on 日本 .": {6, WordUnit},
		"정원 가꾸기":               {2, WordUnit},
		"ซื้อบ้าน":             {5, CharacterUnit},
	} {
		if n, unit := Count(s); n != want.n || unit != want.unit {
			t.Errorf("%q: %d %s, want %v", s, n, unit, want)
		}
	}
}

func TestTerms(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"en", "The gardens of a gardener, re-potted in 2026.", "garden garden re pot repot 2026"},
		{"en", "AT&T and R&D-led C++", "t at&t r d led r&dled c++"},
		{"en", "Élan, IT support", "elan support"},
		{"fr", "L’eau d’une fontaine", "eau fontain"},
		{"de", "Die Gärten und der Garten", "gart gart"},
		{"ja", "日本語のテスト 本", "日本 本語 語の のテ テス スト 本"},
		{"", "Les gardens", "les gardens"},
		{"en", "the of and", ""},
	} {
		if got := strings.Join(Terms(c[0], c[1]), " "); got != c[2] {
			t.Errorf("%s %q: %q, want %q", c[0], c[1], got, c[2])
		}
	}
	long := strings.Repeat("a-", 10_000) + " " + strings.Repeat("x", 10_000)
	for _, term := range Terms("en", long) {
		if len(term) > longestWord+1 {
			t.Fatalf("a term of %d bytes", len(term))
		}
	}
}

func TestFold(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"en", "Crème BRÛLÉE", "creme brulee"},
		{"en", "e\u0301", "e"},
		{"en", "İstanbul I", "istanbul i"},
		{"en", "ﬁne Ｗｉｄｅ", "fine wide"},
		{"en", "rock’n’roll co\u00adop", "rock'n'roll coop"},
		{"en", "Łódź Ørsted Æble Œuvre", "lodz orsted aeble oeuvre"},
		{"de", "Größe ÄÖÜ É", "grösse äöü é"},
		{"de", "a\u0308", "ä"},
		{"tr", "IĞDIR İZMİR ş", "ığdır izmir ş"},
		{"az", "IŞIQ", "ısıq"},
		{"sv", "ÅÄÖ", "åäö"},
		{"es", "Ñandú", "nandu"},
		{"ru", "ЁЛКА Йод", "елка йод"},
		{"ru", "за\u0301мок", "замок"},
		{"el", "ΆΝΘΡΩΠΟΣ ἄνθρωπος", "ανθρωποσ ανθρωποσ"},
		{"ar", "كِتَابٌ إلى", "كتاب الى"},
		{"he", "שָׁלוֹם", "שלום"},
		{"hi", "हिन्दी", "हिन्दी"},
		{"ja", "ｶﾞラス が", "ガラス が"},
		{"vi", "Đường phố", "duong pho"},
		{"", "plain", "plain"},
	} {
		if got := Fold(c[0], c[1]); got != c[2] {
			t.Errorf("%s %q: %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

func TestStem(t *testing.T) {
	t.Parallel()
	same := map[string][]string{
		"en": {"garden gardens gardening Gardens'", "child children children's", "knife knives", "resume resumes", "woman women woman's"},
		"de": {"Apfel Äpfel Äpfeln", "Haus Häuser Häusern", "Kleiderschrank Kleiderschränke", "schnell schnelle schnelles", "Straße STRASSEN"},
		"es": {"zapato zapatos", "canción canciones", "luz luces"},
		"fr": {"jardin jardins", "cheval chevaux", "petit petite petites"},
		"it": {"scarpa scarpe", "uomo uomini"},
		"nl": {"fiets fietsen", "stad steden"},
		"pt": {"casa casas", "leve leves"},
		"ru": {"красный красного красные", "платье платья"},
		"sv": {"bil bilar bilen", "bok böcker"},
		"da": {"bil biler bilen"},
		"nb": {"bil biler bilen"},
		"nn": {"bil bilen"},
		"fi": {"talo talon talossa"},
		"hu": {"kert kertek"},
		"tr": {"ev evler", "İzmir İzmir'de"},
		"ro": {"grădină gradina"},
	}
	for lang, groups := range same {
		if !Stems(lang) {
			t.Errorf("%s has a stemmer", lang)
		}
		for _, group := range groups {
			words := strings.Fields(group)
			for _, w := range words[1:] {
				if a, b := Stem(lang, words[0]), Stem(lang, w); a != b {
					t.Errorf("%s: %s is %s, %s is %s", lang, words[0], a, w, b)
				}
			}
		}
	}
	for _, c := range [][3]string{{"de", "schon", "schön"}, {"de", "Kuchen", "Küche"}, {"en", "rose", "rows"}, {"sv", "får", "far"}, {"pl", "kot", "koty"}, {"", "sheds", "shed"}} {
		if Stem(c[0], c[1]) == Stem(c[0], c[2]) {
			t.Errorf("%s: %s and %s", c[0], c[1], c[2])
		}
	}
	if Stems("pl") || Stems("") || Stems("zz") {
		t.Error("no stemmer there")
	}
	if got := Stem("en", strings.Repeat("Ab", 100)); got != strings.Repeat("ab", 100) {
		t.Error("a long word is left as it is:", got)
	}
}

func TestStop(t *testing.T) {
	t.Parallel()
	for lang, words := range map[string]string{
		"en": "the The don't don’t with which without", "de": "der Über für FUER:no nicht", "es": "más mas él", "fr": "où à l' sur qu’",
		"ru": "и не", "ja": "の", "it": "perché perche", "en-GB": "the",
	} {
		for w := range strings.FieldsSeq(words) {
			w, no := strings.CutSuffix(w, ":no")
			if Stop(lang, w) == no {
				t.Errorf("%s %s: %v", lang, w, !no)
			}
		}
	}
	for lang, words := range map[string]string{"en": "garden best", "fr": "sûr été thé", "es": "té papa", "de": "Garten", "": "the", "pl": "dom"} {
		for w := range strings.FieldsSeq(words) {
			if Stop(lang, w) {
				t.Errorf("%s %s says something", lang, w)
			}
		}
	}
}

// Every table holds what its language needs, and no word twice with two meanings.
func TestTables(t *testing.T) {
	t.Parallel()
	files, err := tables.ReadDir("data")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		code := strings.TrimSuffix(f.Name(), ".txt")
		l, ok := languages[code]
		if !ok {
			t.Errorf("%s: no such language", code)
			continue
		}
		b, err := tables.ReadFile("data/" + f.Name())
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(b)) {
			if section := strings.TrimSpace(line); strings.HasPrefix(section, "[") &&
				!slices.Contains([]string{"[stop]", "[articles]", "[elisions]", "[abbreviations]", "[irregular]", "[questions]", "[common]", "[syllables]"}, section) {
				t.Errorf("%s: section %s", code, section)
			}
		}
		r := l.rules()
		if len(r.stop) < 10 {
			t.Errorf("%s: %d function words", code, len(r.stop))
		}
		for w := range r.articles {
			if r.stop[w] != filler {
				t.Errorf("%s: article %s is no function word", code, w)
			}
		}
		for w := range r.elisions {
			if !strings.HasSuffix(w, "'") {
				t.Errorf("%s: elision %s", code, w)
			}
		}
		for form, lemma := range r.irregular {
			if lemma == "" || form != l.fold(form, true) {
				t.Errorf("%s: irregular %s=%s", code, form, lemma)
			}
		}
		for w, n := range r.syllables {
			if n < 1 || n > 8 || w != l.fold(w, true) {
				t.Errorf("%s: syllables %s=%d", code, w, n)
			}
		}
		for w := range r.common {
			if r.stop[w] != content {
				t.Errorf("%s: %s is common and a function word", code, w)
			}
		}
		for w := range r.abbreviations {
			if w == "" || strings.HasSuffix(w, ".") {
				t.Errorf("%s: abbreviation %q", code, w)
			}
		}
		for _, q := range r.questions {
			if q.opener == "" || q.opener != l.fold(q.opener, true) || !q.any && len(q.next) == 0 {
				t.Errorf("%s: question %+v", code, q)
			}
		}
	}
	for _, code := range []string{"en", "de", "es", "fr"} {
		r := languages[code].rules()
		if len(r.questions) < 10 || len(r.abbreviations) < 40 || len(r.common) < 100 {
			t.Errorf("%s: %d questions, %d abbreviations, %d common words", code, len(r.questions), len(r.abbreviations), len(r.common))
		}
	}
}
