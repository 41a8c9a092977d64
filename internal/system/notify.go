package system

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/store"
)

const sqlInsertMessage = `INSERT INTO system_notify_message (tenant_id, user_id, user_type, template_id, template_code, template_nickname, template_content,
 template_type, template_params, read_status, create_time) VALUES (:tenant, :user, :user_type, :template, :code, :nickname, :content, :type, :params, false, :now) RETURNING id`

// Notify writes an internal message for each receiver into the current transaction, from
// the template of that code. Receivers of other tenants, unknown and repeated ones get
// nothing; a template that an administrator disabled or removed sends nothing; a
// parameter that is missing stays blank, since business must not fail for a text that
// somebody edited. An unknown code is a mistake of the program and an error.
func Notify(ctx context.Context, to []int64, templateCode string, params map[string]any) error {
	t, ok, err := templateFor(ctx, templateCode)
	if err != nil || !ok {
		return err
	}
	_, err = t.send(ctx, to, params)
	return err
}

const sqlTemplateEver = `SELECT COUNT(*) FROM system_notify_template WHERE code = :code`

// templateFor reads an enabled template; ok is false when it must not send.
func templateFor(ctx context.Context, code string) (t NotifyTemplate, ok bool, err error) {
	t, ok, err = store.Get[NotifyTemplate](ctx, sqlTemplateByCode, store.Args{"code": code})
	if err != nil || ok {
		return t, ok && t.Status == 0, err
	}
	n, _, err := store.Get[int64](ctx, sqlTemplateEver, store.Args{"code": code})
	if err == nil && n == 0 {
		err = errTemplateMissing.With()
	}
	return t, false, err
}

// send writes the messages and gives the ids of the rows.
func (t NotifyTemplate) send(ctx context.Context, to []int64, params map[string]any) ([]int64, error) {
	to = slices.Compact(slices.Sorted(slices.Values(to)))
	if len(to) == 0 {
		return nil, nil
	}
	people, err := peopleByID(ctx, to)
	if err != nil {
		return nil, err
	}
	text, missing := t.fill(params)
	if missing != "" {
		slog.WarnContext(ctx, "message without a parameter", "template", t.Code, "parameter", missing)
	}
	if params == nil {
		params = map[string]any{}
	}
	body, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	var ids []int64
	for _, user := range to {
		receiver, known := people[user]
		if !known {
			continue
		}
		id, _, err := store.Get[int64](ctx, sqlInsertMessage, store.Args{
			"user": user, "user_type": receiver.UserType, "template": t.ID, "code": t.Code, "nickname": t.Nickname, "content": text,
			"type": t.Type, "params": string(body), "now": clock.Millis(),
		})
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// sendNotifyIn is a message that an administrator sends by hand.
type sendNotifyIn struct {
	UserID         int64          `json:"userId" required:"true" minimum:"1" doc:"接收人|Receiver"`
	UserType       int            `json:"userType" doc:"用户类型|User type"`
	TemplateCode   string         `json:"templateCode" required:"true" minLength:"1" maxLength:"64" doc:"模板编码|Template code"`
	TemplateParams map[string]any `json:"templateParams" maxProperties:"50" doc:"模板参数|Parameters"`
}

const maxParam = 1000

// sendNotify gives the id of the message, null when the template is disabled.
func sendNotify(ctx context.Context, in sendNotifyIn) (*int64, error) {
	t, ok, err := store.Get[NotifyTemplate](ctx, sqlTemplateByCode, store.Args{"code": in.TemplateCode})
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, errTemplateMissing.With()
	}
	if err := checkParams(ctx, in.TemplateParams); err != nil {
		return nil, err
	}
	if _, missing := t.fill(in.TemplateParams); missing != "" {
		return nil, errTemplateParam.With(missing)
	}
	if t.Status != 0 {
		return nil, nil
	}
	ids, err := t.send(ctx, []int64{in.UserID}, in.TemplateParams)
	if err != nil {
		return nil, err
	}
	if len(ids) == 0 {
		return nil, errs.ErrNoRecord.With()
	}
	return &ids[0], nil
}

// checkParams admits short plain values: what stands in a message is read by people.
func checkParams(ctx context.Context, params map[string]any) error {
	for _, value := range params {
		switch v := value.(type) {
		case string:
			if len([]rune(v)) > maxParam {
				return errs.Field("templateParams", i18n.Pick(ctx, "有参数过长，每个最多 1000 个字", "a parameter is too long; each may have 1000 characters"))
			}
		case float64, bool, nil:
		default:
			return errs.Field("templateParams", i18n.Pick(ctx, "参数应为文字或数字", "parameters must be text or numbers"))
		}
	}
	return nil
}

// notifyEverybody sends to all enabled users of the tenant and counts the messages.
func notifyEverybody(ctx context.Context, code string, params map[string]any) (int, error) {
	t, ok, err := templateFor(ctx, code)
	if err != nil || !ok {
		return 0, err
	}
	total, after := 0, int64(0)
	for {
		users, err := store.Select[int64](ctx, sqlEverybody, store.Args{"after": after})
		if err != nil || len(users) == 0 {
			return total, err
		}
		ids, err := t.send(ctx, users, params)
		if err != nil {
			return total, err
		}
		total, after = total+len(ids), users[len(users)-1]
	}
}

// me is the id of the caller, in whose name own messages are read.
func me(ctx context.Context) int64 { return actor.From(ctx).UserID }
