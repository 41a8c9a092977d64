package thesis

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
)

const question = "附件上传到一半中断，如何继续？"

func (w *world) ask(who string) int64 {
	w.t.Helper()
	return into[int64](w, w.call(who, http.MethodPost, "/thesis/feedback/create", map[string]any{"kind": 1, "title": "上传问题", "content": question}, 0))
}

func (w *world) feedbackState(id int64) Feedback {
	w.t.Helper()
	row, err := feedbacks.Get(w.system(1), id)
	if err != nil {
		w.t.Fatal(err)
	}
	return row
}

func TestFeedbackLife(t *testing.T) {
	eachWorld(t, func(w *world) {
		id := w.ask("student1")
		if w.got(uSecretary1, msgFeedback) != 1 || w.got(uSecretary2, msgFeedback) != 0 {
			t.Fatalf("who is told: %+v", w.inbox)
		}
		w.call("secretary1", http.MethodPut, "/thesis/feedback/handle", map[string]any{"id": id}, 0)
		w.call("secretary1", http.MethodPost, "/thesis/feedback/reply", map[string]any{"id": id, "content": "请重新选择同一文件"}, 0)
		if f := w.feedbackState(id); f.State != feedbackReplied || f.HandlerID != uSecretary1 || w.got(uStudent1, msgReply) != 1 {
			t.Fatalf("replied: %+v", f)
		}
		w.call("student1", http.MethodPost, "/thesis/feedback/reply", map[string]any{"id": id, "content": "还是不行"}, 0)
		if f := w.feedbackState(id); f.State != feedbackHandling || w.got(uSecretary1, msgReply) != 1 {
			t.Fatalf("added: %+v", f)
		}
		w.call("student1", http.MethodPut, "/thesis/feedback/rate", map[string]any{"id": id, "rating": 5}, errState.Num)
		w.call("secretary1", http.MethodPost, "/thesis/feedback/reply", map[string]any{"id": id, "content": "已修复，请再试"}, 0)
		w.call("student1", http.MethodPut, "/thesis/feedback/rate", map[string]any{"id": id, "rating": 5, "comment": "很快"}, 0)
		w.call("student1", http.MethodPut, "/thesis/feedback/rate", map[string]any{"id": id, "rating": 1}, errState.Num)
		w.call("student1", http.MethodPut, "/thesis/feedback/close", map[string]any{"id": id}, 0)
		w.call("student1", http.MethodPost, "/thesis/feedback/reply", map[string]any{"id": id, "content": "谢谢"}, errState.Num)
		w.call("student1", http.MethodPut, "/thesis/feedback/reopen", map[string]any{"id": id, "reason": "问题再次出现了"}, 0)
		d := into[FeedbackDetail](w, w.call("student1", http.MethodGet, fmt.Sprintf("/thesis/feedback/get?id=%d", id), nil, 0))
		if d.State != feedbackReopened || d.ReopenCount != 1 || len(d.Replies) != 4 || !slices.Contains(d.Actions, "reply") {
			t.Errorf("reopened: %+v", d)
		}
	})
}

func TestFeedbackIsOwn(t *testing.T) {
	eachWorld(t, func(w *world) {
		id := w.ask("student1")
		for _, who := range []string{"student2", "foreigner", "secretary2", "admin2"} {
			w.call(who, http.MethodGet, fmt.Sprintf("/thesis/feedback/get?id=%d", id), nil, errs.ErrNoRecord.Num)
			if n := into[store.Page[Feedback]](w, w.call(who, http.MethodGet, "/thesis/feedback/page", nil, 0)).Total; n != 0 {
				t.Errorf("%s sees %d", who, n)
			}
		}
		w.call("student2", http.MethodPost, "/thesis/feedback/reply", map[string]any{"id": id, "content": "我来回答"}, errs.ErrNoRecord.Num)
		w.call("student2", http.MethodPut, "/thesis/feedback/close", map[string]any{"id": id}, errs.ErrNoRecord.Num)
		w.call("student1", http.MethodPut, "/thesis/feedback/handle", map[string]any{"id": id}, errs.CodeForbidden)
		w.call("secretary1", http.MethodPut, "/thesis/feedback/rate", map[string]any{"id": id, "rating": 5}, errs.CodeForbidden)
	})
}

func TestFeedbackInput(t *testing.T) {
	eachWorld(t, func(w *world) {
		w.file(1, uStudent1, "pdf")
		w.file(2, uStudent1, "image")
		picture := w.files[2]
		picture.Mime = "image/png"
		w.files[2] = picture
		for name, body := range map[string]map[string]any{
			"short":      {"kind": 1, "title": "问题", "content": "太短"},
			"long":       {"kind": 1, "title": "问题", "content": strings.Repeat("长", 2001)},
			"no kind":    {"title": "问题", "content": question},
			"spaces":     {"kind": 1, "title": "问题", "content": strings.Repeat(" ", 20)},
			"six images": {"kind": 1, "title": "问题", "content": question, "images": []int{1, 2, 3, 4, 5, 6}},
			"a document": {"kind": 1, "title": "问题", "content": question, "images": []int{1}},
			"twice":      {"kind": 1, "title": "问题", "content": question, "images": []int{2, 2}},
		} {
			if a := w.call("student1", http.MethodPost, "/thesis/feedback/create", body, errs.CodeInvalid); len(a.Fields) == 0 {
				t.Errorf("%s: no field in %s", name, a.Raw)
			}
		}
		w.call("student1", http.MethodPost, "/thesis/feedback/create", map[string]any{"kind": 1, "title": "问题", "content": question, "images": []int{2}}, 0)
		w.call("student2", http.MethodPost, "/thesis/feedback/create", map[string]any{"kind": 1, "title": "问题", "content": question, "images": []int{2}}, errs.ErrNoRecord.Num)
	})
}

// TestFeedbackIsNeverSilent: what one side does reaches the other, also before anybody
// handles it and where the college has no secretary.
func TestFeedbackIsNeverSilent(t *testing.T) {
	eachWorld(t, func(w *world) {
		told := func(what string, want map[int64]string) {
			t.Helper()
			got := map[int64]string{}
			for _, m := range w.inbox {
				got[m.to] = m.template
			}
			if !maps.Equal(got, want) {
				t.Errorf("%s: told are %v, want %v", what, got, want)
			}
			w.inbox = nil
		}
		w.inbox = nil
		desk := func(template string) map[int64]string {
			return map[int64]string{uSecretary1: template, uSecretary1b: template}
		}
		id := w.ask("student1")
		told("asked", desk(msgFeedback))
		w.call("student1", http.MethodPost, "/thesis/feedback/reply", map[string]any{"id": id, "content": "补充一张截图"}, 0)
		told("added before anybody handles it", desk(msgReply))
		w.call("student1", http.MethodPut, "/thesis/feedback/close", map[string]any{"id": id}, 0)
		told("closed by the author", desk(msgClosed))
		w.call("student1", http.MethodPut, "/thesis/feedback/reopen", map[string]any{"id": id, "reason": "问题再次出现了"}, 0)
		told("reopened before anybody handles it", desk(msgReply))
		w.call("secretary1", http.MethodPut, "/thesis/feedback/handle", map[string]any{"id": id}, 0)
		w.call("secretary1b", http.MethodPut, "/thesis/feedback/close", map[string]any{"id": id}, 0)
		told("closed by staff", map[int64]string{uStudent1: msgClosed})
		w.call("student1", http.MethodPut, "/thesis/feedback/reopen", map[string]any{"id": id, "reason": "问题再次出现了"}, 0)
		told("reopened with a handler", map[int64]string{uSecretary1: msgReply})

		w.user("tenantadmin", actor.Actor{UserID: 501, UserType: actor.Teacher, Roles: []string{roleTenantAdmin}})
		w.user("super", actor.Actor{UserID: 502, UserType: actor.Teacher, Roles: []string{roleSuperAdmin}})
		delete(w.users, "secretary1")
		delete(w.users, "secretary1b")
		w.ask("student2")
		told("a college without secretary", map[int64]string{501: msgFeedback, 502: msgFeedback})
	})
}
