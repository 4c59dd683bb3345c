package main

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/contentgraph/contentgraph/internal/app"
)

type signCommand struct {
	printed
	APIKey string `required:"" name:"api-key" env:"CONTENTGRAPH_API_KEY" help:"The API key; also from CONTENTGRAPH_API_KEY."`
	Secret string `required:"" env:"CONTENTGRAPH_SECRET" help:"Its secret; also from CONTENTGRAPH_SECRET."`
	Curl   bool   `help:"Print a whole curl line; needs URL."`
	Body   string `placeholder:"JSON" help:"Body of the request that the curl line makes, for a POST."`
	URL    string `arg:"" optional:"" name:"url" help:"URL to sign. Without it only the signature is printed."`
}

// Help is the long help of the command.
func (signCommand) Help() string {
	return "A signature is valid for 5 minutes. A URL below /data-api also needs the header X-API-GATEWAY-KEY with the API key; --curl adds it."
}

func (c signCommand) Run(s *session) error {
	sig := app.Sign(c.APIKey, c.Secret)
	if c.URL == "" {
		if c.Curl {
			return fmt.Errorf("--curl needs the URL to call")
		}
		return s.print(c.JSON, map[string]any{"sig": sig}, "%s", sig)
	}
	u, err := url.Parse(c.URL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("%q is not a whole URL such as http://127.0.0.1:8080/v4/rank-sources", c.URL)
	}
	q := u.Query()
	q.Set("apiKey", c.APIKey)
	q.Set("sig", sig)
	u.RawQuery = q.Encode()
	line := u.String()
	if c.Curl {
		line = "curl -sS " + quote(u.String())
		if strings.HasPrefix(u.Path, "/data-api/") {
			line += " -H " + quote("X-API-GATEWAY-KEY: "+c.APIKey)
		}
		if c.Body != "" {
			line += " -H 'Content-Type: application/json' -d " + quote(c.Body)
		}
	}
	return s.print(c.JSON, map[string]any{"sig": sig, "url": u.String()}, "%s", line)
}

// quote makes a word for a POSIX shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
