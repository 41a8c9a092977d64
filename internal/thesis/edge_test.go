package thesis

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"viva/internal/academic"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
)

// TestForeignIdsEverywhere: an id of tenant 1 in any call of tenant 2's administrator
// answers as an id that does not exist, and changes nothing.
func TestForeignIdsEverywhere(t *testing.T) {
	eachWorld(t, func(w *world) {
		done := w.submitted("student1", nil)
		topic := w.topic(2)
		feedback := w.ask("student1")
		rec, _, _ := recordOfStudent(w.system(1), w.ids["student1"])
		win := w.window(func(*StepWindow) {})
		policy := into[int64](w, w.call("degree", http.MethodPost, "/thesis/policy/create", map[string]any{"name": "规则", "status": 0, "body": "{}"}, 0))
		for _, c := range []struct {
			method, url string
			body        map[string]any
			id          int64
		}{
			{"GET", "/thesis/record/get?id=%d", nil, rec.ID},
			{"GET", "/thesis/record/history?id=%d", nil, rec.ID},
			{"PUT", "/thesis/record/override", map[string]any{"recordId": int64(0), "stepCode": 20, "until": now() + day, "reason": "没有理由的延期"}, rec.ID},
			{"PUT", "/thesis/record/waive", map[string]any{"recordId": int64(0), "stepCode": 20, "reason": "没有理由的免做"}, rec.ID},
			{"GET", "/thesis/students-subject/get?id=%d", nil, done.ID},
			{"GET", "/thesis/students-subject/receipt?id=%d", nil, done.ID},
			{"PUT", "/thesis/students-subject/approve", map[string]any{"id": int64(0), "version": 1}, done.ID},
			{"PUT", "/thesis/students-subject/return", map[string]any{"id": int64(0), "version": 1, "opinion": "请修改题目"}, done.ID},
			{"PUT", "/thesis/students-subject/reject", map[string]any{"id": int64(0), "version": 1, "opinion": "不同意这个研究题目"}, done.ID},
			{"GET", "/thesis/topic/get?id=%d", nil, topic},
			{"PUT", "/thesis/topic/update", map[string]any{"id": int64(0), "title": "改成别的研究课题"}, topic},
			{"PUT", "/thesis/topic/close?id=%d", nil, topic},
			{"DELETE", "/thesis/topic/delete?id=%d", nil, topic},
			{"GET", "/thesis/feedback/get?id=%d", nil, feedback},
			{"POST", "/thesis/feedback/reply", map[string]any{"id": int64(0), "content": "回复"}, feedback},
			{"PUT", "/thesis/feedback/close", map[string]any{"id": int64(0)}, feedback},
			{"PUT", "/thesis/feedback/handle", map[string]any{"id": int64(0)}, feedback},
			{"GET", "/thesis/step-window/get?id=%d", nil, win.ID},
			{"PUT", "/thesis/step-window/update", map[string]any{"id": int64(0), "graceMinutes": 60}, win.ID},
			{"DELETE", "/thesis/step-window/delete?id=%d", nil, win.ID},
			{"GET", "/thesis/policy/get?id=%d", nil, policy},
			{"DELETE", "/thesis/policy/delete?id=%d", nil, policy},
		} {
			foreign, unknown := w.ask2(c.method, c.url, c.body, c.id), w.ask2(c.method, c.url, c.body, 8_888_888)
			if foreign.Code == 0 || foreign.Code != unknown.Code || foreign.Msg != unknown.Msg {
				t.Errorf("%s %s: %d %s, for an unknown id %d %s", c.method, c.url, foreign.Code, foreign.Msg, unknown.Code, unknown.Msg)
			}
			if foreign.Code != errs.ErrNoRecord.Num {
				t.Errorf("%s %s: code %d", c.method, c.url, foreign.Code)
			}
		}
		row, _ := subjects.Get(w.system(1), done.ID)
		if x, _ := topics.Get(w.system(1), topic); row.AuditState != AuditAdvisor || x.State != topicPublished || w.feedbackState(feedback).State != feedbackNew {
			t.Errorf("something changed: %+v %+v", row, x)
		}
	})
}

// ask2 makes a call as the administrator of tenant 2 with the id in query or body.
func (w *world) ask2(method, url string, body map[string]any, id int64) kerneltest.Answer {
	var sent any
	if strings.Contains(url, "%d") {
		url = fmt.Sprintf(url, id)
	} else {
		mine := map[string]any{}
		for k, v := range body {
			if v == int64(0) {
				v = id
			}
			mine[k] = v
		}
		sent = mine
	}
	return kerneltest.Scenario{Method: method, URL: url, As: w.tokens["admin2"], Body: sent, Lang: "zh"}.Call(w.t, w.h)
}

// TestKeyReused: the same key with another body is refused, with the same body replayed.
func TestKeyReused(t *testing.T) {
	eachWorld(t, func(w *world) {
		first := w.later("student1", http.MethodPost, "/thesis/students-subject/save-draft", form(nil), "key-1")()
		again := w.later("student1", http.MethodPost, "/thesis/students-subject/save-draft", form(nil), "key-1")()
		other := w.later("student1", http.MethodPost, "/thesis/students-subject/save-draft", form(map[string]any{"titleZh": "完全不同的另一个题目"}), "key-1")()
		if first.Code != 0 || string(first.Raw) != string(again.Raw) || other.Code != errs.ErrKeyReused.Num {
			t.Errorf("first %s, again %s, other %s", first.Raw, again.Raw, other.Raw)
		}
		theirs := w.later("student2", http.MethodPost, "/thesis/students-subject/save-draft", form(nil), "key-1")()
		if theirs.Code != 0 || string(theirs.Data) == string(first.Data) {
			t.Errorf("the key of another student: %s", theirs.Raw)
		}
	})
}

// TestDraftVersions: two tabs write one draft; the slower one is told.
func TestDraftVersions(t *testing.T) {
	eachWorld(t, func(w *world) {
		save := func(changes map[string]any, code int) Saved {
			a := w.call("student1", http.MethodPost, "/thesis/students-subject/save-draft", form(changes), code)
			if code != 0 {
				return Saved{}
			}
			return into[Saved](w, a)
		}
		one := save(nil, 0)
		save(nil, errs.ErrStale.Num) // the second tab does not know the row yet
		two := save(map[string]any{"id": one.ID, "version": one.Version, "titleZh": "第二次保存的研究题目"}, 0)
		save(map[string]any{"id": one.ID, "version": one.Version, "titleZh": "落后的标签页写的题目"}, errs.ErrStale.Num)
		if two.Version <= one.Version || w.my("student1").Form.TitleZh != "第二次保存的研究题目" {
			t.Errorf("one %+v, two %+v", one, two)
		}
		w.call("student1", http.MethodPost, submitURL, form(map[string]any{"id": one.ID, "version": one.Version}), errs.ErrStale.Num)
		if w.my("student1").Form.AuditState != AuditDraft {
			t.Error("a stale submit went through")
		}
		same := save(map[string]any{"id": two.ID, "version": two.Version, "titleZh": "第二次保存的研究题目"}, 0)
		if same.Version != two.Version {
			t.Errorf("an unchanged draft got version %d after %d", same.Version, two.Version)
		}
	})
}

// TestTopicMoves: a returned form that changes its topic gives the old place back.
func TestTopicMoves(t *testing.T) {
	eachWorld(t, func(w *world) {
		first, second := w.topic(1), w.topic(2)
		done := w.submitted("student1", map[string]any{"selfProposed": nil, "topicId": first})
		w.verdict("advisor1", "return", done.ID, "建议改选另一课题", 0)
		taken := func(id int64) int {
			x, _ := topics.Get(w.system(1), id)
			return x.TakenCount
		}
		if taken(first) != 1 {
			t.Fatalf("a returned form keeps its place: %d", taken(first))
		}
		row, _ := subjects.Get(w.system(1), done.ID)
		w.submitted("student1", map[string]any{"id": done.ID, "version": row.Version, "selfProposed": nil, "topicId": second})
		if taken(first) != 0 || taken(second) != 1 {
			t.Errorf("places %d and %d", taken(first), taken(second))
		}
		row, _ = subjects.Get(w.system(1), done.ID)
		if row.TitleZh != "面向课堂的语音评测 2" || row.ThesisType != 2 {
			t.Errorf("the topic fixes title and type: %+v", row)
		}
		w.verdict("advisor1", "reject", done.ID, "该生不适合这一课题方向", 0)
		if taken(second) != 0 {
			t.Errorf("a rejected form keeps its place: %d", taken(second))
		}
	})
}

// TestTopicForWhom: level and major of a topic limit who may choose it.
func TestTopicForWhom(t *testing.T) {
	eachWorld(t, func(w *world) {
		st, err := academic.StudentByID(w.system(1), w.ids["student1"])
		if err != nil {
			t.Fatal(err)
		}
		make := func(title string, more map[string]any) int64 {
			body := map[string]any{"title": title, "summary": "简介", "thesisType": 2, "thesisSource": 8, "maxStudents": 2}
			for k, v := range more {
				body[k] = v
			}
			id := into[int64](w, w.call("advisor1", http.MethodPost, "/thesis/topic/create", body, 0))
			w.call("advisor1", http.MethodPut, fmt.Sprintf("/thesis/topic/publish?id=%d", id), nil, 0)
			return id
		}
		ids := map[string]int64{
			"doctor": make("只面向博士生的课题", map[string]any{"degreeLevel": 2}), "major": make("面向本专业的课题", map[string]any{"majorIds": []int64{st.MajorID}}),
			"other": make("面向别的专业的课题", map[string]any{"majorIds": []int64{st.MajorID*10 + 1}}), "all": make("面向所有人的课题", nil),
		}
		seen := []int64{}
		for _, x := range into[store.Page[OpenTopic]](w, w.call("student1", http.MethodGet, "/thesis/topic/open-page", nil, 0)).List {
			seen = append(seen, x.ID)
		}
		for name, want := range map[string]bool{"doctor": false, "major": true, "other": false, "all": true} {
			if slices.Contains(seen, ids[name]) != want {
				t.Errorf("%s is offered: %v", name, !want)
			}
			code := 0
			if !want {
				code = errs.CodeInvalid
			}
			p := w.my("student1")
			change := map[string]any{"selfProposed": nil, "topicId": ids[name]}
			if p.Form != nil {
				change["id"], change["version"] = p.Form.ID, p.Form.Version
			}
			w.call("student1", http.MethodPost, "/thesis/students-subject/save-draft", form(change), code)
		}
		page := into[store.Page[OpenTopic]](w, w.call("student1", http.MethodGet, "/thesis/topic/open-page?keyword=%25", nil, 0))
		if page.Total != 0 {
			t.Errorf("a percent sign finds %d", page.Total)
		}
	})
}

// TestPayloadsAreText: markup, SQL and formulas are stored as given and harm nothing.
func TestPayloadsAreText(t *testing.T) {
	eachWorld(t, func(w *world) {
		for i, payload := range []string{`<img src=x onerror=alert(1)>abc`, `'; DROP TABLE thesis_topic; --`, `=HYPERLINK("http://x","y")`, `+1+1; @SUM(A1) -2`, `{{7*7}} ${7*7} %s %d`, `\' OR 1=1 --`, `名称 :tenant :id ?`} {
			id := into[int64](w, w.call("advisor1", http.MethodPost, "/thesis/topic/create", map[string]any{"title": payload, "summary": payload, "thesisType": 2, "thesisSource": 8,
				"maxStudents": 1, "sourceNo": payload}, 0))
			row := into[Topic](w, w.call("advisor1", http.MethodGet, fmt.Sprintf("/thesis/topic/get?id=%d", id), nil, 0))
			if row.Title != payload || row.Summary != payload || row.SourceNo != payload {
				t.Errorf("payload %d: %+v", i, row)
			}
			ask := into[int64](w, w.call("student1", http.MethodPost, "/thesis/feedback/create", map[string]any{"kind": 1, "title": payload, "content": payload + payload}, 0))
			if f := w.feedbackState(ask); f.Title != payload || f.Content != payload+payload {
				t.Errorf("feedback %d: %+v", i, f)
			}
		}
		if n := into[store.Page[Topic]](w, w.call("advisor1", http.MethodGet, "/thesis/topic/page", nil, 0)).Total; n != 7 {
			t.Errorf("%d topics", n)
		}
	})
}

// TestQueryAbuse: filters, sorting, sizes and depth that no page offers.
func TestQueryAbuse(t *testing.T) {
	eachWorld(t, func(w *world) {
		for _, url := range []string{"/thesis/record/page", "/thesis/students-subject/page", "/thesis/topic/page", "/thesis/feedback/page", "/thesis/step-window/page"} {
			who := "degree"
			for _, bad := range []string{"pageSize=501", "pageNo=0", "pageNo=x", "sortingFields[0].field=tenantId&sortingFields[0].order=asc", "sortingFields[0].field=id;DROP&sortingFields[0].order=asc", "version=1"} {
				a := kerneltest.Scenario{URL: url + "?" + bad, As: w.tokens[who], Lang: "zh"}.Call(t, w.h)
				if a.Code != errs.CodeInvalid {
					t.Errorf("%s?%s: %d %.200s", url, bad, a.Code, a.Raw)
				}
			}
			w.call(who, http.MethodGet, url+"?pageSize=500&unknownName=1", nil, 0)
		}
		for _, url := range []string{"/thesis/students-subject/todo-page", "/thesis/advisor/my-students", "/thesis/record/ineligible?step=20"} {
			sep := "?"
			if strings.Contains(url, "?") {
				sep = "&"
			}
			w.call("degree", http.MethodGet, url+sep+"pageSize=501", nil, errs.CodeInvalid)
			w.call("degree", http.MethodGet, url+sep+"pageSize=0", nil, errs.CodeInvalid)
		}
		deep := strings.Repeat("[", 40) + strings.Repeat("]", 40)
		w.call("student1", http.MethodPost, submitURL, `{"titleZh":`+deep+`}`, errs.CodeInvalid)
		w.call("student1", http.MethodPost, submitURL, `{"titleZh":`, errs.CodeInvalid)
		w.call("student1", http.MethodPost, submitURL, `{"attachments":"1"}`, errs.CodeInvalid)
		big := kerneltest.Scenario{Method: http.MethodPost, URL: submitURL, As: w.tokens["student1"], Body: `{"reason":"` + strings.Repeat("x", 2<<20) + `"}`}.Call(t, w.h)
		if big.Status != http.StatusRequestEntityTooLarge {
			t.Errorf("a body of 2 MB: %d", big.Status)
		}
	})
}

// TestUnknownFieldsAreNotBound: what a form may not set stays as the server set it.
func TestUnknownFieldsAreNotBound(t *testing.T) {
	eachWorld(t, func(w *world) {
		w.call("student1", http.MethodPost, "/thesis/students-subject/save-draft", form(map[string]any{"auditState": 4, "level": 0, "studentId": w.ids["student2"], "recordId": 99,
			"holdsPlace": true, "receiptNo": "XT1", "tenantId": 2, "creator": "9", "submitNo": 7}), 0)
		p := w.my("student1").Form
		if p.AuditState != AuditDraft || p.StudentID != w.ids["student1"] || p.HoldsPlace || p.ReceiptNo != "" || p.SubmitNo != 0 || p.Creator != fmt.Sprint(uStudent1) {
			t.Errorf("%+v", p)
		}
		id := into[int64](w, w.call("advisor1", http.MethodPost, "/thesis/topic/create", map[string]any{"title": "试图自行发布的课题", "summary": "简介", "thesisType": 2, "thesisSource": 8,
			"maxStudents": 1, "state": 1, "takenCount": 1}, 0))
		if x, _ := topics.Get(w.system(1), id); x.State != topicDraft || x.TakenCount != 0 {
			t.Errorf("%+v", x)
		}
	})
}

// TestTodoAgreesWithRights: the list in SQL and the check in Go are the same rule.
func TestTodoAgreesWithRights(t *testing.T) {
	eachWorld(t, func(w *world) {
		a := w.submitted("student1", nil)
		b := w.submitted("student2", map[string]any{"titleZh": "另一个完全不同的研究题目"})
		c := w.submitted("student3", map[string]any{"titleZh": "第三个毫不相干的研究题目"})
		w.verdict("advisor1", "approve", b.ID, "", 0)
		w.verdict("advisor1", "approve", c.ID, "", 0)
		w.verdict("secretary1", "approve", c.ID, "", 0)
		for name, who := range w.users {
			if who.TenantID != 1 {
				continue
			}
			ctx := w.ctx(who)
			q, err := w.s.todo(ctx)
			if err != nil {
				t.Fatal(err)
			}
			page, err := store.SelectPage[Todo](ctx, sqlTodoColumns, q, "t.id", store.Paging{PageNo: 1, PageSize: 100})
			if err != nil {
				t.Fatal(err)
			}
			for _, id := range []int64{a.ID, b.ID, c.ID} {
				row, _ := subjects.Get(w.system(1), id)
				st, _ := academic.StudentByID(w.system(1), row.StudentID)
				r, err := w.s.rightsOn(ctx, st)
				if err != nil {
					t.Fatal(err)
				}
				listed := slices.ContainsFunc(page.List, func(x Todo) bool { return x.ID == id })
				if listed != r.may(row.Level) {
					t.Errorf("%s, declaration %d on level %d: listed %v, may %v", name, id, row.Level, listed, r.may(row.Level))
				}
			}
		}
	})
}

// TestAuditRows: each change of a declaration leaves its row in the operation log.
func TestAuditRows(t *testing.T) {
	eachWorld(t, func(w *world) {
		done := w.submitted("student1", nil)
		w.verdict("advisor1", "approve", done.ID, "同意", 0)
		type line struct {
			UserID int64
			After  string
		}
		list, err := store.Select[line](w.system(1), `SELECT user_id, after FROM audit_log WHERE tenant_id = :tenant AND entity = 'thesis_students_subject' AND biz_id = :id ORDER BY id`, store.Args{"id": done.ID})
		if err != nil || len(list) != 3 {
			t.Fatalf("%+v, %v", list, err)
		}
		if list[0].UserID != uStudent1 || list[2].UserID != uAdvisor1 || !strings.Contains(list[2].After, `"auditState":2`) {
			t.Errorf("%+v", list)
		}
	})
}

// TestSuspendedStudent: what waits for a student on leave can still be decided, but he
// himself can do nothing, and after his return he goes on.
func TestSuspendedStudent(t *testing.T) {
	eachWorld(t, func(w *world) {
		set := func(state int) {
			w.write(1, func(ctx context.Context) error {
				return w.school.ChangeStudent(ctx, w.ids["student1"], func(s *academic.Student) { s.LifeState = state })
			})
		}
		done := w.submitted("student1", nil)
		set(academic.LifeSuspended)
		w.verdict("advisor1", "return", done.ID, "请补充研究基础", 0)
		row, _ := subjects.Get(w.system(1), done.ID)
		w.call("student1", http.MethodPost, submitURL, form(map[string]any{"id": done.ID, "version": row.Version}), errNotActive.Num)
		if p := w.my("student1"); p.Editable || p.LockReason == "" {
			t.Errorf("on leave: %+v", p.Step)
		}
		rec, _, _ := recordOfStudent(w.system(1), w.ids["student1"])
		if rec.LifeState != academic.LifeSuspended {
			t.Errorf("the record follows: %d", rec.LifeState)
		}
		set(academic.LifeActive)
		w.submitted("student1", map[string]any{"id": done.ID, "version": row.Version})
	})
}
