package facts

import (
	"bufio"
	"errors"
	"fmt"
	"os"
)

// rejects is the file of rejected lines.
type rejects struct {
	file *os.File
	w    *bufio.Writer
}

// write adds the last record of src; the first one makes the file.
func (r *rejects) write(path string, src source, reason string) error {
	if path == "" {
		return nil
	}
	if r.file == nil {
		file, err := os.Create(path)
		if err != nil {
			return fmt.Errorf("write rejected lines: %w", err)
		}
		r.file, r.w = file, bufio.NewWriter(file)
		if err := src.head(r.w); err != nil {
			return err
		}
	}
	return src.reject(r.w, reason)
}

func (r *rejects) close() error {
	if r.file == nil {
		return nil
	}
	return errors.Join(r.w.Flush(), r.file.Close())
}
