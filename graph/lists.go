package graph

import (
	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/graph/generated"
	"github.com/contentgraph/contentgraph/internal/input"
	"github.com/contentgraph/contentgraph/internal/knowledge"
)

// listed answers a list with where it stands.
func listed[T, L any](page input.Page, items []T, total int, list func([]T, generated.Pagination) L) L {
	if items == nil {
		items = []T{}
	}
	return list(items, generated.Pagination{
		Total: total, Offset: page.Offset, Limit: page.Limit, HasMore: page.Offset+len(items) < total,
	})
}

func draftList(d []*db.Draft, p generated.Pagination) *generated.DraftList {
	return &generated.DraftList{Data: d, Pagination: p}
}

func versionList(d []*db.DraftVersion, p generated.Pagination) *generated.DraftVersionList {
	return &generated.DraftVersionList{Data: d, Pagination: p}
}

func profileList(d []*db.ContentProfile, p generated.Pagination) *generated.ContentProfileList {
	return &generated.ContentProfileList{Data: d, Pagination: p}
}

func sourceList(d []*db.RankSource, p generated.Pagination) *generated.RankSourceList {
	return &generated.RankSourceList{Data: d, Pagination: p}
}

func propertyList(d []*db.WebProperty, p generated.Pagination) *generated.WebPropertyList {
	return &generated.WebPropertyList{Data: d, Pagination: p}
}

func knowledgeList(d []*knowledge.Source, p generated.Pagination) *generated.KnowledgeSourceList {
	return &generated.KnowledgeSourceList{Data: d, Pagination: p}
}

func executionList(d []*db.Execution, p generated.Pagination) *generated.ExecutionList {
	return &generated.ExecutionList{Data: d, Pagination: p}
}
