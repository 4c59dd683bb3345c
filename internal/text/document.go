package text

import "unicode"

// Document is a text prepared for questions about its phrases: made once, it
// answers hundreds of them fast. It is never changed, so that goroutines may
// share it. It takes some 100 bytes a word beside the text.
type Document struct {
	lang      *language
	text      string
	terms     []term
	words     []word
	numbers   map[string]int32 // of keys
	keys      []string         // by number
	first     []int32          // by number: the first post of a key, -1 for none
	posts     []post
	compounds []compound // in the order of the text
}

// term is one word at its place.
type term struct {
	start, end uint32
	word       int32 // index into words
	before     gap
	stop       stopKind
}

// word is one spelling with the numbers of its keys; alt is -1 for none.
type word struct {
	fold     string
	key, alt int32
	name     bool
}

// post is a place of a key: a term, or ^n for compound n. Posts of a key are
// chained in the order of the text.
type post struct{ at, next int32 }

// compound is a run of terms joined by hyphens or by &, which may be written as
// one word too.
type compound struct {
	first, last int32 // terms
	key         int32
}

// longestChain bounds what counts as a hyphenated word.
const longestChain = 6

// Prepare reads a text of at most 4 GiB. Its lines are its blocks.
func Prepare(lang, s string) *Document {
	l := languageOf(lang)
	a := l.analyser()
	defer l.release(a)
	a.doc++
	d := &Document{lang: l, text: s, numbers: map[string]int32{}, terms: make([]term, 0, len(s)/6+1)}
	a.tokens(s, l.sentences(nil, s), func(t token) {
		x := a.look(s[t.Start:t.End])
		if x.seen != a.doc {
			x.seen, x.at = a.doc, d.addWord(x)
		}
		d.terms = append(d.terms, term{uint32(t.Start), uint32(t.End), x.at, t.before, x.stop})
	})
	d.restoreNames()
	d.addCompounds(a)
	d.link()
	return d
}

func (d *Document) addWord(x *lexeme) int32 {
	w := word{fold: x.fold, key: d.number(x.key), alt: -1, name: x.name}
	if x.alt != "" {
		w.alt = d.number(x.alt)
	}
	d.words = append(d.words, w)
	return int32(len(d.words) - 1)
}

func (d *Document) number(key string) int32 {
	n, ok := d.numbers[key]
	if !ok {
		n = int32(len(d.keys))
		d.numbers[key] = n
		d.keys = append(d.keys, key)
	}
	return n
}

// restoreNames takes capitals for names (IT, US) where the words around them
// are not in capitals as well.
func (d *Document) restoreNames() {
	for i := range d.terms {
		t := &d.terms[i]
		if t.stop == content || !d.words[t.word].name {
			continue
		}
		shouted := t.before != ending && i > 0 && d.capitals(i-1) ||
			i+1 < len(d.terms) && d.terms[i+1].before != ending && d.capitals(i+1)
		if !shouted {
			t.stop = content
		}
	}
}

// capitals reports whether a term is written in capitals alone.
func (d *Document) capitals(i int) bool { return inCapitals(d.slice(int32(i), int32(i))) }

func inCapitals(w string) bool {
	n := 0
	for _, r := range w {
		if !unicode.IsUpper(r) {
			return false
		}
		n++
	}
	return n > 1
}

// slice is the text from one term to another.
func (d *Document) slice(first, last int32) string {
	return d.text[d.terms[first].start:d.terms[last].end]
}

func (d *Document) addCompounds(a *analyser) {
	for i := 0; i < len(d.terms); {
		end := chainEnd(len(d.terms), i, func(j int) gap { return d.terms[j].before })
		if n := end - i; n > 1 && n <= longestChain {
			x := a.look(whole(n, func(j int) (string, gap) {
				t := d.terms[i+j]
				return d.words[t.word].fold, t.before
			}))
			d.compounds = append(d.compounds, compound{int32(i), int32(end - 1), d.number(x.key)})
		}
		i = end
	}
}

// chainEnd is the end of the run of hyphenated words that starts at i.
func chainEnd(n, i int, before func(int) gap) int {
	for i++; i < n && (before(i) == hyphen || before(i) == and); i++ {
	}
	return i
}

// whole writes n joined words as one: e-mail as email, AT&T as at&t.
func whole(n int, part func(int) (string, gap)) string {
	var b []byte
	for i := range n {
		w, before := part(i)
		if i > 0 && before == and {
			b = append(b, '&')
		}
		b = append(b, w...)
	}
	return string(b)
}

// link chains the places of every key. It goes backwards, so that chains are in
// the order of the text.
func (d *Document) link() {
	d.first = make([]int32, len(d.keys))
	for i := range d.first {
		d.first[i] = -1
	}
	d.posts = make([]post, 0, len(d.terms)+len(d.compounds))
	add := func(key, at int32) {
		d.posts = append(d.posts, post{at, d.first[key]})
		d.first[key] = int32(len(d.posts) - 1)
	}
	c := len(d.compounds) - 1
	for i := len(d.terms) - 1; i >= 0; i-- {
		if c >= 0 && d.compounds[c].first == int32(i) {
			add(d.compounds[c].key, int32(^c))
			c--
		}
		w := d.words[d.terms[i].word]
		add(w.key, int32(i))
		if w.alt >= 0 {
			add(w.alt, int32(i))
		}
	}
}

// Term is a word of a document.
type Term struct {
	Span
	Key    string // its stem, folded
	Stop   bool   // says nothing about the topic
	Starts bool   // begins a sentence or line
}

// Len is the number of words.
func (d *Document) Len() int { return len(d.terms) }

// Term is word i, from 0 on.
func (d *Document) Term(i int) Term {
	t := d.terms[i]
	return Term{Span{int(t.start), int(t.end)}, d.keys[d.words[t.word].key], t.stop != content, t.before == ending}
}

// Text is what the document was prepared from.
func (d *Document) Text() string { return d.text }
