package workflow

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/textproto"
	"strconv"
	"strings"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/outbound"
	"viva/internal/workflow/engine"
)

// keyInsideHosts is the parameter that lists hosts of private networks which hooks may call.
const keyInsideHosts = "bpm.http.inside-hosts"

// What the value of a parameter is; contract bpm.md A.3.
const (
	hookField = 1
	hookFixed = 2 // and anything else
)

var errHookFailed = errs.Define(1009004006, errs.Conflict, "调用外部系统失败：{}；请稍后重试，或联系流程管理员", "The call to another system failed: {}; try again later, or ask the manager of the process")

const (
	maxHookParams = 50
	maxHookURL    = 1000
)

// hooks are the calls of a model by the member they are set in.
func (set *ModelSettings) hooks() map[string]*HTTPHook {
	return map[string]*HTTPHook{"processBeforeTriggerSetting": set.ProcessBeforeTriggerSetting, "processAfterTriggerSetting": set.ProcessAfterTriggerSetting,
		"taskBeforeTriggerSetting": set.TaskBeforeTriggerSetting, "taskAfterTriggerSetting": set.TaskAfterTriggerSetting}
}

func (set *ModelSettings) checkHooks(refused *fieldErrors) {
	for name, h := range set.hooks() {
		if h == nil {
			continue
		}
		refused.when(h.URL != "" && (len(h.URL) > maxHookURL || outbound.CheckURL(h.URL) != nil), name, "外部调用的地址应以 http:// 或 https:// 开头，不含账号和空格，最多 1000 个字符",
			"the address of the call must begin with http:// or https://, without an account and spaces, in at most 1000 characters")
		refused.when(len(h.Header)+len(h.Body)+len(h.Response) > maxHookParams, name, "外部调用的参数最多 50 个", "a call has at most 50 parameters")
		for _, p := range h.Header {
			refused.when(!headerName(p.Key) || strings.ContainsAny(p.Value, "\r\n\x00"), name, "请求头“"+clip(p.Key)+"”不能使用：名称只能含字母、数字和 -，值不能换行",
				"the header "+clip(p.Key)+" cannot be sent: its name has letters, digits and - only, its value no line break")
		}
		for _, p := range append(h.Body, h.Response...) {
			refused.when(strings.TrimSpace(p.Key) == "" || len(p.Key) > 100, name, "外部调用的参数名应为 1 到 100 个字符", "the name of a parameter has 1 to 100 characters")
		}
		for _, p := range h.Response {
			refused.when(reserved(p.Key), name, "返回值不能写入系统变量“"+clip(p.Key)+"”", "the answer cannot be written to the system's variable "+clip(p.Key))
		}
	}
}

// ownHeaders are those that belong to the transport, or that a call sets itself.
var ownHeaders = map[string]bool{"Host": true, "Content-Length": true, "Transfer-Encoding": true, "Connection": true, "Upgrade": true, "Te": true, "Trailer": true, "Idempotency-Key": true, "Content-Type": true}

func headerName(name string) bool {
	for _, c := range name {
		if c != '-' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return name != "" && len(name) <= 100 && !ownHeaders[textproto.CanonicalMIMEHeaderKey(name)]
}

// hookCall is one call of a hook: what it is about and the form as it stands.
type hookCall struct {
	key   string // the same at every try
	about map[string]any
	vars  map[string]any
}

// callHook makes the call outside any transaction and gives the variables that the answer
// sets. Everything but an answer 2xx is an error.
func (s *Service) callHook(ctx context.Context, h *HTTPHook, c hookCall) (map[string]any, error) {
	body := map[string]any{}
	for name, v := range c.about {
		body[name] = v
	}
	for _, p := range h.Body {
		body[p.Key] = p.of(c.vars)
	}
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	header := map[string]string{}
	for _, p := range h.Header {
		if headerName(p.Key) {
			header[p.Key] = headerText(p.of(c.vars))
		}
	}
	header["Content-Type"], header["Idempotency-Key"], header["tenant-id"] = "application/json; charset=utf-8", c.key, strconv.FormatInt(actor.From(ctx).TenantID, 10)
	allowed, err := s.insideHosts(ctx)
	if err != nil {
		return nil, err
	}
	res, err := outbound.Do(ctx, outbound.Request{Method: http.MethodPost, URL: h.URL, Header: header, Body: text}, allowed)
	if err != nil {
		return nil, hookError(err)
	}
	if res.Status < 200 || res.Status > 299 {
		return nil, errHookFailed.With(fmt.Sprintf("HTTP %d", res.Status))
	}
	return h.read(res.Body)
}

func (s *Service) insideHosts(ctx context.Context) ([]string, error) {
	if s.ConfigValue == nil {
		return nil, nil
	}
	text, err := s.ConfigValue(ctx, keyInsideHosts)
	return strings.Split(text, ","), err
}

func hookError(err error) error {
	why := err.Error()
	switch {
	case errors.Is(err, outbound.ErrPrivate):
		why = "不能访问内网地址 / private networks are out of reach (" + keyInsideHosts + ")"
	case errors.Is(err, outbound.ErrURL):
		why = "地址不正确 / malformed address"
	case errors.Is(err, context.DeadlineExceeded):
		why = "超时 / no answer in time"
	}
	return errHookFailed.With(why).Because(err)
}

func (p HookParam) of(vars map[string]any) any {
	if p.Type == hookField {
		return vars[p.Value]
	}
	return p.Value
}

// headerText is a value on one line: a header cannot say more.
func headerText(v any) string {
	switch x := v.(type) {
	case nil:
		return ""
	case string:
		return strings.Map(func(c rune) rune {
			if c < ' ' || c == 0x7f {
				return -1
			}
			return c
		}, x)
	}
	text, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(text)
}

// read picks the mapped values out of an answer; what the answer lacks is left alone.
func (h *HTTPHook) read(answer []byte) (map[string]any, error) {
	out := map[string]any{}
	if len(h.Response) == 0 {
		return out, nil
	}
	d := engine.Document(bytes.TrimSpace(answer))
	if !json.Valid(answer) {
		return nil, errHookFailed.With("返回内容不是 JSON / the answer is not JSON")
	}
	whole, err := d.Fields()
	if err != nil {
		return nil, errHookFailed.With("返回内容不是 JSON 对象 / the answer is not a JSON object")
	}
	for _, p := range h.Response {
		if v, ok := at(whole, strings.Split(p.Value, ".")); ok && !reserved(p.Key) {
			out[p.Key] = v
		}
	}
	return out, nil
}

// at walks a dotted path through objects.
func at(v any, path []string) (any, bool) {
	for _, name := range path {
		object, ok := v.(map[string]any)
		if !ok {
			return nil, false
		}
		if v, ok = object[name]; !ok {
			return nil, false
		}
	}
	return v, true
}
