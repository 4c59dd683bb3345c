package graph

import (
	"context"
	"reflect"
	"testing"

	"github.com/google/uuid"

	"github.com/contentgraph/contentgraph/graph/generated"
	"github.com/contentgraph/contentgraph/internal/auth"
	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// scopeOf is the scope that each root resolver demands.
var scopeOf = map[string]string{
	"Viewer":      "", // of whoever asks
	"Accounts":    "", // those of whoever asks
	"RankSources": "", // shared by all
	"Users":       vocab.ScopeAdmin, "Credentials": vocab.ScopeAdmin,
	"Execution": vocab.ScopeData, "Executions": vocab.ScopeData,
	"Draft": vocab.ScopeContentRead, "Drafts": vocab.ScopeContentRead, "DraftContent": vocab.ScopeContentRead,
	"DraftVersions": vocab.ScopeContentRead, "DraftVersion": vocab.ScopeContentRead,
	"ContentProfile": vocab.ScopeContentRead, "ContentProfiles": vocab.ScopeContentRead,
	"WebProperties":   vocab.ScopeContentRead,
	"KnowledgeSource": vocab.ScopeContentRead, "KnowledgeSources": vocab.ScopeContentRead, "KnowledgePassages": vocab.ScopeContentRead,
	"KnowledgeSourceUpdated": vocab.ScopeContentRead,
	"Insights":               vocab.ScopeContentRead, "ValidateContent": vocab.ScopeContentRead, "ContentScore": vocab.ScopeContentRead,
	"SerpUrls": vocab.ScopeContentRead, "InsightsUpdated": vocab.ScopeContentRead, "RequestInsights": vocab.ScopeContentWrite,

	"CreateUser": vocab.ScopeAdmin, "CreateToken": vocab.ScopeAdmin, "RevokeToken": vocab.ScopeAdmin,
	"CreateAPIKey": vocab.ScopeAdmin, "RevokeAPIKey": vocab.ScopeAdmin,
	"SubmitKeywordRankings": vocab.ScopeData, "SubmitAiSearchSentiments": vocab.ScopeData,
	"SubmitAiSearchCitations": vocab.ScopeData, "CancelExecution": vocab.ScopeData, "RemoveExecution": vocab.ScopeData,
	"CreateExportLink": vocab.ScopeData,
	"CreateDraft":      vocab.ScopeContentWrite, "ReplaceDraft": vocab.ScopeContentWrite, "UpdateDraft": vocab.ScopeContentWrite,
	"SaveDraftContent": vocab.ScopeContentWrite, "DeleteDraft": vocab.ScopeContentWrite,
	"CreateContentProfile": vocab.ScopeContentWrite, "ReplaceContentProfile": vocab.ScopeContentWrite,
	"UpdateContentProfile": vocab.ScopeContentWrite, "DeleteContentProfile": vocab.ScopeContentWrite,
	"CreateKnowledgeSource": vocab.ScopeContentWrite, "UploadKnowledgeSource": vocab.ScopeContentWrite,
	"RetryKnowledgeSource": vocab.ScopeContentWrite, "DeleteKnowledgeSource": vocab.ScopeContentWrite,
	"CreateRankSource": vocab.ScopeAdmin, "CreateWebProperty": vocab.ScopeAdmin,
}

// call runs a root resolver with zero values, but account for every Int.
func call(ctx context.Context, method reflect.Value, account int) error {
	args := []reflect.Value{reflect.ValueOf(ctx)}
	for i := 1; i < method.Type().NumIn(); i++ {
		arg := reflect.New(method.Type().In(i)).Elem()
		if arg.Kind() == reflect.Int {
			arg.SetInt(int64(account))
		}
		args = append(args, arg)
	}
	results := method.Call(args)
	err, _ := results[len(results)-1].Interface().(error)
	return err
}

func TestRootResolversAuthorise(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	ctx := t.Context()
	for kind, root := range map[reflect.Type]any{
		reflect.TypeFor[generated.QueryResolver](): w.root.Query(), reflect.TypeFor[generated.MutationResolver](): w.root.Mutation(),
		reflect.TypeFor[generated.SubscriptionResolver](): w.root.Subscription(),
	} {
		for m := range kind.Methods() {
			method := reflect.ValueOf(root).MethodByName(m.Name)
			scope, known := scopeOf[m.Name]
			if !known {
				t.Errorf("%s: which scope does it demand? Add it to scopeOf", m.Name)
				continue
			}
			for _, account := range []int{0, ours} {
				if err := call(ctx, method, account); !fault.Is(err, fault.Unauthenticated) {
					t.Errorf("%s(%d) of nobody: %v", m.Name, account, err)
				}
				nothing := &auth.Principal{UserID: w.us.ID, Credential: uuid.New()}
				err := call(as(ctx, nothing), method, account)
				if scope != "" && !fault.Is(err, fault.Forbidden) && !fault.Is(err, fault.NotFound) || scope == "" && err != nil {
					t.Errorf("%s(%d) of a user without rights: %v", m.Name, account, err)
				}
			}
			for _, own := range vocab.Scopes {
				p := &auth.Principal{UserID: w.us.ID, Credential: uuid.New(), Scopes: []string{own}, Accounts: map[int]bool{ours: true}}
				err := call(as(ctx, p), method, ours)
				if fault.Is(err, fault.Forbidden) != (scope != "" && own != scope) {
					t.Errorf("%s with the scope %s: %v", m.Name, own, err)
				}
			}
		}
	}
	for name := range scopeOf {
		_, query := reflect.TypeFor[generated.QueryResolver]().MethodByName(name)
		_, mutation := reflect.TypeFor[generated.MutationResolver]().MethodByName(name)
		_, subscription := reflect.TypeFor[generated.SubscriptionResolver]().MethodByName(name)
		if !query && !mutation && !subscription {
			t.Errorf("%s is no root resolver any more", name)
		}
	}
}

// TestNestedFieldsAuthorise asks an edge by a user who may not read what is
// at its end.
func TestNestedFieldsAuthorise(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	_, writer := w.user(t, "writer", []int{ours}, vocab.ScopeContentWrite)
	const create = `mutation { createDraft(accountId: 101, input: {topics: ["a"], rankSourceId: 3}) { id `
	w.ok(t, writer, create+`} }`)
	w.fails(t, writer, "FORBIDDEN", "", create+`content { title } } }`)
	id := w.ok(t, w.our, `mutation { createContentProfile(accountId: 101, input: {name: "p"}) { id } }`).text("createContentProfile.id")
	a := w.post(t, writer, create+`} updateContentProfile(accountId: 101, id: "`+id+`", input: {}) { name draftCount } }`)
	if len(a.Errors) > 0 { // what a write answers, its writer may see
		t.Error(a.Text)
	}
}
