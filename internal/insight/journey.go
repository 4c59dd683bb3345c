package insight

import "context"

// JourneyStages are where a searcher can stand, in the order of the journey.
var JourneyStages = []string{"AWARENESS", "CONSIDERATION", "DECISION", "RETENTION"}

var journeyStage = define(spec[JourneyStageGuidance]{
	Type: "JOURNEY_STAGE_INSIGHT", Doc: "Where searchers of the topic stand on the way to a decision.", Weight: 1, Needs: needsSERP | wantsPages,
	Generate: func(_ context.Context, b *Brief) (JourneyStageGuidance, error) {
		v := stageOf(b.Language, b.objective().best(Objectives), b.Topic.Phrases...)
		v.contentTypes(rules("journey", b.Language), b.Pages)
		best := v.best(JourneyStages)
		return JourneyStageGuidance{best.Class, best.Confidence, best.Evidence}, nil
	},
	Check: func(g JourneyStageGuidance, c *Copy) Check {
		v := stageOf(c.Language, objectiveOf(c.Language, c.head()).best(Objectives), c.head())
		return classCheck(verdict{g.Stage, g.Confidence, g.Evidence}, v.best(JourneyStages), "stage", "contentStage")
	},
})

// stageOf votes by words and by what is wanted.
func stageOf(language string, wanted verdict, texts ...string) *votes {
	v := &votes{}
	table := rules("journey", language)
	for _, t := range texts {
		var own votes
		own.words(table, language, t, "the topic")
		for _, s := range own.evidence {
			v.add(s.class, s.weight/float64(len(texts)), "%s", s.text)
		}
	}
	for _, r := range table {
		if r.where == "objective" && r.what == wanted.Class {
			v.add(r.class, r.weight*wanted.Confidence, "the objective is %s", wanted.Class)
		}
	}
	return v
}
