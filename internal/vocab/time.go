package vocab

import "time"

// FormatTime writes a moment as the documented RFC 3339 form with milliseconds
// and a numeric offset: 2026-11-20T10:03:10.330+00:00.
func FormatTime(t time.Time) string {
	return t.UTC().Format("2006-01-02T15:04:05.000-07:00")
}
