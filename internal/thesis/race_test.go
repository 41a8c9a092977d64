package thesis

import (
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"

	"viva/internal/kernel/errs"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
)

// together runs the calls at once and counts the codes.
func together(calls ...func() kerneltest.Answer) ([]kerneltest.Answer, map[int]int) {
	answers := make([]kerneltest.Answer, len(calls))
	start := make(chan struct{})
	var wait sync.WaitGroup
	for i, call := range calls {
		wait.Go(func() {
			<-start
			answers[i] = call()
		})
	}
	close(start)
	wait.Wait()
	codes := map[int]int{}
	for _, a := range answers {
		codes[a.Code]++
	}
	return answers, codes
}

func (w *world) later(who, method, url string, body any, key string) func() kerneltest.Answer {
	headers := map[string]string{}
	if key != "" {
		headers["Idempotency-Key"] = key
	}
	return func() kerneltest.Answer {
		return kerneltest.Scenario{Method: method, URL: url, As: w.tokens[who], Body: body, Headers: headers, Lang: "zh"}.Call(w.t, w.h)
	}
}

func (w *world) historyLen(event Event) int {
	w.t.Helper()
	n, _, err := store.Get[int](w.system(1), `SELECT COUNT(*) FROM thesis_transition WHERE tenant_id = :tenant AND event = :event`, store.Args{"event": event})
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

func TestTwoApproversAtOnce(t *testing.T) {
	eachWorld(t, func(w *world) {
		done := w.submitted("student1", nil)
		w.verdict("advisor1", "approve", done.ID, "同意", 0)
		row, _ := subjects.Get(w.system(1), done.ID)
		body := map[string]any{"id": done.ID, "version": row.Version, "opinion": "请修改题目表述"}
		answers, codes := together(
			w.later("secretary1", http.MethodPut, "/thesis/students-subject/approve", body, ""),
			w.later("secretary1b", http.MethodPut, "/thesis/students-subject/return", body, ""))
		if codes[0] != 1 || codes[errState.Num] != 1 {
			t.Fatalf("codes %v: %s / %s", codes, answers[0].Raw, answers[1].Raw)
		}
		winner := map[bool]string{true: "secretary1", false: "secretary1b"}[answers[0].Code == 0]
		for _, a := range answers {
			if a.Code == 0 {
				continue
			}
			by := into[handledBy](w, a)
			if by.Name != winner || by.At == 0 || a.Msg != "该申请已由 "+winner+" 处理，请刷新列表" {
				t.Errorf("the second is told %q, %+v", a.Msg, by)
			}
		}
		if w.historyLen(EvPass)+w.historyLen(EvReturn) != 1 {
			t.Error("the declaration has two outcomes")
		}
	})
}

func TestLastPlaceGoesToOne(t *testing.T) {
	eachWorld(t, func(w *world) {
		topic := w.topic(1)
		calls := []func() kerneltest.Answer{}
		for _, who := range []string{"student1", "student2"} {
			calls = append(calls, w.later(who, http.MethodPost, "/thesis/students-subject/submit", form(map[string]any{"selfProposed": nil, "topicId": topic}), ""))
		}
		answers, codes := together(calls...)
		if codes[0] != 1 || codes[errTopicFull.Num] != 1 {
			t.Fatalf("codes %v: %s / %s", codes, answers[0].Raw, answers[1].Raw)
		}
		row, _ := topics.Get(w.system(1), topic)
		if row.TakenCount != 1 {
			t.Errorf("taken %d", row.TakenCount)
		}
	})
}

// topic publishes a topic of advisor1 with some places and gives its id.
func (w *world) topic(places int) int64 {
	w.t.Helper()
	id := into[int64](w, w.call("advisor1", http.MethodPost, "/thesis/topic/create", map[string]any{"title": fmt.Sprintf("面向课堂的语音评测 %d", places), "summary": "简介",
		"thesisType": 2, "thesisSource": 8, "maxStudents": places}, 0))
	w.call("advisor1", http.MethodPut, fmt.Sprintf("/thesis/topic/publish?id=%d", id), nil, 0)
	return id
}

func TestDoubleSubmit(t *testing.T) {
	eachWorld(t, func(w *world) {
		saved := into[Saved](w, w.call("student1", http.MethodPost, "/thesis/students-subject/save-draft", form(nil), 0))
		body := form(map[string]any{"id": saved.ID, "version": saved.Version})
		submit := func(key string) func() kerneltest.Answer {
			return w.later("student1", http.MethodPost, "/thesis/students-subject/submit", body, key)
		}
		answers, codes := together(submit("one"), submit("one"))
		if codes[0] != 2 || string(answers[0].Data) != string(answers[1].Data) {
			t.Fatalf("same key: %s / %s", answers[0].Raw, answers[1].Raw)
		}
		_, codes = together(submit("two"), submit("three"))
		if codes[0] != 0 || codes[errState.Num]+codes[errs.ErrStale.Num] != 2 {
			t.Fatalf("other keys: %v", codes)
		}
		if n := w.historyLen(EvSubmit); n != 1 {
			t.Errorf("%d submissions", n)
		}
		saved = into[Saved](w, w.call("student2", http.MethodPost, "/thesis/students-subject/save-draft", form(nil), 0))
		body = form(map[string]any{"id": saved.ID, "version": saved.Version})
		_, codes = together(w.later("student2", http.MethodPost, "/thesis/students-subject/submit", body, "a"), w.later("student2", http.MethodPost, "/thesis/students-subject/submit", body, "b"))
		if codes[0] != 1 || w.historyLen(EvSubmit) != 2 {
			t.Fatalf("two tabs: %v", codes)
		}
		if w.got(uAdvisor1, msgTaskNew) != 2 {
			t.Errorf("the advisor got %d messages", w.got(uAdvisor1, msgTaskNew))
		}
	})
}

// TestFaultRollsBack: when a message cannot be written, the decision did not happen.
func TestFaultRollsBack(t *testing.T) {
	eachWorld(t, func(w *world) {
		done := w.submitted("student1", nil)
		w.fail = errors.New("injected")
		w.verdict("advisor1", "approve", done.ID, "同意", errs.CodeInternal)
		w.fail = nil
		row, _ := subjects.Get(w.system(1), done.ID)
		if row.AuditState != AuditAdvisor || w.historyLen(EvApprove) != 0 {
			t.Fatalf("half done: %+v", row)
		}
		w.verdict("advisor1", "approve", done.ID, "同意", 0)
	})
}
