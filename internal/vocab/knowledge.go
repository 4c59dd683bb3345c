package vocab

import "time"

// The states of a knowledge source: PENDING_UPLOAD, STORED, then EXTRACTED or
// ERROR; a retry leads from ERROR back to STORED.
const (
	KnowledgePending   = "PENDING_UPLOAD"
	KnowledgeStored    = "STORED"
	KnowledgeExtracted = "EXTRACTED"
	KnowledgeError     = "ERROR"
)

// KnowledgeStatuses is the closed list of states.
var KnowledgeStatuses = []string{KnowledgePending, KnowledgeStored, KnowledgeExtracted, KnowledgeError}

// The kinds of knowledge source.
const (
	KnowledgeFile = "FILE"
	KnowledgeText = "TEXT"
)

// KnowledgeKinds is the closed list of kinds.
var KnowledgeKinds = []string{KnowledgeFile, KnowledgeText}

// GuidancePage is a page that guidance was made from, or could not be.
type GuidancePage struct {
	URL     string    `json:"url"`
	Title   string    `json:"title"`
	Fetched time.Time `json:"fetched"`
	// Error is a sentence when the page could not be read, else nil.
	Error *string `json:"error"`
}
