package bpmn

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"
)

// No bytes make Decode panic, give a broken graph, or two graphs.
func FuzzDecode(f *testing.F) {
	for _, pattern := range []string{"testdata/models/*.bpmn", "testdata/hostile/*.bpmn"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			f.Fatalf("no seeds in %s: %v", pattern, err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	f.Add([]byte(vendorFile("flowable")))
	f.Add([]byte(file("", `<boundaryEvent id="a" attachedToRef="a"/><subProcess id="p"><subProcess id="p"/></subProcess><sequenceFlow id="a" sourceRef="a" targetRef="a"/>`)))
	f.Add([]byte(file("", `<intermediateThrowEvent id="a"><linkEventDefinition name="L"/></intermediateThrowEvent><inclusiveGateway id="g"/>`+flows("a>g", "g>g", "g>a"))))
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, err := Decode(data)
		if (doc == nil) == (err == nil) {
			t.Fatalf("document %v, error %v", doc, err)
		}
		if err != nil {
			return
		}
		consistent(t, doc)
		again, err := Decode(data)
		if err != nil || !reflect.DeepEqual(doc, again) {
			t.Fatal("two decodings differ")
		}
		Check(doc, func(_ UseKind, name string) bool { return len(name)%2 == 0 })
	})
}

// No text makes a timer panic, run backwards or stand still.
func FuzzTimer(f *testing.F) {
	for _, text := range []string{"PT1H", "R3/PT1H", "R/P1M", "R/1900-01-01/PT1S", "2025-03-01T08:00+08:00", "R2/P1D/2030-01-01", "0 0 8 * * ?", "P100Y", "R/PT0.001S", "R5/PT10M"} {
		f.Add(text, int64(1_772_323_200), uint8(3))
	}
	zone := mustZone("America/New_York")
	f.Fuzz(func(t *testing.T, text string, unix int64, kind uint8) {
		_, _ = ParseRetry(text)
		now := time.Unix(unix%(1<<33), 0)
		s, err := ParseTimer(TimerKind(kind%3+1), text)
		if err != nil {
			return
		}
		last, ok := s.First(now, zone)
		for range 5 {
			if !ok {
				return
			}
			next, more := s.Next(now, last, zone)
			if more && !next.After(last) {
				t.Fatalf("%q: %v does not come after %v", text, next, last)
			}
			last, ok = next, more
		}
	})
}
