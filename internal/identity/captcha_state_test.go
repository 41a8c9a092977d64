package identity

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
)

// captchaNode is one of several processes on the same database.
type captchaNode struct {
	t *testing.T
	s *Service
	h http.Handler
}

// captchaNodes start two nodes that never met a captcha. On PostgreSQL each has
// connections of its own; SQLite has one process, in which two services must agree.
func captchaNodes(t *testing.T, db *store.DB) (*world, [2]captchaNode) {
	t.Helper()
	w := newWorldWith(t, db, Options{})
	second := db
	if db.Dialect() == store.Postgres {
		var err error
		second, err = store.Open(context.Background(), store.Config{URL: db.Address()})
		w.must(err)
		t.Cleanup(func() { _ = second.Close() })
		w.must(second.RefreshCatalogue(context.Background()))
	}
	app := web.New(second, web.Options{UserRate: -1})
	s := New(app, Options{})
	t.Cleanup(s.Close)
	s.Module().Mount(app)
	return w, [2]captchaNode{{t, w.s, w.h}, {t, s, app.Handler("/")}}
}

func (n captchaNode) raw(path string, body any) (r Reply) {
	a := kerneltest.Scenario{Method: "POST", URL: "/system/captcha/" + path, Body: body}.Call(n.t, n.h)
	if err := json.Unmarshal(a.Raw, &r); err != nil || a.Status != 200 {
		n.t.Errorf("%s: %d %.300s", path, a.Status, a.Raw)
	}
	return r
}

func (n captchaNode) login(proof string) kerneltest.Answer {
	return kerneltest.Scenario{Method: "POST", URL: "/system/auth/login",
		Body: map[string]any{"username": "admin", "password": secret, "captchaVerification": proof}}.Call(n.t, n.h)
}

// asked gets a sum and gives the request that answers it, and the proof that follows.
func (n captchaNode) asked() (check CheckRequest, proof string) {
	n.t.Helper()
	r := n.raw("get", map[string]any{"captchaType": Arithmetic})
	if !r.Success {
		n.t.Fatalf("get: %+v", r)
	}
	open, _ := n.s.captcha.seal.Load().open(*r.RepData.Token)
	answer := fmt.Sprint(open.answer)
	point, err1 := captchaEncrypt(answer, *r.RepData.SecretKey)
	proof, err2 := captchaEncrypt(*r.RepData.Token+"---"+answer, *r.RepData.SecretKey)
	if err1 != nil || err2 != nil {
		n.t.Fatal(err1, err2)
	}
	return CheckRequest{CaptchaType: Arithmetic, PointJSON: point, Token: *r.RepData.Token}, proof
}

func (w *world) captchaRows() (n int64) {
	w.t.Helper()
	n, _, err := store.Get[int64](w.system(1), `SELECT COUNT(*) FROM system_captcha`, nil)
	w.must(err)
	return n
}

func eachCaptchaNodes(t *testing.T, test func(t *testing.T, w *world, n [2]captchaNode)) {
	kerneltest.Each(t, func(t *testing.T, db *store.DB) {
		w, n := captchaNodes(t, db)
		test(t, w, n)
	}, migrations)
}

func TestCaptcha_eachCallReachesAnotherNode(t *testing.T) {
	eachCaptchaNodes(t, func(t *testing.T, w *world, n [2]captchaNode) {
		for range 20 {
			n[0].asked()
		}
		if rows := w.captchaRows(); rows != 0 {
			t.Errorf("asking leaves %d rows", rows)
		}
		check, proof := n[0].asked()
		if r := n[1].raw("check", check); r.RepCode != "0000" || *r.RepData.Token != check.Token {
			t.Fatalf("check at the other node: %+v", r)
		}
		for i := range n {
			if r := n[i].raw("check", check); r.RepCode != "6110" {
				t.Errorf("node %d checks a token again: %s", i, r.RepCode)
			}
		}
		if a := n[0].login(proof); a.Code != 0 {
			t.Fatalf("sign-in: %s", a.Raw)
		}
		for i := range n {
			if a := n[i].login(proof); a.Code != 1002000004 {
				t.Errorf("node %d takes a proof again: %s", i, a.Raw)
			}
		}
		wrong, proof := n[1].asked()
		right := wrong.PointJSON
		wrong.PointJSON = "AAAAAAAAAAAAAAAAAAAAAA=="
		if r := n[0].raw("check", wrong); r.RepCode != "0001" {
			t.Errorf("wrong answer: %s", r.RepCode)
		}
		wrong.PointJSON = right
		if r := n[1].raw("check", wrong); r.RepCode != "6110" {
			t.Errorf("right after wrong at the other node: %s", r.RepCode)
		}
		if a := n[1].login(proof); a.Code != 1002000004 {
			t.Errorf("a proof that no check gave: %s", a.Raw)
		}
	})
}

// TestCaptcha_onlyOneOfManyGetsThrough sends the same check, then the same proof, to both
// nodes at once.
func TestCaptcha_onlyOneOfManyGetsThrough(t *testing.T) {
	const callers = 8
	eachCaptchaNodes(t, func(t *testing.T, _ *world, n [2]captchaNode) {
		together := func(call func(n captchaNode) bool) (through int) {
			var wg sync.WaitGroup
			got := make([]bool, callers)
			for i := range callers {
				wg.Go(func() { got[i] = call(n[i%2]) })
			}
			wg.Wait()
			for _, ok := range got {
				if ok {
					through++
				}
			}
			return through
		}
		for range 3 {
			check, proof := n[0].asked()
			if got := together(func(n captchaNode) bool { return n.raw("check", check).Success }); got != 1 {
				t.Errorf("%d of %d checks of one token succeed", got, callers)
			}
			if got := together(func(n captchaNode) bool { return n.login(proof).Code == 0 }); got != 1 {
				t.Errorf("%d of %d sign-ins with one proof succeed", got, callers)
			}
		}
	})
}

// TestCaptcha_nodesAgreeOnTheKey asks both nodes for the first captcha at the same time.
func TestCaptcha_nodesAgreeOnTheKey(t *testing.T) {
	eachCaptchaNodes(t, func(t *testing.T, w *world, n [2]captchaNode) {
		var wg sync.WaitGroup
		var checks [2]CheckRequest
		for i := range n {
			wg.Go(func() { checks[i], _ = n[i].asked() })
		}
		wg.Wait()
		for i := range n {
			if r := n[1-i].raw("check", checks[i]); !r.Success {
				t.Errorf("asked at %d: %s", i, r.RepCode)
			}
		}
		keys, err := store.Select[string](w.system(1), `SELECT secret FROM system_secret`, nil)
		if err != nil || len(keys) != 1 || len(keys[0]) != 64 {
			t.Errorf("%d keys, %v", len(keys), err)
		}
		later := NewCaptcha(time.Now, nil, false) // after a restart
		t.Cleanup(later.Close)
		check, _ := n[0].asked()
		if r, err := later.Check(w.system(1), "c", check); err != nil || !r.Success {
			t.Errorf("after a restart: %s %v", r.RepCode, err)
		}
	})
}

func TestCaptcha_expiresAndIsPurged(t *testing.T) {
	eachCaptchaNodes(t, func(t *testing.T, w *world, n [2]captchaNode) {
		late, _ := n[0].asked()
		other, _ := n[0].asked()
		passed, proof := n[0].asked()
		if r := n[1].raw("check", passed); !r.Success {
			t.Fatal(r.RepCode)
		}
		other.CaptchaType = BlockPuzzle
		if r := n[1].raw("check", other); r.RepCode != "6110" {
			t.Errorf("answered as another kind: %s", r.RepCode)
		}
		other.CaptchaType = Arithmetic
		if r := n[1].raw("check", other); r.RepCode != "6110" {
			t.Errorf("a second try as its own kind: %s", r.RepCode)
		}
		w.must(purgeNow(w.system(1)))
		if rows := w.captchaRows(); rows != 2 {
			t.Errorf("%d rows of live captchas are left", rows)
		}
		advance(t, captchaAskTTL)
		if r := n[1].raw("check", late); r.RepCode != "6110" {
			t.Errorf("after two minutes: %s", r.RepCode)
		}
		advance(t, captchaPassTTL-captchaAskTTL)
		if a := n[1].login(proof); a.Code != 1002000004 {
			t.Errorf("a proof after three minutes: %s", a.Raw)
		}
		advance(t, captchaSkew+time.Second)
		w.must(purgeNow(w.system(1)))
		if rows := w.captchaRows(); rows != 0 {
			t.Errorf("%d rows outlive their use", rows)
		}
	})
}

func TestCaptcha_tamperedTokensAreRefused(t *testing.T) {
	w, n := captchaNodes(t, kerneltest.Open(t, migrations))
	check, _ := n[0].asked()
	token := check.Token
	tampered := []string{strings.ToUpper(token), token + "00", token[:30], strings.Repeat("0", 32), token[16:] + token[:16]}
	for i := range token {
		tampered = append(tampered, token[:i]+map[bool]string{true: "0", false: "1"}[token[i] != '0']+token[i+1:])
	}
	for _, check.Token = range tampered {
		if check.Token == token {
			continue // digits only: its capitals are itself
		}
		if r := n[1].raw("check", check); r.RepCode != "6110" {
			t.Errorf("%s instead of %s: %s", check.Token, token, r.RepCode)
		}
	}
	if rows := w.captchaRows(); rows != 0 {
		t.Errorf("invented tokens leave %d rows", rows)
	}
	check.Token = token
	if r := n[1].raw("check", check); !r.Success {
		t.Errorf("the real one: %s", r.RepCode)
	}
}

// TestCaptcha_unansweredCheckUsesNothingUp: a caller who got an error may try again.
func TestCaptcha_unansweredCheckUsesNothingUp(t *testing.T) {
	b := newCaptchaBench(t)
	data, n := b.ask("c", Arithmetic)
	gone, leave := context.WithCancel(b.ctx)
	leave()
	point, err := captchaEncrypt(fmt.Sprint(n), *data.SecretKey)
	if err != nil {
		t.Fatal(err)
	}
	req := CheckRequest{CaptchaType: Arithmetic, PointJSON: point, Token: *data.Token}
	if r, err := b.Check(gone, "c", req); err == nil {
		t.Fatalf("a check without a database: %+v", r)
	}
	if r := b.check("c", req); !r.Success {
		t.Errorf("%s", r.RepCode)
	}
	if _, err := b.Verify(gone, b.verification(data, fmt.Sprint(n))); err == nil {
		t.Error("a proof was judged without a database")
	}
	if !b.verify(b.verification(data, fmt.Sprint(n))) {
		t.Error("the proof is used up")
	}
}

func TestCaptchaTokenRoundTrip(t *testing.T) {
	one, err1 := newCaptchaSeal("one")
	two, err2 := newCaptchaSeal("two")
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	rapid.Check(t, func(t *rapid.T) {
		a := captchaAsked{kind: rapid.SampledFrom(captchaKinds[1:]).Draw(t, "kind"), answer: rapid.IntRange(0, 1<<16-1).Draw(t, "answer"),
			at: time.UnixMilli(rapid.Int64Range(0, 1<<48-1).Draw(t, "at"))}
		nonce := [captchaNonceBytes]byte(rapid.SliceOfN(rapid.Byte(), captchaNonceBytes, captchaNonceBytes).Draw(t, "nonce"))
		token := one.token(a, nonce)
		if got, ok := one.open(token); !ok || got != a {
			t.Fatalf("%+v became %+v, %v", a, got, ok)
		}
		if got, ok := two.open(token); ok {
			t.Fatalf("another installation reads %+v", got)
		}
		nonce[0]++
		if one.token(a, nonce) == token || one.secretKey(token) == two.secretKey(token) {
			t.Fatal("the nonce or the key does not count")
		}
	})
	if keys := []string{one.secretKey("a"), one.secretKey("b"), one.secretKey("a")}; keys[0] != keys[2] || slices.Contains(keys[1:2], keys[0]) {
		t.Errorf("secret keys %v", keys)
	}
}
