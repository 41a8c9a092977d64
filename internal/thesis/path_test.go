package thesis

import (
	"net/http"
	"testing"
)

// TestTopicPath walks a declaration from the draft to the passed record.
func TestTopicPath(t *testing.T) {
	eachWorld(t, func(w *world) {
		before := w.my("student1")
		if before.Form != nil || !before.Editable || len(before.Actions) != 2 || before.LockReason != "" {
			t.Fatalf("fresh page: %+v", before.Step)
		}
		w.file(7, uStudent1, "sha-a")
		saved := into[Saved](w, w.call("student1", http.MethodPost, "/thesis/students-subject/save-draft", map[string]any{"titleZh": "草稿"}, 0))
		done := w.submitted("student1", map[string]any{"id": saved.ID, "version": saved.Version, "attachments": []int64{7}})
		if done.AuditState != AuditAdvisor || done.SubmitNo != 1 || len(done.Digest) != 64 || done.ReceiptNo == "" {
			t.Fatalf("submitted: %+v", done)
		}
		if w.got(uAdvisor1, msgTaskNew) != 1 || w.got(uSecretary1, msgTaskNew) != 0 {
			t.Fatalf("the advisor alone is told: %+v", w.inbox)
		}
		if p := w.my("student1"); p.Editable || p.LockReason != "正在等待导师审批" || p.Actions[0] != actWithdraw {
			t.Fatalf("in approval: %+v", p.Step)
		}
		w.verdict("advisor1", "approve", done.ID, "同意", 0)
		if w.got(uSecretary1, msgTaskNew) != 1 || w.got(uSecretary1b, msgTaskNew) != 1 || w.got(uSecretary2, msgTaskNew) != 0 {
			t.Fatalf("the secretaries of the college are told: %+v", w.inbox)
		}
		w.verdict("secretary1", "approve", done.ID, "", 0)
		if w.got(uStudent1, msgPassed) != 1 || w.got(uAdvisor1, msgPassed) != 1 {
			t.Fatalf("all parties are told: %+v", w.inbox)
		}
		p := into[Progress](w, w.call("student1", http.MethodGet, "/thesis/record/my-progress", nil, 0))
		if len(p.Steps) != 11 || p.Steps[0].Status != Passed || p.Steps[1].Status != Passed || p.Steps[2].Status != Open {
			t.Fatalf("progress: %+v", p.Steps[:3])
		}
		if p.Record.TitleZh == "" || p.NextAction == nil || p.NextAction.StepCode != StepProposal {
			t.Fatalf("record: %+v next %+v", p.Record, p.NextAction)
		}
		h := into[History](w, w.call("secretary1", http.MethodGet, "/thesis/record/history?id="+itoa(int(p.Record.ID)), nil, 0))
		if !h.Intact || len(h.List) < 6 {
			t.Fatalf("history: %+v", h)
		}
		r := into[Receipt](w, w.call("student1", http.MethodGet, "/thesis/students-subject/receipt?id="+itoa(int(done.ID)), nil, 0))
		if r.Digest != done.Digest || !r.Unchanged || len(r.Files) != 1 || r.Files[0].Sha256 != "sha-a" {
			t.Fatalf("receipt: %+v", r)
		}
	})
}
