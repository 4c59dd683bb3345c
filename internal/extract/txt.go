package extract

import (
	"context"
	"io"
)

// maxBytes is how much of a text file is read: enough for maxText in UTF-32.
const maxBytes = 4 * maxText

// readTXT reads plain text in any charset.
func readTXT(_ context.Context, in *io.SectionReader, out *text) error {
	s, err := readText(in, out)
	if err != nil {
		return err
	}
	return out.Write(s)
}

// readText decodes a text file and notes its charset.
func readText(in *io.SectionReader, out *text) (string, error) {
	b := make([]byte, min(in.Size(), maxBytes))
	if _, err := io.ReadFull(in, b); err != nil {
		return "", err
	}
	out.Cut = in.Size() > maxBytes
	var s string
	s, out.Charset = decodeText(b)
	return s, nil
}
