package dataquery

import (
	"encoding/base64"
	"errors"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/internal/fault"
)

func TestToken(t *testing.T) {
	t.Parallel()
	s := &Service{macs: macsOf([]byte("a key"))}
	e := &db.Execution{ID: uuid.New(), AccountID: 101, PageRows: 2000, Attempt: 1, Chunks: 5}
	other := *e
	other.ID = uuid.New()
	later := *e
	later.Attempt = 2
	for _, chunk := range []int{2, 4} {
		if got, err := s.chunkOf(e, s.token(e, chunk)); err != nil || got != chunk {
			t.Errorf("chunk %d came back as %d, %v", chunk, got, err)
		}
	}
	good := s.token(e, 2)
	body, _ := tokenText.DecodeString(good)
	body[0]++
	bad := map[string]string{
		"empty":             "",
		"text":              "next",
		"cut":               good[:len(good)-1],
		"longer":            good + "A",
		"padded":            good + "=",
		"huge":              strings.Repeat("A", 1<<20),
		"line break":        good[:10] + "\n" + good[10:],
		"loose last bits":   good[:len(good)-1] + string(good[len(good)-1]+1),
		"another version":   tokenText.EncodeToString(body),
		"another execution": s.token(&other, 2),
		"another attempt":   s.token(&later, 2),
		"another key":       (&Service{macs: macsOf([]byte("b key"))}).token(e, 2),
		"inside a page":     s.token(e, 3),
		"after the end":     s.token(e, 6),
	}
	for i := range tokenBody + tokenDigest {
		changed, _ := tokenText.DecodeString(good)
		changed[i] ^= 1
		bad["byte "+string(rune('A'+i))] = tokenText.EncodeToString(changed)
	}
	for name, token := range bad {
		_, err := s.chunkOf(e, token)
		var f *fault.Error
		if !errors.As(err, &f) || f.Kind != fault.Invalid || f.Code != fault.CodeInvalidPageToken || f.Fields[0].Field != "nextPageId" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzToken(f *testing.F) {
	s := &Service{macs: macsOf([]byte("a key"))}
	e := &db.Execution{ID: uuid.MustParse("8a6f2c1e-0f4b-4e0e-9a57-6d1f3c2b1a00"), PageRows: 1000, Attempt: 1, Chunks: 3}
	for chunk := range 4 {
		f.Add(s.token(e, chunk))
	}
	f.Add("")
	f.Add(strings.Repeat("A", base64.RawURLEncoding.EncodedLen(tokenBody+tokenDigest)))
	f.Fuzz(func(t *testing.T, token string) {
		chunk, err := s.chunkOf(e, token)
		if err == nil && s.token(e, chunk) != token {
			t.Errorf("%q was taken for chunk %d", token, chunk)
		}
		if err != nil && fault.Of(err).Code != fault.CodeInvalidPageToken {
			t.Error(err)
		}
	})
}

func TestID(t *testing.T) {
	t.Parallel()
	id := uuid.MustParse("8a6f2c1e-0f4b-4e0e-9a57-6d1f3c2b1a00")
	for _, spec := range Specs {
		text := ID(&db.Execution{ID: id, AccountID: 1295, Query: spec.Name()})
		if want := spec.Dataset.Short + ":zz:" + id.String(); text != want {
			t.Errorf("%s, want %s", text, want)
		}
		if query, account, got, ok := ParseID(text); !ok || query != spec.Name() || account != 1295 || got != id {
			t.Errorf("%s is %s %d %s %v", text, query, account, got, ok)
		}
	}
	for _, bad := range []string{
		"", "::", "kr", id.String(), "kr:zz", "xx:zz:" + id.String(), ":zz:" + id.String(), "kr::" + id.String(),
		"KR:zz:" + id.String(), "kr:ZZ:" + id.String(), "kr:0zz:" + id.String(), "kr:0:" + id.String(),
		"kr:-1:" + id.String(), "kr:+1:" + id.String(), "kr:zzzzzzzzzzzzzzzz:" + id.String(), "kr:z z:" + id.String(),
		"kr:zz:" + strings.ToUpper(id.String()), "kr:zz:{" + id.String() + "}", "kr:zz:urn:uuid:" + id.String(),
		"kr:zz:" + strings.ReplaceAll(id.String(), "-", ""), "kr:zz:" + id.String() + ":", "kr:zz:" + id.String() + " ",
	} {
		if query, account, got, ok := ParseID(bad); ok || query != "" || account != 0 || got != uuid.Nil {
			t.Errorf("%q was taken: %s %d %s", bad, query, account, got)
		}
	}
}

func TestValidPageRows(t *testing.T) {
	t.Parallel()
	for _, n := range []int{100, 200, 500, 1000, 2000, 50_000} {
		if !ValidPageRows(n) || pageChunks(n)*chunkRows(n) != n {
			t.Errorf("%d: %d chunks of %d rows", n, pageChunks(n), chunkRows(n))
		}
	}
	for _, n := range []int{-1000, 0, 1, 99, 300, 999, 1001, 1500, 51_000} {
		if ValidPageRows(n) {
			t.Errorf("%d is valid", n)
		}
	}
}
