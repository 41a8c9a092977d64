package app

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
)

// TestThesisProcess: a school draws a step of its own between the levels. The rules of the
// thesis find its people, they decide it like any task, and the declaration follows.
func TestThesisProcess(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, db *store.DB) {
		u := demo(t, db)
		admin := u.signIn(1, "admin")
		model := u.number("SELECT id FROM bpm_model WHERE tenant_id = 1 AND key = 'thesis_subject'")
		var own struct{ BpmnXML string }
		u.call(admin, "GET", fmt.Sprint("/bpm/model/get?id=", model), "").Decode(t, &own)
		drawn := strings.Replace(own.BpmnXML, `sourceRef="start" targetRef="advisor"`, `sourceRef="start" targetRef="office"`, 1)
		drawn = strings.Replace(drawn, `<sequenceFlow id="flow_to_secretary"`, `<userTask id="office" name="学位办预审" flowable:candidateStrategy="THESIS_TENANT_ROLE" flowable:candidateParam="grad_degree"/>
 <sequenceFlow id="flow_from_office" sourceRef="office" targetRef="advisor"/><sequenceFlow id="flow_to_secretary"`, 1)
		text, _ := json.Marshal(drawn)
		for _, c := range [][3]string{{"PUT", "/bpm/model/update-bpmn", fmt.Sprintf(`{"id":"%d","bpmnXml":%s}`, model, text)}, {"POST", fmt.Sprint("/bpm/model/deploy?id=", model), ""}} {
			if a := u.call(admin, c[0], c[1], c[2]); a.Code != 0 {
				t.Fatalf("%s: %s", c[1], a.Raw)
			}
		}
		student := u.signIn(1, "student01")
		page := u.call(student, "GET", "/thesis/students-subject/my", "")
		var my struct{ Form *struct{ ID, Version int } }
		page.Decode(t, &my)
		body := `{"selfProposed":true,"titleZh":"面向边缘设备的模型压缩方法研究","titleEn":"Model compression","thesisType":2,"thesisSource":8,"reason":"` + strings.Repeat("研究背景与意义充分，", 15) + `"`
		if my.Form != nil {
			body += fmt.Sprintf(`,"id":%d,"version":%d`, my.Form.ID, my.Form.Version)
		}
		var done struct {
			ID                int64
			ProcessInstanceID string
		}
		a := u.call(student, "POST", "/thesis/students-subject/submit", body+"}")
		if a.Code != 0 {
			t.Fatalf("%s", a.Raw)
		}
		a.Decode(t, &done)
		if have := u.asked("thesis_subject"); !slices.Equal(have, []int64{u.userID("degree01")}) {
			t.Fatalf("asked %v, want degree01", have)
		}
		office := u.signIn(1, "degree01")
		var todo struct{ List []struct{ ID string } }
		u.call(office, "GET", "/bpm/task/todo-page?pageNo=1&pageSize=50&processDefinitionKey=thesis_subject", "").Decode(t, &todo)
		if len(todo.List) != 1 {
			t.Fatalf("to do: %+v", todo)
		}
		if a := u.call(office, "PUT", "/bpm/task/approve", `{"id":"`+todo.List[0].ID+`","reason":"材料齐全"}`); a.Code != 0 {
			t.Fatalf("%s", a.Raw)
		}
		level := u.number(fmt.Sprint("SELECT level FROM thesis_students_subject WHERE id = ", done.ID))
		if have := u.asked("thesis_subject"); level != 1 || !slices.Equal(have, []int64{0}) {
			t.Errorf("level %d, asked %v: want the advisor's level, decided on its own page", level, have)
		}
	})
}

// TestLeaveInDemo: the deployed leave process of the demo asks the head of the applicant's
// department.
func TestLeaveInDemo(t *testing.T) {
	u := demo(t, kerneltest.Open(t))
	a := u.call(u.signIn(1, "admin"), "POST", "/bpm/oa/leave/create", `{"startTime":1760000000000,"endTime":1760600000000,"type":1,"reason":"看病"}`)
	if a.Code != 0 {
		t.Fatalf("%s", a.Raw)
	}
	if have := u.asked("oa_leave"); !slices.Equal(have, []int64{u.userID("degree01")}) {
		t.Errorf("asked %v, want degree01", have)
	}
}

// asked are the assignees of the open tasks of the newest instance of a process, in the
// first tenant.
func (u university) asked(process string) (ids []int64) {
	u.t.Helper()
	rows, err := u.raw().Query("SELECT assignee_id FROM wf_task WHERE tenant_id = 1 AND ended_at = 0 AND instance_id = " +
		"(SELECT MAX(id) FROM wf_instance WHERE tenant_id = 1 AND process_key = '" + process + "') ORDER BY created_at")
	if err != nil {
		u.t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			u.t.Fatal(err)
		}
		ids = append(ids, id)
	}
	return ids
}

func (u university) userID(username string) (id int64) {
	u.t.Helper()
	if err := u.raw().QueryRow("SELECT id FROM system_users WHERE tenant_id = 1 AND username = '" + username + "'").Scan(&id); err != nil {
		u.t.Fatalf("%s: %v", username, err)
	}
	return id
}

func (u university) number(query string) (n int64) {
	u.t.Helper()
	if err := u.raw().QueryRow(query).Scan(&n); err != nil {
		u.t.Fatalf("%s: %v", query, err)
	}
	return n
}
