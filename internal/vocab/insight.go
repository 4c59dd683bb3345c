package vocab

// The states of an insight that is made.
const (
	InsightCompleted = "COMPLETED"
	InsightPartly    = "COMPLETED_WITH_ERRORS" // some pages could not be read
	InsightError     = "ERROR"
)
