package workflow

import (
	"strings"
	"testing"
)

// TestPrintTemplate: places are filled with text that stays text, also for people who may
// not see all of the form; what a template must not hold is gone before it is stored.
func TestPrintTemplate(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		w.travel()
		const template = `<h1 onclick="x()">{PROCESS_DEFINITION_NAME}</h1><script>alert(1)</script><p>{PROCESS_NUMBER} {PROCESS_START_USER} {PROCESS_START_TIME} {PROCESS_RESULT} {unknown}{PROCESS_END_TIME}</p>` +
			`<p>{reason}</p><p>{secret}</p><p>{trips.city}</p>{PROCESS_TASKS}`
		publish := func(key string, enable bool) string {
			return w.publish(key, line(w.task("a", StrategyUser, "{ann}", `<flowable:fieldsPermission field="secret" permission="3"/>`)), changes{
				"processIdRule": body{"enable": true, "prefix": key + "-", "length": 2}, "printTemplateSetting": body{"enable": enable, "template": template}})
		}
		publish("p", true)
		id := w.start("p", map[string]any{"reason": "一<b>二</b>\n{secret}", "secret": "密", "trips": []any{map[string]any{"city": "上海"}, map[string]any{"city": "北京"}}})
		print := func(who, id string) PrintData {
			t.Helper()
			return into[PrintData](w.office, w.call(who, "GET", "/process-instance/get-print-data?processInstanceId="+id, nil, 0))
		}
		w.want("while it runs", print("starter", id).PrintTemplateHTML, `<h1>流程 p</h1><p>p-01 STARTER 2026-03-02 09:00 审批中 </p><p>一&lt;b&gt;二&lt;/b&gt;<br>{secret}</p><p>密</p><p>上海、北京</p><table><tbody></tbody></table>`)
		w.approve("ann", id, "a")
		ann := print("ann", id).PrintTemplateHTML
		if strings.Contains(ann, "密") || !strings.Contains(ann, "审批通过 2026-03-02 09:00") || !strings.Contains(ann, `<th scope="row">任务 a</th><td>ANN 审批通过`) {
			t.Errorf("for ann: %s", ann)
		}
		publish("q", false)
		if off := print("starter", w.start("q", nil)); off.PrintTemplateEnable || off.PrintTemplateHTML != "" {
			t.Errorf("switched off: %+v", off)
		}
		for _, m := range into[[]ModelView](w.office, w.call("admin", "GET", "/model/list", nil, 0)) {
			if text := m.PrintTemplateSetting.Template; strings.Contains(text, "script") || strings.Contains(text, "onclick") || !strings.Contains(text, "{PROCESS_TASKS}") {
				t.Errorf("stored %s", text)
			}
			if want := map[string]int64{"p": 0, "q": 1}[m.Key]; m.ProcessDefinition.Running != want {
				t.Errorf("%s: %d running, want %d", m.Key, m.ProcessDefinition.Running, want)
			}
		}
	})
}
