package workflow

import (
	"strings"
	"testing"

	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
)

// TestExpressionLanguage: what is wrong with an expression is told in the reader's
// language: before a deployment, in an incident, and in a refused call.
func TestExpressionLanguage(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		read := func(who, method, url, lang string, in any, code int) kerneltest.Answer {
			t.Helper()
			a := kerneltest.Scenario{Method: method, URL: "/bpm" + url, As: w.tokens[who], Body: in, Lang: lang}.Call(t, w.h)
			if a.Code != code {
				t.Fatalf("%s %s: code %d, want %d: %.400s", method, url, a.Code, code, a.Raw)
			}
			return a
		}
		chinese := func(text string) bool { return strings.ContainsFunc(text, func(r rune) bool { return r > 0x2E7F }) }
		split := func(condition string) string {
			return `<startEvent id="s"/><sequenceFlow id="f0" sourceRef="s" targetRef="g"/><exclusiveGateway id="g"/><sequenceFlow id="f1" sourceRef="g" targetRef="a"><conditionExpression>` + condition +
				`</conditionExpression></sequenceFlow><sequenceFlow id="f2" sourceRef="a" targetRef="e"/>` + w.task("a", StrategyUser, "{ann}") + `<endEvent id="e"/>`
		}

		bad := into[string](w.office, w.call("admin", "POST", "/model/create", body{"key": "bad", "name": "流程 bad", "formType": 20, "formCustomCreatePath": "/a", "formCustomViewPath": "/b", "bpmnXml": diagram("bad", "流程 bad", split("${day &gt; }"))}, 0))
		problems := into[[]DeployProblem](w.office, w.call("admin", "GET", "/model/problems?id="+bad, nil, 0))
		found := false
		for _, p := range problems {
			if p.Code == "expression" {
				found = chinese(p.Zh) && p.En != "" && !chinese(p.En)
			}
		}
		if !found {
			t.Errorf("before a deployment: %+v", problems)
		}

		w.publish("stops", split("${'a' * 2 &gt; 1}"))
		w.start("stops", nil)
		for lang, want := range map[string]bool{"zh": true, "en": false} {
			list := into[store.Page[IncidentView]](w.office, read("admin", "GET", "/incident/page", lang, nil, 0)).List
			if len(list) != 1 || chinese(list[0].Message) != want || !strings.HasPrefix(list[0].Message, "g") {
				t.Errorf("incident in %s: %+v", lang, list)
			}
		}

		definition := w.publish("refused", line(w.task("a", StrategyExpression, "${'a' * 2}")), changes{"formType": 10, "formId": w.create("form", w.samples()["form"])})
		for lang, want := range map[string]bool{"zh": true, "en": false} {
			a := read("starter", "POST", "/process-instance/create", lang, body{"processDefinitionId": definition}, errAssignExpression.Num)
			if text := strings.ReplaceAll(a.Msg, "任务 a", ""); chinese(text) != want {
				t.Errorf("refused in %s: %s", lang, a.Msg)
			}
		}
	})
}
