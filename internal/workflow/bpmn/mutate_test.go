package bpmn

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

var (
	anyTag   = regexp.MustCompile(`<[A-Za-z][^<>]*>`)
	anyValue = regexp.MustCompile(`"[^"<>]*"`)
	nodeTags = []string{"startEvent", "endEvent", "userTask", "subProcess", "exclusiveGateway", "inclusiveGateway", "eventBasedGateway", "boundaryEvent",
		"intermediateCatchEvent", "intermediateThrowEvent", "callActivity", "serviceTask", "scriptTask", "receiveTask", "complexGateway", "sequenceFlow"}
)

// mutate makes one change that keeps the file well formed, most of the time.
func mutate(rnd *rand.Rand, text string) string {
	values := anyValue.FindAllStringIndex(text, -1)
	v, w := values[rnd.IntN(len(values))], values[rnd.IntN(len(values))]
	switch rnd.IntN(6) {
	case 0: // a value takes the place of another: references go astray
		return text[:v[0]] + text[w[0]:w[1]] + text[v[1]:]
	case 1: // a value is lost
		return text[:v[0]] + `""` + text[v[1]:]
	case 2: // an element becomes another
		from, to := nodeTags[rnd.IntN(len(nodeTags))], nodeTags[rnd.IntN(len(nodeTags))]
		return strings.NewReplacer(from+" ", to+" ", from+">", to+">").Replace(text)
	case 3: // an attribute is lost
		start := strings.LastIndexByte(text[:v[0]], ' ')
		if start < 0 || strings.ContainsAny(text[start:v[0]], "<>") {
			return text
		}
		return text[:start] + text[v[1]:]
	case 4: // an empty element is lost or doubled
		tags := anyTag.FindAllStringIndex(text, -1)
		tag := tags[rnd.IntN(len(tags))]
		if !strings.HasSuffix(text[tag[0]:tag[1]], "/>") {
			return text
		}
		if rnd.IntN(2) == 0 {
			return text[:tag[0]] + text[tag[1]:]
		}
		return text[:tag[1]] + text[tag[0]:tag[1]] + text[tag[1]:]
	default: // an expression breaks
		return strings.Replace(text, "${", []string{"${${", "$", "#{", "${)"}[rnd.IntN(4)], 1+rnd.IntN(3))
	}
}

// Broken models give problems, never a panic or an inconsistent graph.
func TestMutations(t *testing.T) {
	names, err := filepath.Glob("testdata/models/*.bpmn")
	if err != nil || len(names) == 0 {
		t.Fatalf("no models: %v", err)
	}
	models := []string{vendorFile("activiti")}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		models = append(models, string(data))
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	const rounds = 600
	read, faulty := 0, 0
	for range rounds {
		text := models[rnd.IntN(len(models))]
		for range 1 + rnd.IntN(6) {
			text = mutate(rnd, text)
		}
		doc, err := Decode([]byte(text))
		if err != nil {
			continue
		}
		read++
		if !Deployable(doc.Problems) {
			faulty++
		}
		for _, p := range doc.Processes {
			if err := inconsistency(p); err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
		}
		if again := decode(t, text); !reflect.DeepEqual(doc, again) {
			t.Fatalf("two decodings differ\n%s", text)
		}
	}
	if read < rounds/2 || faulty < rounds/4 {
		t.Errorf("%d of %d were read, %d faulty: the mutations are too coarse or too mild", read, rounds, faulty)
	}
}
