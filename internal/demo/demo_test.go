package demo_test

import (
	"context"
	"testing"

	"github.com/contentgraph/contentgraph/internal/auth"
	"github.com/contentgraph/contentgraph/internal/demo"
	"github.com/contentgraph/contentgraph/internal/store"
)

// TestSeed makes the data twice: the second start finds it there and only
// makes new credentials, with which the first ones are refused.
func TestSeed(t *testing.T) {
	t.Parallel()
	ctx, folder := store.System(context.Background()), t.TempDir()
	s, err := store.Open(ctx, "", folder)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	a, err := auth.Open(ctx, s, "", folder)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	access := auth.NewAdmin(a)

	counts := func() (n [5]int) {
		for i, q := range []func(context.Context) (int, error){
			s.Draft.Query().Count, s.ContentProfile.Query().Count, s.FactSlice.Query().Count, s.RankSource.Query().Count, s.KnowledgeText.Query().Count,
		} {
			if n[i], err = q(ctx); err != nil {
				t.Fatal(err)
			}
		}
		return n
	}
	var first demo.Credentials
	for start := range 2 {
		rows := 0
		if err := demo.Seed(ctx, s, access, func(n int) { rows = n }); err != nil {
			t.Fatal(err)
		}
		if want := [5]int{20, 4, 2 * 3 * demo.Weeks, 2, 4}; counts() != want {
			t.Fatalf("drafts, profiles, slices, rank sources, texts: %v, want %v", counts(), want)
		}
		if start == 0 && (rows < demo.Rows*9/10 || rows > demo.Rows*11/10) {
			t.Errorf("%d facts, want about %d", rows, demo.Rows)
		}
		c, err := demo.NewCredentials(ctx, access)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.Bearer(ctx, c.Token); err != nil {
			t.Errorf("start %d: %v", start, err)
		}
		if start == 0 {
			first = c
		} else if _, err := auth.NewAdmin(a).FindUser(ctx, nil, "demo"); err != nil || first.Token == c.Token {
			t.Errorf("credentials are not new (%v)", err)
		}
	}
	if err := demo.Expose(ctx, s); err == nil {
		t.Error("the demonstration may be served to other machines")
	}
	fresh, err := auth.Open(ctx, s, "", folder) // without the few seconds that a cache may lag
	if err != nil {
		t.Fatal(err)
	}
	defer fresh.Close()
	if _, err := fresh.Bearer(ctx, first.Token); err == nil {
		t.Error("the first token still works")
	}
}

// TestSeedRefuses a database that is somebody's.
func TestSeedRefuses(t *testing.T) {
	t.Parallel()
	ctx, folder := store.System(context.Background()), t.TempDir()
	s, err := store.Open(ctx, "", folder)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	a, err := auth.Open(ctx, s, "", folder)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	access := auth.NewAdmin(a)
	if _, err := access.CreateAccount(ctx, nil, demo.Coffee, "Somebody's"); err != nil {
		t.Fatal(err)
	}
	if err := demo.Seed(ctx, s, access, nil); err == nil || s.FactImport.Query().CountX(ctx) != 0 {
		t.Errorf("the demonstration moved in: %v", err)
	}
	if err := demo.Expose(ctx, s); err != nil {
		t.Errorf("the database is marked: %v", err)
	}
}

func TestSite(t *testing.T) {
	t.Parallel()
	for _, account := range []int{demo.Coffee, demo.Outdoors} {
		seen := map[string]bool{}
		for _, p := range demo.Site(account) {
			if seen[p.URL] {
				t.Errorf("%s stands twice", p.URL)
			}
			seen[p.URL] = true
		}
		if len(seen) != 31 {
			t.Errorf("site of %d has %d pages", account, len(seen))
		}
	}
	if demo.Site(5) != nil {
		t.Error("an account without a site has one")
	}
}
