package identity

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"time"

	"viva/internal/kernel/i18n"
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
	captchaMaxStates = 200_000
	captchaMaxInput  = 1024 // bytes of any text a client sends
	captchaTolerance = 5
	captchaPointY    = 5

	puzzlePool    = 64               // puzzles drawn ahead, about 2 MB
	puzzlePatient = 10 * time.Second // how long get waits for the drawing
)

// captchaAsked is an open captcha: what was asked and what is expected.
type captchaAsked struct {
	kind, secretKey string
	answer          int
}

// Captcha makes and checks captchas. States live in this process and for
// minutes only. It is safe for concurrent use; Close ends its one goroutine,
// which draws puzzles ahead and starts with the first puzzle asked for.
type Captcha struct {
	now func() time.Time

	randMu sync.Mutex
	rand   io.Reader

	mu     sync.Mutex
	limits captchaLimits
	asked  captchaStates[captchaAsked]
	passed captchaStates[string] // ciphertext the client will send → token

	pool  chan puzzlePicture
	start sync.Once
	stop  sync.Once
	done  chan struct{}
	drawn sync.WaitGroup
}

// NewCaptcha returns a Captcha that reads the time from now and everything
// secret from random, which need not be safe for concurrent use. throttled turns on the
// limits per client.
func NewCaptcha(now func() time.Time, random io.Reader, throttled bool) *Captcha {
	return &Captcha{
		now: now, rand: random,
		limits: captchaLimits{on: throttled, clients: map[string]*captchaClient{}},
		asked:  captchaStates[captchaAsked]{ttl: captchaAskTTL, limit: captchaMaxStates, entries: map[string]captchaState[captchaAsked]{}},
		passed: captchaStates[string]{ttl: captchaPassTTL, limit: captchaMaxStates, entries: map[string]captchaState[string]{}},
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
// does not change from call to call, such as its address.
func (c *Captcha) Get(clientID, captchaType string) Reply {
	if captchaType == "" {
		return captchaRefusal(captchaEmpty)
	}
	if captchaType != BlockPuzzle && captchaType != Arithmetic {
		return captchaRefusal(captchaInvalid)
	}
	c.mu.Lock()
	refused := c.limits.get(clientID, c.now())
	c.mu.Unlock()
	if refused != "" {
		return captchaRefusal(refused)
	}
	data, answer, ok := c.ask(captchaType)
	if !ok {
		return captchaRefusal(captchaNoPicture)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked.put(*data.Token, captchaAsked{kind: captchaType, secretKey: *data.SecretKey, answer: answer}, c.now())
	return Reply{RepCode: captchaOK, RepData: data, Success: true}
}

// ask makes the payload of a get and the answer that goes with it.
func (c *Captcha) ask(kind string) (data *ReplyData, answer int, ok bool) {
	token, key, r, err := c.secrets()
	if err != nil {
		return nil, 0, false
	}
	data = &ReplyData{Token: &token, SecretKey: &key}
	if kind == Arithmetic {
		question, answer := captchaSum(r)
		data.Question = &question
		return data, answer, true
	}
	p, ok := c.picture()
	if !ok {
		return nil, 0, false
	}
	data.OriginalImageBase64, data.JigsawImageBase64 = &p.background, &p.piece
	return data, p.x, true
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

// secrets reads a token, a key and a seed.
func (c *Captcha) secrets() (token, key string, r *rand.Rand, err error) {
	var raw [16]byte
	if err = c.read(raw[:]); err != nil {
		return "", "", nil, err
	}
	if r, err = c.seeded(); err != nil {
		return "", "", nil, err
	}
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	chars := make([]byte, 16)
	for i := range chars {
		chars[i] = letters[r.IntN(len(letters))]
	}
	return hex.EncodeToString(raw[:]), string(chars), r, nil
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

// Check judges an answer. Whatever it says, the captcha is used up.
func (c *Captcha) Check(clientID string, req CheckRequest) Reply {
	if req.CaptchaType == "" || req.PointJSON == "" || req.Token == "" {
		return captchaRefusal(captchaEmpty)
	}
	if len(req.PointJSON) > captchaMaxInput || len(req.Token) > captchaMaxInput {
		return captchaRefusal(captchaInvalid)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	if refused := c.limits.check(clientID, now); refused != "" {
		return captchaRefusal(refused)
	}
	asked, ok := c.asked.take(req.Token, now)
	if !ok || asked.kind != req.CaptchaType {
		return captchaRefusal(captchaExpired)
	}
	plain, err := captchaDecrypt(req.PointJSON, asked.secretKey)
	if err != nil {
		c.limits.failed(clientID, now)
		return captchaRefusal(captchaUndecryptable)
	}
	if !asked.right(plain) {
		c.limits.failed(clientID, now)
		return captchaRefusal(captchaWrong)
	}
	// The client encrypts the text it has, byte for byte; so do we.
	pass, err := captchaEncrypt(req.Token+"---"+plain, asked.secretKey)
	if err != nil {
		return captchaRefusal(captchaUndecryptable)
	}
	c.passed.put(pass, req.Token, now)
	return Reply{RepCode: captchaOK, Success: true, RepData: &ReplyData{
		CaptchaType: &req.CaptchaType, PointJSON: &req.PointJSON, Token: &req.Token, Result: true,
	}}
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

// Verify consumes the proof a sign-in carries. It succeeds once for each
// passed check; otherwise repMsg says why not.
func (c *Captcha) Verify(verification string) (ok bool, repMsg string) {
	if verification == "" {
		return false, captchaTexts[captchaEmpty][0]
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.passed.take(verification, c.now()); !ok {
		return false, captchaTexts[captchaExpired][0]
	}
	return true, ""
}
