package htmldoc

import "mime"

// maxPage is the size in bytes at which a page is cut.
const maxPage = 5 << 20

// Page is what a web page says.
type Page struct {
	Title       string   // of the title element, else what the page gives to social networks
	Description string   // of the meta description, else the same
	Language    string   // ISO 639 code, "" when unknown
	Canonical   string   // absolute URL that the page names as its own, "" when none
	NoIndex     bool     // search engines are asked not to list the page
	NoFollow    bool     // and not to follow its links
	Types       []string // names of schema.org types of what the page is about, in order
	Content              // the main content, without navigation
	Links       []Link   // of the whole page, in order
	// Whole says that no main content was found: Blocks are then all text that
	// is not navigation.
	Whole bool
	// Cut says that the page was larger than what is read of it.
	Cut bool
}

// Parse reads a page. The content type is that of the HTTP answer, or "", and
// pageURL the absolute address that the page came from; without it, only
// absolute links are found. What cannot be read as HTML is text, so there is no
// error; a page takes time and memory in proportion to its size, of which at
// most 5 MiB count.
func Parse(b []byte, contentType, pageURL string) *Page {
	p := &Page{}
	if len(b) > maxPage {
		b, p.Cut = b[:maxPage], true
	}
	doc := decode(b, contentType)
	if kind, _, _ := mime.ParseMediaType(contentType); kind == "text/plain" {
		p.Blocks = plain(doc)
		p.Language = detect(p.Text())
		return p
	}
	root, cut := tree(doc)
	p.Cut = p.Cut || cut
	h := root.head()
	p.Title, p.Description, p.NoIndex, p.NoFollow = h.title, h.description, h.noIndex, h.noFollow
	base := h.base(pageURL)
	p.Canonical = absolute(base, h.canonical)
	data := root.linkedData()
	p.Types = data.types

	body := root
	if h.frames != nil {
		body, _ = tree(h.frames.content())
	}
	runs := body.runs()
	main, whole := content(body, runs)
	main = titled(runs, main)
	p.Whole = whole
	for _, r := range main {
		p.Blocks = append(p.Blocks, r.Block)
	}
	if size(main) < few && len(data.article) >= few { // the page is drawn by a script
		p.Blocks, p.Whole = plain(data.article), false
	}
	if p.Title == "" {
		for _, r := range main {
			if r.Level == 1 {
				p.Title = r.Text
				break
			}
		}
	}
	p.Links = root.links(base, main)
	if body != root {
		p.Links = append(p.Links, body.links(base, main)...)
	}
	p.Language = h.languageOf(p.Text())
	return p
}

// titled puts the h1 above the content in front of it.
func titled(runs, main []run) []run {
	if len(main) == 0 {
		return main
	}
	var title *run
	for i := range runs {
		r := &runs[i]
		if r.at == main[0].at {
			break
		}
		if r.Level == 1 && r.at.judged != never {
			title = r
		}
	}
	for i := range main {
		if main[i].Level == 1 {
			return main
		}
	}
	if title == nil {
		return main
	}
	return append([]run{*title}, main...)
}
