package crawl

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/andybalholm/brotli"
)

// accepted are the encodings that bodies may have.
const accepted = "gzip, br, deflate"

// errTooLarge ends the reading of a body that is too large.
var errTooLarge = errors.New("crawl: body is too large")

// body is the content of an answer, of which at most limit bytes are read on
// the wire and as many after decoding: one more is errTooLarge.
func body(resp *http.Response, limit int64) (io.Reader, error) {
	if resp.ContentLength > limit {
		return nil, errTooLarge
	}
	var r io.Reader = &bounded{resp.Body, limit}
	encodings := strings.FieldsFunc(strings.ToLower(resp.Header.Get("Content-Encoding")), func(c rune) bool { return c == ',' || c == ' ' })
	if len(encodings) > 2 {
		return nil, fmt.Errorf("crawl: encoded as %q", encodings)
	}
	for i := len(encodings) - 1; i >= 0; i-- {
		var err error
		switch encodings[i] {
		case "identity", "none", "utf-8":
			continue
		case "gzip", "x-gzip":
			r, err = gzip.NewReader(r)
		case "br":
			r = safe{brotli.NewReader(r)}
		case "deflate":
			r, err = inflate(r)
		default:
			err = fmt.Errorf("crawl: encoded as %q", encodings[i])
		}
		if errors.Is(err, io.EOF) {
			return strings.NewReader(""), nil // an empty body needs no frame
		}
		if err != nil {
			return nil, err
		}
	}
	if len(encodings) > 0 {
		r = &bounded{r, limit}
	}
	return r, nil
}

// inflate reads deflate, which servers send with and without the frame of zlib.
func inflate(r io.Reader) (io.Reader, error) {
	b := bufio.NewReader(r)
	head, err := b.Peek(2)
	if err != nil {
		return nil, err
	}
	if head[0]&0x0f == 8 && (int(head[0])<<8|int(head[1]))%31 == 0 {
		return zlib.NewReader(b)
	}
	return flate.NewReader(b), nil
}

// bounded reads at most left bytes.
type bounded struct {
	r    io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		if n, err := b.r.Read(make([]byte, 1)); n == 0 {
			return 0, err
		}
		return 0, errTooLarge
	}
	n, err := b.r.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

// safe turns a panic of a decoder into an error.
type safe struct{ io.Reader }

func (s safe) Read(p []byte) (n int, err error) {
	defer func() {
		if v := recover(); v != nil {
			n, err = 0, fmt.Errorf("crawl: decoder: %v", v)
		}
	}()
	return s.Reader.Read(p)
}

// readable reports whether a content type is one of HTML, XML and text. A body
// without a type is judged by its beginning.
func readable(contentType string, content []byte) bool {
	if contentType == "" {
		contentType = http.DetectContentType(content)
	}
	kind, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		kind, _, _ = strings.Cut(strings.ToLower(contentType), ";")
	}
	switch strings.TrimSpace(kind) {
	case "text/html", "application/xhtml+xml", "text/plain", "text/xml", "application/xml":
		return true
	}
	return false
}
