package identity

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"log/slog"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/web"
)

// captchaFailed answers what never should happen (contract §2.2).
const captchaFailed = "9999"

// CaptchaConfig tells the sign-in pages whether to ask for a captcha.
type CaptchaConfig struct {
	Enabled bool     `json:"enabled"`
	Types   []string `json:"types"`
}

// mountCaptcha declares the two calls of the puzzle, which speak without the envelope
// and before a tenant is known, also while the captcha is off: older sign-in pages ask
// for a puzzle as soon as they open.
func (s *Service) mountCaptcha() {
	web.Get(s.m, "/captcha/config", web.PublicNoTenant, func(context.Context, web.None) (CaptchaConfig, error) {
		return CaptchaConfig{Enabled: !s.options.CaptchaOff, Types: []string{BlockPuzzle, Arithmetic}}, nil
	}, web.Title("验证码开关"))
	out := s.app.API.OpenAPI().Components.Schemas.Schema(typeOf[Reply](), true, "CaptchaReply")
	text := &huma.Schema{Type: "string"}
	call := func(path, title string, in map[string]*huma.Schema, fn func(ctx context.Context, client string, body []byte) (Reply, error)) {
		web.Raw(s.m, web.RawCall{Method: http.MethodPost, Path: path, Access: web.PublicNoTenant, Summary: title, MaxBytes: 16 << 10,
			In: &huma.Schema{Type: "object", Properties: in}, Out: out, Options: []web.Option{web.NoTx}, Bare: captchaBroken,
			Fn: func(ctx context.Context, r web.RawRequest) (any, error) {
				reply, err := fn(ctx, captchaClientID(ctx), r.Body)
				return reply.In(i18n.Lang(ctx)), err
			}})
	}
	call("/captcha/get", "获取验证码", map[string]*huma.Schema{"captchaType": text}, func(ctx context.Context, client string, body []byte) (Reply, error) {
		var in struct{ CaptchaType string }
		if json.Unmarshal(body, &in) != nil {
			return captchaRefusal(captchaInvalid), nil
		}
		return s.captcha.Get(ctx, client, in.CaptchaType)
	})
	call("/captcha/check", "校验验证码", map[string]*huma.Schema{"captchaType": text, "pointJson": text, "token": text}, func(ctx context.Context, client string, body []byte) (Reply, error) {
		var in CheckRequest
		if json.Unmarshal(body, &in) != nil {
			return captchaRefusal(captchaInvalid), nil
		}
		return s.captcha.Check(ctx, client, in)
	})
}

// captchaBroken is the answer to a request that could not be read.
func captchaBroken(ctx context.Context, err error) any {
	slog.WarnContext(ctx, "captcha request refused", "error", err)
	msg := i18n.Pick(ctx, "验证码服务异常，请稍后再试", "The captcha service failed, please try again later")
	return Reply{RepCode: captchaFailed, RepMsg: &msg}
}

// captchaClientID tells clients apart for the throttles without keeping who they are.
func captchaClientID(ctx context.Context) string {
	r := actor.RequestOf(ctx)
	sum := sha256.Sum256([]byte(r.IP + "\n" + r.UserAgent))
	return hex.EncodeToString(sum[:16])
}

// checkCaptcha consumes the proof of a sign-in and gives the result for the login log.
func (s *Service) checkCaptcha(ctx context.Context, proof string) (int, error) {
	if s.options.CaptchaOff {
		return resultOK, nil
	}
	ok, err := s.captcha.Verify(ctx, proof)
	if err != nil {
		return resultUnknown, err
	}
	if ok {
		return resultOK, nil
	}
	code, result := captchaExpired, resultCaptchaWrong
	if proof == "" {
		code, result = captchaEmpty, resultCaptchaMissing
	}
	texts := captchaTexts[code]
	return result, errCaptcha.With(i18n.Pick(ctx, texts[0], texts[1]))
}
