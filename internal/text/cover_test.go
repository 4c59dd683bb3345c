package text

import (
	"strings"
	"testing"
)

var rulings = []struct {
	lang, phrase, text string
	covered            bool
}{
	// order, nearness, sentences
	{"en", "garden shed", "We built a garden shed.", true},
	{"en", "garden shed", "A shed in the garden.", false},
	{"en", "garden shed", "The shed garden is small.", false},
	{"en", "garden shed", "A garden with a big shed.", false},
	{"en", "garden shed", "We love the garden. Shed light is rare.", false},
	{"en", "garden shed", "Our garden\nShed plans", false},
	{"en", "shed", "He shed. A tear.", true},
	{"en", "shed", "Watershed moments.", false},
	// stems
	{"en", "garden shed", "Garden sheds for sale", true},
	{"en", "garden sheds", "One garden shed", true},
	{"en", "baking bread", "She bakes breads.", true},
	{"en", "child seat", "Seats: children seats and more", true},
	{"en", "woman's coat", "Women’s coats", true},
	{"en", "kids room", "A kid's room", true},
	// function words between and before
	{"en", "care of roses", "Care for roses in May.", true},
	{"en", "care of roses", "Care for all of the roses.", true},
	{"en", "rose care", "Care of roses", false},
	{"en", "roses with thorns", "Roses without thorns", false},
	{"en", "the best soil", "We use best soil here.", true},
	{"en", "log in", "Please log in here.", true},
	{"en", "log in", "A wooden log.", false},
	{"en", "to be or not to be", "To be, or not to be: that is it.", true},
	{"en", "to be or not to be", "He has to be there.", false},
	{"en", "IT support", "We need support.", false},
	{"en", "IT support", "Call our IT support.", true},
	{"en", "it support", "Call our IT support.", true},
	{"en", "best IT support", "The best support.", false},
	{"en", "US economy", "It helps us economy-minded people.", true}, // capitals are no ruling
	{"en", "economy plan", "An economy US plan.", false},
	{"en", "BEST OF THE SOIL", "best soil", true},
	// hyphens and signs
	{"en", "re-pot plants", "How to repot plants", true},
	{"en", "re-pot plants", "How to re pot a plant", true},
	{"en", "repot plants", "How to re-pot plants", true},
	{"en", "long-term lease", "A long term lease", true},
	{"en", "in-ear headphones", "Ear headphones", false},
	{"en", "in-ear headphones", "In ear headphones", true},
	{"en", "do-it-yourself kit", "A do it yourself kit", true},
	{"en", "C", "We like C++ and C#.", false},
	{"en", "C", "We write C, mostly.", true},
	{"en", "C#", "We like C#!", true},
	{"en", "c++ course", "A C++ course", true},
	{"en", "R&D budget", "The R&D budget grows.", true},
	{"en", "R&D", "The r and d of it.", false},
	{"en", "H&M", "An h or m.", false},
	{"en", "salt & pepper", "Salt and pepper", true},
	{"en", "Glow+ plan", "The Glow+ plan", true},
	{"en", "Glow plan", "The Glow+ plan", true},
	{"en", "node.js", "Learn Node.js now", true},
	{"en", "3.5 mm jack", "A 3.5 mm jack", true},
	{"en", "austin plumber tx", "Plumber in Austin, TX", false},
	{"en", "plumber austin tx", "Plumber in Austin, TX", true},
	// quoted
	{"en", `"garden shed"`, "Garden Shed plans", true},
	{"en", `"garden shed"`, "Garden sheds", false},
	{"en", `"care of roses"`, "care for roses", false},
	{"en", "“care of roses”", "Care of roses!", true},
	{"en", `"long term"`, "long-term", false},
	{"en", `"long-term"`, "a long-term plan", true},
	{"en", `""`, "Some text", false},
	// nothing to look for
	{"en", "", "Some text", false},
	{"en", "   ", "Some text", false},
	{"en", "!?", "Some text!?", false},
	{"en", "shed", "", false},
	// case and accents
	{"en", "facade paint", "Façade paints", true},
	{"en", "résumé tips", "Resume tips", true},
	{"en", "resumes", "Two résumés", true},
	{"fr", "eleve", "Les élèves", true},
	{"fr", "l'huile d'olive", "Huile d’olive vierge", true},
	{"fr", "huile olive", "De l’huile d’olive", true},
	{"es", "jardin pequeño", "Jardines pequenos", true},
	{"de", "schön", "Das ist schon gut.", false},
	{"de", "schon", "Wie schön!", false},
	{"de", "Gartenhäuser", "Ein Gartenhaus", true},
	{"de", "Küche", "Viele Kuchen", false},
	{"de", "weiße Soße", "WEISSE SOSSE", true},
	{"de", "cafe", "Ein Café", false},
	{"sv", "får", "far och mor", false},
	{"sv", "ÅNGBÅT", "ångbåten", true},
	{"fi", "sää", "saa nähdä", false},
	{"tr", "ILIK SÜT", "ılık süt", true},
	{"tr", "ılık", "ilik", false},
	{"tr", "ankara otel", "Ankara'da oteller", true},
	{"tr", "ankara'daki oteller", "Ankara oteller", true},
	{"ru", "зелёный чай", "Зеленый чай и зелёного чая", true},
	{"uk", "край", "краи", false},
	{"uk", "Київ", "у КИЇВ їдемо", true},
	{"pl", "łódka", "LODKA", true},
	{"el", "ΟΔΟΣ", "Η οδός", true},
	{"vi", "phở", "Pho Hà Nội", true},
	{"he", "שלום", "שָׁלוֹם לכולם", true},
	{"hi", "दिन", "दान", false},
	// scripts without word borders
	{"ja", "庭仕事", "春の庭仕事を楽しむ", true},
	{"ja", "庭仕事", "庭の仕事", false},
	{"ja", "庭 仕事", "庭の仕事", true},
	{"ja", "コート", "スコートを着る", true},
	{"ja", "iPhone ケース", "iPhoneケースの選び方", true},
	{"zh", "花园", "我的花园很大", true},
	{"zh", "花园", "花。园", false},
	{"th", "บ้าน", "ซื้อบ้านใหม่", true},
	{"ko", "정원 가꾸기", "정원 가꾸기 안내", true},
	{"", "garden shed", "GARDEN SHED", true},
	{"", "garden sheds", "garden shed", false},
}

func TestCovers(t *testing.T) {
	t.Parallel()
	for _, r := range rulings {
		d, p := Prepare(r.lang, r.text), Compile(r.lang, r.phrase)
		if got := d.Covers(p); got != r.covered {
			t.Errorf("%s %q in %q: %v", r.lang, r.phrase, r.text, got)
		}
		if got := len(d.Find(p)) > 0; got != r.covered {
			t.Errorf("%s %q in %q: Find says %v", r.lang, r.phrase, r.text, got)
		}
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	s := "Compost bins: a compost bin, the COMPOST-BIN and composting bins. Bin compost."
	d := Prepare("en", s)
	var got []string
	for _, at := range d.Find(Compile("en", "compost bin")) {
		got = append(got, s[at.Start:at.End])
	}
	if want := "Compost bins|compost bin|COMPOST-BIN|composting bins"; strings.Join(got, "|") != want {
		t.Errorf("got %q", got)
	}
	if d.Covers(Compile("de", "compost bin")) {
		t.Error("a pattern of another language")
	}
}

func TestShare(t *testing.T) {
	t.Parallel()
	d := Prepare("en", "Tomatoes need sun.\nWater them in the morning.")
	for phrase, want := range map[string]float64{
		"When should I water tomatoes?": 1, "How much sun does a tomato want?": 2. / 3, "what is this": 0, "pruning": 0,
	} {
		if got := d.Share(Compile("en", phrase)); got != want {
			t.Errorf("%q: %v, want %v", phrase, got, want)
		}
	}
}

func TestTerm(t *testing.T) {
	t.Parallel()
	d := Prepare("en", "The sheds.\nRed ones")
	var got []string
	for i := range d.Len() {
		w := d.Term(i)
		got = append(got, w.Key)
		if d.Text()[w.Start:w.End] == "" || w.Stop != (i == 0) || w.Starts != (i == 0 || i == 2) {
			t.Errorf("%d: %+v", i, w)
		}
	}
	if strings.Join(got, " ") != "the shed red one" {
		t.Error(got)
	}
}
