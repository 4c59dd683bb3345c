package store_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/draft"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/pgtest"
	"github.com/contentgraph/contentgraph/internal/store"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

func both(t *testing.T, test func(t *testing.T, s *store.Store)) {
	t.Parallel()
	pgtest.Both(t, func(t *testing.T, url string) {
		s, err := store.Open(context.Background(), url, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		test(t, s)
	})
}

var clock = time.Date(2026, 11, 20, 10, 3, 10, 330e6, time.UTC)

func newDraft(c *db.Client) *db.DraftCreate {
	return c.Draft.Create().SetDraftTitle("T").SetTopics([]string{"t"}).SetRankSourceID(1).SetVersionID(uuid.New()).
		SetCompetitorUrls([]string{}).SetCreated(clock).SetUpdated(clock).SetCreatedBy(1).SetUpdatedBy(1)
}

func newProfile(c *db.Client) *db.ContentProfileCreate {
	return c.ContentProfile.Create().SetName("P" + uuid.NewString()).SetLanguageRules([]vocab.LanguageRule{}).
		SetVersionID(uuid.New()).SetCreated(clock).SetUpdated(clock).SetCreatedBy(1).SetUpdatedBy(1)
}

// entities are the clients of every stored resource, by name.
func entities(c *db.Client) map[string]reflect.Value {
	out := map[string]reflect.Value{}
	v := reflect.ValueOf(c).Elem()
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.IsExported() && strings.HasSuffix(f.Type.String(), "Client") {
			out[f.Name] = v.Field(i)
		}
	}
	return out
}

// TestFailsClosed goes over every resource there is: who names no viewer gets
// nothing, unless the resource is shared by design.
func TestFailsClosed(t *testing.T) {
	both(t, func(t *testing.T, s *store.Store) {
		shared := []string{"Account", "Credential", "Grant", "Job", "RankSource", "RateWindow", "Setting", "User"}
		all := entities(s.Client)
		if len(all) < 16 {
			t.Fatalf("found only %d resources", len(all))
		}
		for name, client := range all {
			count := func(ctx context.Context) error {
				query := client.MethodByName("Query").Call(nil)[0]
				err, _ := query.MethodByName("Count").Call([]reflect.Value{reflect.ValueOf(ctx)})[1].Interface().(error)
				return err
			}
			erase := func(ctx context.Context) error {
				del := client.MethodByName("Delete").Call(nil)[0]
				err, _ := del.MethodByName("Exec").Call([]reflect.Value{reflect.ValueOf(ctx)})[1].Interface().(error)
				return err
			}
			for what, err := range map[string]error{"read": count(context.Background()), "delete": erase(context.Background())} {
				if isShared := slices.Contains(shared, name); isShared != (err == nil) || !isShared && !errors.Is(err, store.ErrNoViewer) {
					t.Errorf("%s of %s without a viewer: %v", what, name, err)
				}
			}
			if err := count(store.As(context.Background(), 1, 1)); err != nil {
				t.Errorf("read of %s by a viewer: %v", name, err)
			}
		}
	})
}

func TestTenants(t *testing.T) {
	both(t, func(t *testing.T, s *store.Store) {
		one, two := store.As(context.Background(), 1, 1), store.As(context.Background(), 2, 2)
		d := newDraft(s.Client).SaveX(one)
		p := newProfile(s.Client).SaveX(one)
		s.WebProperty.Create().SetNumber(5).SetName("W").SaveX(one)
		if d.AccountID != 1 {
			t.Fatalf("created in account %d", d.AccountID)
		}

		if _, err := s.Draft.Get(two, d.ID); !db.IsNotFound(err) {
			t.Errorf("a foreign draft was read: %v", err)
		}
		if n := s.Draft.Query().CountX(two); n != 0 {
			t.Errorf("%d foreign drafts listed", n)
		}
		if err := s.Draft.UpdateOneID(d.ID).SetDraftTitle("stolen").Exec(two); !db.IsNotFound(err) {
			t.Errorf("a foreign draft was changed: %v", err)
		}
		if n := s.Draft.Update().SetDraftTitle("stolen").SaveX(two); n != 0 {
			t.Errorf("%d foreign drafts changed", n)
		}
		if err := s.Draft.DeleteOneID(d.ID).Exec(two); !db.IsNotFound(err) {
			t.Errorf("a foreign draft was deleted: %v", err)
		}
		if n := s.Draft.Delete().ExecX(two); n != 0 {
			t.Errorf("%d foreign drafts deleted", n)
		}
		if _, err := newDraft(s.Client).SetAccountID(1).Save(two); err == nil {
			t.Error("a draft was created in a foreign account")
		}
		for what, create := range map[string]func(c *db.Client) *db.DraftCreate{
			"profile":  func(c *db.Client) *db.DraftCreate { return newDraft(c).SetContentProfileID(p.ID) },
			"property": func(c *db.Client) *db.DraftCreate { return newDraft(c).SetWebPropertyID(5) },
		} {
			if _, err := create(s.Client).Save(two); !errors.Is(err, store.ErrForeignReference) {
				t.Errorf("a draft refers to a foreign %s: %v", what, err)
			}
			if err := s.Tx(two, func(tx *db.Client) error { return create(tx).Exec(two) }); !errors.Is(err, store.ErrForeignReference) {
				t.Errorf("in a transaction, a draft refers to a foreign %s: %v", what, err)
			}
		}
		blob := s.KnowledgeBlob.Create().SetSha256("x").SetSize(1).SaveX(one)
		if _, err := s.KnowledgeSource.Create().SetKind("FILE").SetBlobID(blob.ID).SetCreated(clock).SetCreatedBy(2).SetUpdated(clock).Save(two); !errors.Is(err, store.ErrForeignReference) {
			t.Errorf("a source refers to a foreign file: %v", err)
		}
		if _, err := s.DraftVersion.Create().SetDraftID(d.ID).SetNumber(1).SetCreated(clock).SetCreatedBy(2).Save(two); !errors.Is(err, store.ErrForeignReference) {
			t.Errorf("a version of a foreign draft was made: %v", err)
		}
		if got := s.Draft.GetX(one, d.ID); got.DraftTitle != "T" || !got.Updated.Equal(clock) {
			t.Errorf("the draft is now %v", got)
		}
		if n := s.Draft.Query().CountX(store.System(context.Background())); n != 1 {
			t.Errorf("the system sees %d drafts", n)
		}
	})
}

// TestTx: all or nothing, reads inside see the writes, and concurrent
// read-modify-writes neither fail nor lose one.
func TestTx(t *testing.T) {
	both(t, func(t *testing.T, s *store.Store) {
		ctx := store.As(context.Background(), 1, 1)
		stop := errors.New("stop")
		err := s.Tx(ctx, func(tx *db.Client) error {
			d := newDraft(tx).SaveX(ctx)
			if tx.Draft.Query().Where(draft.ID(d.ID)).CountX(ctx) != 1 {
				t.Error("a transaction does not see its own write")
			}
			return stop
		})
		if !errors.Is(err, stop) || s.Draft.Query().CountX(ctx) != 0 {
			t.Fatalf("rolled back with %v, %d drafts left", err, s.Draft.Query().CountX(ctx))
		}
		d := newDraft(s.Client).SetRankSourceID(0).SaveX(ctx)
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for range 5 {
					if err := s.Tx(ctx, func(tx *db.Client) error {
						q := tx.Draft.Query().Where(draft.ID(d.ID))
						if s.Postgres() {
							q.ForUpdate()
						}
						now, err := q.Only(ctx)
						if err != nil {
							return err
						}
						return tx.Draft.UpdateOne(now).SetRankSourceID(now.RankSourceID + 1).Exec(ctx)
					}); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		if n := s.Draft.GetX(ctx, d.ID).RankSourceID; n != 40 {
			t.Errorf("%d of 40 additions kept", n)
		}
	})
}

func TestFault(t *testing.T) {
	both(t, func(t *testing.T, s *store.Store) {
		ctx := store.As(context.Background(), 1, 1)
		_, missing := s.Draft.Get(ctx, uuid.New())
		s.RankSource.Create().SetName("A").SaveX(ctx)
		_, twice := s.RankSource.Create().SetName("A").Save(ctx)
		gone, cancel := context.WithCancel(ctx)
		cancel()
		_, cancelled := s.Draft.Query().Count(gone)
		for kind, err := range map[fault.Kind]error{
			fault.NotFound: store.Fault(ctx, missing, "draft"),
			fault.Conflict: store.Fault(ctx, twice, "rank source"),
			fault.Canceled: store.Fault(gone, cancelled, "draft"),
			fault.Internal: store.Fault(ctx, errors.New("odd"), "draft"),
		} {
			if got := fault.Of(err); got.Kind != kind || strings.Contains(got.Message, "SQL") {
				t.Errorf("%v became %+v, want kind %d", err, got, kind)
			}
		}
		if store.Fault(ctx, nil, "") != nil {
			t.Error("no error became one")
		}
	})
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"mysql://x", "postgres://user:hunter2@127.0.0.1:1/x?sslmode=disable&connect_timeout=2", "postgres://user:hunter2@%zz/"} {
		_, err := store.Open(context.Background(), url, t.TempDir())
		if err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", url, err)
		}
	}
}
