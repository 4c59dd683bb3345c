package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/alecthomas/kong"

	"github.com/contentgraph/contentgraph/internal/app"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/store"
)

// commands is the command line. Field tags are its documentation.
type commands struct {
	app.Config

	Serve   serveCommand   `cmd:"" help:"Serve both APIs, GraphQL and the playground; migrates the database first."`
	Demo    demoCommand    `cmd:"" help:"Serve with demonstration data and print credentials and calls to try."`
	Migrate migrateCommand `cmd:"" help:"Bring the database to this version's schema and end."`
	Import  importCommand  `cmd:"" help:"Import facts from CSV, NDJSON or Parquet files, also .gz and .zst."`
	Extract extractCommand `cmd:"" help:"Print the text of a file."`
	Prune   pruneCommand   `cmd:"" help:"Remove facts whose period ended before a date."`
	Account accountCommand `cmd:"" help:"Manage accounts."`
	User    userCommand    `cmd:"" help:"Manage users."`
	Token   tokenCommand   `cmd:"" help:"Manage Bearer tokens."`
	Key     keyCommand     `cmd:"" help:"Manage API keys."`
	Sign    signCommand    `cmd:"" help:"Sign a request with an API key."`
	Routes  routesCommand  `cmd:"" help:"List the REST routes."`
}

// session is what a command runs in.
type session struct {
	ctx         context.Context
	config      app.Config
	out, errors io.Writer
}

// Main runs the command line and answers the exit code: 0, 1 when the command
// failed, 2 when it was called wrongly, 130 when it was interrupted.
func Main(ctx context.Context, args []string, out, errOut io.Writer) int {
	var c commands
	exited := -1
	parser := kong.Must(&c,
		kong.Name("contentgraph"),
		kong.Description("Open, self-hosted service for search-oriented content teams.\n\nEvery flag above the commands can be set by the variable CONTENTGRAPH_ and its name, such as CONTENTGRAPH_LISTEN."),
		kong.PostBuild(settings),
		kong.Writers(out, errOut),
		kong.Exit(func(code int) { exited = code }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true}),
	)
	k, err := parser.Parse(args)
	if exited >= 0 {
		return exited
	}
	if err != nil {
		fmt.Fprintf(errOut, "contentgraph: %v\nRun `contentgraph --help`.\n", err)
		return 2
	}
	c.SetLog()
	s := &session{ctx: store.System(ctx), config: c.Config, out: out, errors: errOut}
	switch err := k.Run(s); {
	case err == nil:
		return 0
	case ctx.Err() != nil:
		fmt.Fprintln(errOut, "contentgraph: interrupted; run the command again to finish")
		return 130
	default:
		s.fail(err)
		return 1
	}
}

// settings lets each flag of the configuration be set by a variable. Flags of
// commands cannot be: a variable that was left behind would change what they do.
func settings(k *kong.Kong) error {
	for _, f := range k.Model.Flags {
		if f.Name != "help" {
			f.Envs = []string{"CONTENTGRAPH_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))}
			f.Tag.Envs = f.Envs
		}
	}
	return nil
}

// fail prints an error with every bad field.
func (s *session) fail(err error) {
	var f *fault.Error
	switch {
	case !errors.As(err, &f) || f.Kind == fault.Internal:
		fmt.Fprintf(s.errors, "contentgraph: %v\n", err)
	case len(f.Fields) > 1:
		fmt.Fprintln(s.errors, "contentgraph: the request is not valid:")
		for _, field := range f.Fields {
			fmt.Fprintf(s.errors, "  %s %s\n", field.Field, field.Message)
		}
	default:
		fmt.Fprintln(s.errors, "contentgraph: "+f.Message)
	}
}

// open opens the service for a command.
func (s *session) open() (*app.App, error) { return app.Open(s.ctx, s.config) }

// with opens the service, lets fn use it and closes it.
func (s *session) with(fn func(a *app.App) error) (err error) {
	a, err := s.open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	return fn(a)
}

// print writes v as one JSON object, or else the line.
func (s *session) print(asJSON bool, v any, line string, args ...any) error {
	if !asJSON {
		_, err := fmt.Fprintf(s.out, strings.TrimSuffix(line, "\n")+"\n", args...)
		return err
	}
	return json.NewEncoder(s.out).Encode(v)
}

// list prints an object, or else a table whose first row is the header.
func (s *session) list(asJSON bool, v any, table [][]string) error {
	if asJSON {
		return s.print(true, v, "")
	}
	w := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
	for _, row := range table {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	return w.Flush()
}

// printed is the flag of commands whose answer scripts read.
type printed struct {
	JSON bool `name:"json" help:"Print one JSON object."`
}

type migrateCommand struct{}

func (migrateCommand) Run(s *session) error {
	st, err := store.Open(s.ctx, s.config.DatabaseURL, s.config.Data)
	if err != nil {
		return err
	}
	fmt.Fprintln(s.out, "The database is at this version's schema.")
	return st.Close()
}

type routesCommand struct{}

func (routesCommand) Run(s *session) error {
	for _, r := range app.Routes() {
		fmt.Fprintln(s.out, r)
	}
	return nil
}
