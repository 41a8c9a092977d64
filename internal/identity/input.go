package identity

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"viva/internal/kernel/errs"
	"viva/internal/kernel/field"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/password"
)

// decode binds the declared inputs of an entity and nothing else, for the calls that
// hash passwords and so cannot be derived ones. With names given, only these inputs
// are bound, and only when they are present.
func decode[T any](ctx context.Context, fields []*field.Field, body []byte, row *T, names ...string) (map[string]json.RawMessage, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil || members == nil {
		return nil, errs.ErrInvalid.With(i18n.Pick(ctx, "JSON 格式不正确", "the body is not JSON"))
	}
	var refused []errs.FieldError
	for _, f := range fields {
		raw, present := members[f.Name]
		if !f.Input || len(names) > 0 && (!present || !slices.Contains(names, f.Name)) {
			continue
		}
		if r := f.Decode(raw, reflect.ValueOf(row).Elem()); r != nil {
			refused = append(refused, errs.FieldError{Name: f.Name, Msg: f.Text(i18n.Lang(ctx)) + " " + r.In(i18n.Lang(ctx))})
		}
	}
	return members, errs.Fields(refused)
}

// say refuses an input field in the language of the reader.
func say(ctx context.Context, name, zh, en string) *errs.Error {
	return errs.Field(name, i18n.Pick(ctx, zh, en))
}

// textOf reads a JSON text, empty when it is anything else.
func textOf(raw json.RawMessage) string {
	var s string
	_ = json.Unmarshal(raw, &s)
	return s
}

// inputSchema describes the inputs of an entity and further text members.
func inputSchema(fields []*field.Field, texts ...string) *huma.Schema {
	s := &huma.Schema{Type: "object", Properties: map[string]*huma.Schema{}}
	for _, f := range fields {
		if f.Input {
			s.Properties[f.Name] = f.Schema()
			if f.Required {
				s.Required = append(s.Required, f.Name)
			}
		}
	}
	for _, name := range texts {
		s.Properties[name] = &huma.Schema{Type: "string"}
		s.Required = append(s.Required, name)
	}
	slices.Sort(s.Required)
	s.Required = slices.Compact(s.Required)
	return s
}

var usernameForm = regexp.MustCompile(`^[a-zA-Z0-9]{4,30}$`)

// hashOf checks a new user name and password and gives the hash to store. A hash given
// by code is taken as it is. Not inside a Write: it takes tens of milliseconds.
func hashOf(ctx context.Context, username, secret, hash string) (string, error) {
	if err := checkUsername(ctx, username); err != nil {
		return "", err
	}
	if hash != "" {
		return hash, nil
	}
	return newHash(ctx, "password", username, secret)
}

func checkUsername(ctx context.Context, username string) error {
	if usernameForm.MatchString(username) {
		return nil
	}
	return say(ctx, "username", "账号应为 4 到 30 位字母或数字", "a user name has 4 to 30 letters or digits")
}

// newHash checks the strength of a password given in the named field and hashes it.
func newHash(ctx context.Context, name, username, secret string) (string, error) {
	if err := password.CheckStrength(secret, username); err != nil {
		return "", errs.Field(name, weakness(ctx, err))
	}
	hash, err := password.Hash(ctx, secret)
	return hash, hashing(err)
}

// hashing answers a full line of hashes as too many requests.
func hashing(err error) error {
	if errors.Is(err, password.ErrBusy) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return errs.ErrLimit.With().Because(err)
	}
	return err
}

func weakness(ctx context.Context, err error) string {
	switch {
	case errors.Is(err, password.ErrTooShort), errors.Is(err, password.ErrTooLong):
		return i18n.Pick(ctx, "密码长度应为 8 到 64 个字符", "a password has 8 to 64 characters")
	case errors.Is(err, password.ErrContainsName):
		return i18n.Pick(ctx, "密码不能包含账号", "the password must not contain the user name")
	case errors.Is(err, password.ErrNotText):
		return i18n.Pick(ctx, "密码含有不可见字符", "the password holds invisible characters")
	}
	return i18n.Pick(ctx, "密码过于常见或有规律，容易被猜到，请换一个", "the password is too easy to guess; choose another")
}

// avatarForm is an address of our own file calls, or a file id: never another host.
var avatarForm = regexp.MustCompile(`^(\d{1,18}|(/[A-Za-z0-9._~-]{1,64}){0,3}/infra/file/[A-Za-z0-9/._~-]{1,200}(\?id=\d{1,18})?)$`)

func checkAvatar(ctx context.Context, avatar string) error {
	if avatar == "" || avatarForm.MatchString(avatar) && !strings.Contains(avatar, "..") && !strings.HasPrefix(avatar, "//") {
		return nil
	}
	return say(ctx, "avatar", "头像应为本系统上传的图片", "the avatar must be a picture uploaded here")
}
