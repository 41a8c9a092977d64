package web

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/i18n"
)

// Envelope is the body of every answer; Code 0 is success.
type Envelope[T any] struct {
	Code int    `json:"code" doc:"0 is success"`
	Data T      `json:"data"`
	Msg  string `json:"msg"`
}

// Failure is the envelope of an error. Fields names the refused inputs.
type Failure struct {
	Code   int               `json:"code"`
	Data   any               `json:"data"`
	Msg    string            `json:"msg"`
	Fields []errs.FieldError `json:"fields,omitempty"`
	status int
}

// Error implements error.
func (f *Failure) Error() string { return f.Msg }

// GetStatus is the HTTP status, 200 except for infrastructure answers.
func (f *Failure) GetStatus() int { return f.status }

// failure maps any error to its answer. Unknown errors are logged once, here.
func failure(ctx context.Context, err error) *Failure {
	var f *Failure
	defer func() {
		if s := stateOf(ctx); s != nil {
			s.code = f.Code
		}
	}()
	if errors.As(err, &f) {
		return f
	}
	var e *errs.Error
	if !errors.As(err, &e) {
		r := actor.RequestOf(ctx)
		slog.ErrorContext(ctx, "call failed", "call", r.Call, "trace", r.ID, "error", err)
		e = errs.ErrInternal.With(r.ID)
	} else if e.Cause != nil {
		slog.WarnContext(ctx, "call refused", "call", actor.RequestOf(ctx).Call, "code", e.Code.Num, "error", e.Cause)
	}
	f = &Failure{Code: e.Code.Num, Data: e.Data, Msg: e.Text(i18n.Lang(ctx)), status: http.StatusOK}
	for _, field := range e.Fields {
		f.Fields = append(f.Fields, field.In(i18n.Lang(ctx)))
	}
	switch e.Code.Num {
	case errs.CodeTooLarge, errs.CodeLimit, errs.CodeUnavailable:
		f.status = e.Code.Num
	}
	return f
}

// translate answers what huma refused before our function ran.
func translate(ctx huma.Context, status int, msg string, list ...error) huma.StatusError {
	c := context.Background()
	if ctx != nil {
		c = ctx.Context()
	}
	switch status {
	case http.StatusRequestEntityTooLarge:
		return failure(c, errs.ErrTooLarge.With("1 MB"))
	case http.StatusRequestTimeout:
		return failure(c, errs.ErrUnavailable.With())
	case http.StatusInternalServerError:
		return failure(c, errors.New(msg))
	}
	labels := labelsOf(ctx)
	var fields []errs.FieldError
	for _, e := range list {
		if f := (*Failure)(nil); errors.As(e, &f) {
			return f
		}
		var detail *huma.ErrorDetail
		if errors.As(e, &detail) {
			fields = append(fields, fieldError(c, labels, detail))
		} else if e != nil {
			fields = append(fields, errs.FieldError{Msg: sentence(c, e.Error())})
		}
	}
	if len(fields) == 0 {
		return failure(c, errs.ErrInvalid.With(sentence(c, msg)))
	}
	return failure(c, errs.Fields(fields))
}

func labelsOf(ctx huma.Context) map[string]string {
	if ctx == nil || ctx.Operation() == nil {
		return nil
	}
	labels, _ := ctx.Operation().Metadata["labels"].(map[string]string)
	return labels
}

// fieldError turns huma's location (body.items[0].name) into a field and a sentence.
func fieldError(ctx context.Context, labels map[string]string, d *huma.ErrorDetail) errs.FieldError {
	name := d.Location
	for _, prefix := range []string{"body.", "query.", "path.", "header."} {
		name = strings.TrimPrefix(name, prefix)
	}
	last := name[strings.LastIndex(name, ".")+1:]
	if i := strings.IndexByte(last, '['); i > 0 {
		last = last[:i]
	}
	if missing, ok := between(d.Message, "expected required property ", " to be present"); ok {
		name, last = missing, missing
	}
	zh, en, _ := strings.Cut(labels[last], "|")
	label := zh
	if i18n.Lang(ctx) == i18n.EN {
		label = en
	}
	if label == "" {
		label = last
	}
	return errs.FieldError{Name: name, Msg: strings.TrimSpace(label + " " + sentence(ctx, d.Message))}
}

func between(s, a, b string) (string, bool) {
	_, rest, ok := strings.Cut(s, a)
	if !ok {
		return "", false
	}
	in, _, ok := strings.Cut(rest, b)
	return in, ok
}

// phrases maps the beginnings of huma's messages; the rest of the message is kept
// (a bound, for example).
var phrases = []struct{ en, zh string }{
	{"expected required property", "不能为空#"},
	{"required query parameter is missing", "不能为空#"},
	{"required path parameter is missing", "不能为空#"},
	{"required header parameter is missing", "不能为空#"},
	{"request body is required", "请求内容不能为空#"},
	{"expected length >= ", "长度不能少于 "},
	{"expected length <= ", "长度不能超过 "},
	{"expected number >= ", "不能小于 "},
	{"expected number <= ", "不能大于 "},
	{"expected array length >= ", "至少要有几项："},
	{"expected array length <= ", "最多几项："},
	{"expected value to be one of ", "只能是其中之一："},
	{"expected string to match pattern ", "格式不正确#"},
	{"expected string to be ", "格式不正确#"},
	{"expected string", "应为文字#"},
	{"expected boolean", "应为是或否#"},
	{"expected integer", "应为整数#"},
	{"expected number", "应为数字#"},
	{"expected array", "应为列表#"},
	{"expected object", "应为对象#"},
	{"invalid integer", "应为整数#"},
	{"invalid float", "应为数字#"},
	{"invalid boolean", "应为是或否#"},
	{"invalid date/time", "时间格式不正确#"},
	{"invalid value: ", ""},
	{"json: nested too deep", "JSON 嵌套过深（最多 32 层）#"},
}

func sentence(ctx context.Context, msg string) string {
	if i18n.Lang(ctx) == "en" {
		return msg
	}
	for _, p := range phrases {
		if i := strings.Index(msg, p.en); i >= 0 {
			if zh, whole := strings.CutSuffix(p.zh, "#"); whole {
				return zh
			}
			return p.zh + msg[i+len(p.en):]
		}
	}
	if strings.Contains(msg, "invalid character") || strings.Contains(msg, "unexpected end of JSON") || strings.Contains(msg, "cannot unmarshal") {
		return "JSON 格式不正确"
	}
	return msg
}
