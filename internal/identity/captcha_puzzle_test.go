package identity

import (
	"context"
	crand "crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"viva/internal/kernel/i18n"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
)

// captchaBench is a Captcha on a database, with a clock the test moves.
type captchaBench struct {
	*Captcha
	t   *testing.T
	ctx context.Context
	mu  sync.Mutex
	at  time.Time
}

func newCaptchaBench(t *testing.T) *captchaBench {
	b := &captchaBench{t: t, at: time.Unix(1_770_000_000, 0), ctx: captchaDatabase(t)}
	b.Captcha = NewCaptcha(func() time.Time {
		b.mu.Lock()
		defer b.mu.Unlock()
		return b.at
	}, crand.Reader, true)
	t.Cleanup(b.Close)
	return b
}

func captchaDatabase(t *testing.T) context.Context {
	t.Helper()
	return store.Use(context.Background(), kerneltest.Open(t, migrations))
}

// The calls of a Captcha that must not fail.
func gotten(t *testing.T, c *Captcha, ctx context.Context, client, kind string) Reply {
	t.Helper()
	r, err := c.Get(ctx, client, kind)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func checked(t *testing.T, c *Captcha, ctx context.Context, client string, req CheckRequest) Reply {
	t.Helper()
	r, err := c.Check(ctx, client, req)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (b *captchaBench) get(client, kind string) Reply {
	b.t.Helper()
	return gotten(b.t, b.Captcha, b.ctx, client, kind)
}

func (b *captchaBench) check(client string, req CheckRequest) Reply {
	b.t.Helper()
	return checked(b.t, b.Captcha, b.ctx, client, req)
}

func (b *captchaBench) verify(proof string) bool {
	b.t.Helper()
	ok, err := b.Verify(b.ctx, proof)
	if err != nil {
		b.t.Fatal(err)
	}
	return ok
}

func (b *captchaBench) wait(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.at = b.at.Add(d)
}

// ask gets a captcha and looks up the expected answer.
func (b *captchaBench) ask(client, kind string) (data *ReplyData, answer int) {
	b.t.Helper()
	r := b.get(client, kind)
	if r.RepCode != "0000" || !r.Success || r.RepMsg != nil {
		b.t.Fatalf("get: %s %v", r.RepCode, r.Success)
	}
	asked, ok := b.seal.Load().open(*r.RepData.Token)
	if !ok || asked.kind != kind || !asked.at.Equal(b.now()) {
		b.t.Fatalf("the token says %+v, %v", asked, ok)
	}
	return r.RepData, asked.answer
}

func (b *captchaBench) answer(client string, data *ReplyData, kind, plain string) Reply {
	b.t.Helper()
	text, err := captchaEncrypt(plain, *data.SecretKey)
	if err != nil {
		b.t.Fatal(err)
	}
	return b.check(client, CheckRequest{CaptchaType: kind, PointJSON: text, Token: *data.Token})
}

func (b *captchaBench) verification(data *ReplyData, plain string) string {
	b.t.Helper()
	text, err := captchaEncrypt(*data.Token+"---"+plain, *data.SecretKey)
	if err != nil {
		b.t.Fatal(err)
	}
	return text
}

func captchaPoint(x float64) string { return fmt.Sprintf(`{"x":%v,"y":5}`, x) }

func TestCaptchaWholeWay(t *testing.T) {
	for _, c := range []struct {
		kind  string
		plain func(answer int) string
	}{
		{BlockPuzzle, func(a int) string { return captchaPoint(float64(a) + 0.25) }},
		{BlockPuzzle, func(a int) string { return fmt.Sprintf(`{ "y" : 5.0, "x":%d }`, a) }}, // other bytes, same point
		{Arithmetic, func(a int) string { return fmt.Sprint(a) }},
		{Arithmetic, func(a int) string { return fmt.Sprintf(" %d ", a) }},
	} {
		b := newCaptchaBench(t)
		data, answer := b.ask("c", c.kind)
		plain := c.plain(answer)
		r := b.answer("c", data, c.kind, plain)
		if r.RepCode != "0000" || !r.Success || !r.RepData.Result || *r.RepData.Token != *data.Token {
			t.Fatalf("%s %q: %+v", c.kind, plain, r)
		}
		proof := b.verification(data, plain)
		if b.verify(proof + "x") {
			t.Error("another proof was taken")
		}
		if !b.verify(proof) {
			t.Errorf("%s: the proof was refused", c.kind)
		}
		if b.verify(proof) {
			t.Errorf("%s: the proof works twice", c.kind)
		}
		if r := b.answer("c", data, c.kind, plain); r.RepCode != "6110" {
			t.Errorf("%s: the token works twice: %s", c.kind, r.RepCode)
		}
	}
}

func TestCaptchaTolerance(t *testing.T) {
	b := newCaptchaBench(t)
	for i, c := range []struct {
		dx   float64
		want string
	}{{0, "0000"}, {5, "0000"}, {-5, "0000"}, {5.99, "0000"}, {-5.01, "6111"}, {6, "6111"}, {-6, "6111"}, {40, "6111"}} {
		client := fmt.Sprint(i)
		data, x := b.ask(client, BlockPuzzle)
		// truncation works towards zero, so -5.01 is just beyond
		if r := b.answer(client, data, BlockPuzzle, captchaPoint(float64(x)+c.dx)); r.RepCode != c.want {
			t.Errorf("%v beside the target: %s", c.dx, r.RepCode)
		}
		if r := b.answer(client, data, BlockPuzzle, captchaPoint(float64(x))); r.RepCode != "6110" {
			t.Errorf("a second try: %s", r.RepCode)
		}
	}
}

func TestCaptchaRefusals(t *testing.T) {
	b := newCaptchaBench(t)
	for _, c := range []struct{ kind, want string }{{"", "0011"}, {"clickWord", "6206"}, {"x", "6206"}} {
		if r := b.get("c", c.kind); r.RepCode != c.want || r.Success || r.RepData != nil || r.RepMsg == nil {
			t.Errorf("get %q: %+v", c.kind, r)
		}
	}
	for i, c := range []struct {
		name, want string
		change     func(*CheckRequest)
	}{
		{"no type", "0011", func(r *CheckRequest) { r.CaptchaType = "" }},
		{"no point", "0011", func(r *CheckRequest) { r.PointJSON = "" }},
		{"no token", "0011", func(r *CheckRequest) { r.Token = "" }},
		{"endless point", "6206", func(r *CheckRequest) { r.PointJSON = strings.Repeat("A", 2000) }},
		{"other token", "6110", func(r *CheckRequest) { r.Token = strings.Repeat("0", 32) }},
		{"other type", "6110", func(r *CheckRequest) { r.CaptchaType = Arithmetic }},
		{"clear text", "0001", func(r *CheckRequest) { r.PointJSON = `{"x":1,"y":5}` }},
		{"garbage", "0001", func(r *CheckRequest) { r.PointJSON = "AAAAAAAAAAAAAAAAAAAAAA==" }},
	} {
		client := fmt.Sprint(i)
		data, x := b.ask(client, BlockPuzzle)
		text, _ := captchaEncrypt(captchaPoint(float64(x)), *data.SecretKey)
		req := CheckRequest{CaptchaType: BlockPuzzle, PointJSON: text, Token: *data.Token}
		c.change(&req)
		if r := b.check(client, req); r.RepCode != c.want || r.Success || r.RepData != nil {
			t.Errorf("%s: %+v", c.name, r)
		}
	}
	for _, plain := range []string{"", "x", "[]", "{}", "null", `{"x":1}`, `{"y":5}`, `{"x":"1","y":5}`, `{"x":null,"y":5}`, `{"x":1e999,"y":5}`, `[{"x":1,"y":5}]`} {
		data, _ := b.ask(plain, BlockPuzzle)
		if r := b.answer(plain, data, BlockPuzzle, plain); r.RepCode != "6111" {
			t.Errorf("answer %q: %s", plain, r.RepCode)
		}
	}
	data, x := b.ask("y", BlockPuzzle)
	if r := b.answer("y", data, BlockPuzzle, fmt.Sprintf(`{"x":%d,"y":6}`, x)); r.RepCode != "6111" {
		t.Errorf("another y: %s", r.RepCode)
	}
	data, n := b.ask("n", Arithmetic)
	if r := b.answer("n", data, Arithmetic, fmt.Sprint(n+1)); r.RepCode != "6111" {
		t.Errorf("wrong sum: %s", r.RepCode)
	}
	if b.verify("") {
		t.Error("an empty proof was taken")
	}
}

func TestCaptchaExpires(t *testing.T) {
	b := newCaptchaBench(t)
	data, n := b.ask("a", Arithmetic)
	b.wait(captchaAskTTL - time.Millisecond)
	if r := b.answer("a", data, Arithmetic, fmt.Sprint(n)); !r.Success {
		t.Fatalf("just in time: %s", r.RepCode)
	}
	proof := b.verification(data, fmt.Sprint(n))
	b.wait(captchaPassTTL)
	if b.verify(proof) {
		t.Error("the proof outlived its time")
	}
	data, n = b.ask("a", Arithmetic)
	b.wait(captchaAskTTL)
	if r := b.answer("a", data, Arithmetic, fmt.Sprint(n)); r.RepCode != "6110" {
		t.Errorf("too late: %s", r.RepCode)
	}
	data, n = b.ask("a", Arithmetic) // by a node whose clock runs ahead
	b.wait(-captchaSkew)
	if r := b.answer("a", data, Arithmetic, fmt.Sprint(n)); !r.Success {
		t.Errorf("a minute before it was asked: %s", r.RepCode)
	}
	data, n = b.ask("a", Arithmetic)
	b.wait(-captchaSkew - time.Millisecond)
	if r := b.answer("a", data, Arithmetic, fmt.Sprint(n)); r.RepCode != "6110" {
		t.Errorf("from the future: %s", r.RepCode)
	}
}

func TestCaptchaClientsAreBounded(t *testing.T) {
	now := time.Unix(0, 0)
	l := captchaLimits{on: true, clients: map[string]*captchaClient{}}
	for i := range captchaMaxClients + 10 {
		l.get(fmt.Sprint(i), now)
	}
	if len(l.clients) > captchaMaxClients {
		t.Errorf("%d clients", len(l.clients))
	}
	l.get("x", now.Add(time.Hour))
	if len(l.clients) != 1 {
		t.Errorf("%d clients after an hour", len(l.clients))
	}
}

// TestCaptchaThrottleIsOff: a campus behind one address looks like one client.
func TestCaptchaThrottleIsOff(t *testing.T) {
	ctx, c := captchaDatabase(t), NewCaptcha(time.Now, crand.Reader, false)
	t.Cleanup(c.Close)
	for i := range captchaGetLimit + captchaFailLimit + 10 {
		if r := gotten(t, c, ctx, "campus", Arithmetic); !r.Success {
			t.Fatalf("get %d: %+v", i, r)
		}
		if r := checked(t, c, ctx, "campus", CheckRequest{CaptchaType: Arithmetic, Token: "none"}); r.RepCode == captchaTooManyChecks {
			t.Fatalf("check %d: %+v", i, r)
		}
	}
}

func TestCaptchaThrottles(t *testing.T) {
	b := newCaptchaBench(t)
	for i := range captchaGetLimit {
		if r := b.get("a", Arithmetic); !r.Success {
			t.Fatalf("get %d: %s", i, r.RepCode)
		}
	}
	if r := b.get("a", Arithmetic); r.RepCode != "6201" {
		t.Errorf("one get too many: %s", r.RepCode)
	}
	if r := b.get("other", Arithmetic); !r.Success {
		t.Errorf("another client: %s", r.RepCode)
	}
	b.wait(time.Minute)
	if r := b.get("a", Arithmetic); !r.Success {
		t.Errorf("a minute later: %s", r.RepCode)
	}
	req := CheckRequest{CaptchaType: Arithmetic, PointJSON: "x", Token: "y"}
	for i := range captchaCheckLimit {
		if r := b.check("b", req); r.RepCode != "6110" {
			t.Fatalf("check %d: %s", i, r.RepCode)
		}
	}
	if r := b.check("b", req); r.RepCode != "6204" {
		t.Errorf("one check too many: %s", r.RepCode)
	}
}

func TestCaptchaLocksAfterFailures(t *testing.T) {
	b := newCaptchaBench(t)
	fail := func() {
		t.Helper()
		data, n := b.ask("a", Arithmetic)
		if r := b.answer("a", data, Arithmetic, fmt.Sprint(n+1)); r.RepCode != "6111" {
			t.Fatal(r.RepCode)
		}
	}
	for range captchaFailLimit {
		fail()
	}
	open, n := b.ask("a", Arithmetic) // five failures do not lock
	b.answer("a", open, Arithmetic, fmt.Sprint(n+1))
	if r := b.get("a", Arithmetic); r.RepCode != "6202" {
		t.Errorf("after six: %s", r.RepCode)
	}
	if r := b.get("b", Arithmetic); !r.Success {
		t.Errorf("another client: %s", r.RepCode)
	}
	b.wait(captchaFailLock)
	if r := b.get("a", Arithmetic); !r.Success {
		t.Errorf("ten seconds later: %s", r.RepCode)
	}
	b.wait(time.Minute)
	for range 10 { // slowly
		fail()
		b.wait(13 * time.Second)
	}
	if r := b.get("a", Arithmetic); !r.Success {
		t.Errorf("failures spread over minutes: %s", r.RepCode)
	}
}

// TestCaptchaReplyShape holds the replies to the members of the wire contract.
func TestCaptchaReplyShape(t *testing.T) {
	b := newCaptchaBench(t)
	const members = "browserInfo captchaFontSize captchaFontType captchaId captchaOriginalPath captchaType captchaVerification " +
		"clientUid jigsawImageBase64 originalImageBase64 point pointJson pointList projectCode result secretKey token ts wordList"
	shape := func(r Reply) (data map[string]any) {
		t.Helper()
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var top map[string]any
		if err := json.Unmarshal(text, &top); err != nil {
			t.Fatal(err)
		}
		for _, m := range []string{"repCode", "repMsg", "repData", "success"} {
			if _, ok := top[m]; !ok || len(top) != 4 {
				t.Errorf("top level: %v", top)
			}
		}
		data, _ = top["repData"].(map[string]any)
		return data
	}
	same := func(name string, data map[string]any, filled ...string) {
		t.Helper()
		for m := range strings.FieldsSeq(members) {
			v, ok := data[m]
			want := m == "result"
			for _, f := range filled {
				want = want || f == m
			}
			if !ok || (v != nil) != want {
				t.Errorf("%s: %s is %v", name, m, v)
			}
		}
	}
	puzzle, x := b.ask("a", BlockPuzzle)
	got := shape(Reply{RepCode: "0000", RepData: puzzle, Success: true})
	same("get", got, "token", "secretKey", "originalImageBase64", "jigsawImageBase64")
	if len(got) != 19 || got["result"] != false {
		t.Errorf("get: %d members, result %v", len(got), got["result"])
	}
	if !regexp.MustCompile(`^[0-9a-f]{32}$`).MatchString(*puzzle.Token) || !regexp.MustCompile(`^[A-Za-z0-9]{16}$`).MatchString(*puzzle.SecretKey) {
		t.Errorf("token %s, key %s", *puzzle.Token, *puzzle.SecretKey)
	}
	checked := shape(b.answer("a", puzzle, BlockPuzzle, captchaPoint(float64(x))))
	same("check", checked, "token", "pointJson", "captchaType")
	if checked["result"] != true {
		t.Errorf("result %v", checked["result"])
	}
	question := shape(b.get("a", Arithmetic))
	same("arithmetic", question, "token", "secretKey")
	if q, _ := question["question"].(string); !regexp.MustCompile(`^\d+ [+-] \d+ = \?$`).MatchString(q) {
		t.Errorf("question %v", question["question"])
	}
	refused := b.get("a", "")
	if shape(refused) != nil || *refused.RepMsg != "验证码参数不能为空" || *refused.In(i18n.EN).RepMsg != "A captcha parameter is missing" {
		t.Errorf("refusal: %+v", refused)
	}
}

func TestCaptchaTextsAreComplete(t *testing.T) {
	for code, texts := range captchaTexts {
		if texts[0] == "" || texts[1] == "" || len(code) != 4 {
			t.Errorf("%s: %q", code, texts)
		}
	}
}

func TestCaptchaSum(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		q, want := captchaSum(r)
		var a, b int
		var op string
		if n, err := fmt.Sscanf(q, "%d %s %d = ?", &a, &op, &b); n != 3 || err != nil {
			t.Fatalf("%q: %v", q, err)
		}
		if got := map[string]int{"+": a + b, "-": a - b}[op]; got != want || got < 0 {
			t.Errorf("%s: %d", q, want)
		}
	}
}

// TestCaptchaPoolEnds counts goroutines over the life of a Captcha.
func TestCaptchaPoolEnds(t *testing.T) {
	ctx := captchaDatabase(t)
	before := runtime.NumGoroutine()
	for _, used := range []bool{false, true} {
		c := NewCaptcha(time.Now, crand.Reader, true)
		if used {
			var wg sync.WaitGroup
			for i := range puzzlePool + 16 { // more than the pool holds
				wg.Go(func() {
					if r, err := c.Get(ctx, fmt.Sprint(i), BlockPuzzle); err != nil || !r.Success {
						t.Errorf("get %d: %s %v", i, r.RepCode, err)
					}
				})
			}
			wg.Wait()
		}
		c.Close()
		c.Close()
		for i := range puzzlePool { // what is drawn may still be handed out
			gotten(t, c, ctx, fmt.Sprint("late", i), BlockPuzzle)
		}
		if r := gotten(t, c, ctx, "last", BlockPuzzle); r.RepCode != "6112" {
			t.Errorf("get after close: %s", r.RepCode)
		}
		if r := gotten(t, c, ctx, "last", Arithmetic); !r.Success {
			t.Errorf("arithmetic after close: %s", r.RepCode)
		}
	}
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines before, %d after", before, runtime.NumGoroutine())
}

func TestCaptchaWithoutRandomness(t *testing.T) {
	ctx, c := captchaDatabase(t), NewCaptcha(time.Now, iotest.ErrReader(errors.New("no entropy")), true)
	defer c.Close()
	for _, kind := range []string{BlockPuzzle, Arithmetic} {
		if r := gotten(t, c, ctx, "a", kind); r.RepCode != "6112" {
			t.Errorf("%s: %s", kind, r.RepCode)
		}
	}
}

func FuzzCaptchaAnswer(f *testing.F) {
	for _, s := range []string{`{"x":123.5,"y":5}`, "12", `{"x":1e308,"y":5}`, `[{"x":1,"y":5}]`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, plain string) {
		puzzle := captchaAsked{kind: BlockPuzzle, answer: 123}
		sum := captchaAsked{kind: Arithmetic, answer: 12}
		if puzzle.right(plain) && sum.right(plain) {
			t.Fatalf("%q answers both", plain)
		}
	})
}
