package app

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/contentgraph/contentgraph/internal/demo"
	"github.com/contentgraph/contentgraph/internal/extract"
	"github.com/contentgraph/contentgraph/internal/store"
)

var stderr = os.Stderr

func now() time.Time { return time.Now() }

const (
	shutdownLimit = 20 * time.Second // for requests that run when the service stops
	sweepEvery    = 5 * time.Minute
)

// Listen takes the configured address, so that a taken port shows at once. A
// database of the demonstration is served to this machine alone, and one whose
// files are elsewhere not at all.
func (a *App) Listen(ctx context.Context) (net.Listener, error) {
	if err := a.Knowledge.Claim(ctx); err != nil {
		return nil, err
	}
	if !a.Config.Loopback() {
		if err := demo.Expose(ctx, a.Store); err != nil {
			return nil, err
		}
	}
	return net.Listen("tcp", a.Config.Listen)
}

// Serve answers requests and works on jobs until ctx ends; then requests in
// flight are answered and jobs are handed back.
func (a *App) Serve(ctx context.Context, l net.Listener) error {
	srv := &http.Server{
		Handler:           a.Handler,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       2 * time.Minute,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(slog.Default().Handler(), slog.LevelWarn),
	}
	a.Queue.Start()
	sweeping, stop := context.WithCancel(store.System(ctx))
	var swept sync.WaitGroup
	swept.Go(func() { a.sweep(sweeping) })
	swept.Go(func() { a.warm(sweeping) })
	defer swept.Wait()
	defer stop()

	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(l) }()
	slog.Info("serving", "address", "http://"+l.Addr().String(), "database", a.Store.Dialect)
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	slog.Info("stopping: requests in flight are answered, jobs handed back")
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownLimit)
	defer cancel()
	a.graphQL.Close() // streams have no end of their own
	err := srv.Shutdown(end)
	a.Queue.Stop()
	if errors.Is(err, context.DeadlineExceeded) {
		return srv.Close()
	}
	return err
}

// warm starts what reads files, so that the first upload does not wait for it.
func (a *App) warm(ctx context.Context) {
	if err := extract.Support(); err != nil {
		slog.WarnContext(ctx, "uploaded files are read with less protection", "lacking", err)
	}
	if err := a.readers.Warm(ctx); err != nil && ctx.Err() == nil {
		slog.ErrorContext(ctx, "uploaded files cannot be read", "error", err)
	}
}

func (a *App) sweepBlobs() error {
	if folder := a.Config.blobFolder(); folder != "" {
		return sweepFolder(folder, now())
	}
	return nil
}

// sweep removes what is over: expired results, leftovers of imports, old job
// lines. Every process does it; the work is safe to be done twice.
func (a *App) sweep(ctx context.Context) {
	wait := time.Second
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		wait = sweepEvery/2 + rand.N(sweepEvery)
		for name, clean := range map[string]func(context.Context) error{
			"executions": a.Data.Sweep, "imports": a.Importer.Sweep, "jobs": a.Queue.Sweep, "knowledge sources": a.Knowledge.Sweep, "fetched pages": a.Insights.Sweep,
			"half-written files": func(context.Context) error { return a.sweepBlobs() }, "request counts": a.limiter.Sweep,
		} {
			if err := clean(ctx); err != nil && ctx.Err() == nil {
				slog.ErrorContext(ctx, "sweep failed", "of", name, "error", err)
			}
		}
	}
}
