package system

import (
	"context"

	"viva/internal/kernel/clock"
	"viva/internal/kernel/field"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
)

// NotifyMessage is an internal message as its receiver, or an administrator, reads it.
type NotifyMessage struct {
	ID               int64                      `json:"id"`
	UserID           int64                      `json:"userId"`
	UserType         int                        `json:"userType"`
	UserName         string                     `json:"userName" db:"-"`
	TemplateID       int64                      `json:"templateId"`
	TemplateCode     string                     `json:"templateCode"`
	TemplateNickname string                     `json:"templateNickname"`
	TemplateContent  string                     `json:"templateContent"`
	TemplateType     int                        `json:"templateType"`
	TemplateParams   store.JSON[map[string]any] `json:"templateParams"`
	ReadStatus       bool                       `json:"readStatus"`
	ReadTime         *int64                     `json:"readTime"`
	CreateTime       int64                      `json:"createTime"`
}

const (
	messageColumns = `m.id, m.user_id, m.user_type, m.template_id, m.template_code, m.template_nickname, m.template_content, m.template_type,
 m.template_params, m.read_status, m.read_time, m.create_time`
	sqlMessages    = `FROM system_notify_message m WHERE m.tenant_id = :tenant`
	sqlMyMessages  = `FROM system_notify_message m WHERE m.tenant_id = :tenant AND m.user_id = :me`
	sqlMessage     = `SELECT ` + messageColumns + ` ` + sqlMessages + ` AND m.id = :id`
	sqlUnreadList  = `SELECT ` + messageColumns + ` ` + sqlMyMessages + ` AND m.read_status = false ORDER BY m.id DESC LIMIT :size`
	sqlUnreadCount = `SELECT COUNT(*) FROM system_notify_message m WHERE m.tenant_id = :tenant AND m.user_id = :me AND m.read_status = false`
	sqlReadSome    = `UPDATE system_notify_message SET read_status = true, read_time = :now WHERE tenant_id = :tenant AND user_id = :me AND read_status = false AND id IN (:ids)`
	sqlReadAll     = `UPDATE system_notify_message SET read_status = true, read_time = :now WHERE tenant_id = :tenant AND user_id = :me AND read_status = false`
)

func mountNotifyMessages(m *web.Module) {
	seeAll := web.Perm("system:notify-message:query")
	web.Get(m, "/notify-message/page", seeAll, messagePage, web.Title("站内信记录分页"))
	web.Get(m, "/notify-message/get", seeAll, messageByID, web.Title("站内信记录详情"))
	web.Get(m, "/notify-message/my-page", web.SignedIn, myMessages, web.Title("我的站内信分页"))
	web.Put(m, "/notify-message/update-read", web.SignedIn, readSome, web.Title("标记站内信为已读"))
	web.Put(m, "/notify-message/update-all-read", web.SignedIn, readAll, web.Title("标记全部站内信为已读"))
	web.Get(m, "/notify-message/get-unread-list", web.SignedIn, unreadList, web.Title("我的未读站内信"))
	web.Get(m, "/notify-message/get-unread-count", web.SignedIn, unreadCount, web.Title("我的未读站内信数"))
}

type messagePageIn struct {
	store.Paging
	UserID       int64    `query:"userId" doc:"接收人|Receiver"`
	UserType     int      `query:"userType" doc:"用户类型|User type"`
	TemplateCode string   `query:"templateCode" maxLength:"64" doc:"模板编码|Template code"`
	TemplateType int      `query:"templateType" doc:"模板类型|Template type"`
	CreateTime   []string `query:"createTime,explode" maxItems:"2" doc:"创建时间|Created"`
}

func messagePage(ctx context.Context, in messagePageIn) (store.Page[NotifyMessage], error) {
	span, err := field.ParseSpan(ctx, "createTime", in.CreateTime)
	if err != nil {
		return store.Page[NotifyMessage]{}, err
	}
	q := store.Build(sqlMessages, nil).
		If(in.UserID != 0, " AND m.user_id = :user", "user", in.UserID).
		If(in.UserType != 0, " AND m.user_type = :user_type", "user_type", in.UserType).
		If(in.TemplateCode != "", ` AND m.template_code LIKE :code ESCAPE '\'`, "code", store.Contains(in.TemplateCode)).
		If(in.TemplateType != 0, " AND m.template_type = :type", "type", in.TemplateType).
		If(span.From != nil, " AND m.create_time >= :from", "from", span.From).
		If(span.To != nil, " AND m.create_time <= :to", "to", span.To)
	page, err := store.SelectPage[NotifyMessage](ctx, messageColumns, q, "m.id DESC", in.Paging)
	if err != nil {
		return page, err
	}
	return page, nameReceivers(ctx, page.List)
}

func messageByID(ctx context.Context, in idIn) (NotifyMessage, error) {
	row, err := store.One[NotifyMessage](ctx, sqlMessage, store.Args{"id": in.ID})
	if err != nil {
		return row, err
	}
	list := []NotifyMessage{row}
	err = nameReceivers(ctx, list)
	return list[0], err
}

func nameReceivers(ctx context.Context, list []NotifyMessage) error {
	ids := make([]int64, len(list))
	for i, m := range list {
		ids[i] = m.UserID
	}
	people, err := peopleByID(ctx, ids)
	for i := range list {
		list[i].UserName = people[list[i].UserID].Nickname
	}
	return err
}

type myMessagesIn struct {
	store.Paging
	ReadStatus string   `query:"readStatus" enum:"true,false" doc:"是否已读|Read"`
	CreateTime []string `query:"createTime,explode" maxItems:"2" doc:"创建时间|Created"`
}

func myMessages(ctx context.Context, in myMessagesIn) (store.Page[NotifyMessage], error) {
	span, err := field.ParseSpan(ctx, "createTime", in.CreateTime)
	if err != nil {
		return store.Page[NotifyMessage]{}, err
	}
	q := store.Build(sqlMyMessages, store.Args{"me": me(ctx)}).
		If(in.ReadStatus == "false", " AND m.read_status = false", "", nil).
		If(in.ReadStatus == "true", " AND m.read_status = true", "", nil).
		If(span.From != nil, " AND m.create_time >= :from", "from", span.From).
		If(span.To != nil, " AND m.create_time <= :to", "to", span.To)
	return store.SelectPage[NotifyMessage](ctx, messageColumns, q, "m.id DESC", in.Paging)
}

type idsIn struct {
	IDs []int64 `query:"ids,explode" required:"true" minItems:"1" maxItems:"500" doc:"编号|Ids"`
}

// readSome marks own unread messages; ids of others are passed over in silence.
func readSome(ctx context.Context, in idsIn) (bool, error) {
	_, err := store.Exec(ctx, sqlReadSome, store.Args{"me": me(ctx), "ids": in.IDs, "now": clock.Millis()})
	return err == nil, err
}

func readAll(ctx context.Context, _ web.None) (bool, error) {
	_, err := store.Exec(ctx, sqlReadAll, store.Args{"me": me(ctx), "now": clock.Millis()})
	return err == nil, err
}

type unreadListIn struct {
	Size int `query:"size" default:"10" minimum:"1" maximum:"100" doc:"条数|Number"`
}

func unreadList(ctx context.Context, in unreadListIn) ([]NotifyMessage, error) {
	return store.Select[NotifyMessage](ctx, sqlUnreadList, store.Args{"me": me(ctx), "size": in.Size})
}

func unreadCount(ctx context.Context, _ web.None) (int64, error) {
	n, _, err := store.Get[int64](ctx, sqlUnreadCount, store.Args{"me": me(ctx)})
	return n, err
}
