package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// border reports whether the terminators s[i:end], closing marks included, end
// the sentence under way.
func (p *splitter) border(i, end int) bool {
	last, _ := utf8.DecodeLastRuneInString(p.s[:end])
	closed := isCloser(last)
	rest := p.s[end:]
	if rest == "" {
		return true
	}
	if !isSpaceAt(p.s, end) { // only scripts that set no spaces end a sentence here
		first, _ := utf8.DecodeRuneInString(p.s[i:])
		next, _ := utf8.DecodeRuneInString(rest)
		return first >= 0x3000 && !(closed && unicode.Is(unicode.Hiragana, next))
	}
	rest = strings.TrimLeftFunc(rest, opensSentence)
	next, n := utf8.DecodeRuneInString(rest)
	if unicode.IsLower(next) && !startsSmall(rest[n:]) {
		return p.beforeSmall(i, end, closed)
	}
	if p.s[i] != '.' || closed || end-i > 1 {
		return true
	}
	if unicode.IsNumber(next) {
		return p.abbreviation(p.token(i)) == 0 && !(p.lang.ordinals && isOrdinal(p.token(i)))
	}
	return p.beforeCapital(i, rest)
}

// beforeSmall: a small letter follows. A full stop ends the sentence only when
// its writer has no capitals to start with; other terminators do, unless they
// belong to a quotation or a dash takes the sentence up again.
func (p *splitter) beforeSmall(i, end int, closed bool) bool {
	if closed || dashFollows(p.s[end:]) {
		return false
	}
	if r, _ := utf8.DecodeRuneInString(p.s[i:]); r != '.' && r != '…' {
		return true
	}
	first, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(p.s[p.start:], func(r rune) bool { return !unicode.IsLetter(r) }))
	token := p.token(i)
	return p.s[i] == '.' && unicode.IsLower(first) && utf8.RuneCountInString(token) > 2 &&
		!strings.ContainsRune(token, '.') && p.abbreviation(token) == 0
}

// beforeCapital: one full stop, then a capital (or a letter without case).
func (p *splitter) beforeCapital(i int, rest string) bool {
	token := p.token(i)
	word := firstWord(rest)
	function := p.rules.stop[p.lang.fold(word, true)] != content
	if strings.TrimSpace(p.s[p.start:i]) == token && isNumbering(token) {
		return false
	}
	switch p.abbreviation(token) {
	case neverEnds:
		return false
	case beforeNumber:
		return true
	case oftenEnds:
		return !isName(word) || function
	case mayEnd:
		return function
	}
	switch {
	case p.lang.ordinals && isOrdinal(token):
		before := strings.TrimRightFunc(p.s[p.start:i-len(token)], unicode.IsSpace)
		return function || strings.HasSuffix(before, ".") // S. 12 is a page
	case utf8.RuneCountInString(token) == 1 && isInitial(token):
		if utf8.RuneCountInString(word) == 1 && strings.HasPrefix(rest[strings.Index(rest, word)+len(word):], ".") {
			return false // J. R. R. or z. B.
		}
		return function || token == "I" && p.lang.code == "en" || !isCapital(token)
	case isDotted(token): // U.S.A
		return function
	}
	return true
}

// abbreviation looks a token up as it stands, with a small first letter, and
// without what is joined to it in front (Dipl.-Ing).
func (p *splitter) abbreviation(token string) abbreviation {
	for range 2 {
		if kind := p.rules.abbreviations[token]; kind != 0 {
			return kind
		}
		if r, n := utf8.DecodeRuneInString(token); unicode.IsUpper(r) {
			if kind := p.rules.abbreviations[string(unicode.ToLower(r))+token[n:]]; kind != 0 {
				return kind
			}
		}
		cut := strings.LastIndexAny(token, "-/")
		if cut < 0 {
			return 0
		}
		token = token[cut+1:]
	}
	return 0
}

// token is what stands before the full stop at i. Single letters with full
// stops before it belong to it: "z. B" is "z.B".
func (p *splitter) token(i int) string {
	const longest = 24 // bytes
	from := max(p.start, i-longest)
	token := lastToken(p.s[from:i])
	at := i - len(token)
	for utf8.RuneCountInString(lastLetter(token)) == 1 && len(token) < longest {
		before := strings.TrimRightFunc(p.s[from:at], unicode.IsSpace)
		if len(before) == at-from || !strings.HasSuffix(before, ".") {
			break
		}
		part := lastToken(before[:len(before)-1])
		if utf8.RuneCountInString(part) != 1 || !isInitial(part) {
			break
		}
		token, at = part+"."+token, from+len(before)-1-len(part)
	}
	return token
}

// lastToken is the end of s back to a blank or an opening mark.
func lastToken(s string) string {
	cut := strings.LastIndexFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.In(r, unicode.Ps, unicode.Pi) || r == '"' })
	if cut < 0 {
		return strings.ToValidUTF8(s, "")
	}
	_, n := utf8.DecodeRuneInString(s[cut:])
	return s[cut+n:]
}

// lastLetter is the part of a token behind its last full stop.
func lastLetter(token string) string { return token[strings.LastIndexByte(token, '.')+1:] }

func firstWord(s string) string {
	end := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' && r != '’' })
	if end < 0 {
		end = len(s)
	}
	return s[:min(end, longestWord)]
}

// opensSentence holds what may stand before the first letter of a sentence.
func opensSentence(r rune) bool {
	switch r {
	case '"', '\'', '¿', '¡', '*', '_', '„', '“', '«', '»':
		return true
	}
	return unicode.IsSpace(r) || unicode.In(r, unicode.Ps, unicode.Pi, unicode.Pd)
}

func dashFollows(s string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(s, unicode.IsSpace))
	return unicode.Is(unicode.Pd, r)
}

// startsSmall tells names as iPhone and eBay by their second letter.
func startsSmall(rest string) bool {
	r, _ := utf8.DecodeRuneInString(rest)
	return unicode.IsUpper(r)
}

func isInitial(token string) bool {
	r, _ := utf8.DecodeRuneInString(token)
	return unicode.IsLetter(r) && !borderlessRune(r)
}

func isCapital(token string) bool {
	r, _ := utf8.DecodeRuneInString(token)
	return unicode.IsUpper(r)
}

// isNumbering tells the numbers of a list: 12, b, iv.
func isNumbering(token string) bool {
	return isOrdinal(token) || utf8.RuneCountInString(token) == 1 && isInitial(token)
}

// isOrdinal tells numbers of at most three digits and Roman ones.
func isOrdinal(token string) bool {
	if token == "" || len(token) > 5 {
		return false
	}
	digits := strings.Trim(token, "0123456789") == ""
	return digits && len(token) <= 3 || strings.Trim(token, "IVX") == "" || strings.Trim(token, "ivx") == ""
}

// isDotted tells U.S.A and the like.
func isDotted(token string) bool {
	single := 0
	for part := range strings.SplitSeq(token, ".") {
		if utf8.RuneCountInString(part) != 1 || !isInitial(part) {
			return false
		}
		single++
	}
	return single > 1
}
