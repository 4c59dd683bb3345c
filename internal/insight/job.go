package insight

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/guidance"
	"github.com/contentgraph/contentgraph/internal/jobs"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// run makes the guidance of one request: the parts that its kinds need are
// gathered once, then the kinds run side by side. A kind that fails stops none.
func (s *Service) run(ctx context.Context, l *jobs.Lease) error {
	var t task
	if err := json.Unmarshal(l.Args, &t); err != nil {
		return jobs.Permanent(err)
	}
	ctx = store.As(ctx, l.Account, t.User)
	// An earlier attempt may have done some; a newer request may have taken others.
	rows, err := s.store.Guidance.Query().
		Where(guidance.DraftID(t.Draft), guidance.RequestID(t.Request), guidance.StatusIsNil()).All(ctx)
	if err != nil || len(rows) == 0 {
		return err
	}
	var need needs
	for _, row := range rows {
		need |= kindOf(row.Type).needs
	}
	brief, err := s.brief(ctx, t.Draft, rows[0].Request, need)
	if err != nil {
		return err
	}
	var all errgroup.Group
	all.SetLimit(runtime.GOMAXPROCS(0))
	for _, row := range rows {
		all.Go(func() error {
			o := outcomeOf(ctx, kindOf(row.Type), brief)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return s.write(ctx, l, t, row.Type, brief.Language, o)
		})
	}
	return all.Wait()
}

// outcome is what becomes of one kind.
type outcome struct {
	guidance Guidance // nil after an error
	status   string
	code     string
	message  string
	source   string
	pages    []vocab.GuidancePage
}

// outcomeOf runs a kind. Its panic is its own failure.
func outcomeOf(ctx context.Context, k *Kind, b *Brief) (o outcome) {
	defer func() {
		if p := recover(); p != nil {
			slog.ErrorContext(ctx, "insight: kind failed", "type", k.Type, "panic", p, "stack", string(debug.Stack()))
			o = outcome{status: vocab.InsightError, code: codeInternal, message: "This insight could not be made; try again later."}
		}
	}()
	o = outcome{status: vocab.InsightCompleted, source: b.source(k)}
	if k.needs&readsPages != 0 {
		o.pages = b.accounts()
	}
	if k.needs&needsPages != 0 {
		if err := b.readable(); err != nil {
			return o.failed(ctx, k, err)
		}
	}
	g, err := k.generate(ctx, b)
	if err != nil {
		return o.failed(ctx, k, err)
	}
	o.guidance = g
	if k.needs&readsPages != 0 && len(b.Missing) > 0 {
		o.status, o.code, o.message = vocab.InsightPartly, CodeFetchFailed, b.missing()
	}
	return o
}

// codeInternal is for failures that are nobody's but ours.
const codeInternal = "INTERNAL_ERROR"

func (o outcome) failed(ctx context.Context, k *Kind, err error) outcome {
	o.status, o.code, o.message = vocab.InsightError, codeInternal, "This insight could not be made; try again later."
	var f *Failure
	if errors.As(err, &f) {
		o.code, o.message = f.Code, f.Message
	} else if ctx.Err() == nil {
		slog.ErrorContext(ctx, "insight: kind failed", "type", k.Type, "error", err)
	}
	return o
}

// write keeps the outcome of a kind, unless a newer request has asked for it.
func (s *Service) write(ctx context.Context, l *jobs.Lease, t task, kind, language string, o outcome) error {
	text, err := json.Marshal(stored{language, o.guidance})
	if err != nil {
		return err
	}
	err = l.Tx(ctx, func(tx *db.Client) error {
		u := tx.Guidance.Update().Where(guidance.DraftID(t.Draft), guidance.RequestID(t.Request), guidance.Type(kind)).
			SetStatus(o.status).SetSource(o.source).SetPages(o.pages).SetGenerated(s.Now()).SetGuidance(text)
		if o.code != "" {
			u.SetErrorCode(o.code).SetErrorMessage(o.message)
		}
		return u.Exec(ctx)
	})
	s.heard.tell(t.Draft)
	return err
}

// stored is the form in which guidance is kept.
type stored struct {
	Language string   `json:"language"`
	Found    Guidance `json:"found"`
}

// discard says on every kind that was not made why.
func (s *Service) discard(ctx context.Context, tx *db.Client, l *jobs.Lease, _ error) error {
	var t task
	if err := json.Unmarshal(l.Args, &t); err != nil {
		return err
	}
	defer s.heard.tell(t.Draft)
	return tx.Guidance.Update().
		Where(guidance.AccountID(l.Account), guidance.DraftID(t.Draft), guidance.RequestID(t.Request), guidance.StatusIsNil()).
		SetStatus(vocab.InsightError).SetErrorCode(codeInternal).SetGenerated(s.Now()).
		SetErrorMessage("The insights could not be made; ask for them again.").Exec(ctx)
}

// missing names the pages that could not be read.
func (b *Brief) missing() string {
	var list []string
	for _, p := range b.Missing {
		list = append(list, fmt.Sprintf("%s (%s)", p.URL, strings.TrimSuffix(*p.Error, ".")))
	}
	return fmt.Sprintf("%d of %d pages could not be read: %s.", len(b.Missing), len(b.Missing)+len(b.Pages), strings.Join(list, ", "))
}
