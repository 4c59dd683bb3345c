package draft

import (
	"context"
	"strings"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/contentprofile"
	"github.com/contentgraph/contentgraph/ent/db/grant"
	"github.com/contentgraph/contentgraph/ent/db/ranksource"
	"github.com/contentgraph/contentgraph/ent/db/webproperty"
	"github.com/contentgraph/contentgraph/internal/input"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// The bounds of a draft: characters, and items.
const (
	maxTitle       = 500
	maxTopics      = 50
	maxTopic       = 500
	maxCompetitors = 50
)

// request is a request object on its way into a create or an update.
type request struct {
	*input.Object
	ctx   context.Context
	tx    *db.Client
	m     *db.DraftMutation
	whole bool  // an absent field counts as null
	err   error // of the storage
}

// read moves a request into m and checks what it names. In a whole request an
// absent field counts as null; otherwise it is left alone.
func (s *Service) read(ctx context.Context, tx *db.Client, in map[string]any, m *db.DraftMutation, whole bool) error {
	r := &request{Object: input.Of(in), ctx: ctx, tx: tx, m: m, whole: whole}
	r.required()
	r.optional()
	r.references(s.store.Postgres())
	if r.err != nil {
		return r.err
	}
	return r.Err()
}

func (r *request) given(name string) bool { return r.whole || r.Has(name) }

// required reads the fields that are never null.
func (r *request) required() {
	if r.given("topics") {
		topics := r.Texts("topics", maxTopics, 1, maxTopic)
		if len(topics) == 0 && !r.Failed("topics") {
			r.Fail("topics", "must have 1 to %d items", maxTopics)
		}
		for i, t := range topics {
			topics[i] = strings.TrimSpace(t)
		}
		r.m.SetTopics(topics)
	}
	if r.given("draftTitle") {
		r.m.SetDraftTitle(r.draftTitle())
	}
	if r.given("rankSourceId") {
		id := r.Int("rankSourceId", 1)
		switch {
		case id != nil:
			r.m.SetRankSourceID(*id)
			r.known("rankSourceId", "is not a rank source", r.tx.RankSource.Query().Where(ranksource.ID(*id)).Exist)
		case !r.Failed("rankSourceId"):
			r.Fail("rankSourceId", "is required")
		}
	}
	if r.given("status") {
		status := r.OneOf("status", vocab.DraftStatuses, false)
		switch {
		case status != nil:
			r.m.SetStatus(*status)
		case !r.Failed("status") && !r.m.Op().Is(db.OpCreate): // created with the default
			r.Fail("status", "is required: one of %s", strings.Join(vocab.DraftStatuses, ", "))
		}
	}
}

// draftTitle is the title of the request or, without one, the first topic.
func (r *request) draftTitle() string {
	if title := r.Text("draftTitle", maxTitle); title != nil && strings.TrimSpace(*title) != "" {
		return strings.TrimSpace(*title)
	}
	topics, ok := r.m.Topics()
	if !ok { // an update that keeps them
		topics, r.err = r.m.OldTopics(r.ctx)
	}
	if len(topics) == 0 { // and that is a fault already
		return ""
	}
	return topics[0]
}

// optional reads the fields that may be null and name nothing stored.
func (r *request) optional() {
	if page := r.URL("page"); page != nil {
		r.m.SetPage(*page)
	} else if r.given("page") {
		r.m.ClearPage()
	}
	if r.given("competitorUrls") {
		r.m.SetCompetitorUrls(append([]string{}, r.URLs("competitorUrls", maxCompetitors)...)) // never nil
	}
}

// references reads the fields that name something of the account.
func (r *request) references(postgres bool) {
	if id := r.Int("webPropertyId", 1); id != nil {
		r.m.SetWebPropertyID(*id)
		r.known("webPropertyId", "is not a web property of the account",
			r.tx.WebProperty.Query().Where(webproperty.Number(*id)).Exist)
	} else if r.given("webPropertyId") {
		r.m.ClearWebPropertyID()
	}
	if id := r.Int("assignee", 1); id != nil {
		r.m.SetAssignee(*id)
		r.known("assignee", "is not a user of the account",
			r.tx.Grant.Query().Where(grant.UserID(*id), grant.AccountID(store.ViewerOf(r.ctx).Account)).Exist)
	} else if r.given("assignee") {
		r.m.ClearAssignee()
	}
	if id := r.UUID("contentProfileId"); id != nil {
		r.m.SetContentProfileID(*id)
		q := r.tx.ContentProfile.Query().Where(contentprofile.ID(*id))
		if postgres {
			q.ForShare() // of rows here, only profiles are ever deleted
		}
		r.known("contentProfileId", "is not a content profile of the account", q.Exist)
	} else if r.given("contentProfileId") {
		r.m.ClearContentProfileID()
	}
}

// known records a field that names nothing.
func (r *request) known(name, message string, exist func(context.Context) (bool, error)) {
	if r.err != nil {
		return
	}
	ok, err := exist(r.ctx)
	if err == nil && !ok {
		r.Fail(name, "%s", message)
	}
	r.err = err
}
