// Package richtext holds the one HTML sanitiser of the product. Every rich
// text field is passed through Sanitize before it is stored, so that whatever
// is read back may be rendered as it stands.
//
// The allow-list knows structure (paragraphs, headings, lists, quotations,
// tables), the usual inline marks, links to http, https and mailto, and
// pictures out of the product's own file store. No class, no id, no event
// attribute, no style but text-align, no embedded foreign vocabulary (SVG,
// MathML), no raw text element: the parts mutation attacks live on are absent.
//
// Guarantees, checked by fuzzing: Sanitize(Sanitize(s)) == Sanitize(s), and a
// browser-like parser finds nothing outside the allow-list in the result.
package richtext

import (
	"regexp"
	"strings"

	"github.com/microcosm-cc/bluemonday"
	"golang.org/x/net/html"
)

// maxPasses bounds the search for a fixed point. Ordinary text is one after the
// first pass and the second proves it; text that still changes after this many
// is refused.
const maxPasses = 8

var (
	linkTarget = regexp.MustCompile(`(?i)^(https?://|mailto:)[^\s<>"'\x60\\]+$`)
	// A picture path: plain segments below the file call, none of which starts
	// with a dot, so that neither "." nor ".." can walk out of it.
	pictureSource = regexp.MustCompile(`^/admin-api/infra/file(/[A-Za-z0-9_\-][A-Za-z0-9_.\-]*)+$`)
	pictureSize   = regexp.MustCompile(`^[1-9][0-9]{0,3}$`)
	cellSpan      = regexp.MustCompile(`^[1-9][0-9]?$`)
	headerScope   = regexp.MustCompile(`^(row|col|rowgroup|colgroup)$`)
	listStart     = regexp.MustCompile(`^[0-9]{1,4}$`)
)

var (
	aligned = []string{"p", "h1", "h2", "h3", "h4", "li", "blockquote", "td", "th"}
	policy  = newPolicy()
)

func newPolicy() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "br", "hr", "strong", "b", "em", "i", "u", "s", "sub", "sup",
		"h1", "h2", "h3", "h4", "ul", "ol", "li", "blockquote", "pre", "code",
		"table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td")

	p.RequireParseableURLs(true)
	p.AllowRelativeURLs(true) // pictures; links are held to absolute ones by linkTarget
	p.AllowURLSchemes("http", "https", "mailto")
	p.AllowAttrs("href").Matching(linkTarget).OnElements("a")
	p.RequireNoReferrerOnLinks(true)
	p.AddTargetBlankToFullyQualifiedLinks(true) // adds rel=noopener with it

	p.AllowAttrs("src").Matching(pictureSource).OnElements("img")
	p.AllowAttrs("alt").OnElements("img")
	p.AllowAttrs("width", "height").Matching(pictureSize).OnElements("img")

	p.AllowAttrs("colspan", "rowspan").Matching(cellSpan).OnElements("td", "th")
	p.AllowAttrs("scope").Matching(headerScope).OnElements("th")
	p.AllowAttrs("start").Matching(listStart).OnElements("ol")
	p.AllowStyles("text-align").MatchingEnum("left", "right", "center", "justify").OnElements(aligned...)
	return p
}

// Sanitize returns s reduced to the allow-list. Elements outside it are
// unwrapped (their text stays) except script, style and their like, which go
// with their content. Invalid UTF-8 and control characters are dropped. The
// result is a fixed point; input for which none is found yields "".
func Sanitize(s string) string {
	s = cleanRunes(s)
	for range maxPasses {
		// Cleaned again: a character reference may stand for a control.
		next := cleanRunes(dropBarePictures(policy.Sanitize(s)))
		if next == s {
			return s
		}
		s = next
	}
	return ""
}

// barePicture is what remains of a picture whose source was refused.
var barePicture = regexp.MustCompile(`<img(?: (?:alt|width|height)="[^"<>]*")*/?>`)

// dropBarePictures removes pictures without a source: a browser would show a
// broken frame for them.
func dropBarePictures(s string) string {
	if !strings.Contains(s, "<img") {
		return s
	}
	return barePicture.ReplaceAllString(s, "")
}

// cleanRunes removes what no text needs and parsers disagree about: invalid
// UTF-8, C0 and C1 controls except tab and newline, and non-characters.
func cleanRunes(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	s = strings.ToValidUTF8(s, "")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\r':
			return '\n'
		case r < 0x20 && r != '\t' && r != '\n', r >= 0x7f && r <= 0x9f,
			r == 0xfffe, r == 0xffff:
			return -1
		}
		return r
	}, s)
}

// silent elements contribute no text.
var silent = map[string]bool{
	"script": true, "style": true, "template": true, "noscript": true, "iframe": true,
	"noembed": true, "noframes": true, "object": true, "head": true, "title": true,
	"svg": true, "math": true,
}

// block elements end a line of text.
var block = map[string]bool{
	"p": true, "br": true, "hr": true, "div": true, "h1": true, "h2": true, "h3": true, "h4": true,
	"h5": true, "h6": true, "ul": true, "ol": true, "li": true, "blockquote": true, "pre": true,
	"table": true, "caption": true, "tr": true, "td": true, "th": true,
}

// Text returns the plain text of s: tags and the content of scripts and styles
// are gone, entities are resolved, block elements become single spaces and
// blanks are collapsed. The result is text, not HTML: whoever puts it into a
// page must escape it.
func Text(s string) string {
	var out strings.Builder
	depth := 0 // inside this many silent elements
	z := html.NewTokenizer(strings.NewReader(cleanRunes(s)))
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			break
		}
		if kind == html.TextToken {
			if depth == 0 {
				out.Write(z.Text())
			}
			continue
		}
		raw, _ := z.TagName()
		hidden, breaks := silent[string(raw)], block[string(raw)]
		switch {
		case hidden && kind == html.StartTagToken:
			depth++
		case hidden && kind == html.EndTagToken && depth > 0:
			depth--
		case breaks && depth == 0:
			out.WriteByte(' ')
		}
	}
	return strings.Join(strings.Fields(cleanRunes(html.UnescapeString(out.String()))), " ")
}
