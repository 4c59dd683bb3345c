package knowledge

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/knowledgepassage"
	"github.com/contentgraph/contentgraph/ent/db/knowledgesource"
	"github.com/contentgraph/contentgraph/ent/db/knowledgetext"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/search"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/text"
)

// The bounds of a search.
const (
	maxQuery  = 1000 // characters
	someFound = 10   // passages, unless a number is asked for
	maxFound  = 50
	textsOnce = 32 // indexes that are in memory at a time, of up to 2 MB each
)

// Passage is a piece of a source that a search found.
type Passage struct {
	SourceID   uuid.UUID
	FileName   *string
	Number     int // in the source, from 0
	Start, End int // in the source's text, in characters
	Heading    *string
	Text       string
	Score      float64 // BM25
}

// Search is the passages of all sources that say most about a question, best
// first; limit is from 1 to 50, nil stands for 10. Fault: Invalid.
func (s *Service) Search(ctx context.Context, query string, limit *int) ([]*Passage, error) {
	most := someFound
	if limit != nil {
		most = *limit
	}
	switch {
	case strings.TrimSpace(query) == "":
		return nil, fault.BadField("query", "must not be blank")
	case utf8.RuneCountInString(query) > maxQuery:
		return nil, fault.BadField("query", "must have at most %d characters", maxQuery)
	case most < 1 || most > maxFound:
		return nil, fault.BadField("limit", "must be from 1 to %d", maxFound)
	}
	var found search.Search
	var sources []uuid.UUID
	terms := map[string][]string{} // by language
	for after := uuid.Nil; ; {
		texts, err := s.store.KnowledgeText.Query().Where(knowledgetext.IDGT(after)).Order(knowledgetext.ByID()).Limit(textsOnce).
			Select(knowledgetext.FieldLanguage, knowledgetext.FieldSegment).All(ctx)
		if err != nil {
			return nil, store.Fault(ctx, err, noun)
		}
		for _, t := range texts {
			segment, err := search.Open(t.Segment)
			if err != nil {
				return nil, err
			}
			if terms[t.Language] == nil {
				terms[t.Language] = text.Terms(t.Language, query)
			}
			found.Add(segment, terms[t.Language])
			sources = append(sources, t.ID)
			after = t.ID
		}
		if len(texts) < textsOnce {
			break
		}
	}
	return s.passages(ctx, found.Best(most), sources)
}

// passages reads what was found; what was deleted since is left out.
func (s *Service) passages(ctx context.Context, hits []search.Hit, sources []uuid.UUID) ([]*Passage, error) {
	if len(hits) == 0 {
		return []*Passage{}, nil
	}
	type place struct {
		source uuid.UUID
		number int
	}
	var ids []uuid.UUID
	var numbers []int
	for _, h := range hits {
		ids, numbers = append(ids, sources[h.Segment]), append(numbers, h.Piece)
	}
	// More than the pairs that are meant, but few: hits are at most maxFound.
	rows, err := s.store.KnowledgePassage.Query().
		Where(knowledgepassage.SourceIDIn(ids...), knowledgepassage.NumberIn(numbers...)).All(ctx)
	if err != nil {
		return nil, store.Fault(ctx, err, noun)
	}
	texts := map[place]*db.KnowledgePassage{}
	for _, row := range rows {
		texts[place{row.SourceID, row.Number}] = row
	}
	names, err := s.names(ctx, ids)
	if err != nil {
		return nil, store.Fault(ctx, err, noun)
	}
	found := make([]*Passage, 0, len(hits))
	for _, h := range hits {
		id := sources[h.Segment]
		p, src := texts[place{id, h.Piece}], names[id]
		if p != nil && src != nil {
			found = append(found, &Passage{id, src.FileName, p.Number, p.Start, p.End, orNil(p.Heading), p.Text, h.Score})
		}
	}
	return found, nil
}

func (s *Service) names(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]*db.KnowledgeSource, error) {
	rows, err := s.store.KnowledgeSource.Query().Where(knowledgesource.IDIn(ids...)).
		Select(knowledgesource.FieldID, knowledgesource.FieldFileName).All(ctx)
	byID := make(map[uuid.UUID]*db.KnowledgeSource, len(rows))
	for _, row := range rows {
		byID[row.ID] = row
	}
	return byID, err
}
