package input

import (
	"fmt"
	"net/url"
	"strings"
	"unicode"
)

// maxURL is the number of characters that an address may have.
const maxURL = 2048

// URL is an absolute http or https address, trimmed; nil when absent, null or bad.
func (o *Object) URL(name string) *string {
	s := o.Text(name, maxURL)
	if s == nil {
		return nil
	}
	u := strings.TrimSpace(*s)
	if !webAddress(u) {
		o.Fail(name, "must be an http or https URL")
		return nil
	}
	return &u
}

// URLs is a list of absolute http or https addresses, trimmed; nil when absent,
// null or bad. Bad items are named by position.
func (o *Object) URLs(name string, maxItems int) []string {
	out := o.Texts(name, maxItems, 1, maxURL)
	if o.Failed(name) {
		return nil // the positions in out are not those of the request
	}
	for i, s := range out {
		if out[i] = strings.TrimSpace(s); !webAddress(out[i]) {
			o.Fail(fmt.Sprintf("%s[%d]", name, i), "must be an http or https URL")
		}
	}
	return out
}

func webAddress(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" &&
		!strings.ContainsFunc(s, unicode.IsSpace)
}
