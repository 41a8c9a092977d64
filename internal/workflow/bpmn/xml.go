package bpmn

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Namespaces.
const (
	nsModel = "http://www.omg.org/spec/BPMN/20100524/MODEL"
	nsXSI   = "http://www.w3.org/2001/XMLSchema-instance"
	nsXML   = "http://www.w3.org/XML/1998/namespace"
	nsZeebe = "http://camunda.org/schema/zeebe/1.0"
)

var vendors = map[string]Vendor{
	"http://camunda.org/schema/1.0/bpmn": Camunda,
	"http://activiti.org/bpmn":           Activiti,
	"http://flowable.org/bpmn":           Flowable,
}

// element is a BPMN or vendor element. Elements of other namespaces (diagram,
// tool data) are checked against the limits and dropped.
type element struct {
	vendor     Vendor // "" for a BPMN element
	name       string
	at         Position
	attributes []attribute
	children   []*element
	text       string
	zeebe      bool // holds elements of the Zeebe namespace, which cannot run here
}

type attribute struct {
	vendor Vendor // "" for an attribute without namespace
	name   string
	value  string
}

// reader builds the tree of one file.
type reader struct {
	data  []byte
	xml   *xml.Decoder
	open  []*element // nil for a dropped element
	texts [][]byte
	root  *element
	usage map[Vendor]int
	// offset is the place in data that pos describes.
	offset int
	pos    Position
}

// read turns the bytes into the tree of the definitions element.
func read(data []byte) (*element, map[Vendor]int, *Problem) {
	if len(data) > MaxBytes {
		return nil, nil, refuse(Position{}, "too-large", "文件超过 10 MB 上限", "the file is larger than the limit of 10 MB")
	}
	data, problem := toUTF8(data)
	if problem != nil {
		return nil, nil, problem
	}
	if problem := (&guard{data: data}).run(); problem != nil {
		return nil, nil, problem
	}
	r := &reader{data: data, xml: xml.NewDecoder(bytes.NewReader(data)), usage: map[Vendor]int{}, pos: Position{1, 1}}
	r.xml.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // toUTF8 has done it
	for {
		at := r.position()
		token, err := r.xml.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, nil, malformed(r.position(), err)
		}
		if problem := r.take(token, at); problem != nil {
			return nil, nil, problem
		}
	}
	if r.root == nil {
		return nil, nil, refuse(Position{}, "empty", "文件中没有 XML 内容", "the file holds no XML")
	}
	return r.root, r.usage, nil
}

// position gives line and column, in characters, of the next token.
func (r *reader) position() Position {
	end := int(r.xml.InputOffset())
	part := r.data[r.offset:end]
	r.offset = end
	if n := bytes.Count(part, []byte{'\n'}); n > 0 {
		r.pos.Line += n
		r.pos.Column = 1
		part = part[bytes.LastIndexByte(part, '\n')+1:]
	}
	r.pos.Column += utf8.RuneCount(part)
	return r.pos
}

func (r *reader) take(token xml.Token, at Position) *Problem {
	switch t := token.(type) {
	case xml.StartElement:
		return r.start(t, at)
	case xml.EndElement:
		r.end()
	case xml.CharData:
		return r.chars(t, at)
	}
	return nil
}

func (r *reader) start(t xml.StartElement, at Position) *Problem {
	if len(r.open) == 0 && r.root != nil {
		return malformed(at, errors.New("second root element"))
	}
	if name, ok := twice(t.Attr); ok {
		return malformed(at, fmt.Errorf("attribute %s given twice", name))
	}
	e := r.keep(t, at)
	if len(r.open) == 0 {
		if e == nil || e.vendor != "" || e.name != "definitions" {
			return refuse(at, "not-bpmn", fmt.Sprintf("不是 BPMN 2.0 文件：根元素是 %s，应为 BPMN 2.0 命名空间的 definitions", clip(t.Name.Local)),
				fmt.Sprintf("not a BPMN 2.0 file: the root element is %s, not definitions of the BPMN 2.0 namespace", clip(t.Name.Local)))
		}
		r.root = e
	} else if parent := r.open[len(r.open)-1]; parent != nil {
		if e != nil {
			parent.children = append(parent.children, e)
		}
		parent.zeebe = parent.zeebe || t.Name.Space == nsZeebe
	}
	r.open = append(r.open, e)
	r.texts = append(r.texts, nil)
	return nil
}

// twice finds an attribute given twice, which encoding/xml lets pass.
func twice(list []xml.Attr) (string, bool) {
	for i, a := range list {
		for _, b := range list[:i] {
			if a.Name == b.Name {
				return a.Name.Local, true
			}
		}
	}
	return "", false
}

// keep makes the element of a BPMN or vendor tag, nil for any other. Content of
// a dropped element is dropped with it.
func (r *reader) keep(t xml.StartElement, at Position) *element {
	vendor, isVendor := vendors[t.Name.Space]
	if !isVendor && t.Name.Space != nsModel {
		return nil
	}
	if n := len(r.open); n > 0 && r.open[n-1] == nil {
		return nil
	}
	if isVendor {
		r.usage[vendor]++
	}
	e := &element{vendor: vendor, name: strings.Clone(t.Name.Local), at: at}
	for _, a := range t.Attr {
		vendor, isVendor := vendors[a.Name.Space]
		if isVendor {
			r.usage[vendor]++
		}
		if isVendor || a.Name.Space == "" && a.Name.Local != "xmlns" {
			e.attributes = append(e.attributes, attribute{vendor, a.Name.Local, a.Value})
		}
	}
	return e
}

func (r *reader) end() {
	last := len(r.open) - 1
	if e := r.open[last]; e != nil {
		e.text = string(r.texts[last])
	}
	r.open, r.texts = r.open[:last], r.texts[:last]
}

func (r *reader) chars(t xml.CharData, at Position) *Problem {
	last := len(r.open) - 1
	if last < 0 {
		if len(bytes.TrimSpace(t)) > 0 {
			return malformed(at, errors.New("text outside the root element"))
		}
		return nil
	}
	e := r.open[last]
	if e == nil {
		return nil
	}
	if len(e.children) > 0 && len(bytes.TrimSpace(t)) == 0 {
		return nil // indentation between children
	}
	r.texts[last] = append(r.texts[last], t...)
	return nil
}

func refuse(at Position, code, zh, en string) *Problem {
	return &Problem{Severity: Error, Code: code, Zh: zh, En: en, At: at}
}

func malformed(at Position, err error) *Problem {
	reason := err.Error()
	var syntax *xml.SyntaxError
	if errors.As(err, &syntax) {
		reason = syntax.Msg
	}
	return refuse(at, "malformed", "XML 格式错误："+clip(reason), "malformed XML: "+clip(reason))
}

// clip shortens text from the file for a message.
func clip(s string) string {
	const limit = 80
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	return string([]rune(s)[:limit]) + "…"
}
