package insight

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/ent/db"
	drafts "github.com/contentgraph/contentgraph/ent/db/draft"
	"github.com/contentgraph/contentgraph/ent/db/guidance"
	"github.com/contentgraph/contentgraph/internal/jobs"
	"github.com/contentgraph/contentgraph/internal/serp"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// Service is what can be done with the insights of the viewer's drafts.
type Service struct {
	Now   func() time.Time
	NewID func() uuid.UUID
	// Weights replace those of the kinds in the content score, by type.
	Weights map[string]float64
	// Curve is the share of clicks by rank, from rank 1; see opportunities.
	Curve []float64
	// Watch is how often a subscription looks for what other processes did.
	Watch time.Duration

	store *store.Store
	queue *jobs.Queue
	serp  *serp.Service
	pages *pages
	heard listeners
}

const (
	noun    = "draft"
	jobKind = "insights"
)

// New makes the service and registers its job.
func New(s *store.Store, q *jobs.Queue, results *serp.Service, fetch Fetch) *Service {
	svc := &Service{
		Now:   func() time.Time { return time.Now().UTC().Truncate(time.Millisecond) },
		NewID: uuid.New,
		Curve: defaultCurve,
		Watch: time.Second,
		store: s, queue: q, serp: results,
	}
	svc.pages = &pages{store: s, fetch: fetch, now: func() time.Time { return svc.Now() }}
	q.Handle(jobKind, jobs.Handler{Run: svc.run, Discard: svc.discard})
	return svc
}

// Insight is what one kind has for a draft.
type Insight struct {
	Type         string
	Status       *string // of vocab.InsightStatuses; nil while it is being made
	ErrorCode    *string
	ErrorMessage *string
	Guidance     Guidance // nil without
	Language     string   // of the topic, "" when unknown
	Source       *string  // what it was made from: text, model, serp or rankings
	Pages        []vocab.GuidancePage
	Requested    time.Time
	RequestedBy  int
	Generated    *time.Time
}

// InsightPresent reports whether there is guidance.
func (i *Insight) InsightPresent() bool { return i.Guidance != nil }

// Empty reports whether there is nothing to check a text against.
func (i *Insight) Empty() bool { return i.Guidance == nil || i.Guidance.Empty() }

func toInsight(row *db.Guidance) (*Insight, error) {
	i := &Insight{
		Type: row.Type, Status: row.Status, ErrorCode: row.ErrorCode, ErrorMessage: row.ErrorMessage, Pages: row.Pages,
		Requested: row.Requested, RequestedBy: row.RequestedBy, Generated: row.Generated,
	}
	if row.Source != "" {
		i.Source = &row.Source
	}
	if len(row.Guidance) == 0 {
		return i, nil
	}
	var kept struct {
		Language string
		Found    json.RawMessage
	}
	if err := json.Unmarshal(row.Guidance, &kept); err != nil {
		return nil, err
	}
	i.Language = kept.Language
	if string(kept.Found) != "null" {
		g, err := kindOf(row.Type).decode(kept.Found)
		if err != nil {
			return nil, err
		}
		i.Guidance = g
	}
	return i, nil
}

// task is the argument of a job.
type task struct {
	Draft   uuid.UUID `json:"draft"`
	Request uuid.UUID `json:"request"`
	User    int       `json:"user"`
}

// Request asks for insights for a draft; those of the named types are replaced
// when they are done. It answers them, without a status. Faults: Invalid,
// NotFound for the draft.
func (s *Service) Request(ctx context.Context, draft uuid.UUID, in map[string]any) ([]*Insight, error) {
	var list []*Insight
	err := s.store.Tx(ctx, func(tx *db.Client) error {
		if err := s.lock(ctx, tx, draft); err != nil {
			return err
		}
		topic, types, err := parse(ctx, tx, in)
		if err != nil {
			return err
		}
		text, err := json.Marshal(topic)
		if err != nil {
			return err
		}
		viewer, request := store.ViewerOf(ctx), s.NewID()
		for _, name := range types {
			if err := s.ask(ctx, tx, draft, request, name, text); err != nil {
				return err
			}
		}
		if _, err = s.queue.Enqueue(ctx, tx, jobKind, viewer.Account, task{draft, request, viewer.User}); err != nil {
			return err
		}
		list, err = s.list(ctx, tx, draft, types)
		return err
	})
	if err != nil {
		return nil, store.Fault(ctx, err, noun)
	}
	s.queue.Wake(jobKind)
	s.heard.tell(draft)
	return list, nil
}

// lock keeps a draft until the transaction ends: from another request, which
// would make the same rows, and from being deleted without them. On SQLite no
// other transaction runs.
func (s *Service) lock(ctx context.Context, tx *db.Client, draft uuid.UUID) error {
	q := tx.Draft.Query().Where(drafts.ID(draft))
	if s.store.Postgres() {
		q.ForUpdate()
	}
	_, err := q.Only(ctx)
	return err
}

// ask makes or resets the row of one kind. What it found before stays until the
// new guidance is there.
func (s *Service) ask(ctx context.Context, tx *db.Client, draft, request uuid.UUID, kind string, topic json.RawMessage) error {
	user := store.ViewerOf(ctx).User
	n, err := tx.Guidance.Update().Where(guidance.DraftID(draft), guidance.Type(kind)).
		SetRequestID(request).SetRequest(topic).ClearStatus().ClearErrorCode().ClearErrorMessage().
		SetRequested(s.Now()).SetRequestedBy(user).Save(ctx)
	if err != nil || n > 0 {
		return err
	}
	return tx.Guidance.Create().SetID(s.NewID()).SetDraftID(draft).SetType(kind).SetRequestID(request).SetRequest(topic).
		SetRequested(s.Now()).SetRequestedBy(user).Exec(ctx)
}

// List is what is known for a draft, of these types or of all, in the
// documented order. Faults: NotFound for the draft, Invalid for an unknown type.
func (s *Service) List(ctx context.Context, draft uuid.UUID, types []string) ([]*Insight, error) {
	if err := known(types); err != nil {
		return nil, err
	}
	if _, err := s.store.Draft.Get(ctx, draft); err != nil {
		return nil, store.Fault(ctx, err, noun)
	}
	list, err := s.list(ctx, s.store.Client, draft, types)
	return list, store.Fault(ctx, err, noun)
}

// ByDrafts are the insights of each of the drafts, which the caller has read.
func (s *Service) ByDrafts(ctx context.Context, drafts []uuid.UUID) (map[uuid.UUID][]*Insight, error) {
	rows, err := s.store.Guidance.Query().Where(guidance.DraftIDIn(drafts...)).All(ctx)
	if err != nil {
		return nil, store.Fault(ctx, err, noun)
	}
	sorted(rows)
	found := map[uuid.UUID][]*Insight{}
	for _, row := range rows {
		i, err := toInsight(row)
		if err != nil {
			return nil, err
		}
		found[row.DraftID] = append(found[row.DraftID], i)
	}
	return found, nil
}

func (s *Service) list(ctx context.Context, c *db.Client, draft uuid.UUID, types []string) ([]*Insight, error) {
	q := c.Guidance.Query().Where(guidance.DraftID(draft))
	if len(types) > 0 {
		q.Where(guidance.TypeIn(types...))
	}
	rows, err := q.All(ctx)
	if err != nil {
		return nil, err
	}
	sorted(rows)
	list := make([]*Insight, len(rows))
	for n, row := range rows {
		if list[n], err = toInsight(row); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// sorted puts rows into the documented order of types.
func sorted(rows []*db.Guidance) {
	slices.SortFunc(rows, func(a, b *db.Guidance) int { return slices.Index(Types, a.Type) - slices.Index(Types, b.Type) })
}
