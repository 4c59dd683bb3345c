package knowledge

import (
	"context"
	"strings"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/internal/extract"
	"github.com/contentgraph/contentgraph/internal/input"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// maxText is the longest text of a request in bytes.
const maxText = 2 << 20

// Create makes a source of a request object that holds its text. Fault: Invalid.
func (s *Service) Create(ctx context.Context, in map[string]any) (*Source, error) {
	o := input.Of(in)
	kind := o.OneOf("kind", []string{vocab.KnowledgeText}, false)
	if kind == nil && !o.Failed("kind") {
		o.Fail("kind", "is required")
	}
	said := o.Text("text", 0)
	switch {
	case o.Failed("text"):
	case said == nil:
		o.Fail("text", "is required")
	case strings.TrimSpace(*said) == "":
		o.Fail("text", "must not be blank")
	case len(*said) > maxText:
		o.Fail("text", "must have at most %d bytes in UTF-8", maxText)
	}
	name := o.Text("fileName", 0)
	if name != nil {
		if problem := badName(*name); problem != "" {
			o.Fail("fileName", "%s", problem)
		}
	}
	if err := o.Err(); err != nil {
		return nil, err
	}
	return s.createText(ctx, *said, name)
}

// createText keeps a text. Should that be interrupted, its source is swept.
func (s *Service) createText(ctx context.Context, said string, name *string) (*Source, error) {
	c := contentOf(extract.Result{Text: said})
	var row *db.KnowledgeSource
	err := s.store.Tx(ctx, func(tx *db.Client) (err error) {
		now := s.Now()
		row, err = tx.KnowledgeSource.Create().SetID(s.NewID()).SetKind(vocab.KnowledgeText).SetNillableFileName(name).
			SetCreated(now).SetCreatedBy(store.ViewerOf(ctx).User).SetUpdated(now).Save(ctx)
		return err
	})
	if err != nil {
		return nil, store.Fault(ctx, err, noun)
	}
	if err := s.write(ctx, row, c, s.store.Tx, s.store.Tx); err != nil {
		s.drop(ctx, row)
		return nil, store.Fault(ctx, err, noun)
	}
	return &Source{row, &said}, nil
}
