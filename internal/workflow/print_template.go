package workflow

import (
	"fmt"
	"html"
	"strings"
	"time"

	"viva/internal/kernel/clock"
	"viva/internal/kernel/richtext"
	"viva/internal/workflow/engine"
)

// The places of a print template beside the fields of the form. Paper is Chinese.
const (
	placeProcess   = "PROCESS_DEFINITION_NAME"
	placeName      = "PROCESS_NAME"
	placeNumber    = "PROCESS_NUMBER"
	placeStarter   = "PROCESS_START_USER"
	placeDept      = "PROCESS_START_DEPT"
	placeStartTime = "PROCESS_START_TIME"
	placeEndTime   = "PROCESS_END_TIME"
	placeResult    = "PROCESS_RESULT"
	placeTasks     = "PROCESS_TASKS"
)

var resultText = map[int]string{int(engine.Running): "审批中", int(engine.Approved): "审批通过", int(engine.Rejected): "审批不通过", int(engine.Cancelled): "已取消"}

// fillTemplate puts what is printed into the places of a template. What people wrote stays
// text, and the whole is sanitised once more: nothing of it can act.
func fillTemplate(template string, in InstanceDetail, tasks []PrintTask) string {
	filled := titlePlace.ReplaceAllStringFunc(template, func(place string) string {
		key := place[1 : len(place)-1]
		if key == placeTasks {
			return tasksTable(tasks)
		}
		if text, ok := ownPlace(key, in); ok {
			return html.EscapeString(text)
		}
		if reserved(key) {
			return ""
		}
		return longText(valueOf(in.FormVariables, key))
	})
	return richtext.Sanitize(filled)
}

// ownPlace gives what a place shows that is no field of the form.
func ownPlace(key string, in InstanceDetail) (string, bool) {
	moment := func(ms int64) string { return time.UnixMilli(ms).In(clock.Shanghai).Format("2006-01-02 15:04") }
	switch key {
	case placeProcess:
		return in.ProcessDefinition.Name, true
	case placeName:
		return in.Name, true
	case placeNumber:
		return in.Number, true
	case placeStarter, varStarter:
		if in.StartUser != nil {
			return in.StartUser.Nickname, true
		}
		return "", true
	case placeDept:
		if in.StartUser != nil {
			return in.StartUser.DeptName, true
		}
		return "", true
	case placeStartTime:
		return moment(in.StartTime), true
	case placeEndTime:
		if in.EndTime != nil {
			return moment(*in.EndTime), true
		}
		return "", true
	case placeResult:
		return resultText[in.Result], true
	}
	return "", false
}

// longText is a value of the form with all its lines.
func longText(v any) string {
	text, ok := v.(string)
	if !ok {
		return html.EscapeString(shortText(v))
	}
	return strings.ReplaceAll(html.EscapeString(strings.TrimSpace(text)), "\n", "<br>")
}

func tasksTable(tasks []PrintTask) string {
	var b strings.Builder
	b.WriteString("<table><tbody>")
	for _, k := range tasks {
		_, _ = fmt.Fprintf(&b, `<tr><th scope="row">%s</th><td>%s</td></tr>`, html.EscapeString(k.Name), longText(k.Description))
	}
	b.WriteString("</tbody></table>")
	return b.String()
}
