package knowledge

import (
	"context"
	"errors"
	"runtime"
	"strings"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/knowledgepassage"
	"github.com/contentgraph/contentgraph/ent/db/knowledgesource"
	"github.com/contentgraph/contentgraph/internal/extract"
	"github.com/contentgraph/contentgraph/internal/search"
	"github.com/contentgraph/contentgraph/internal/text"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// content is what a source says, ready to be kept.
type content struct {
	extract.Result
	language string
	passages []passage
	segment  []byte
}

// contentOf cuts what was read into passages and indexes them.
func contentOf(read extract.Result) content {
	c := content{Result: read}
	c.language, _ = text.Detect(read.Text)
	c.passages = split(c.language, read.Text)
	var index search.Builder
	for _, p := range c.passages {
		runtime.Gosched() // a long text takes half a second: requests go first
		terms := text.Terms(c.language, p.text)
		if !strings.HasPrefix(p.text, p.heading) { // it stands further up
			terms = append(terms, text.Terms(c.language, p.heading)...)
		}
		index.Add(terms)
	}
	c.segment = index.Bytes()
	return c
}

// passagesAtOnce bounds how long SQLite's only writer is held.
const passagesAtOnce = 200

// errGone says that a source was deleted while its text was read.
var errGone = errors.New("knowledge: source is gone")

// transaction is store.Tx or that of a lease.
type transaction func(ctx context.Context, fn func(*db.Client) error) error

// write keeps what a source says that has said nothing so far, and makes it
// EXTRACTED. Passages are written in parts, each in a transaction; they are seen
// when the last one writes the index. What an attempt before has left is removed.
func (s *Service) write(ctx context.Context, src *db.KnowledgeSource, c content, tx, last transaction) error {
	from := 0
	for ; len(c.passages)-from > passagesAtOnce; from += passagesAtOnce {
		err := tx(ctx, func(tx *db.Client) error { return s.writePart(ctx, tx, src, c.passages[:from+passagesAtOnce], from) })
		if err != nil {
			return err
		}
		s.store.Yield(ctx)
	}
	var saved *db.KnowledgeSource
	err := last(ctx, func(tx *db.Client) (err error) {
		if err := s.writePart(ctx, tx, src, c.passages, from); err != nil {
			return err
		}
		err = tx.KnowledgeText.Create().SetID(src.ID).SetText(c.Text).SetLanguage(c.language).SetSegment(c.segment).Exec(ctx)
		if err != nil {
			return err
		}
		saved, err = tx.KnowledgeSource.UpdateOneID(src.ID).SetStatus(vocab.KnowledgeExtracted).SetUpdated(s.Now()).
			SetFileType(c.Type).SetCut(c.Cut).SetNillableStatusReason(orNil(c.Reason)).Save(ctx)
		return err
	})
	if err == nil {
		*src = *saved
	}
	return err
}

// writePart writes the passages from a number on.
func (s *Service) writePart(ctx context.Context, tx *db.Client, src *db.KnowledgeSource, passages []passage, from int) error {
	if err := s.hold(ctx, tx, src.ID, src.Status); err != nil {
		return err
	}
	if from == 0 {
		if _, err := tx.KnowledgePassage.Delete().Where(knowledgepassage.SourceID(src.ID)).Exec(ctx); err != nil {
			return err
		}
	}
	part := passages[from:]
	return tx.KnowledgePassage.MapCreateBulk(part, func(create *db.KnowledgePassageCreate, i int) {
		create.SetID(s.NewID()).SetSourceID(src.ID).SetNumber(from + i).SetStart(part[i].start).SetEnd(part[i].end).
			SetHeading(part[i].heading).SetText(part[i].text)
	}).Exec(ctx)
}

// hold keeps a source from being changed or deleted before the transaction
// ends: on SQLite no other transaction runs.
func (s *Service) hold(ctx context.Context, tx *db.Client, id uuid.UUID, status string) error {
	q := tx.KnowledgeSource.Query().Where(knowledgesource.ID(id), knowledgesource.Status(status))
	if s.store.Postgres() {
		q.ForUpdate()
	}
	_, err := q.Only(ctx)
	if db.IsNotFound(err) {
		return errGone
	}
	return err
}
