package system

import (
	"context"
	"strconv"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/audit"
	"viva/internal/kernel/crud"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/job"
	"viva/internal/kernel/module"
	"viva/internal/kernel/richtext"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
)

// Notice is an announcement of the tenant. Content is sanitised HTML. Who may not edit
// notices sees only the enabled ones.
type Notice struct {
	ID      int64  `json:"id" label:"公告编号|Id"`
	Title   string `json:"title" label:"公告标题|Title" in:"required,max=50" q:"like"`
	Type    int    `json:"type" label:"公告类型|Type" in:"required,dict=system_notice_type" q:"eq"`
	Content string `json:"content" label:"公告内容|Content" in:"kind=richtext,max=50000"`
	Status  int    `json:"status" label:"状态|Status" in:"dict=common_status" q:"eq"`
	crud.Meta
}

func (s *Service) mountNotices(m *web.Module) {
	s.notices = crud.Mount[Notice](m, "notice", "通知公告|Notice", crud.Without("export-excel"))
	s.notices.Scope = func(ctx context.Context, q *store.Query) {
		q.If(!editsNotices(ctx), " AND t.status = 0", "", nil)
	}
	web.Get(m, "/notice/my-page", web.SignedIn, myNotices, web.Title("可阅读的通知公告"))
	web.Get(m, "/notice/my-get", web.SignedIn, myNotice, web.Title("阅读通知公告"))
	web.Post(m, "/notice/push", web.Perm("system:notice:update"), s.push, web.Title("推送通知公告"))
}

// NoticeBrief is a line of the reader's list; Excerpt is the beginning of the text,
// without markup.
type NoticeBrief struct {
	ID         int64  `json:"id"`
	Title      string `json:"title"`
	Type       int    `json:"type"`
	Excerpt    string `json:"excerpt"`
	CreateTime int64  `json:"createTime"`
}

// excerptRunes is how much of a notice its card shows.
const excerptRunes = 90

const (
	sqlShown  = `FROM system_notice n WHERE n.tenant_id = :tenant AND n.deleted = false AND n.status = 0`
	sqlNotice = `SELECT n.id, n.title, n.type, n.content, n.status, n.create_time ` + sqlShown + ` AND n.id = :id`
)

type myNoticesIn struct {
	store.Paging
	Title string `query:"title" maxLength:"50" doc:"公告标题|Title"`
	Type  int    `query:"type" doc:"公告类型|Type"`
}

// myNotices lists the enabled notices to everybody who is signed in, whatever
// permissions a teacher's roles carry.
func myNotices(ctx context.Context, in myNoticesIn) (store.Page[NoticeBrief], error) {
	q := store.Build(sqlShown, nil).
		If(in.Title != "", ` AND n.title LIKE :title ESCAPE '\'`, "title", store.Contains(in.Title)).
		If(in.Type != 0, " AND n.type = :type", "type", in.Type)
	page, err := store.SelectPage[NoticeBrief](ctx, "n.id, n.title, n.type, substr(n.content, 1, 2000) AS excerpt, n.create_time", q, "n.id DESC", in.Paging)
	for i := range page.List {
		page.List[i].Excerpt = excerpt(page.List[i].Excerpt)
	}
	return page, err
}

func excerpt(html string) string {
	text := []rune(richtext.Text(html))
	if len(text) <= excerptRunes {
		return string(text)
	}
	return string(text[:excerptRunes]) + "…"
}

func myNotice(ctx context.Context, in idIn) (Notice, error) {
	return store.One[Notice](ctx, sqlNotice, store.Args{"id": in.ID})
}

func editsNotices(ctx context.Context) bool {
	who := actor.From(ctx)
	return who.Kind == actor.System || who.UserType != actor.Student && (who.Can("system:notice:update") || who.Can("system:notice:create"))
}

const jobPushNotice = "system.notice.push"

// pushTemplate is the message by which a notice is pushed.
var pushTemplate = module.Template{Code: "system_notice_push", Name: "通知公告推送", Nickname: "通知公告", Content: "【通知公告】{title}", Type: 1}

type idIn struct {
	ID int64 `query:"id" required:"true" minimum:"1" doc:"编号|Id"`
}

// push sends an enabled notice to every enabled user of the tenant as an internal
// message. A job writes the messages, so that a large tenant does not hold the call.
func (s *Service) push(ctx context.Context, in idIn) (bool, error) {
	row, err := s.notices.Read(ctx, in.ID)
	if err != nil {
		return false, err
	}
	if row.Status != 0 {
		return false, errs.Field("status", i18n.Pick(ctx, "公告未启用，请先启用再推送", "The notice is disabled; enable it before pushing"))
	}
	err = audit.Record(ctx, audit.Entry{Table: "system_notice", Title: "通知公告", RowID: row.ID, Op: audit.Event, Action: "推送通知公告「" + row.Title + "」"})
	if err != nil {
		return false, err
	}
	_, err = job.Enqueue(ctx, jobPushNotice, pushedNotice{ID: row.ID, Title: row.Title}, job.Opts{Key: strconv.FormatInt(row.ID, 10)})
	return err == nil, err
}

type pushedNotice struct {
	ID    int64  `json:"id"`
	Title string `json:"title"`
}

// pushNotice writes all messages and the end of the run in one transaction, so that
// nobody is told twice.
func pushNotice(ctx context.Context, r *job.Run) error {
	var notice pushedNotice
	if err := r.Decode(&notice); err != nil {
		return err
	}
	return store.Write(ctx, func(ctx context.Context) error {
		n, err := notifyEverybody(ctx, pushTemplate.Code, map[string]any{"title": notice.Title, "noticeId": notice.ID})
		if err != nil {
			return err
		}
		r.Logf("messages %d", n)
		return r.Finish(ctx)
	})
}
