package htmldoc

import "github.com/contentgraph/contentgraph/internal/text"

// languageOf is the language of a page: the one that it declares, else the one
// that its text seems to have. English is also what templates declare when
// nobody cared, so a text that is surely in another language wins over it.
func (h *head) languageOf(main string) string {
	declared := text.Language(h.language)
	if declared != "" && declared != "en" {
		return declared
	}
	if found := detect(main); found != "" {
		return found
	}
	return declared
}

// detect guesses the language of a text, "" when the guess is not sure.
func detect(s string) string {
	if lang, sure := text.Detect(s); sure {
		return lang
	}
	return ""
}
