package bpmn

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
)

func refusal(data []byte) string {
	doc, err := Decode(data)
	var p *Problem
	if err == nil || doc != nil || !errors.As(err, &p) || p.Zh == "" || p.En == "" {
		return ""
	}
	return p.Code
}

func TestHostileFiles(t *testing.T) {
	for name, code := range map[string]string{"external_entity": "directive", "entity_bomb": "directive", "parameter_entity": "directive", "undeclared_entity": "malformed"} {
		data, err := os.ReadFile(filepath.Join("testdata/hostile", name+".bpmn"))
		if err != nil {
			t.Fatal(err)
		}
		if got := refusal(data); got != code {
			t.Errorf("%s: %q, want %q", name, got, code)
		}
	}
}

func TestRefusedFiles(t *testing.T) {
	open := `<definitions xmlns="` + nsModel + `">`
	for _, c := range []struct{ name, text, code string }{
		{"nothing", "", "empty"},
		{"blank", " \n", "empty"},
		{"text", "hello", "malformed"},
		{"binary", "PK\x03\x04\x00\xff\xfe\x80", "encoding"},
		{"html", "<html><body/></html>", "not-bpmn"},
		{"no namespace", "<definitions/>", "not-bpmn"},
		{"other namespace", `<definitions xmlns="http://www.omg.org/spec/DMN/20180521/MODEL/"/>`, "not-bpmn"},
		{"vendor root", `<definitions xmlns="http://flowable.org/bpmn"/>`, "not-bpmn"},
		{"process root", `<process xmlns="` + nsModel + `"/>`, "not-bpmn"},
		{"unclosed", open + "<process>", "malformed"},
		{"crossed", open + "<process></definitions></process>", "malformed"},
		{"two roots", open + "</definitions><x/>", "malformed"},
		{"text behind the root", open + "</definitions>x", "malformed"},
		{"attribute twice", open + `<process id="a" id="b"/></definitions>`, "malformed"},
		{"attribute without quotes", open + `<process id=a/></definitions>`, "malformed"},
		{"less-than in a value", open + `<process id="a<b"/></definitions>`, "malformed"},
		{"control character", open + "\x01</definitions>", "malformed"},
		{"invalid bytes", open + "\xff</definitions>", "encoding"},
		{"unknown encoding", `<?xml version="1.0" encoding="EBCDIC-CP-US"?>` + open + "</definitions>", "encoding"},
		{"xml 1.1", `<?xml version="1.1"?>` + open + "</definitions>", "malformed"},
		{"late doctype", open + "<!DOCTYPE x></definitions>", "directive"},
		{"attributes", open + "<process " + strings.Repeat(`a="" `, maxAttributes+1) + "/></definitions>", "too-many-attributes"},
		{"attribute length", open + `<process id="` + strings.Repeat("x", maxValue+1) + `"/></definitions>`, "attribute-too-long"},
		{"depth", open + strings.Repeat("<subProcess>", maxDepth+1), "too-deep"},
		{"elements", open + strings.Repeat("<a/>", maxElements+1) + "</definitions>", "too-many-elements"},
		{"size", open + strings.Repeat(" ", MaxBytes) + "</definitions>", "too-large"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := refusal([]byte(c.text)); got != c.code {
				t.Errorf("%q, want %q", got, c.code)
			}
		})
	}
}

// What stays below the limits is read.
func TestWithinLimits(t *testing.T) {
	deep := strings.Repeat(`<x:a xmlns:x="urn:x">`, maxDepth-4) + strings.Repeat("</x:a>", maxDepth-4)
	sound(t, file("", startEnd+"<extensionElements>"+deep+"</extensionElements>"))
	sound(t, file("", startEnd+`<documentation>`+strings.Repeat("长", maxValue)+`</documentation>`))
	sound(t, file("", `<!-- <deep> <!DOCTYPE> -->`+startEnd+`<textAnnotation id="t"><text><![CDATA[<!DOCTYPE> <a b=c]]></text></textAnnotation><?tool <x> ?>`))
}

// Files built to be costly are refused in little time and memory.
func TestHostileCost(t *testing.T) {
	const tags = 2_000_000
	for name, text := range map[string]string{
		"nested":           strings.Repeat("<a>", tags),
		"nested, prefixed": `<definitions xmlns="` + nsModel + `">` + strings.Repeat("<a>", tags),
		"flat":             `<definitions xmlns="` + nsModel + `">` + strings.Repeat("<a/>", tags),
		"attributes":       `<definitions xmlns="` + nsModel + `" ` + strings.Repeat(`a=""`, tags),
		"one attribute":    `<definitions xmlns="` + nsModel + `" a="` + strings.Repeat("a", 4*tags),
		"closing":          strings.Repeat("</a>", tags),
	} {
		t.Run(name, func(t *testing.T) {
			data := []byte(text)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			began := time.Now()
			if refusal(data) == "" {
				t.Error("accepted")
			}
			runtime.ReadMemStats(&after)
			if spent := time.Since(began); spent > 5*time.Second {
				t.Errorf("took %v", spent)
			}
			if used := (after.TotalAlloc - before.TotalAlloc) >> 20; used > 8 {
				t.Errorf("allocated %d MB", used)
			}
		})
	}
}

// A big file inside the limits is decoded in bounded time.
func TestLargeFile(t *testing.T) {
	var b strings.Builder
	b.WriteString(`<startEvent id="n0"/>`)
	for i := range maxNodes - 1 {
		id := "n" + strconv.Itoa(i+1)
		b.WriteString(`<inclusiveGateway id="` + id + `"/><sequenceFlow id="a` + id + `" sourceRef="n` + strconv.Itoa(i) + `" targetRef="` + id + `"/><sequenceFlow id="b` + id + `" sourceRef="n` + strconv.Itoa(i) + `" targetRef="` + id + `"/>`)
	}
	began := time.Now()
	doc := decode(t, file("", b.String()))
	if spent := time.Since(began); spent > 20*time.Second {
		t.Errorf("took %v", spent)
	}
	if n := len(doc.Processes[0].Nodes); n != maxNodes {
		t.Errorf("%d nodes", n)
	}
	if more := decode(t, file("", b.String()+`<manualTask id="one"/><manualTask id="two"/>`)); !has(more.Problems, "too-many-nodes", "one", Error) {
		t.Error("a node too many is accepted")
	}
}

func TestEncodings(t *testing.T) {
	text := strings.Replace(file("", strings.Replace(startEnd, `id="s"`, `id="s" name="开始"`, 1)), "UTF-8", "ENC", 1)
	western := strings.Replace(text, "开始", "Prüfung", 1)
	encode := func(name, text string, e interface{ Bytes([]byte) ([]byte, error) }) []byte {
		out, err := e.Bytes([]byte(strings.Replace(text, "ENC", name, 1)))
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"UTF-8", []byte(strings.Replace(text, "ENC", "UTF-8", 1)), "开始"},
		{"no declaration", []byte(text[strings.Index(text, "<def"):]), "开始"},
		{"UTF-8 with mark", append([]byte{0xEF, 0xBB, 0xBF}, strings.Replace(text, "ENC", "utf-8", 1)...), "开始"},
		{"UTF-16 little", encode("UTF-16", text, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder()), "开始"},
		{"UTF-16 big", encode("UTF-16", text, unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewEncoder()), "开始"},
		{"UTF-16 without mark", encode("UTF-16LE", text, unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM).NewEncoder()), "开始"},
		{"UTF-16 big without mark", encode("UTF-16BE", text, unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM).NewEncoder()), "开始"},
		{"UTF-8 that says UTF-16", []byte(strings.Replace(text, "ENC", "UTF-16", 1)), "开始"},
		{"GBK", encode("GBK", text, simplifiedchinese.GBK.NewEncoder()), "开始"},
		{"GB2312", encode("gb2312", text, simplifiedchinese.GBK.NewEncoder()), "开始"},
		{"GB18030", encode("GB18030", text, simplifiedchinese.GB18030.NewEncoder()), "开始"},
		{"Latin-1", encode("ISO-8859-1", western, charmap.ISO8859_1.NewEncoder()), "Prüfung"},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc, err := Decode(c.data)
			if err != nil || doc.Processes[0].Nodes[0].Name != c.want {
				t.Errorf("%v", err)
			}
		})
	}
	if got := refusal(encode("UTF-8", text, simplifiedchinese.GBK.NewEncoder())); got != "encoding" {
		t.Errorf("GBK bytes declared as UTF-8: %q", got)
	}
	if got := refusal([]byte{0xFF, 0xFE, 0x00, 0xD8, 0x3C, 0x00}); got != "encoding" {
		t.Errorf("half a surrogate pair: %q", got)
	}
}

// The caller's bytes are only read.
func TestInputUntouched(t *testing.T) {
	data := []byte(vendorFile("camunda"))
	before := bytes.Clone(data)
	doc := decode(t, string(data))
	if _, err := Decode(data); err != nil || !bytes.Equal(before, data) {
		t.Error("the input changed")
	}
	for i := range data {
		data[i] = 'x'
	}
	if again := decode(t, string(before)); !reflect.DeepEqual(doc, again) {
		t.Error("the graph shares memory with the input")
	}
}
