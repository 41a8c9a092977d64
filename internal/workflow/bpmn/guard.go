package bpmn

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// Limits of a file. Public models stay far below them.
const (
	MaxBytes      = 10 << 20
	maxDepth      = 200
	maxElements   = 200_000 // of any namespace, diagram included
	maxAttributes = 200     // of one element
	maxValue      = 512 << 10
)

// guard walks over the tags without building anything and refuses what would be
// costly to parse, so that the parser only sees files of bounded shape. It does
// not judge whether the XML is well formed.
type guard struct {
	data     []byte
	i        int
	depth    int
	elements int
}

func (g *guard) run() *Problem {
	for {
		next := bytes.IndexByte(g.data[g.i:], '<')
		if next < 0 {
			return nil
		}
		g.i += next
		rest := g.data[g.i:]
		var problem *Problem
		switch {
		case bytes.HasPrefix(rest, []byte("<!--")):
			g.skip("-->")
		case bytes.HasPrefix(rest, []byte("<![CDATA[")):
			g.skip("]]>")
		case bytes.HasPrefix(rest, []byte("<?")):
			g.skip("?>")
		case bytes.HasPrefix(rest, []byte("<!")):
			return g.refuse("directive", "文件含有 DOCTYPE 或其他 <! 声明，出于安全不予读取，请删除后重试",
				"the file holds a DOCTYPE or another <! declaration, which is refused for safety; remove it and try again")
		case bytes.HasPrefix(rest, []byte("</")):
			if g.depth--; g.depth < 0 {
				return g.refuse("malformed", "XML 格式错误：多余的结束标签", "malformed XML: an end tag without its start")
			}
			g.skip(">")
		default:
			problem = g.tag()
		}
		if problem != nil {
			return problem
		}
	}
}

// skip moves behind the next end mark, or to the end of the data.
func (g *guard) skip(mark string) {
	if n := bytes.Index(g.data[g.i:], []byte(mark)); n >= 0 {
		g.i += n + len(mark)
	} else {
		g.i = len(g.data)
	}
}

// tag judges one start tag and moves behind it.
func (g *guard) tag() *Problem {
	if g.elements++; g.elements > maxElements {
		return g.refuse("too-many-elements", fmt.Sprintf("文件元素超过 %d 个", maxElements), fmt.Sprintf("the file has more than %d elements", maxElements))
	}
	attributes := 0
	for j := g.i + 1; j < len(g.data); j++ {
		switch c := g.data[j]; c {
		case '"', '\'':
			n := bytes.IndexByte(g.data[j+1:], c)
			if n < 0 {
				n = len(g.data) - j - 1
			}
			if n > maxValue {
				return g.refuse("attribute-too-long", fmt.Sprintf("属性值超过 %d KB", maxValue>>10), fmt.Sprintf("an attribute is longer than %d KB", maxValue>>10))
			}
			j += n + 1
		case '=':
			if attributes++; attributes > maxAttributes {
				return g.refuse("too-many-attributes", fmt.Sprintf("一个元素的属性超过 %d 个", maxAttributes), fmt.Sprintf("an element has more than %d attributes", maxAttributes))
			}
		case '>':
			if g.data[j-1] != '/' {
				if g.depth++; g.depth > maxDepth {
					return g.refuse("too-deep", fmt.Sprintf("元素嵌套超过 %d 层", maxDepth), fmt.Sprintf("elements are nested more than %d deep", maxDepth))
				}
			}
			g.i = j + 1
			return nil
		}
	}
	g.i = len(g.data)
	return nil
}

func (g *guard) refuse(code, zh, en string) *Problem {
	before := g.data[:g.i]
	at := Position{Line: bytes.Count(before, []byte{'\n'}) + 1}
	at.Column = utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
	return refuse(at, code, zh, en)
}
