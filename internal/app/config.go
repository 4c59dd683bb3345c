package app

import (
	"errors"
	"fmt"
	"net"
	"net/netip"

	"github.com/contentgraph/contentgraph/internal/auth"
	"github.com/contentgraph/contentgraph/internal/crawl"
	"github.com/contentgraph/contentgraph/internal/dataquery"
)

// Config is every setting. Each field is a flag in kebab case and the variable
// CONTENTGRAPH_ and the flag's name in upper case; the flag wins.
type Config struct {
	Listen         string   `default:"127.0.0.1:8080" placeholder:"ADDR" help:"Address to listen on."`
	Data           string   `default:"data" placeholder:"FOLDER" help:"Folder of the SQLite file, the key file, uploaded files and caches."`
	DatabaseURL    string   `name:"database-url" placeholder:"URL" help:"postgres://... ; empty uses SQLite in the data folder."`
	MasterKey      string   `placeholder:"KEY" help:"32 bytes in base64 or hex that seal secrets; empty uses a key file in the data folder."`
	BlobURL        string   `name:"blob-url" placeholder:"URL" help:"Where uploaded files are kept: s3://..., gs://..., azblob://... or file:///folder; empty uses a folder in the data folder."`
	PageRows       int      `default:"1000" placeholder:"N" help:"Rows of a result page: 100, 200, 500, 1000 or a multiple of 1000 up to 50000."`
	Workers        int      `default:"2" placeholder:"N" help:"Background jobs of a kind that run at a time, 1 to 8."`
	MaxBody        int64    `default:"2097152" placeholder:"BYTES" help:"Largest JSON body."`
	MaxUpload      int64    `default:"26214400" placeholder:"BYTES" help:"Largest uploaded file."`
	FetchAllow     string   `placeholder:"CIDR[:PORT-PORT],..." help:"Private networks whose pages may be fetched; ports lift the rule of 80 and 443 there."`
	SearxngURL     string   `name:"searxng-url" placeholder:"URL" help:"A SearXNG instance that is asked for result pages; empty asks none."`
	TrustedProxies string   `placeholder:"CIDR,..." help:"Proxies whose X-Forwarded-For is believed."`
	CorsOrigins    []string `placeholder:"ORIGIN,..." help:"Origins that browsers may call from; empty allows none."`
	RateLimits     string   `default:"on" placeholder:"LIMITS" help:"on, off, or submit=40,poll=5000,content=600 a minute."`
	Playground     string   `enum:"auto,on,off" default:"auto" help:"Query page at /playground: on, off, or auto: on for a loopback listener."`
	Introspection  string   `enum:"auto,on,off" default:"auto" help:"GraphQL introspection: on, off, or auto: on for a loopback listener."`
	LogFormat      string   `enum:"text,json" default:"text" help:"Form of the log on standard error: text or json."`
}

// Validate reports every setting that cannot work.
func (c *Config) Validate() error {
	var bad []error
	if _, _, err := net.SplitHostPort(c.Listen); err != nil {
		bad = append(bad, fmt.Errorf("--listen: %q is not HOST:PORT", c.Listen))
	}
	if !dataquery.ValidPageRows(c.PageRows) {
		bad = append(bad, errors.New("--page-rows must be 100, 200, 500, 1000 or a multiple of 1000 up to 50000"))
	}
	if c.Workers < 1 || c.Workers > 8 { // each needs up to 2 of 20 connections at once
		bad = append(bad, errors.New("--workers must be from 1 to 8"))
	}
	if c.MaxBody < 1024 || c.MaxUpload < 1024 {
		bad = append(bad, errors.New("--max-body and --max-upload must be at least 1024"))
	}
	if c.BlobURL != "" {
		if _, err := blobURL(c.BlobURL); err != nil {
			bad = append(bad, err)
		}
	}
	if _, err := crawl.ParseAllow(c.FetchAllow); err != nil {
		bad = append(bad, fmt.Errorf("--fetch-allow: %w", err))
	}
	if err := crawl.CheckSearXNG(c.SearxngURL); err != nil {
		bad = append(bad, fmt.Errorf("--searxng-url: %w", err))
	}
	if _, err := auth.ParseProxies(c.TrustedProxies); err != nil {
		bad = append(bad, err)
	}
	if _, err := auth.ParseLimits(c.RateLimits); err != nil {
		bad = append(bad, err)
	}
	return errors.Join(bad...)
}

// Loopback reports whether only this machine can reach the listener.
func (c *Config) Loopback() bool {
	host, _, err := net.SplitHostPort(c.Listen)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// enabled resolves on, off and auto.
func (c *Config) enabled(setting string) bool {
	return setting == "on" || setting == "auto" && c.Loopback()
}
