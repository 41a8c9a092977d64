package identity

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"viva/internal/kernel/clock"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
	"viva/internal/kernel/xlsx"
)

func TestLogin_givesTokensAndTheSessionAnswer(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		a := w.signIn(" advisor01 ", secret, nil)
		tok := decoded[Tokens](t, a)
		if a.Code != 0 || len(tok.AccessToken) != tokenLength || tok.ExpiresTime <= clock.Millis() || tok.UserID != w.org.Users["advisor01"] {
			t.Fatalf("%s", a.Raw)
		}
		info := decoded[PermissionInfo](t, w.call(tok.AccessToken, "GET", "/system/auth/get-permission-info", nil, 0))
		if info.User.Username != "advisor01" || info.User.Type != 2 || !slices.Equal(info.Roles, []string{"teacher"}) ||
			!slices.Equal(info.Permissions, []string{"thesis:topic:create", "thesis:topic:query"}) {
			t.Errorf("%+v", info)
		}
		w.call(tok.AccessToken, "POST", "/system/auth/logout", nil, 0)
		w.call(tok.AccessToken, "GET", "/system/auth/get-permission-info", nil, 401)
		w.call("", "POST", "/system/auth/logout", nil, 0)
		logs := decoded[store.Page[LoginLog]](t, w.call(w.token("admin"), "GET", "/system/login-log/page?username=advisor01", nil, 0))
		if logs.Total != 2 || logs.List[0].LogType != logLogout || logs.List[1].LogType != logPassword || logs.List[1].Result != 0 {
			t.Errorf("%+v", logs)
		}
	})
}

func TestLogin_fiveFailuresLockKnownAndUnknownNamesAlike(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for _, name := range []string{"advisor01", "nobody99"} {
			var texts []string
			for i := range 5 {
				a := w.signIn(name, "Wrong-Horse-7", nil)
				if want := map[bool]int{true: 1002000900, false: 1002000000}[i == 4]; a.Code != want {
					t.Fatalf("%s, failure %d: %s", name, i+1, a.Raw)
				}
				texts = append(texts, a.Msg)
			}
			if !strings.Contains(texts[4], "账号已锁定至 20") || texts[0] != "账号或密码不正确" {
				t.Errorf("%s: %v", name, texts)
			}
		}
		if a := w.signIn("ADVISOR01", secret, nil); a.Code != 1002000900 {
			t.Errorf("locked, but the right password answers %s", a.Raw)
		}
		if a := w.signIn("secretary01", secret, nil); a.Code != 0 {
			t.Errorf("another account is locked too: %s", a.Raw)
		}
		if a := w.signIn("advisor01", secret, tenantHeader(w.other)); a.Code != 0 {
			t.Errorf("the same name in another tenant is locked: %s", a.Raw)
		}
		advance(t, lockLife*time.Millisecond+time.Second)
		if a := w.signIn("advisor01", "Wrong-Horse-7", nil); a.Code != 1002000000 {
			t.Errorf("first failure after the lock: %s", a.Raw)
		}
		if a := w.signIn("advisor01", secret, nil); a.Code != 0 {
			t.Errorf("after the lock: %s", a.Raw)
		}
	})
}

// Guesses made at the same time do not outrun the lock: the right password among many
// wrong ones passes only while fewer than five failures are known.
func TestLogin_parallelGuesses(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var wait sync.WaitGroup
		codes := make([]int, 12)
		for i := range codes {
			wait.Go(func() { codes[i] = w.signIn("advisor01", fmt.Sprint("Wrong-Horse-", i), nil).Code })
		}
		wait.Wait()
		if a := w.signIn("advisor01", secret, nil); a.Code != 1002000900 {
			t.Errorf("after %v the account is open: %s", codes, a.Raw)
		}
		if n := count(w, 1, "sessions"); n != 0 {
			t.Errorf("%d sessions", n)
		}
	})
}

func TestLogin_refusals(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.call(w.token("admin"), "PUT", "/system/user/update-status", map[string]any{"id": w.org.Users["plain01"], "status": 1}, 0)
		for _, c := range []struct {
			name, username, password string
			code                     int
		}{
			{"no name", "", secret, 400},
			{"no password", "admin", "", 400},
			{"disabled", "plain01", secret, 1002000001},
			{"disabled, wrong password", "plain01", "Wrong-Horse-7", 1002000000},
			{"sql", `admin' OR '1'='1`, secret, 1002000000},
			{"html", `<script>alert(1)</script>`, secret, 1002000000},
			{"name of the other tenant only", "nobody", secret, 1002000000},
			{"long password", "admin", strings.Repeat("x", 300), 400},
			{"null bytes", "adm\u0000in", secret, 1002000000},
		} {
			if a := w.signIn(c.username, c.password, nil); a.Code != c.code {
				t.Errorf("%s: %s", c.name, a.Raw)
			}
		}
		body := map[string]any{"username": "admin", "password": secret, "socialType": 10, "socialCode": "x", "socialState": "y"}
		w.call("", "POST", "/system/auth/login", body, 1002018000)
		for path, method := range map[string]string{"social-auth-redirect?type=10": "GET", "social-login": "POST"} {
			w.call("", method, "/system/auth/"+path, map[string]any{}, 1002018000)
		}
		w.call("", "POST", "/system/auth/send-sms-code", map[string]any{"mobile": "13800000000", "scene": 21}, 1002000904)
		w.call("", "POST", "/system/auth/register", map[string]any{}, 1002003011)
	})
}

func TestLogin_addressLimit(t *testing.T) {
	w := newWorldWith(t, kerneltest.Open(t, migrations), Options{CaptchaOff: true, IPFailures: 7})
	for i := range 7 {
		if a := w.signIn(fmt.Sprintf("guess%02d", i), secret, nil); a.Code != 1002000000 {
			t.Fatalf("%s", a.Raw)
		}
	}
	if a := w.signIn("admin", secret, nil); a.Code != 1002000903 {
		t.Errorf("after seven failures: %s", a.Raw)
	}
	advance(t, failureWindow*time.Millisecond+time.Second)
	if a := w.signIn("admin", secret, nil); a.Code != 0 {
		t.Errorf("after the window: %s", a.Raw)
	}
}

func TestLogin_tenants(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		set := func(change func(*Tenant)) {
			w.must(store.Write(w.system(1), func(ctx context.Context) error {
				_, err := tenants.Change(ctx, w.other, func(t *Tenant) error { change(t); return nil })
				return either(err, w.s.rightsChanged(ctx))
			}))
		}
		tok := w.tokens(w.other, "advisor01")
		for _, c := range []struct {
			name   string
			header map[string]string
			change func(*Tenant)
			code   int
		}{
			{"unknown tenant", tenantHeader(99), nil, 1002015000},
			{"disabled tenant", tenantHeader(w.other), func(t *Tenant) { t.Status = 1 }, 1002015001},
			{"expired tenant", tenantHeader(w.other), func(t *Tenant) { t.Status, t.ExpireTime = 0, clock.Millis()-1 }, 1002015002},
			{"open again", tenantHeader(w.other), func(t *Tenant) { t.ExpireTime = clock.Millis() + 3600_000 }, 0},
		} {
			if c.change != nil {
				set(c.change)
			}
			if a := w.signIn("admin", secret, c.header); a.Code != c.code {
				t.Errorf("%s: %s", c.name, a.Raw)
			}
			if a := (kerneltest.Scenario{URL: "/system/user/profile/get", As: tok.AccessToken}).Call(t, w.h); c.change != nil && a.Code != c.code {
				t.Errorf("%s, open session: %s", c.name, a.Raw)
			}
			if a := w.refreshIn(tok.RefreshToken, c.header); c.code != 0 && a.Code != c.code {
				t.Errorf("%s, refresh: %s", c.name, a.Raw)
			}
		}
		a := kerneltest.Scenario{URL: "/system/user/page", As: w.token("admin"), Headers: tenantHeader(w.other)}.Call(t, w.h)
		if a.Code != 403 {
			t.Errorf("foreign tenant-id: %s", a.Raw)
		}
		n, _, err := store.Get[int64](w.system(1), `SELECT COUNT(*) FROM audit_log WHERE tenant_id = :tenant AND entity = 'tenant' AND op = 4`, nil)
		if err != nil || n != 1 {
			t.Errorf("foreign tenant-id audited %d times, %v", n, err)
		}
	})
}

func TestCaptcha_isAskedForByDefault(t *testing.T) {
	w := newWorldWith(t, kerneltest.Open(t, migrations), Options{})
	raw := func(path string, body any) Reply {
		t.Helper()
		a := kerneltest.Scenario{Method: "POST", URL: "/system/captcha/" + path, Body: body}.Call(t, w.h)
		var r Reply
		if a.Status != 200 || a.Code != -1 || json.Unmarshal(a.Raw, &r) != nil {
			t.Fatalf("%s: not a bare answer: %.300s", path, a.Raw)
		}
		return r
	}
	if a := w.call("", "GET", "/system/captcha/config", nil, 0); !strings.Contains(string(a.Data), `"enabled":true`) {
		t.Errorf("%s", a.Raw)
	}
	if a := w.signIn("admin", secret, nil); a.Code != 1002000004 || !strings.Contains(a.Msg, "验证码") {
		t.Errorf("without: %s", a.Raw)
	}
	login := func(proof string) kerneltest.Answer {
		return kerneltest.Scenario{Method: "POST", URL: "/system/auth/login",
			Body: map[string]any{"username": "admin", "password": secret, "captchaVerification": proof}}.Call(t, w.h)
	}
	if a := login("invented"); a.Code != 1002000004 {
		t.Errorf("invented: %s", a.Raw)
	}
	asked := raw("get", map[string]any{"captchaType": Arithmetic, "clientUid": "x", "ts": 1}).RepData
	open, _ := w.s.captcha.seal.Load().open(*asked.Token)
	answer := fmt.Sprint(open.answer)
	point, err := captchaEncrypt(answer, *asked.SecretKey)
	w.must(err)
	if r := raw("check", CheckRequest{CaptchaType: Arithmetic, PointJSON: point, Token: *asked.Token}); r.RepCode != "0000" || !r.Success {
		t.Fatalf("%+v", r)
	}
	proof, err := captchaEncrypt(*asked.Token+"---"+answer, *asked.SecretKey)
	w.must(err)
	if a := login(proof); a.Code != 0 {
		t.Errorf("solved: %s", a.Raw)
	}
	if a := login(proof); a.Code != 1002000004 {
		t.Errorf("the same proof twice: %s", a.Raw)
	}
	if r := raw("get", map[string]any{"captchaType": BlockPuzzle}); r.RepCode != "0000" || *r.RepData.OriginalImageBase64 == "" {
		t.Errorf("puzzle: %s", r.RepCode)
	}
	for name, body := range map[string]any{"not json": "{", "list": "[]", "too deep": strings.Repeat("[", 50) + strings.Repeat("]", 50), "too large": `{"captchaType":"` + strings.Repeat("x", 20<<10) + `"}`} {
		if r := raw("get", body); r.Success || r.RepMsg == nil {
			t.Errorf("%s: %+v", name, r)
		}
	}
	logs, err := store.Select[int](w.system(1), `SELECT result FROM system_login_log WHERE tenant_id = :tenant ORDER BY id`, nil)
	if err != nil || !slices.Equal(logs, []int{30, 31, 0, 31}) {
		t.Errorf("login log %v, %v", logs, err)
	}
}

func TestSetup_linkWorksOnce(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, db *store.DB) {
		w := bare(t, db)
		first, created, err := w.s.SetupLink(w.system(1))
		if err != nil || !created || len(first) != tokenLength {
			t.Fatalf("%q %v %v", first, created, err)
		}
		link, _, err := w.s.SetupLink(w.system(1))
		w.must(err)
		body := func(token, pw string) map[string]any {
			return map[string]any{"token": token, "username": "root01", "nickname": "首位管理员", "password": pw}
		}
		w.call("", "POST", "/system/auth/setup", body(first, secret), 1002000901)
		w.call("", "POST", "/system/auth/setup", body("guess", secret), 1002000901)
		w.call("", "POST", "/system/auth/setup", body(link, "12345678"), 400)
		w.call("", "POST", "/system/auth/setup", body(link, secret), 0)
		w.call("", "POST", "/system/auth/setup", body(link, secret), 1002000901)
		if a := w.signIn("root01", secret, nil); a.Code != 0 {
			t.Errorf("%s", a.Raw)
		}
		if _, created, err := w.s.SetupLink(w.system(1)); created || err != nil {
			t.Errorf("a second link: %v %v", created, err)
		}
	}, migrations)
}

func TestSetup_linkExpires(t *testing.T) {
	w := bare(t, kerneltest.Open(t, migrations))
	link, _, err := w.s.SetupLink(w.system(1))
	w.must(err)
	advance(t, 24*time.Hour+time.Minute)
	w.call("", "POST", "/system/auth/setup", map[string]any{"token": link, "username": "root01", "password": secret}, 1002000901)
	id, err := w.s.SetAdministrator(w.system(1), "root02", secret)
	w.must(err)
	w.must(store.Write(w.system(1), func(ctx context.Context) error { _, err := countFailure(ctx, "root02"); return err }))
	again, err := w.s.SetAdministrator(w.system(1), "root02", secret+"x")
	if err != nil || again != id {
		t.Errorf("%d, then %d, %v", id, again, err)
	}
	if a := w.signIn("root02", secret+"x", nil); a.Code != 0 {
		t.Errorf("%s", a.Raw)
	}
}

func TestLoginLog_exportIsFormulaSafe(t *testing.T) {
	w := newWorld(t, kerneltest.Open(t, migrations))
	w.signIn(`=HYPERLINK("http://x")`, secret, nil)
	a := kerneltest.Scenario{URL: "/system/login-log/export?status=false", As: w.token("admin")}.Call(t, w.h)
	rows, err := xlsx.Read(strings.NewReader(string(a.Raw)), xlsx.Limits{})
	if err != nil || len(rows) != 2 || rows[1][3] != "账号或密码不正确" {
		t.Fatalf("%v %v", rows, err)
	}
	for url, code := range map[string]int{
		"/system/login-log/page?pageSize=501":           400,
		"/system/login-log/page?createTime[0]=x":        400,
		"/system/login-log/page?status=true":            0,
		"/system/login-log/page?userIp=%25":             0,
		"/system/login-log/page?status=":                0,
		"/system/login-log/page?createTime=":            0,
		"/system/login-log/get?id=999999":               1070000001,
		"/system/login-log/page?status=1%27%20OR%201=1": 400,
	} {
		w.call(w.token("admin"), "GET", url, nil, code)
		w.call(w.token("advisor01"), "GET", url, nil, 403)
	}
}
