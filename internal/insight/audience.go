package insight

import (
	"cmp"
	"context"
	"regexp"
	"strings"
)

// AudienceLevels are how much readers know, from the least on.
var AudienceLevels = []string{"INTERMEDIATE", "BEGINNER", "EXPERT"} // the first when there is no sign

var audience = define(spec[AudienceGuidance]{
	Type: "AUDIENCE_INSIGHT", Doc: "For whom pages about the topic are written.", Weight: 1, Needs: needsPages,
	Generate: func(_ context.Context, b *Brief) (AudienceGuidance, error) {
		heads := []string{}
		for _, p := range b.Pages {
			heads = append(heads, p.head())
		}
		v := levelOf(b.Language, append(heads, b.Topic.Phrases...)...)
		best := v.best(AudienceLevels)
		who := audienceOf(b.Language, append(heads, b.Topic.Phrases...))
		return AudienceGuidance{cmp.Or(who, readers[best.Class]), best.Class, best.Confidence, best.Evidence}, nil
	},
	Check: func(g AudienceGuidance, c *Copy) Check {
		check := classCheck(verdict{g.Level, g.Confidence, g.Evidence}, levelOf(c.Language, c.head()).best(AudienceLevels), "level", "contentLevel")
		check.Details.(map[string]any)["audience"] = g.Audience
		return check
	},
})

// readers names an audience by its level alone.
var readers = map[string]string{
	"BEGINNER": "readers who are new to the topic", "INTERMEDIATE": "general readers", "EXPERT": "professionals",
}

// levelOf votes by titles and headings: each sign once a text, for its share of
// the texts.
func levelOf(language string, texts ...string) *votes {
	v := &votes{}
	table := rules("audience", language)
	for _, t := range texts {
		var own votes
		own.words(table, language, t, "titles and headings")
		seen := map[string]bool{}
		for _, s := range own.evidence {
			if !seen[s.text] {
				seen[s.text] = true
				v.add(s.class, 4*s.weight/float64(len(texts)), "%s", s.text)
			}
		}
	}
	return v
}

// forWhom finds "for small businesses" at the end of a title or heading.
var forWhom = map[string]*regexp.Regexp{
	"en": regexp.MustCompile(`(?im)\bfor ((?:\pL+[ -]){0,2}\pL+s)(?:$|[.,:;|!?()–-])`),
	"de": regexp.MustCompile(`(?im)\bfür ((?:\pL+[ -]){0,2}\pL+)(?:$|[.,:;|!?()–-])`),
	"es": regexp.MustCompile(`(?im)\bpara ((?:\pL+[ -]){0,2}\pL+s)(?:$|[.,:;|!?()–-])`),
	"fr": regexp.MustCompile(`(?im)\bpour (?:les )?((?:\pL+[ -]){0,2}\pL+s)(?:$|[.,:;|!?()–-])`),
}

// audienceOf is who is named in most texts, at least in two; "" when nobody is.
func audienceOf(language string, texts []string) string {
	find := forWhom[language]
	if find == nil {
		return ""
	}
	count, best := map[string]int{}, ""
	for _, t := range texts {
		seen := map[string]bool{}
		for _, m := range find.FindAllStringSubmatch(t, 20) {
			who := strings.ToLower(m[1])
			if seen[who] {
				continue
			}
			seen[who] = true
			if count[who]++; count[who] > count[best] {
				best = who
			}
		}
	}
	if count[best] < 2 {
		return ""
	}
	return best
}

// head is what a page says about itself: its title and greater headings.
func (p *Page) head() string {
	return strings.Join(append(append([]string{p.Title}, p.Headings(1)...), p.Headings(2)...), "\n")
}
