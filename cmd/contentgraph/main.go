// Command contentgraph serves the content and data APIs and manages an
// installation. Run it with --help.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/contentgraph/contentgraph/internal/extract"
)

func main() {
	if len(os.Args) == 2 && os.Args[1] == extractChild {
		os.Exit(extract.Child())
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := Main(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
