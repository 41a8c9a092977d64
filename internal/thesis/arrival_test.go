package thesis

import (
	"context"
	"net/http"
	"testing"
	"time"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
)

// slow is an authenticator that takes its time: the clock stands at "until" once it answers.
type slow struct {
	*kerneltest.Auth
	until func()
}

// Actor implements web.Authenticator.
func (s slow) Actor(ctx context.Context, token string) (actor.Actor, error) {
	s.until()
	return s.Auth.Actor(ctx, token)
}

// TestDeadlineIsJudgedAtArrival: what arrived in time is in time, however long the server
// takes; what the client says about the time counts for nothing.
func TestDeadlineIsJudgedAtArrival(t *testing.T) {
	eachWorld(t, func(w *world) {
		win := w.window(func(x *StepWindow) { x.CloseAt, x.GraceMinutes = now()+minute, 0 })
		late := win.CloseAt + 20_000
		w.app.SetAuthenticator(slow{w.auth, func() { clock.Set(func() time.Time { return time.UnixMilli(late) }) }})
		w.at(win.CloseAt - 1000)
		done := w.submitted("student1", nil)
		if done.LateFlag != onTime || done.SubmittedAt != win.CloseAt-1000 {
			t.Errorf("arrived a second before the close: %+v", done)
		}
		w.at(win.CloseAt + 1000)
		body := form(map[string]any{"submittedAt": win.CloseAt - 1000, "received": win.CloseAt - 1000})
		headers := map[string]string{"Date": time.UnixMilli(win.CloseAt - 1000).UTC().Format(http.TimeFormat), "X-Request-Start": "0", "Received": "1"}
		a := kerneltest.Scenario{Method: http.MethodPost, URL: submitURL, As: w.tokens["student2"], Body: body, Headers: headers}.Call(t, w.h)
		if a.Code != errTooLate.Num {
			t.Errorf("arrived a second after it: %d %s", a.Code, a.Msg)
		}
	})
}

// TestDaysToCorrectSurviveWithdrawal: returned after the close, handed in again, taken
// back: the days that were given are still there.
func TestDaysToCorrectSurviveWithdrawal(t *testing.T) {
	eachWorld(t, func(w *world) {
		win := w.window(func(x *StepWindow) { x.CloseAt = now() + minute })
		done := w.submitted("student1", nil)
		w.at(win.CloseAt + day)
		w.verdict("advisor1", "return", done.ID, "请缩小研究范围", 0)
		again := func() Submitted {
			t.Helper()
			row, _ := subjects.Get(w.system(1), done.ID)
			return w.submitted("student1", map[string]any{"id": done.ID, "version": row.Version})
		}
		again()
		w.call("student1", http.MethodPut, "/thesis/students-subject/withdraw?id="+itoa(int(done.ID)), nil, 0)
		w.at(win.CloseAt + 2*day)
		if err := w.s.ExpireSteps(store.Use(context.Background(), w.db)); err != nil {
			t.Fatal(err)
		}
		p := w.my("student1")
		if p.Step.Status != Draft || !p.Editable || p.Step.DueAt != win.CloseAt+8*day {
			t.Fatalf("after the withdrawal: %+v", p.Step)
		}
		if last := again(); last.LateFlag != onTime {
			t.Errorf("flag %d", last.LateFlag)
		}
		w.call("student1", http.MethodPut, "/thesis/students-subject/withdraw?id="+itoa(int(done.ID)), nil, 0)
		w.at(win.CloseAt + 9*day)
		if p := w.my("student1"); p.Editable {
			t.Errorf("the days are over: %+v", p.Step)
		}
	})
}
