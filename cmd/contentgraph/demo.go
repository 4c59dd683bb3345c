package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/contentgraph/contentgraph/internal/app"
	"github.com/contentgraph/contentgraph/internal/demo"
)

type demoCommand struct{}

// Help is the long help of the command.
func (demoCommand) Help() string {
	return "The data is the same at every start: two accounts, their drafts and profiles, and about 200,000 facts of eight weeks. Credentials are new at every start and printed, so only a loopback address is listened on."
}

func (demoCommand) Run(s *session) error {
	if !s.config.Loopback() {
		return errors.New("demo prints its credentials, so it listens on a loopback address only; use serve for others")
	}
	return s.with(func(a *app.App) error {
		l, err := a.Listen(s.ctx)
		if err != nil {
			return err
		}
		bar := newBar(s.errors, "demo data", false)
		fmt.Fprintln(s.errors, "Looking for the demonstration data; the first start makes it in some seconds ...")
		err = demo.Seed(s.ctx, a.Store, a.Access, func(rows int) { bar.progress(int64(rows), demo.Rows, rows) })
		bar.finish()
		if err != nil {
			return err
		}
		c, err := demo.NewCredentials(s.ctx, a.Access)
		if err != nil {
			return err
		}
		if err := s.welcome("http://"+l.Addr().String(), c); err != nil {
			return err
		}
		return a.Serve(s.ctx, l)
	})
}

// welcome prints credentials and calls that run as they stand, in order.
func (s *session) welcome(base string, c demo.Credentials) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	data, err := filepath.Abs(s.config.Data)
	if err != nil {
		return err
	}
	start, end := demo.Week(demo.Weeks - 1)
	query := base + "/data-api/v1/async/keyword_rankings"
	post := fmt.Sprintf(`curl -sS -H 'X-API-GATEWAY-KEY: %s' -H 'Content-Type: application/json' "$(%s sign --api-key %s --secret %s %s)"`,
		c.APIKey, quote(program), c.APIKey, c.Secret, query)
	answer := quote(filepath.Join(data, "demo-execution.json"))
	fmt.Fprintf(s.out, `
contentgraph demo: accounts %d and %d

  token   %s
  apiKey  %s
  secret  %s

Drafts:
curl -sS -H 'Authorization: Bearer %s' '%s/v4/accounts/%d/drafts?limit=3'

Submit a query over keyword rankings (the request signs itself):
%s -d '{"account_id":%d,"start_date":"%s","end_date":"%s","max_rank":3}' | tee %s

Poll it:
%s -d @%s

Playground: %s/playground

`, demo.Coffee, demo.Outdoors, c.Token, c.APIKey, c.Secret, c.Token, base, demo.Coffee,
		post, demo.Coffee, start, end, answer, post, answer, base)
	return nil
}
