package main

import (
	"github.com/contentgraph/contentgraph/internal/app"
)

type serveCommand struct{}

func (serveCommand) Run(s *session) error {
	return s.with(func(a *app.App) error {
		l, err := a.Listen(s.ctx)
		if err != nil {
			return err
		}
		return a.Serve(s.ctx, l)
	})
}
