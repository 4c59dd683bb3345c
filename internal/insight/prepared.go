package insight

import (
	"sync"

	"github.com/contentgraph/contentgraph/internal/text"
)

// prepared is what several kinds ask of a page, made once, whoever asks first:
// kinds run side by side.
type prepared struct {
	docs [places]struct {
		sync.Once
		doc *text.Document
	}
	kind struct {
		sync.Once
		class verdict
	}
}

// in is a part of the page in the language of the topic.
func (p *Page) in(where place, language string) *text.Document {
	d := &p.prepared.docs[where]
	d.Do(func() { d.doc = text.Prepare(language, textOf(where, p.Title, p.Description, &p.Content)) })
	return d.doc
}

// class is the kind of page.
func (p *Page) class() verdict {
	k := &p.prepared.kind
	k.Do(func() { k.class = p.looks().classify() })
	return k.class
}

func (p *Page) contentType() string { return p.class().Class }
