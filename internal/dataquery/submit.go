package dataquery

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/ranksource"
	"github.com/contentgraph/contentgraph/internal/facts"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// Submit validates a request of the viewer's account and plans its execution
// over the facts that are current now. The execution carries the identifier of
// its job.
func (s *Service) Submit(ctx context.Context, spec *Spec, in map[string]any) (*db.Execution, error) {
	r, err := Parse(spec, in)
	if err != nil {
		return nil, err
	}
	if r.Int("account_id") != store.ViewerOf(ctx).Account {
		return nil, fault.New(fault.Forbidden, "no access to account %d", r.Int("account_id"))
	}
	var e *db.Execution
	err = s.store.Tx(ctx, func(tx *db.Client) (err error) {
		e, err = s.submit(ctx, tx, spec, r)
		return err
	})
	if err != nil {
		return nil, store.Fault(ctx, err, "execution")
	}
	s.queue.Wake(jobKind)
	return e, nil
}

func (s *Service) submit(ctx context.Context, tx *db.Client, spec *Spec, r Request) (*db.Execution, error) {
	viewer := store.ViewerOf(ctx)
	pins, rows, err := facts.Pins(ctx, tx, spec.Dataset, r.Text(vocab.Frequency),
		r.Text("start_date"), r.Text("end_date"), r.Ints["web_property_ids"])
	if err != nil {
		return nil, err
	}
	if r.RankSources, err = rankSources(ctx, tx, r.Ints["rank_source_ids"]); err != nil {
		return nil, err
	}
	text, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	id, err := s.queue.Enqueue(ctx, tx, jobKind, viewer.Account, nil)
	if err != nil {
		return nil, err
	}
	now := s.now()
	return tx.Execution.Create().SetID(id).SetAccountID(viewer.Account).SetUserID(viewer.User).
		SetQuery(spec.Name()).SetRequest(text).SetPins(pins).SetPageRows(s.pageRows).
		SetExpected(rows).SetCreated(now).SetExpires(now.Add(Valid)).Save(ctx)
}

func rankSources(ctx context.Context, tx *db.Client, ids []int) ([]string, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	names, err := tx.RankSource.Query().Where(ranksource.IDIn(ids...)).Select(ranksource.FieldName).Strings(ctx)
	slices.Sort(names)
	return names, err
}
