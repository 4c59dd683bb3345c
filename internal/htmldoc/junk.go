package htmldoc

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// verdict says whether text in an element can be content.
type verdict uint8

const (
	unjudged verdict = iota
	good
	beside // advertisement, comments and the like: content only where there is no other
	never  // navigation, cookie banners, footers
)

// Words in classes and ids that tell what an element holds.
var (
	neverWords = words(`nav navi navbar navigation menu submenu subnav topnav mainnav breadcrumb breadcrumbs crumbs
		pager pagination footer cookie cookies consent gdpr onetrust didomi usercentrics skiplink`)
	neverParts = strings.Fields("cookie breadcrumb navigation footer navbar")

	besideWords = words(`ad ads advert advertisement advertising adsense sponsor sponsored promo promotion banner
		foot sidebar sidebars aside widget widgets toolbar
		share sharing sharer shares social socials sociable follow
		related recommended recommendations recommendation outbrain taboola popular trending
		comment comments commentlist commentbody commentarea respond disqus
		newsletter subscribe subscription signup login register
		tags taglist byline author authors bio meta postmeta postprofile userinfo signature metadata timestamp readtime
		rating ratings noprint popup caption modal overlay lightbox tooltip
		legend appendix cta disclosure affiliate paywall credit credits copyright copyrights imagedescription
		search searchform skip legal sitemap`)
	besideParts = strings.Fields("sidebar newsletter comments kommentar related")

	neverRoles = words("navigation banner contentinfo search menu menubar toolbar dialog alertdialog alert tablist tooltip")
)

// Words of cookie banners without telling names: what they speak of, and parts
// of what their buttons say.
var (
	cookieWords = strings.Fields("cookie クッキー 쿠키 куки الارتباط الكوكيز")
	acceptWords = strings.Fields(`accept agree allow got ok akzept zustimm einverstanden ablehn accett aceit acept
		autoris refus reject decline manage consent einstellung akkoord godkänn zgadzam souhlas elfogad kabul
		同意 承諾 許可 拒否 接受 동의 принима соглас موافق أوافق قبول`)
)

func words(s string) map[string]bool {
	m := make(map[string]bool)
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

// judge decides about n: no better than what is around it. Names and tags
// mislead where they stand for a whole page, so an element that has the title
// or most of the prose is good unless its tag says never.
func (n *node) judge(root *node) verdict {
	if n == nil {
		return good
	}
	if n.judged != unjudged {
		return n.judged
	}
	v := n.tagged()
	if v != never {
		named := n.named()
		switch {
		case named == never && !n.title && (root.title || 5*n.prose <= 4*root.prose), n.asksConsent():
			v = never
		case max(v, named) > good && !n.title && 2*n.prose <= root.prose:
			v = beside
		default:
			v = good
		}
	}
	n.judged = max(v, n.parent.judge(root))
	return n.judged
}

// tagged is what the tag and role of an element say.
func (n *node) tagged() verdict {
	if len(n.attrs) > 0 && neverRoles[strings.ToLower(n.attr("role"))] {
		return never
	}
	switch n.tag {
	case atom.Nav, atom.Footer, atom.Menu, atom.Search:
		return never
	case atom.Header:
		for p := n.parent; p != nil; p = p.parent {
			if p.tag == atom.Article || p.tag == atom.Main {
				return good
			}
		}
		return beside
	case atom.Button:
		for p, up := n.parent, 0; p != nil && up < 4; p, up = p.parent, up+1 {
			if p.is(heading) {
				return good
			}
		}
		if strings.HasSuffix(n.label(), "?") { // it opens the answer
			return good
		}
		return beside
	case atom.Aside, atom.Dialog, atom.Figcaption, atom.Form, atom.Label:
		return beside
	}
	return good
}

// named is what the classes and the id of an element say.
func (n *node) named() verdict {
	switch {
	case len(n.attrs) == 0, n.tag == atom.Html, n.tag == atom.Article, n.tag == atom.Main, n.tag == atom.A, n.is(heading):
		return good
	}
	names := n.attr("id") + " " + n.attr("class")
	if len(names) == 1 {
		return good
	}
	v := good
	eachWord(names, func(w []byte) {
		if neverWords[string(w)] {
			v = never
		} else if besideWords[string(w)] {
			v = max(v, beside)
		}
	})
	if v == never {
		return v
	}
	names = strings.ToLower(names)
	for _, p := range neverParts {
		if strings.Contains(names, p) {
			return never
		}
	}
	for _, p := range besideParts {
		if strings.Contains(names, p) {
			return beside
		}
	}
	return v
}

// eachWord calls fn with the words of names, in lower case: "postMeta nav-bar"
// has post, meta, nav and bar. Letters other than ASCII end a word.
func eachWord(names string, fn func([]byte)) {
	var word [32]byte
	n, lower := 0, false
	for i := 0; i <= len(names); i++ {
		var c byte
		if i < len(names) {
			c = names[i]
		}
		upper := 'A' <= c && c <= 'Z'
		small := 'a' <= c && c <= 'z'
		if n > 0 && (!upper && !small || upper && lower) {
			fn(word[:n])
			n = 0
		}
		if (upper || small) && n < len(word) {
			word[n] = c | 0x20
			n++
		}
		lower = small
	}
}

// asksConsent reports whether an element is a small box that speaks of cookies
// and has a button to accept them.
func (n *node) asksConsent() bool {
	return n.cookies && n.accepts && n.size < 2000 && !n.title && n.is(block)
}

// findButtons marks the elements below which a button accepts something.
func (n *node) findButtons() {
	n.all(func(c *node) bool {
		if c.text != "" && c.parent.pressed() && containsAny(strings.ToLower(c.text), acceptWords) {
			for p := c.parent; p != nil && !p.accepts; p = p.parent {
				p.accepts = true
			}
		}
		return true
	})
}

// pressed reports whether n is in a button, or in a link that leads nowhere.
func (n *node) pressed() bool {
	for up := 0; n != nil && up < 3; n, up = n.parent, up+1 {
		href := n.attr("href")
		if n.tag == atom.Button || n.attr("role") == "button" ||
			n.tag == atom.A && (href == "" || href[0] == '#' || strings.HasPrefix(href, "javascript:")) {
			return true
		}
	}
	return false
}

func containsAny(s string, parts []string) bool {
	for _, p := range parts {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}
