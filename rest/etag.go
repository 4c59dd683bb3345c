package rest

import (
	"net/http"
	"regexp"
	"strings"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/internal/fault"
)

// writeTagged answers with the body of a resource and its version as entity
// tag, or 304 to a reader who has that version.
func writeTagged(w http.ResponseWriter, r *http.Request, status int, version uuid.UUID, body any) error {
	w.Header().Set("ETag", `"`+version.String()+`"`)
	if reads(r) && known(r, version.String()) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	return writeJSON(w, status, body)
}

// known reports whether the client has the version. A header that cannot be
// read is as none: the client then gets what it has already.
func known(r *http.Request, version string) bool {
	tags, err := entityTags(r, "If-None-Match")
	for _, tag := range tags {
		if tag.any || tag.value == version { // reads compare weakly
			return err == nil
		}
	}
	return false
}

// ifMatch is the versions that a write demands, without quotes; nil when it
// takes any. Weak tags are left out, since a write never matches them.
func ifMatch(r *http.Request) ([]string, error) {
	tags, err := entityTags(r, "If-Match")
	if tags == nil {
		return nil, err
	}
	versions := []string{}
	for _, tag := range tags {
		switch {
		case tag.any:
			return nil, nil
		case !tag.weak:
			versions = append(versions, tag.value)
		}
	}
	return versions, nil
}

type entityTag struct {
	value string
	weak  bool
	any   bool // "*"
}

var tagPattern = regexp.MustCompile(`^[ \t,]*(W/)?"([^"]*)"[ \t]*(?:,[ \t,]*|$)`)

// entityTags reads a header that lists entity tags, or is "*"; nil when it was
// not sent.
func entityTags(r *http.Request, header string) ([]entityTag, error) {
	lines := r.Header.Values(header)
	if lines == nil {
		return nil, nil
	}
	rest := strings.Join(lines, ",")
	if strings.TrimSpace(rest) == "*" {
		return []entityTag{{any: true}}, nil
	}
	var tags []entityTag
	for tags == nil || rest != "" {
		m := tagPattern.FindStringSubmatch(rest)
		if m == nil {
			return nil, fault.BadField(header, `must be * or a list of quoted entity tags, such as "7d9f"`)
		}
		tags, rest = append(tags, entityTag{value: m[2], weak: m[1] != ""}), rest[len(m[0]):]
	}
	return tags, nil
}
