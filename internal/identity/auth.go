package identity

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/password"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
)

const (
	sqlLoginUser = `SELECT * FROM system_users WHERE tenant_id = :tenant AND deleted = false AND lower(username) = :username`
	sqlLoggedIn  = `INSERT INTO system_user_login (tenant_id, user_id, login_ip, login_date) VALUES (:tenant, :user, :ip, :now)
 ON CONFLICT (tenant_id, user_id) DO UPDATE SET login_ip = excluded.login_ip, login_date = excluded.login_date`
)

func (s *Service) mountAuth() {
	m := s.m
	web.Post(m, "/auth/login", web.Public, s.login, web.NoTx, web.Title("账号密码登录"))
	web.Post(m, "/auth/logout", web.Public, s.logout, web.Title("登出"))
	web.Raw(m, web.RawCall{Method: http.MethodPost, Path: "/auth/refresh-token", Access: web.Public, Summary: "刷新令牌", Options: []web.Option{web.NoTx},
		Params: []*huma.Param{{Name: "refreshToken", In: "query", Schema: &huma.Schema{Type: "string"}, Description: "or in the body"}},
		In:     &huma.Schema{Type: "object", Properties: map[string]*huma.Schema{"refreshToken": {Type: "string"}}},
		Out:    m.App.API.OpenAPI().Components.Schemas.Schema(typeOf[Tokens](), true, "Tokens"), Fn: s.refreshCall})
	web.Get(m, "/auth/get-permission-info", web.SignedIn, s.permissionInfo, web.Title("当前用户的权限信息"))
	web.Get(m, "/auth/list-menus", web.SignedIn, s.menusCall, web.Title("当前用户的菜单"))
	web.Post(m, "/auth/setup", web.Public, s.setup, web.NoTx, web.Title("用一次性链接创建首个管理员"))
	s.mountNotOffered()
}

// mountNotOffered declares the ways to sign in that need a provider; none is
// configured, and the calls say so.
func (s *Service) mountNotOffered() {
	refuse := func(err *errs.Error) func(context.Context, web.RawRequest) (any, error) {
		return func(context.Context, web.RawRequest) (any, error) { return nil, err }
	}
	for _, c := range []struct {
		method, path, title string
		err                 *errs.Error
	}{
		{http.MethodGet, "/auth/social-auth-redirect", "第三方登录地址", errSocial.With()},
		{http.MethodPost, "/auth/social-login", "第三方登录", errSocial.With()},
		{http.MethodPost, "/auth/send-sms-code", "发送短信验证码", errNotOfferedSMS.With()},
		{http.MethodPost, "/auth/sms-login", "短信登录", errNotOfferedSMS.With()},
		{http.MethodPost, "/auth/reset-password", "短信重置密码", errNotOfferedSMS.With()},
		{http.MethodPost, "/auth/register", "自助注册", errNotOfferedRegister.With()},
	} {
		web.Raw(s.m, web.RawCall{Method: c.method, Path: c.path, Access: web.Public, Summary: c.title, Options: []web.Option{web.NoTx}, Fn: refuse(c.err)})
	}
}

// LoginInput is the body of a sign-in. Clients send the social members as null, "" or
// numbers; they count when a provider is named.
type LoginInput struct {
	Username            string `json:"username" required:"true" minLength:"1" maxLength:"100" doc:"账号|User name"`
	Password            string `json:"password" required:"true" minLength:"1" maxLength:"256" doc:"密码|Password"`
	CaptchaVerification string `json:"captchaVerification" maxLength:"2048" doc:"验证码|Captcha"`
	SocialType          any    `json:"socialType"`
	SocialCode          any    `json:"socialCode"`
	SocialState         any    `json:"socialState"`
}

func (in LoginInput) social() bool {
	switch v := in.SocialType.(type) {
	case string:
		return v != "" && v != "0"
	case float64:
		return v != 0
	}
	return false
}

// Results of a sign-in in the login log (contract §6.5).
const (
	resultOK             = 0
	resultBadCredentials = 10
	resultDisabled       = 20
	resultCaptchaMissing = 30
	resultCaptchaWrong   = 31
	resultUnknown        = 100
)

func lower(username string) string { return strings.ToLower(strings.TrimSpace(username)) }

// login checks address, captcha, lock and password, in this order. Whatever is wrong
// with name or password is answered alike and takes alike.
func (s *Service) login(ctx context.Context, in LoginInput) (Tokens, error) {
	in.Username = strings.TrimSpace(strings.ReplaceAll(in.Username, "\x00", "\ufffd")) // PostgreSQL stores no such character
	ip := actor.RequestOf(ctx).IP
	if err := s.ips.refuse(ip); err != nil {
		return Tokens{}, s.refuseLogin(ctx, in.Username, resultUnknown, err)
	}
	if in.social() {
		return Tokens{}, errSocial.With()
	}
	if result, err := s.checkCaptcha(ctx, in.CaptchaVerification); err != nil {
		return Tokens{}, s.refuseLogin(ctx, in.Username, result, err)
	}
	f, err := failuresOf(ctx, lower(in.Username))
	if err != nil {
		return Tokens{}, err
	}
	if refusal := f.locked(); refusal != nil {
		return Tokens{}, s.refuseLogin(ctx, in.Username, resultDisabled, refusal)
	}
	user, ok, err := s.verify(ctx, in)
	if err != nil {
		return Tokens{}, hashing(err)
	}
	if !ok {
		s.ips.add(ip)
		return Tokens{}, s.failedLogin(ctx, in.Username, user)
	}
	return s.enter(ctx, user)
}

// verify takes the same time for a name that does not exist. The hash that comes with a
// right password is replaced when it is an old kind.
func (s *Service) verify(ctx context.Context, in LoginInput) (User, bool, error) {
	user, exists, err := store.Get[User](ctx, sqlLoginUser, store.Args{"username": lower(in.Username)})
	if err != nil {
		return user, false, err
	}
	if !exists {
		return user, false, password.DummyVerify(ctx, in.Password)
	}
	ok, stale, err := password.Verify(ctx, user.Password, in.Password)
	if errors.Is(err, password.ErrBadHash) {
		return user, false, password.DummyVerify(ctx, in.Password)
	}
	if err == nil && stale {
		err = rehash(ctx, user, in.Password)
	}
	return user, ok, err
}

func rehash(ctx context.Context, user User, secret string) error {
	hash, err := password.Hash(ctx, secret)
	if err != nil {
		return err
	}
	return store.Write(actor.AsSystem(ctx, user.TenantID), func(ctx context.Context) error {
		_, err := users.Change(ctx, user.ID, func(u *User) error {
			if u.Password == user.Password {
				u.Password = hash
			}
			return nil
		})
		return err
	})
}

// refuseLogin keeps the attempt in the login log and gives the refusal.
func (s *Service) refuseLogin(ctx context.Context, username string, result int, refusal error) error {
	err := store.Write(ctx, func(ctx context.Context) error {
		return writeLoginLog(ctx, loginEvent{kind: logPassword, username: username, result: result})
	})
	return either(err, refusal)
}

// failedLogin counts a wrong name or password; the fifth locks and says so.
func (s *Service) failedLogin(ctx context.Context, username string, user User) error {
	var refusal error = errBadCredentials.With()
	err := store.Write(ctx, func(ctx context.Context) error {
		f, err := countFailure(ctx, lower(username))
		if err != nil {
			return err
		}
		if locked := f.locked(); locked != nil {
			refusal = locked
		}
		return writeLoginLog(ctx, loginEvent{kind: logPassword, user: user.ID, userType: user.Type, username: username, result: resultBadCredentials})
	})
	return either(err, refusal)
}

// enter opens the session of a user whose password was right. The lock is looked at
// again: guesses made at the same time must not outrun it.
func (s *Service) enter(ctx context.Context, user User) (t Tokens, err error) {
	var refusal error
	err = store.Write(ctx, func(ctx context.Context) error {
		f, err := failuresOf(ctx, lower(user.Username))
		if err != nil {
			return err
		}
		now, err := users.Get(ctx, user.ID)
		if err != nil {
			return err
		}
		e := loginEvent{kind: logPassword, user: user.ID, userType: user.Type, username: user.Username}
		if locked := f.locked(); locked != nil {
			refusal, e.result = locked, resultDisabled
			return writeLoginLog(ctx, e)
		}
		if now.Status != 0 {
			refusal, e.result = errUserDisabled.With(), resultDisabled
			return writeLoginLog(ctx, e)
		}
		if f.Failures > 0 {
			if err := forgetFailures(ctx, user.Username); err != nil {
				return err
			}
		}
		if t, err = s.openSession(ctx, user.ID); err != nil {
			return err
		}
		if _, err := store.Exec(ctx, sqlLoggedIn, store.Args{"user": user.ID, "ip": actor.RequestOf(ctx).IP, "now": clock.Millis()}); err != nil {
			return err
		}
		return writeLoginLog(ctx, e)
	})
	return t, either(err, refusal)
}

// logout ends the session of the token; without one there is nothing to end.
func (s *Service) logout(ctx context.Context, _ web.None) (bool, error) {
	who := actor.From(ctx)
	if who.Kind != actor.User {
		return true, nil
	}
	if err := s.endSession(ctx, who.SessionID); err != nil {
		return false, err
	}
	return true, writeLoginLog(ctx, loginEvent{kind: logLogout, user: who.UserID, userType: who.UserType, username: who.Username})
}

func (s *Service) refreshCall(ctx context.Context, r web.RawRequest) (any, error) {
	token := r.Query.Get("refreshToken")
	if token == "" {
		var body map[string]json.RawMessage
		_ = json.Unmarshal(r.Body, &body)
		token = textOf(body["refreshToken"])
	}
	if token == "" {
		return nil, say(ctx, "refreshToken", "刷新令牌不能为空", "the refresh token is missing")
	}
	return s.refresh(ctx, token)
}

var (
	errNotOfferedSMS      = errs.Define(1002000904, errs.Invalid, "本系统没有配置短信服务，请使用账号密码登录", "No SMS service is configured; use your password")
	errNotOfferedRegister = errs.Define(1002003011, errs.Invalid, "本系统不开放自助注册，请联系管理员开通账号", "Self-registration is off; ask your administrator for an account")
)
