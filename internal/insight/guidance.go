package insight

// Guidance is what a kind found for a topic; its type is the kind's own. It is
// stored as JSON.
type Guidance interface {
	// IsInsightGuidance marks the members of the GraphQL union.
	IsInsightGuidance()
	// Empty reports that it holds nothing to check a copy against.
	Empty() bool
}

// PhraseGuidance is the phrases that pages about a topic share in one place.
type PhraseGuidance struct {
	Pages   int           `json:"pages"` // that could be read
	Phrases []PhraseFound `json:"phrases"`
}

// PhraseFound is a phrase and who uses it.
type PhraseFound struct {
	Phrase          string  `json:"phrase"`
	Pages           int     `json:"pages"`           // that use it there
	Share           float64 `json:"share"`           // of the pages, 0 to 1
	AverageMentions float64 `json:"averageMentions"` // on the pages that use it
	Importance      string  `json:"importance"`      // PRIMARY, SECONDARY or ADDITIONAL
	Score           float64 `json:"score"`           // see Phrases; comparable within one answer
}

// LengthGuidance is how long pages about a topic are.
type LengthGuidance struct {
	CompetitorMin    int    `json:"competitorMin"`
	CompetitorMedian int    `json:"competitorMedian"`
	CompetitorMax    int    `json:"competitorMax"`
	RecommendedMin   int    `json:"recommendedMin"`
	RecommendedMax   int    `json:"recommendedMax"`
	Pages            int    `json:"pages"`
	Unit             string `json:"unit"` // words or characters
}

// ReadabilityGuidance is how easily pages about a topic read.
type ReadabilityGuidance struct {
	Language         string   `json:"language"`
	Formula          string   `json:"formula"`
	CompetitorMedian *float64 `json:"competitorMedian"`
	Pages            int      `json:"pages"` // that could be rated
	Reason           string   `json:"reason"`
}

// QuestionGuidance is what people ask about a topic.
type QuestionGuidance struct {
	Questions []QuestionFound `json:"questions"` // at most 20, most asked first
}

// QuestionFound is a question and where it comes from.
type QuestionFound struct {
	Question string `json:"question"`
	Times    int    `json:"times"`  // asked on result pages or in headings
	Source   string `json:"source"` // serp or headings
}

// SubtopicGuidance is what pages about a topic go into.
type SubtopicGuidance struct {
	Subtopics []SubtopicFound `json:"subtopics"` // most pages first
}

// SubtopicFound is a subtopic, named by its most common heading.
type SubtopicFound struct {
	Name    string   `json:"name"`
	Phrases []string `json:"phrases"`
	// Words are, for each phrase, its words beyond those of the topic: what a
	// section has to hold.
	Words []string `json:"words"`
	Pages int      `json:"pages"`
}

// ObjectiveGuidance is what searchers want, with the evidence, so that a person
// can disagree.
type ObjectiveGuidance struct {
	Objective  string   `json:"objective"`  // of Objectives
	Confidence float64  `json:"confidence"` // 0 to 1
	Evidence   []string `json:"evidence"`
}

// AudienceGuidance is for whom pages about a topic are written.
type AudienceGuidance struct {
	Audience   string   `json:"audience"` // in words
	Level      string   `json:"level"`    // of AudienceLevels
	Confidence float64  `json:"confidence"`
	Evidence   []string `json:"evidence"`
}

// JourneyStageGuidance is where searchers stand on the way to a decision.
type JourneyStageGuidance struct {
	Stage      string   `json:"stage"` // of JourneyStages
	Confidence float64  `json:"confidence"`
	Evidence   []string `json:"evidence"`
}

// ContentTypeGuidance is what kind of page is found for a topic.
type ContentTypeGuidance struct {
	ContentType  string      `json:"contentType"`
	Share        float64     `json:"share"` // of the pages, 0 to 1
	Distribution []TypeShare `json:"distribution"`
	Evidence     []string    `json:"evidence"`
}

// TypeShare is how much of the pages are of a type.
type TypeShare struct {
	ContentType string  `json:"contentType"`
	Pages       int     `json:"pages"`
	Share       float64 `json:"share"`
}

// OpportunityGuidance is where the account's own pages could gain.
type OpportunityGuidance struct {
	Opportunities []Opportunity `json:"opportunities"` // greatest potential first
}

// Opportunity is a query on which the account's page could rank higher, or a
// result type that it does not own.
type Opportunity struct {
	Query        string  `json:"query"`
	Rank         *int    `json:"rank"`
	URL          *string `json:"url"`
	ResultType   string  `json:"resultType"`
	SearchVolume *int    `json:"searchVolume"`
	// Potential is further clicks a month, by the click-through curve; without a
	// search volume, further clicks of 100 searches.
	Potential float64 `json:"potential"`
	Reason    string  `json:"reason"`
}

// SearchVolumeGuidance is how often a topic is searched for.
type SearchVolumeGuidance struct {
	Total   int            `json:"total"`
	Phrases []PhraseVolume `json:"phrases"`
}

// PhraseVolume is the search volume of one phrase, per month.
type PhraseVolume struct {
	Phrase                  string   `json:"phrase"`
	AverageSearchVolume     *int     `json:"averageSearchVolume"`
	ApproximateSearchVolume *int     `json:"approximateSearchVolume"`
	CPC                     *float64 `json:"cpc"`
	Competition             *float64 `json:"competition"`
	MSVMonth                *string  `json:"msvMonth"` // yyyyMM
}

func (PhraseGuidance) IsInsightGuidance()       {}
func (LengthGuidance) IsInsightGuidance()       {}
func (ReadabilityGuidance) IsInsightGuidance()  {}
func (QuestionGuidance) IsInsightGuidance()     {}
func (SubtopicGuidance) IsInsightGuidance()     {}
func (ObjectiveGuidance) IsInsightGuidance()    {}
func (AudienceGuidance) IsInsightGuidance()     {}
func (JourneyStageGuidance) IsInsightGuidance() {}
func (ContentTypeGuidance) IsInsightGuidance()  {}
func (OpportunityGuidance) IsInsightGuidance()  {}
func (SearchVolumeGuidance) IsInsightGuidance() {}

// Empty reports that no phrase was found.
func (g PhraseGuidance) Empty() bool { return len(g.Phrases) == 0 }

// Empty reports that no page could be measured.
func (g LengthGuidance) Empty() bool { return g.Pages == 0 }

// Empty reports that no page could be rated; a copy can be rated all the same.
func (g ReadabilityGuidance) Empty() bool { return g.Pages == 0 }

// Empty reports that nothing is asked.
func (g QuestionGuidance) Empty() bool { return len(g.Questions) == 0 }

// Empty reports that no subtopic was found.
func (g SubtopicGuidance) Empty() bool { return len(g.Subtopics) == 0 }

// Empty reports that there is no objective.
func (g ObjectiveGuidance) Empty() bool { return g.Objective == "" }

// Empty reports that there is no level.
func (g AudienceGuidance) Empty() bool { return g.Level == "" }

// Empty reports that there is no stage.
func (g JourneyStageGuidance) Empty() bool { return g.Stage == "" }

// Empty reports that there is no type.
func (g ContentTypeGuidance) Empty() bool { return g.ContentType == "" }

// Empty reports that there is nothing to gain.
func (g OpportunityGuidance) Empty() bool { return len(g.Opportunities) == 0 }

// Empty reports that no volume is known.
func (g SearchVolumeGuidance) Empty() bool { return len(g.Phrases) == 0 }
