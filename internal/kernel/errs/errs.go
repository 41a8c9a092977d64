// Package errs is the one error type that may cross a module's border: a closed
// list of kinds, a wire code, and a text in both languages. Everything else that
// reaches the HTTP edge is answered as an internal error and logged once there.
package errs

import (
	"errors"
	"fmt"
	"sort"
	"strings"
	"sync"
)

// Kind says what the caller can do about an error. The list is closed.
type Kind int

// The kinds, from "change your input" to "tell the administrator".
const (
	Invalid Kind = iota + 1
	Unauthenticated
	Forbidden
	NotFound
	Conflict
	Limit
	Unavailable
	Internal
)

// Codes shared by all modules; contract system.md §1.2.
const (
	CodeInvalid         = 400
	CodeUnauthenticated = 401
	CodeForbidden       = 403
	CodeNoRoute         = 404
	CodeMethod          = 405
	CodeTooLarge        = 413
	CodeLimit           = 429
	CodeInternal        = 500
	CodeUnavailable     = 503
	CodeRepeated        = 900
)

// Code is a declared error: number, kind and the message in Chinese and English,
// in which each {} is replaced by an argument.
type Code struct {
	Num  int
	Kind Kind
	Zh   string
	En   string
}

var (
	registryLock sync.Mutex
	registry     = map[int]Code{}
)

// Define declares a code. It panics when the number is taken, so that a clash
// stops the start-up and every test.
func Define(num int, kind Kind, zh, en string) Code {
	registryLock.Lock()
	defer registryLock.Unlock()
	if _, taken := registry[num]; taken {
		panic(fmt.Sprintf("errs: code %d defined twice", num))
	}
	c := Code{Num: num, Kind: kind, Zh: zh, En: en}
	registry[num] = c
	return c
}

// Codes lists every declared code by number.
func Codes() []Code {
	registryLock.Lock()
	defer registryLock.Unlock()
	all := make([]Code, 0, len(registry))
	for _, c := range registry {
		all = append(all, c)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Num < all[j].Num })
	return all
}

// The shared codes.
var (
	ErrInvalid         = Define(CodeInvalid, Invalid, "请求参数不正确：{}", "Invalid request: {}")
	ErrUnauthenticated = Define(CodeUnauthenticated, Unauthenticated, "账号未登录", "Not signed in")
	ErrForbidden       = Define(CodeForbidden, Forbidden, "没有该操作权限，请联系管理员开通", "You lack the permission for this; ask your administrator")
	ErrNoRoute         = Define(CodeNoRoute, NotFound, "请求地址不存在：{}", "No such address: {}")
	ErrMethod          = Define(CodeMethod, Invalid, "请求方法不正确", "Method not allowed")
	ErrTooLarge        = Define(CodeTooLarge, Limit, "请求内容过大，上限 {}", "The request is too large; the limit is {}")
	ErrLimit           = Define(CodeLimit, Limit, "请求过于频繁，请稍后重试", "Too many requests; try again shortly")
	ErrInternal        = Define(CodeInternal, Internal, "系统异常，编号 {}，请联系管理员", "System error {}; please tell the administrator")
	ErrUnavailable     = Define(CodeUnavailable, Unavailable, "服务暂时不可用，您的内容没有丢失，请稍后重试", "Temporarily unavailable; nothing of yours is lost, try again shortly")
	ErrRepeated        = Define(CodeRepeated, Conflict, "请勿重复提交", "This was already submitted")
	ErrNoRecord        = Define(1070000001, NotFound, "记录不存在或无权查看", "No such record, or not yours to see")
	ErrStale           = Define(1070000002, Conflict, "数据已被他人修改，请刷新后重试", "Somebody changed this meanwhile; reload and try again")
	ErrKeyReused       = Define(1070000004, Conflict, "幂等键已用于不同的请求", "The idempotency key was used for another request")
)

// FieldError is one refused input field; Name is its JSON name, En the English text
// where it is known apart from the reader's.
type FieldError struct {
	Name string `json:"name"`
	Msg  string `json:"message"`
	En   string `json:"-"`
}

// In gives the refusal in the language.
func (f FieldError) In(lang string) FieldError {
	if lang == "en" && f.En != "" {
		f.Msg = f.En
	}
	return f
}

// Error is an answerable error. Data, when set, travels in the envelope's data
// member (guards of a locked step, for example).
type Error struct {
	Code   Code
	Args   []any
	Fields []FieldError
	Data   any
	Cause  error
}

// With makes an error of this code with message arguments.
func (c Code) With(args ...any) *Error { return &Error{Code: c, Args: args} }

// Error implements error in Chinese, the language of the logs.
func (e *Error) Error() string {
	s := fmt.Sprintf("%d %s", e.Code.Num, e.Text("zh"))
	if e.Cause != nil {
		s += ": " + e.Cause.Error()
	}
	return s
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Is matches any error of the same code.
func (e *Error) Is(target error) bool {
	var t *Error
	return errors.As(target, &t) && t.Code.Num == e.Code.Num
}

// Text fills the message in the given language ("zh" or "en").
func (e *Error) Text(lang string) string {
	text := e.Code.Zh
	if lang == "en" && e.Code.En != "" {
		text = e.Code.En
	}
	if len(e.Fields) > 0 && e.Code.Num == CodeInvalid {
		return strings.Replace(text, "{}", e.Fields[0].In(lang).Msg, 1)
	}
	for _, arg := range e.Args {
		text = strings.Replace(text, "{}", spell(arg, lang), 1)
	}
	return text
}

// Spoken is what has a text in each language: an argument of that kind is shown in the
// language of the whole.
type Spoken interface{ Text(lang string) string }

func spell(arg any, lang string) string {
	var spoken Spoken
	switch x := arg.(type) {
	case Spoken:
		return x.Text(lang)
	case error:
		if errors.As(x, &spoken) {
			return spoken.Text(lang)
		}
	}
	return fmt.Sprint(arg)
}

// Because attaches a cause for the log.
func (e *Error) Because(cause error) *Error { e.Cause = cause; return e }

// WithData attaches data for the caller.
func (e *Error) WithData(data any) *Error { e.Data = data; return e }

// Field makes an invalid-input error that lands on one field, in Chinese and, when
// given, in English.
func Field(name, zh string, en ...string) *Error {
	f := FieldError{Name: name, Msg: zh}
	if len(en) > 0 {
		f.En = en[0]
	}
	return &Error{Code: ErrInvalid, Args: []any{zh}, Fields: []FieldError{f}}
}

// Fields makes an invalid-input error of several fields; nil when there are none.
func Fields(list []FieldError) error {
	if len(list) == 0 {
		return nil
	}
	return &Error{Code: ErrInvalid, Args: []any{list[0].Msg}, Fields: list}
}

// Is reports whether err carries the given code.
func Is(err error, c Code) bool {
	var e *Error
	return errors.As(err, &e) && e.Code.Num == c.Num
}
