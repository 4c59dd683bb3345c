package profile

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/input"
	"github.com/contentgraph/contentgraph/internal/pgtest"
	"github.com/contentgraph/contentgraph/internal/store"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

const ours, theirs, user, foreign, editor = 101, 102, 7, 8, 9

var (
	start = time.Date(2026, 11, 20, 10, 3, 10, 330e6, time.UTC)
	all   = input.Page{Limit: 100}
)

// world is a service over a database. Its clock steps by a second a reading,
// its ids count.
type world struct {
	*Service
	ctx     context.Context // of our user
	foreign context.Context // of a user of the other account
}

func onBoth(t *testing.T, test func(t *testing.T, w world)) {
	t.Parallel()
	pgtest.Both(t, func(t *testing.T, url string) {
		s, err := store.Open(t.Context(), url, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		svc := New(s)
		var clock, ids atomic.Int64
		svc.Now = func() time.Time { return start.Add(time.Duration(clock.Add(1)) * time.Second) }
		svc.NewID = func() (id uuid.UUID) {
			binary.BigEndian.PutUint64(id[8:], uint64(ids.Add(1)))
			return id
		}
		test(t, world{svc, store.As(t.Context(), ours, user), store.As(t.Context(), theirs, foreign)})
	})
}

// object decodes a request as a transport does; single quotes stand for double ones.
func object(t *testing.T, text string) map[string]any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(strings.ReplaceAll(text, "'", `"`)))
	d.UseNumber()
	var m map[string]any
	if err := d.Decode(&m); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return m
}

func (w world) made(t *testing.T, name string) *db.ContentProfile {
	t.Helper()
	p, err := w.Create(w.ctx, object(t, `{'name': '`+name+`', 'description': 'd', 'voiceTone': 'v', 'audience': 'a',
		'languageRules': [{'term': 'x', 'type': 'EXCLUDE'}]}`))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// drafts makes n drafts of an account that use a profile.
func (w world) drafts(account int, profile *uuid.UUID, n int) (ids []uuid.UUID) {
	for range n {
		d := w.store.Draft.Create().SetAccountID(account).SetDraftTitle("t").SetTopics([]string{"t"}).SetRankSourceID(1).
			SetCompetitorUrls([]string{}).SetNillableContentProfileID(profile).SetVersionID(uuid.Nil).
			SetCreated(start).SetCreatedBy(user).SetUpdated(start).SetUpdatedBy(user).SaveX(store.System(context.Background()))
		ids = append(ids, d.ID)
	}
	return ids
}

// wantFault demands a fault of the kind that names exactly these fields.
func wantFault(t *testing.T, err error, kind fault.Kind, fields ...string) {
	t.Helper()
	if !fault.Is(err, kind) {
		t.Fatalf("want a fault of status %d, got %v", kind.Status(), err)
	}
	var got []string
	for _, f := range fault.Of(err).Fields {
		got = append(got, f.Field)
	}
	slices.Sort(got)
	slices.Sort(fields)
	if !slices.Equal(got, fields) {
		t.Errorf("bad fields %v, want %v: %v", got, fields, err)
	}
}
