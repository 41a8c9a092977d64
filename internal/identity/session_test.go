package identity

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
)

func (w *world) refreshIn(token string, headers map[string]string) kerneltest.Answer {
	w.t.Helper()
	return kerneltest.Scenario{Method: "POST", URL: "/system/auth/refresh-token", Body: map[string]any{"refreshToken": token}, Headers: headers}.Call(w.t, w.h)
}

func TestRefresh_fiftyTabsGetTheSameSuccessor(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		tok := w.tokens(1, "advisor01")
		var wait sync.WaitGroup
		answers := make([]kerneltest.Answer, 50)
		for i := range answers {
			wait.Go(func() { answers[i] = w.refreshIn(tok.RefreshToken, nil) })
		}
		wait.Wait()
		next := decoded[Tokens](t, answers[0])
		for i, a := range answers {
			if a.Code != 0 || decoded[Tokens](t, a) != next {
				t.Fatalf("tab %d: %s", i, a.Raw)
			}
		}
		w.call(next.AccessToken, "GET", "/system/user/profile/get", nil, 0)
		if n := count(w, 1, "sessions"); n != 1 {
			t.Errorf("%d sessions", n)
		}
		if a := w.refreshIn(next.RefreshToken, nil); a.Code != 0 || decoded[Tokens](t, a).RefreshToken == next.RefreshToken {
			t.Errorf("the next turn: %s", a.Raw)
		}
	})
}

func TestRefresh_replayAfterTheGraceEndsTheFamily(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		tok := w.tokens(1, "advisor01")
		next := decoded[Tokens](t, w.refreshIn(tok.RefreshToken, nil))
		advance(t, 29*time.Second)
		if a := w.refreshIn(tok.RefreshToken, nil); a.Code != 0 || decoded[Tokens](t, a) != next {
			t.Fatalf("within the grace: %s", a.Raw)
		}
		w.call(next.AccessToken, "GET", "/system/user/profile/get", nil, 0)
		advance(t, 2*time.Second)
		if a := w.refreshIn(tok.RefreshToken, nil); a.Code != 400 || a.Msg != "无效的刷新令牌" {
			t.Fatalf("replayed at 31 s: %s", a.Raw)
		}
		w.call(next.AccessToken, "GET", "/system/user/profile/get", nil, 401)
		if a := w.refreshIn(next.RefreshToken, nil); a.Code != 400 {
			t.Errorf("the successor outlived its family: %s", a.Raw)
		}
		if n := count(w, 1, "events"); n != 1 {
			t.Errorf("%d audit events", n)
		}
	})
}

func TestRefresh_refusals(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		tok := w.tokens(1, "advisor01")
		for name, c := range map[string]struct {
			token, msg string
			headers    map[string]string
			code       int
		}{
			"unknown":              {token: fmt.Sprintf("%064d", 7), code: 400, msg: "无效的刷新令牌"},
			"access token":         {token: tok.AccessToken, code: 400, msg: "无效的刷新令牌"},
			"nonsense":             {token: `' OR 1=1 --`, code: 400, msg: "无效的刷新令牌"},
			"of another tenant":    {token: tok.RefreshToken, headers: tenantHeader(w.other), code: 400, msg: "无效的刷新令牌"},
			"empty":                {token: "", code: 400, msg: "请求参数不正确：刷新令牌不能为空"},
			"as an access token":   {token: "-", code: 400, msg: "无效的刷新令牌"},
			"its hash":             {token: hashOfToken(tok.RefreshToken), code: 400, msg: "无效的刷新令牌"},
			"cut":                  {token: tok.RefreshToken[:63], code: 400, msg: "无效的刷新令牌"},
			"in upper case letter": {token: tok.RefreshToken + "A", code: 400, msg: "无效的刷新令牌"},
		} {
			if a := w.refreshIn(c.token, c.headers); a.Code != c.code || a.Msg != c.msg {
				t.Errorf("%s: %s", name, a.Raw)
			}
		}
		w.call(tok.RefreshToken, "GET", "/system/user/profile/get", nil, 401)
		a := kerneltest.Scenario{Method: "POST", URL: "/system/auth/refresh-token?refreshToken=" + tok.RefreshToken}.Call(t, w.h)
		if a.Code != 0 {
			t.Fatalf("in the query: %s", a.Raw)
		}
		next := decoded[Tokens](t, a)
		advance(t, refreshLife*time.Millisecond+time.Second)
		if a := w.refreshIn(next.RefreshToken, nil); a.Code != 401 || a.Msg != "刷新令牌已过期" {
			t.Errorf("expired: %s", a.Raw)
		}
	})
}

func TestAccess_expiresAndTheOldOneHasGrace(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		tok := w.tokens(1, "advisor01")
		next := decoded[Tokens](t, w.refreshIn(tok.RefreshToken, nil))
		w.call(tok.AccessToken, "GET", "/system/user/profile/get", nil, 0)
		advance(t, 31*time.Second)
		w.call(tok.AccessToken, "GET", "/system/user/profile/get", nil, 401)
		w.call(next.AccessToken, "GET", "/system/user/profile/get", nil, 0)
		advance(t, 30*time.Minute)
		w.call(next.AccessToken, "GET", "/system/user/profile/get", nil, 401)
	})
}

// What administrators do to a user is in force at the user's next call.
func TestSession_endsAtOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		admin := w.token("admin")
		id := w.org.Users["plain01"]
		probe := func(token string, code int) {
			t.Helper()
			w.call(token, "GET", "/system/user/profile/get", nil, code)
		}
		mine := w.tokens(1, "plain01")
		probe(mine.AccessToken, 0)
		w.call(admin, "PUT", "/system/user/update-status", map[string]any{"id": id, "status": 1}, 0)
		probe(mine.AccessToken, 401)
		if a := w.refreshIn(mine.RefreshToken, nil); a.Code != 400 {
			t.Errorf("refresh of a disabled user: %s", a.Raw)
		}
		w.call(admin, "PUT", "/system/user/update-status", map[string]any{"id": id, "status": 0}, 0)
		one, two := w.token("plain01"), w.token("plain01")
		probe(one, 0)
		w.call(one, "PUT", "/system/user/profile/update-password", map[string]any{"oldPassword": secret, "newPassword": "Another-Horse-8"}, 0)
		probe(one, 0)
		probe(two, 401)
		w.call(admin, "PUT", "/system/user/update-password", map[string]any{"id": id, "password": "Third-Horse-9"}, 0)
		probe(one, 401)
		three := w.token("plain01")
		page := decoded[store.Page[SessionRow]](t, w.call(admin, "GET", fmt.Sprint("/system/oauth2-token/page?userId=", id), nil, 0))
		if page.Total != 1 || page.List[0].RefreshToken != "" || len(page.List[0].AccessToken) >= tokenLength {
			t.Fatalf("%+v", page)
		}
		probe(three, 0)
		w.call(admin, "DELETE", "/system/oauth2-token/delete?accessToken="+page.List[0].AccessToken, nil, 0)
		probe(three, 401)
		four := w.token("plain01")
		w.call(admin, "DELETE", "/system/oauth2-token/delete-list?accessTokens="+four, nil, 0)
		probe(four, 401)
		five := w.token("plain01")
		probe(five, 0)
		w.call(admin, "DELETE", fmt.Sprint("/system/user/delete?id=", id), nil, 0)
		probe(five, 401)
	})
}

func TestSession_otherNodesLearnOfIt(t *testing.T) {
	db := kerneltest.OpenPostgres(t, migrations)
	w := newWorld(t, db)
	second := &world{t: t, db: db, app: w.app, s: New(w.app, Options{CaptchaOff: true})}
	t.Cleanup(second.s.Close)
	w.app.SetAuthenticator(w.s)
	token := w.token("plain01")
	ctx := store.Use(t.Context(), db)
	if _, err := second.s.Actor(ctx, token); err != nil {
		t.Fatal(err)
	}
	w.call(w.token("admin"), "PUT", "/system/user/update-status", map[string]any{"id": w.org.Users["plain01"], "status": 1}, 0)
	deadline := time.Now().Add(5 * time.Second)
	for {
		if _, err := second.s.Actor(ctx, token); err != nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the other node still admits the session")
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func TestSession_own(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		one, two := w.token("student01"), w.token("student01")
		foreign := w.tokens(w.other, "student01")
		list := decoded[[]OwnSession](t, w.call(one, "GET", "/system/user/profile/sessions", nil, 0))
		if len(list) != 2 || list[0].Current == list[1].Current {
			t.Fatalf("%+v", list)
		}
		for _, s := range list {
			if s.Current {
				continue
			}
			w.call(w.token("advisor01"), "DELETE", fmt.Sprint("/system/user/profile/sessions?id=", s.ID), nil, 1070000001)
			w.call(foreign.AccessToken, "DELETE", fmt.Sprint("/system/user/profile/sessions?id=", s.ID), nil, 1070000001)
			w.call(two, "GET", "/system/user/profile/get", nil, 0)
			w.call(one, "DELETE", fmt.Sprint("/system/user/profile/sessions?id=", s.ID), nil, 0)
		}
		w.call(two, "GET", "/system/user/profile/get", nil, 401)
		three := w.token("student01")
		w.call(three, "DELETE", "/system/user/profile/sessions", nil, 0)
		w.call(one, "GET", "/system/user/profile/get", nil, 401)
		w.call(three, "GET", "/system/user/profile/get", nil, 0)
		w.call(foreign.AccessToken, "GET", "/system/user/profile/get", nil, 0)
	})
}

func TestPurge_keepsWhatLives(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		old := w.tokens(1, "advisor01")
		advance(t, refreshLife*time.Millisecond+time.Minute)
		kept := w.tokens(1, "advisor01")
		w.must(purgeNow(w.system(1)))
		w.call(kept.AccessToken, "GET", "/system/user/profile/get", nil, 0)
		if n := count(w, 1, "sessions"); n != 1 {
			t.Errorf("%d sessions", n)
		}
		if a := w.refreshIn(old.RefreshToken, nil); a.Code != 400 {
			t.Errorf("%s", a.Raw)
		}
	})
}
