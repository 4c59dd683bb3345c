package draft

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
	"github.com/contentgraph/contentgraph/internal/pgtest"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// Two accounts that have one of everything, and the third user in none.
const (
	ours, theirs         = 101, 102
	user, foreign, alone = 7, 8, 9
	source               = 3
	site, foreignSite    = 11, 22
)

var (
	voice        = uuid.MustParse("00000000-0000-4000-8000-000000000101")
	foreignVoice = uuid.MustParse("00000000-0000-4000-8000-000000000102")
	start        = time.Date(2026, 11, 20, 10, 3, 10, 330e6, time.UTC)
)

// world is a service over a database with both accounts. Its clock steps by a
// second a reading, its ids count.
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
		settle(t, s)
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

func settle(t *testing.T, s *store.Store) {
	t.Helper()
	ctx := store.System(t.Context())
	s.RankSource.Create().SetID(source).SetName("GOOGLE_EN_US").ExecX(ctx)
	for _, a := range []struct {
		account, user, site int
		voice               uuid.UUID
	}{{ours, user, site, voice}, {theirs, foreign, foreignSite, foreignVoice}} {
		s.Account.Create().SetID(a.account).SetName("Account").ExecX(ctx)
		s.Grant.Create().SetUserID(a.user).SetAccountID(a.account).ExecX(ctx)
		s.WebProperty.Create().SetAccountID(a.account).SetNumber(a.site).SetName("Site").ExecX(ctx)
		s.ContentProfile.Create().SetID(a.voice).SetAccountID(a.account).SetName("Voice").
			SetLanguageRules([]vocab.LanguageRule{}).SetVersionID(uuid.New()).
			SetCreated(start).SetCreatedBy(a.user).SetUpdated(start).SetUpdatedBy(a.user).ExecX(ctx)
	}
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

// made creates a draft that has everything.
func (w world) made(t *testing.T) *db.Draft {
	t.Helper()
	d, err := w.Create(w.ctx, object(t, `{'draftTitle': 'Title', 'topics': ['alpha', 'beta'], 'page': 'https://example.com/a',
		'rankSourceId': 3, 'webPropertyId': 11, 'assignee': 7, 'status': 'IN_REVIEW',
		'competitorUrls': ['https://example.org/'], 'contentProfileId': '`+voice.String()+`'}`))
	if err != nil {
		t.Fatal(err)
	}
	return d
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
