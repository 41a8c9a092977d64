package identity

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"viva/internal/kernel/i18n"
	"viva/internal/kernel/id"
)

// The kinds of captcha. Arithmetic is the way in for those who cannot see or
// drag: it asks for a sum in words a screen reader speaks.
const (
	BlockPuzzle = "blockPuzzle"
	Arithmetic  = "arithmetic"
)

// The answers of the captcha calls.
const (
	captchaOK            = "0000"
	captchaUndecryptable = "0001"
	captchaEmpty         = "0011"
	captchaExpired       = "6110"
	captchaWrong         = "6111"
	captchaNoPicture     = "6112"
	captchaTooManyGets   = "6201"
	captchaLocked        = "6202"
	captchaTooManyChecks = "6204"
	captchaInvalid       = "6206"
)

// captchaTexts gives each answer in Chinese and English.
var captchaTexts = map[string][2]string{
	captchaUndecryptable: {"验证码解密失败", "The captcha answer cannot be decrypted"},
	captchaEmpty:         {"验证码参数不能为空", "A captcha parameter is missing"},
	captchaExpired:       {"验证码已失效，请重新获取", "The captcha has expired, please request a new one"},
	captchaWrong:         {"验证失败，请重试", "The captcha answer is wrong, please try again"},
	captchaNoPicture:     {"验证码生成失败，请稍后再试", "No captcha available, please try again later"},
	captchaTooManyGets:   {"获取验证码过于频繁，请稍后再试", "Too many captchas requested, please wait"},
	captchaLocked:        {"验证失败次数过多，请稍后再试", "Too many wrong captcha answers, please wait"},
	captchaTooManyChecks: {"校验验证码过于频繁，请稍后再试", "Too many captcha answers, please wait"},
	captchaInvalid:       {"不支持的验证码请求", "Captcha request not supported"},
}

// Reply is the answer of both captcha calls. It is sent as it stands, without
// the envelope of the other calls; null members are part of it.
type Reply struct {
	RepCode string     `json:"repCode"`
	RepMsg  *string    `json:"repMsg"`
	RepData *ReplyData `json:"repData"`
	Success bool       `json:"success"`
}

// ReplyData is the payload of a Reply. The members that are always null belong
// to the wire contract.
type ReplyData struct {
	CaptchaID           *string `json:"captchaId"`
	ProjectCode         *string `json:"projectCode"`
	CaptchaType         *string `json:"captchaType"`
	CaptchaOriginalPath *string `json:"captchaOriginalPath"`
	CaptchaFontType     *string `json:"captchaFontType"`
	CaptchaFontSize     *int    `json:"captchaFontSize"`
	SecretKey           *string `json:"secretKey"`
	OriginalImageBase64 *string `json:"originalImageBase64"`
	Point               *string `json:"point"`
	JigsawImageBase64   *string `json:"jigsawImageBase64"`
	WordList            *string `json:"wordList"`
	PointList           *string `json:"pointList"`
	PointJSON           *string `json:"pointJson"`
	Token               *string `json:"token"`
	Result              bool    `json:"result"`
	CaptchaVerification *string `json:"captchaVerification"`
	ClientUID           *string `json:"clientUid"`
	TS                  *int64  `json:"ts"`
	BrowserInfo         *string `json:"browserInfo"`
	Question            *string `json:"question,omitempty"` // of Arithmetic only
}

// CheckRequest is the body of the check call.
type CheckRequest struct {
	CaptchaType string `json:"captchaType"`
	PointJSON   string `json:"pointJson"`
	Token       string `json:"token"`
}

// In returns the reply with its message in the given language.
func (r Reply) In(lang string) Reply {
	if texts, ok := captchaTexts[r.RepCode]; ok {
		text := texts[0]
		if lang == i18n.EN {
			text = texts[1]
		}
		r.RepMsg = &text
	}
	return r
}

func captchaRefusal(code string) Reply { return Reply{RepCode: code}.In(i18n.ZH) }

const (
	captchaAskTTL    = 120 * time.Second // from get to check
	captchaPassTTL   = 180 * time.Second // from check to sign-in
	captchaMaxInput  = 1024              // bytes of any text a client sends
	captchaTolerance = 5
	captchaPointY    = 5

	puzzlePool    = 64               // puzzles drawn ahead, about 2 MB
	puzzlePatient = 10 * time.Second // how long get waits for the drawing
)

// Captcha makes and checks captchas. An open captcha lives in its token and an answered
// one in the database, so that each call may reach another node; the throttles count per
// process. It is safe for concurrent use; Close ends its one goroutine, which draws
// puzzles ahead and starts with the first puzzle asked for.
type Captcha struct {
	now  func() time.Time
	seal atomic.Pointer[captchaSeal]

	randMu sync.Mutex
	rand   io.Reader

	mu     sync.Mutex
	limits captchaLimits

	pool  chan puzzlePicture
	start sync.Once
	stop  sync.Once
	done  chan struct{}
	drawn sync.WaitGroup
}

// NewCaptcha returns a Captcha that reads the time from now and what nobody may foresee
// from random, which need not be safe for concurrent use. throttled turns on the limits
// per client.
func NewCaptcha(now func() time.Time, random io.Reader, throttled bool) *Captcha {
	return &Captcha{
		now: now, rand: random,
		limits: captchaLimits{on: throttled, clients: map[string]*captchaClient{}},
		pool:   make(chan puzzlePicture, puzzlePool),
		done:   make(chan struct{}),
	}
}

// Close ends the drawing and waits for it. Puzzles asked for afterwards are
// refused; everything else goes on.
func (c *Captcha) Close() {
	c.stop.Do(func() { close(c.done) })
	c.start.Do(func() {}) // none may begin any more
	c.drawn.Wait()
}

// Get makes a captcha of a kind for a client, which is known by an id that
// does not change from call to call, such as its address. It writes nothing.
func (c *Captcha) Get(ctx context.Context, clientID, captchaType string) (Reply, error) {
	if captchaType == "" {
		return captchaRefusal(captchaEmpty), nil
	}
	if captchaType != BlockPuzzle && captchaType != Arithmetic {
		return captchaRefusal(captchaInvalid), nil
	}
	if refused := c.throttled(c.limits.get, clientID); refused != "" {
		return captchaRefusal(refused), nil
	}
	seal, err := c.sealing(ctx)
	if err != nil {
		return Reply{}, err
	}
	data, answer, ok := c.ask(captchaType)
	if !ok {
		return captchaRefusal(captchaNoPicture), nil
	}
	var nonce [captchaNonceBytes]byte
	if c.read(nonce[:]) != nil {
		return captchaRefusal(captchaNoPicture), nil
	}
	token := seal.token(captchaAsked{kind: captchaType, answer: answer, at: c.now()}, nonce)
	key := seal.secretKey(token)
	data.Token, data.SecretKey = &token, &key
	return Reply{RepCode: captchaOK, RepData: data, Success: true}, nil
}

// throttled counts a call of a client and gives the code that refuses it, or "".
func (c *Captcha) throttled(count func(client string, now time.Time) string, clientID string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return count(clientID, c.now())
}

// ask makes what a captcha shows and the answer that goes with it.
func (c *Captcha) ask(kind string) (data *ReplyData, answer int, ok bool) {
	if kind == Arithmetic {
		r, err := c.seeded()
		if err != nil {
			return nil, 0, false
		}
		question, answer := captchaSum(r)
		return &ReplyData{Question: &question}, answer, true
	}
	p, ok := c.picture()
	if !ok {
		return nil, 0, false
	}
	return &ReplyData{OriginalImageBase64: &p.background, JigsawImageBase64: &p.piece}, p.x, true
}

// captchaSum makes a question whose answer is a number from 0 to 40.
func captchaSum(r *rand.Rand) (question string, answer int) {
	a, b := 1+r.IntN(20), 1+r.IntN(20)
	if r.IntN(2) == 0 {
		return fmt.Sprintf("%d + %d = ?", a, b), a + b
	}
	if a < b {
		a, b = b, a
	}
	return fmt.Sprintf("%d - %d = ?", a, b), a - b
}

// seeded returns a generator fit for secrets: ChaCha8 under a fresh key.
func (c *Captcha) seeded() (*rand.Rand, error) {
	var seed [32]byte
	if err := c.read(seed[:]); err != nil {
		return nil, err
	}
	return rand.New(rand.NewChaCha8(seed)), nil
}

func (c *Captcha) read(p []byte) error {
	c.randMu.Lock()
	defer c.randMu.Unlock()
	_, err := io.ReadFull(c.rand, p)
	return err
}

// picture takes a puzzle from the pool. A burst that empties the pool waits for
// the one goroutine that draws, so that drawing never takes more than one core.
func (c *Captcha) picture() (puzzlePicture, bool) {
	c.start.Do(func() { c.drawn.Go(c.draw) })
	select {
	case p := <-c.pool:
		return p, true
	default:
	}
	timer := time.NewTimer(puzzlePatient)
	defer timer.Stop()
	select {
	case p := <-c.pool:
		return p, true
	case <-c.done:
	case <-timer.C:
	}
	return puzzlePicture{}, false
}

// draw keeps the pool full until Close.
func (c *Captcha) draw() {
	for {
		r, err := c.seeded()
		var p puzzlePicture
		if err == nil {
			p, err = drawPuzzle(r)
		}
		if err != nil {
			select {
			case <-c.done:
				return
			case <-time.After(time.Second): // the source of randomness may recover
			}
			continue
		}
		select {
		case <-c.done:
			return
		case c.pool <- p:
		}
	}
}

// Check judges an answer. Whatever it says, the captcha is used up, on all nodes.
func (c *Captcha) Check(ctx context.Context, clientID string, req CheckRequest) (Reply, error) {
	if req.CaptchaType == "" || req.PointJSON == "" || req.Token == "" {
		return captchaRefusal(captchaEmpty), nil
	}
	if len(req.PointJSON) > captchaMaxInput || len(req.Token) > captchaMaxInput {
		return captchaRefusal(captchaInvalid), nil
	}
	if refused := c.throttled(c.limits.check, clientID); refused != "" {
		return captchaRefusal(refused), nil
	}
	seal, err := c.sealing(ctx)
	if err != nil {
		return Reply{}, err
	}
	asked, ok := seal.open(req.Token)
	if !ok || !asked.inTime(c.now()) {
		return captchaRefusal(captchaExpired), nil // nothing to mark: it will never be good
	}
	proof, refused := asked.judge(req, seal.secretKey(req.Token))
	fresh, err := c.use(ctx, req.Token, proof)
	switch {
	case err != nil:
		return Reply{}, err
	case !fresh:
		return captchaRefusal(captchaExpired), nil
	case refused == captchaExpired:
		return captchaRefusal(refused), nil
	case refused != "":
		c.mu.Lock()
		defer c.mu.Unlock()
		c.limits.failed(clientID, c.now())
		return captchaRefusal(refused), nil
	}
	return Reply{RepCode: captchaOK, Success: true, RepData: &ReplyData{
		CaptchaType: &req.CaptchaType, PointJSON: &req.PointJSON, Token: &req.Token, Result: true,
	}}, nil
}

// judge gives the proof of a right answer as it is stored, or the code that refuses it.
func (a captchaAsked) judge(req CheckRequest, secretKey string) (proof, refused string) {
	if a.kind != req.CaptchaType {
		return "", captchaExpired
	}
	plain, err := captchaDecrypt(req.PointJSON, secretKey)
	if err != nil {
		return "", captchaUndecryptable
	}
	if !a.right(plain) {
		return "", captchaWrong
	}
	// The client encrypts the text it has, byte for byte; so do we.
	text, err := captchaEncrypt(req.Token+"---"+plain, secretKey)
	if err != nil {
		return "", captchaUndecryptable
	}
	return id.Hash(text), ""
}

// right tells whether a decrypted answer is right.
func (a captchaAsked) right(plain string) bool {
	if a.kind == Arithmetic {
		n, err := strconv.Atoi(strings.TrimSpace(plain))
		return err == nil && n == a.answer
	}
	var point struct{ X, Y *float64 }
	if err := json.Unmarshal([]byte(plain), &point); err != nil || point.X == nil || point.Y == nil {
		return false
	}
	return *point.Y == captchaPointY && math.Abs(math.Trunc(*point.X)-float64(a.answer)) <= captchaTolerance
}
