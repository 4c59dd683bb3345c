package text

import (
	"math"
	"strings"
	"testing"
)

// Sentences, words and syllables were counted by hand; the scores follow from
// the published formulas.
func TestReadable(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lang, text                  string
		sentences, words, syllables int
	}{
		"easy":         {"en", "The sun is up. The birds sing in the tree. We eat our bread and then we go.", 3, 18, 18},
		"longer words": {"en", "Gardeners usually cover vegetable seedlings during cold evenings. Careful watering protects their delicate roots, especially in containers on balconies.", 2, 19, 43},
		"hyphens":      {"en", "A well-known twenty-year-old tree fell on the wall - and so did a post-box. It fell well.", 2, 16, 21},
		"a list":       {"en", "What you need\nA spade\nA rake\n\nDig the soil. Then wait.", 5, 12, 12},
		"quotes":       {"en", "Dr. Bo asked: \"Is it wet? Is it cold?\" and then went to the U.S. again. Nobody spoke to him.", 2, 20, 24},
		"German":       {"de", "Der Garten liegt hinter dem Haus. Dort wachsen Rosen, Tulpen und viele kleine Bäume.", 2, 14, 22},
		"Spanish":      {"es", "El jardín está detrás de la casa. Allí crecen rosas y árboles pequeños.", 2, 13, 24},
		"French":       {"fr", "Le jardin est derrière la maison. Les roses y poussent toute l’année.", 2, 12, 16},
		"Italian":      {"it", "Il giardino è dietro la casa. Le rose crescono bene tutto l'anno.", 2, 12, 22},
		"Dutch":        {"nl", "De tuin ligt achter het huis. Daar groeien rozen en kleine bomen.", 2, 12, 17},
		"Portuguese":   {"pt", "O jardim fica atrás da casa. As rosas crescem bem o ano todo.", 2, 13, 21},
		"Russian":      {"ru", "Сад находится за домом. Там растут розы и маленькие деревья в горшках.", 2, 12, 23},
	} {
		r := Readable(c.lang, c.text)
		if r.Sentences != c.sentences || r.Words != c.words || r.Syllables != c.syllables {
			t.Errorf("%s: %d sentences, %d words, %d syllables", name, r.Sentences, r.Words, r.Syllables)
		}
		if r.Score == nil || r.Reason != "" || r.Formula == "" || r.Source == "" {
			t.Errorf("%s: %+v", name, r)
			continue
		}
		f := languages[c.lang].ease
		asl, asw := float64(c.words)/float64(c.sentences), float64(c.syllables)/float64(c.words)
		if want := f.base - f.sentence*asl - f.syllable*asw; math.Abs(*r.Score-want) > 0.01 {
			t.Errorf("%s: %v, want %v", name, *r.Score, want)
		}
		if (r.Grade != nil) != (c.lang == "en") || c.lang == "en" && math.Abs(*r.Grade-(0.39*asl+11.8*asw-15.59)) > 0.01 {
			t.Errorf("%s: grade %v", name, r.Grade)
		}
		if math.Abs(r.AverageSentenceLength-asl) > 0.01 {
			t.Errorf("%s: average %v", name, r.AverageSentenceLength)
		}
	}
}

// The coefficients, each at one sentence of ten words and 20 syllables.
func TestFormulas(t *testing.T) {
	t.Parallel()
	for lang, want := range map[string]float64{
		"en": 27.485, "de": 53, "es": 76.64, "fr": 49.65, "it": 84, "nl": 43.54, "ru": 73.635, "pt": 69.485,
	} {
		f := languages[lang].ease
		if got := f.base - 10*f.sentence - 2*f.syllable; math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %v, want %v", lang, got, want)
		}
	}
}

func TestReadableNull(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("The old oak stands by the pond. ", 10)
	for name, c := range map[string]struct{ lang, text, reason string }{
		"empty":           {"en", "", "empty"},
		"no words":        {"en", " — 😀 !!! ", "empty"},
		"a heading":       {"en", "Ten ideas for a small city garden", "too short"},
		"Japanese":        {"ja", "庭は家の裏にあります。春には花が咲きます。", "Japanese"},
		"Polish":          {"pl", long, "Polish"},
		"unknown":         {"", long, "unknown language"},
		"made up":         {"xq", long, "unknown language"},
		"another script":  {"en", "Сад находится за домом. Там растут розы и маленькие деревья. Мы пьём чай.", "script"},
		"foreign letters": {"ru", long, "script"},
	} {
		r := Readable(c.lang, c.text)
		if r.Score != nil || r.Grade != nil || !strings.Contains(r.Reason, c.reason) {
			t.Errorf("%s: %+v", name, r)
		}
	}
	if r := Readable("en", "Short. Text."); r.Score == nil {
		t.Error("two sentences are enough:", r.Reason)
	}
	if r := Readable("en", strings.Repeat("one ", 20)); r.Score == nil {
		t.Error("twenty words are enough:", r.Reason)
	}
}

func TestLongSentences(t *testing.T) {
	t.Parallel()
	short, long := "So"+strings.Repeat(" word", 24)+". ", "So"+strings.Repeat(" word", 25)+". "
	s := short + long + short + long
	r := Readable("en", s)
	if len(r.Long) != 2 || r.Long[0].Words != 26 || r.Long[0].Start != len(short) || s[r.Long[1].Start:r.Long[1].End] != strings.TrimSpace(long) {
		t.Errorf("%+v", r.Long)
	}
	var b strings.Builder
	for n := range 30 {
		b.WriteString("So" + strings.Repeat(" word", 25+n) + ".\n")
	}
	r = Readable("en", b.String())
	if len(r.Long) != mostLong || r.Long[0].Words != 36 || r.Long[19].Words != 55 {
		t.Errorf("%+v", r.Long)
	}
}
