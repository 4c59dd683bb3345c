package dataquery

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/exportlink"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/store"
)

// LinkValid is how long an export link can be used.
const LinkValid = time.Minute

// A link token is the account in base 36, a point and these random bytes in
// base64url. Only its digest is kept.
const linkRandom = 32

// Link lets whoever has the token export one result, once.
type Link struct {
	Token   string
	Expires time.Time
}

// CreateLink makes a link to the export of an execution of the viewer, who
// came with a credential. Faults are those of Get and Export.
func (s *Service) CreateLink(ctx context.Context, executionID, format string, credential uuid.UUID) (*Link, error) {
	e, err := s.Get(ctx, executionID, "")
	if err != nil {
		return nil, err
	}
	x, err := s.Export(e, format)
	if err != nil {
		return nil, err
	}
	random := make([]byte, linkRandom)
	rand.Read(random)
	l := &Link{
		Token:   strconv.FormatInt(int64(e.AccountID), 36) + "." + tokenText.EncodeToString(random),
		Expires: s.now().Add(LinkValid),
	}
	err = s.store.ExportLink.Create().SetID(linkID(l.Token)).SetAccountID(e.AccountID).SetCredentialID(credential).
		SetExecutionID(executionID).SetFormat(x.Format).SetExpires(l.Expires).Exec(ctx)
	return l, store.Fault(ctx, err, "export link")
}

// FindLink finds a link that can be used. Whoever asks must let the user of its
// credential into its account before anything is done with it. A fault is NotFound.
func (s *Service) FindLink(ctx context.Context, token string) (*db.ExportLink, error) {
	number, random, _ := strings.Cut(token, ".")
	account, err := strconv.ParseInt(number, 36, 0)
	if err != nil || account < 1 || len(random) != tokenText.EncodedLen(linkRandom) {
		return nil, NoLink()
	}
	l, err := s.store.ExportLink.Query().Where(exportlink.ID(linkID(token)), exportlink.ExpiresGT(s.now())).
		Only(store.As(ctx, int(account), 0))
	if db.IsNotFound(err) {
		return nil, NoLink()
	}
	return l, store.Fault(ctx, err, "export link")
}

// UseLink uses a link of the viewer's account up. Of those who try at once, on
// any replica, one succeeds; for the others there is no link.
func (s *Service) UseLink(ctx context.Context, l *db.ExportLink) error {
	n, err := s.store.ExportLink.Delete().Where(exportlink.ID(l.ID), exportlink.AccountID(l.AccountID)).Exec(ctx)
	if err == nil && n == 0 {
		return NoLink()
	}
	return store.Fault(ctx, err, "export link")
}

// NoLink is the fault of a link that cannot be used, whatever the reason.
func NoLink() error {
	return fault.New(fault.NotFound, "there is no such link; it works once and for %d seconds", int(LinkValid.Seconds()))
}

func linkID(token string) string {
	digest := sha256.Sum256([]byte(token))
	return hex.EncodeToString(digest[:])
}

// sweepLinks removes links that nobody used.
func (s *Service) sweepLinks(ctx context.Context) error {
	_, err := s.store.ExportLink.Delete().Where(exportlink.ExpiresLTE(s.now())).Exec(ctx)
	return err
}
