package store_test

import (
	"context"
	"testing"

	"github.com/contentgraph/contentgraph/internal/store"
)

func TestPrepared(t *testing.T) {
	both(t, func(t *testing.T, s *store.Store) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		p := s.Prepared("select $1 + 1")
		if _, err := p.Query(ctx, 1); err == nil {
			t.Error("a cancelled query succeeds")
		}
		for want := 2; want < 5; want++ { // what failed once may succeed
			rows, err := p.Query(context.Background(), want-1)
			if err != nil {
				t.Fatal(err)
			}
			got := 0
			for rows.Next() {
				rows.Scan(&got)
			}
			if err := rows.Close(); err != nil || got != want {
				t.Errorf("%d, %v; want %d", got, err, want)
			}
		}
	})
}
