package juel

import (
	"os"
	"strings"
	"testing"
)

// Payloads of injection into expression languages, templates and SQL. Each is refused
// by Parse, or names a bean that deployment refuses, or is plain text, or is inert or
// failing on variables alone. None calls a bean that Calls does not name.
func TestPayloads(t *testing.T) {
	text, err := os.ReadFile("testdata/payloads.txt")
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for number, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		want, source, ok := strings.Cut(line, "\t")
		if !ok {
			continue
		}
		counts[want]++
		if got := fate(source); got != want {
			t.Errorf("line %d: %s is %s, not %s", number+1, source, got, want)
		}
	}
	if counts["refused"] < 50 || counts["literal"] < 20 || counts["bean"] < 5 || counts["inert"] < 5 {
		t.Errorf("the corpus shrank: %v", counts)
	}
}

func fate(source string) string {
	e, err := Parse(source)
	switch {
	case err != nil:
		return "refused"
	case e.IsLiteral():
		if v, err := e.Eval(&world{}); err != nil || v != strings.NewReplacer(`\$`, "$", `\#`, "#").Replace(source) {
			return "changed"
		}
		return "literal"
	case len(e.Calls()) > 0:
		return "bean"
	}
	w := variables()
	if _, err := e.Eval(w); len(w.calls) > 0 {
		return "calling"
	} else if err != nil {
		return "failing"
	}
	return "inert"
}
