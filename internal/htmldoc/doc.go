// Package htmldoc reads HTML as a person sees it: a page of a stranger (Parse)
// becomes its title, headings, main text without navigation and links, and the
// copy of a draft (Copy) becomes blocks of text. Every byte is taken for hostile:
// time and memory grow with the size of the input alone, whatever its nesting.
// The package knows nothing of fetching, accounts or storage.
package htmldoc
