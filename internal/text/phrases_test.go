package text

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// noise makes sentences of made-up words, other ones on every page.
func noise(r *rand.Rand, page, sentences int) string {
	var b strings.Builder
	for range sentences {
		for range 6 {
			fmt.Fprintf(&b, "%c%c%crop%d ", 'b'+r.IntN(20), "aeiou"[r.IntN(5)], 'b'+r.IntN(20), page*1000+r.IntN(1000))
		}
		b.WriteString(". ")
	}
	return b.String()
}

func pagesOf(lang string, texts ...string) []*Document {
	var pages []*Document
	for _, s := range texts {
		pages = append(pages, Prepare(lang, s))
	}
	return pages
}

func phraseOf(t *testing.T, found []Phrase, text string) Phrase {
	t.Helper()
	for _, p := range found {
		if p.Text == text {
			return p
		}
	}
	t.Errorf("no phrase %q in %+v", text, found)
	return Phrase{}
}

// A phrase planted in k of n pages is reported with k of n.
func TestPlantedPhrases(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct{ k, n, least int }{{2, 2, 2}, {2, 7, 2}, {3, 7, 2}, {2, 8, 3}, {3, 8, 3}, {15, 15, 3}, {9, 15, 3}, {5, 15, 3}, {4, 15, 3}} {
		var texts []string
		var on []int
		for page := range c.n {
			s := noise(r, page, 5)
			if page < c.k {
				s += "Some people like quilted hammock straps very much. " + noise(r, page, 3) + " And then quilted hammock straps again."
				on = append(on, page)
			}
			texts = append(texts, s)
		}
		found := Phrases(pagesOf("en", texts...), 0)
		if c.k < c.least {
			if len(found) > 0 {
				t.Errorf("%d of %d: %+v", c.k, c.n, found)
			}
			continue
		}
		p := phraseOf(t, found, "quilted hammock straps")
		want := Additional
		if share := float64(c.k) / float64(c.n); share >= 0.6 {
			want = Primary
		} else if share >= 0.3 {
			want = Secondary
		}
		if !slices.Equal(p.Pages, on) || p.Importance != want || p.Mentions != 2 || p.Words != 3 || p.Share != float64(c.k)/float64(c.n) {
			t.Errorf("%d of %d: %+v", c.k, c.n, p)
		}
		for _, q := range found {
			if strings.Contains("quilted hammock straps", q.Text) && q.Text != p.Text {
				t.Errorf("%q inside %q", q.Text, p.Text)
			}
		}
	}
}

func TestPhrases(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lang  string
		pages []string
		want  []string
	}{
		"forms of a stem":                {"en", []string{"A rain barrel. Rain barrels!", "Rain barrels", "my rain barrels"}, []string{"Rain barrels"}},
		"no function words at the ends":  {"en", []string{"this is the art of pruning for you", "an art of pruning and more"}, []string{"art of pruning"}},
		"not without":                    {"en", []string{"soup without salt", "bread without salt"}, []string{"salt"}},
		"negations count":                {"en", []string{"milk without sugar", "milk without sugar", "milk with sugar"}, []string{"milk", "sugar", "milk without sugar"}},
		"at most four words":             {"en", []string{"alpha beta gamma delta epsilon", "alpha beta gamma delta epsilon"}, []string{"alpha beta gamma delta", "beta gamma delta epsilon"}},
		"not over marks":                 {"en", []string{"maple, syrup", "maple, syrup"}, []string{"maple", "syrup"}},
		"not over lines":                 {"en", []string{"maple\nsyrup", "maple\nsyrup"}, []string{"maple", "syrup"}},
		"a shorter phrase of more pages": {"en", []string{"maple syrup", "maple syrup", "maple tree"}, []string{"maple", "maple syrup"}},
		"numbers alone":                  {"en", []string{"2026 x", "2026 y", "2026"}, nil},
		"numbers inside":                 {"en", []string{"top 10 hikes", "top 10 hikes"}, []string{"top 10 hikes"}},
		"hyphens":                        {"en", []string{"re-pot now", "repot now", "re-pot now"}, []string{"re-pot"}},
		"parts of hyphens":               {"en", []string{"raised-bed kit", "raised bed kit"}, []string{"raised bed kit"}},
		"names in capitals":              {"en", []string{"good IT help", "great IT help"}, []string{"IT help"}},
		"other function words":           {"en", []string{"care for roses", "care of roses", "care of roses"}, []string{"care of roses"}},
		"German":                         {"de", []string{"Der Garten und die Hochbeete im Frühling", "Hochbeete im Frühling", "ein Hochbeet für den Garten"}, []string{"Hochbeete", "Garten", "Hochbeete im Frühling"}},
		"French elision":                 {"fr", []string{"L’huile d’olive est bonne", "de l'huile d'olive"}, []string{"huile d'olive"}},
		"Japanese":                       {"ja", []string{"家庭菜園でトマトを育てる", "トマトと家庭菜園", "夏の家庭菜園"}, []string{"家庭菜園", "トマト"}},
		"Chinese":                        {"zh", []string{"我的花园很大", "你的花园呢", "花园好"}, []string{"花园"}},
		"Korean":                         {"ko", []string{"정원 가꾸기", "정원 가꾸기"}, []string{"정원 가꾸기"}},
		"one page":                       {"en", []string{"maple maple maple"}, nil},
		"no pages":                       {"en", nil, nil},
	} {
		var got []string
		for _, p := range Phrases(pagesOf(c.lang, c.pages...), 0) {
			got = append(got, strings.ReplaceAll(p.Text, "’", "'"))
		}
		slices.Sort(got)
		slices.Sort(c.want)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestPhrasesOfMissingPlaces(t *testing.T) {
	t.Parallel()
	pages := append(pagesOf("en", "maple syrup", "maple syrup"), nil, nil, nil, nil, nil)
	if p := phraseOf(t, Phrases(pages, 0), "maple syrup"); p.Importance != Additional || p.Share != 2./7 {
		t.Errorf("%+v", p)
	}
	if got := Phrases(append(pages, nil), 0); len(got) > 0 {
		t.Errorf("two of eight pages: %+v", got)
	}
}

// What a page is counted for, it covers as well.
func TestPhrasesAreCovered(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	words := strings.Fields("rose roses garden gardens care for of the soil-test soil test soiltest prune pruning winter - AT&T , . C++ without best in-ear IT")
	for range 200 {
		var texts []string
		for range 4 {
			var b strings.Builder
			for range 30 {
				b.WriteString(words[r.IntN(len(words))] + " ")
			}
			texts = append(texts, b.String())
		}
		pages := pagesOf("en", texts...)
		for _, p := range Phrases(pages, 0) {
			for _, page := range p.Pages {
				if !pages[page].Covers(Compile("en", p.Text)) {
					t.Errorf("%q is not covered by %q", p.Text, texts[page])
				}
			}
		}
	}
}

// Words of any web page rank below those of the topic.
func TestScores(t *testing.T) {
	t.Parallel()
	s := "Our products help you. A bokashi bucket ferments scraps. Find products. The bokashi bucket is airtight."
	found := Phrases(pagesOf("en", s, s, s), 0)
	order := map[string]int{}
	for i, p := range found {
		order[p.Text] = i
		if i > 0 && p.Score > found[i-1].Score {
			t.Error("not in order")
		}
	}
	if order["bokashi bucket"] > order["products"] || order["airtight"] > order["help"] {
		t.Errorf("%+v", found)
	}
	if got := Phrases(pagesOf("en", s, s, s), 2); len(got) != 2 || got[0].Text != found[0].Text {
		t.Errorf("limit: %+v", got)
	}
}
