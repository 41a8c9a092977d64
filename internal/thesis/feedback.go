package thesis

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"viva/internal/academic"
	"viva/internal/kernel/actor"
	"viva/internal/kernel/crud"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/store"
	"viva/internal/kernel/table"
	"viva/internal/kernel/web"
)

// Feedback states (dictionary thesis_feedback_state).
const (
	feedbackNew      = 0
	feedbackHandling = 1
	feedbackReplied  = 2
	feedbackClosed   = 3
	feedbackReopened = 4
)

// feedbackMoves is the life of a feedback: event → states it may come from and goes to.
var feedbackMoves = map[string]struct {
	from []int
	to   int
}{
	"handle":      {[]int{feedbackNew, feedbackReopened}, feedbackHandling},
	"staff-reply": {[]int{feedbackNew, feedbackHandling, feedbackReplied, feedbackReopened}, feedbackReplied},
	"add":         {[]int{feedbackNew, feedbackHandling, feedbackReplied, feedbackReopened}, -1},
	"close":       {[]int{feedbackNew, feedbackHandling, feedbackReplied, feedbackReopened}, feedbackClosed},
	"reopen":      {[]int{feedbackClosed}, feedbackReopened},
	"rate":        {[]int{feedbackReplied, feedbackClosed}, -1},
}

// Feedback is a question or complaint with its answers.
type Feedback struct {
	ID            int64               `json:"id"`
	UserID        int64               `json:"userId" q:"eq"`
	UserName      string              `json:"userName" label:"反馈人|From" q:"like"`
	DeptID        int64               `json:"deptId" label:"学院|College" in:"-,kind=ref,ref=system_dept:/system/dept/list-all-simple" q:"eq"`
	Kind          int                 `json:"kind" label:"类型|Kind" in:"-,dict=thesis_feedback_kind" q:"eq"`
	Title         string              `json:"title" label:"标题|Title" q:"like"`
	Content       string              `json:"content" label:"内容|Content" in:"-,kind=longtext"`
	Images        store.JSON[[]int64] `json:"images" in:"-,kind=files"`
	State         int                 `json:"state" label:"状态|State" in:"-,dict=thesis_feedback_state" q:"eq"`
	HandlerID     int64               `json:"handlerId"`
	HandlerName   string              `json:"handlerName" label:"处理人|Handled by"`
	Rating        int                 `json:"rating" label:"评分|Rating" q:"eq"`
	RatingComment string              `json:"ratingComment" label:"评价|Comment"`
	LastReplyAt   int64               `json:"lastReplyAt" label:"最近回复|Last reply" in:"-,kind=time"`
	ClosedAt      int64               `json:"closedAt" label:"关闭时间|Closed" in:"-,kind=time"`
	ReopenCount   int                 `json:"reopenCount" label:"重开次数|Reopened"`
	crud.Meta
}

// FeedbackReply is one message in it.
type FeedbackReply struct {
	ID         int64               `json:"id"`
	FeedbackID int64               `json:"feedbackId"`
	UserID     int64               `json:"userId"`
	UserName   string              `json:"userName"`
	FromStaff  bool                `json:"fromStaff"`
	Content    string              `json:"content"`
	Images     store.JSON[[]int64] `json:"images"`
	crud.Meta
}

var (
	feedbacks = table.New[Feedback]("thesis_feedback", "问题反馈")
	replies   = table.New[FeedbackReply]("thesis_feedback_reply", "反馈回复")
)

const (
	ownerFeedback = "thesis_feedback"
	permHandle    = "thesis:feedback:handle"
	permCreate    = "thesis:feedback:create"

	feedbackOwn   = ` AND t.user_id = :scope_user`
	feedbackScope = ` AND (t.dept_id IN (:scope_depts) OR t.user_id = :scope_user)`
	sqlRepliesOf  = `SELECT * FROM thesis_feedback_reply WHERE tenant_id = :tenant AND deleted = false AND feedback_id = :feedback ORDER BY id`
	contentMin    = 10
)

func (s *Service) mountFeedback(m *web.Module) {
	r := crud.Mount[Feedback](m, "feedback", "问题反馈|Feedback", crud.Without("get", "create", "update", "delete", "delete-list"))
	r.Scope = scopeFeedback
	s.feedback = r
	query, create := web.Perm("thesis:feedback:query"), web.Perm(permCreate)
	web.Post(m, "/feedback/create", create, s.createFeedback, web.Title("提交问题反馈"))
	web.Get(m, "/feedback/get", query, s.getFeedback, web.Title("问题反馈详情"))
	web.Post(m, "/feedback/reply", web.Perm(permCreate, permHandle), s.replyFeedback, web.Title("回复问题反馈"))
	web.Put(m, "/feedback/rate", create, s.rateFeedback, web.Title("评价问题反馈"))
	web.Put(m, "/feedback/reopen", create, s.reopenFeedback, web.Title("重开问题反馈"))
	web.Put(m, "/feedback/handle", web.Perm(permHandle), s.handleFeedback, web.Title("受理问题反馈"))
	web.Put(m, "/feedback/close", web.Perm(permCreate, permHandle), s.closeFeedback, web.Title("关闭问题反馈"))
}

// scopeFeedback: whoever handles feedback sees his departments' rows, all others their own.
func scopeFeedback(ctx context.Context, q *store.Query) {
	if !academic.Scoped(ctx, q) {
		return
	}
	if actor.From(ctx).UserType == actor.Student {
		q.Add(feedbackOwn)
		return
	}
	q.Add(feedbackScope)
}

func (s *Service) feedbackAccess(ctx context.Context, id int64) (bool, error) {
	_, err := s.feedback.Read(ctx, id)
	if missing(err) {
		return false, nil
	}
	return err == nil, err
}

// FeedbackIn is a new feedback.
type FeedbackIn struct {
	Kind    int     `json:"kind" required:"true" minimum:"1" maximum:"99" doc:"类型|Kind"`
	Title   string  `json:"title" required:"true" minLength:"2" maxLength:"60" doc:"标题|Title"`
	Content string  `json:"content" required:"true" minLength:"10" maxLength:"2000" doc:"内容|Content"`
	Images  []int64 `json:"images" maxItems:"5" doc:"图片|Images"`
}

func (s *Service) createFeedback(ctx context.Context, in FeedbackIn) (int64, error) {
	if ok, err := s.inDict(ctx, "thesis_feedback_kind", in.Kind); err != nil || !ok {
		return 0, orInvalid(err, "kind", i18n.Pick(ctx, "请从列表中选择", "choose from the list"))
	}
	title, content := strings.TrimSpace(in.Title), strings.TrimSpace(in.Content)
	if utf8.RuneCountInString(title) < 2 || !storable(title, false) {
		return 0, errs.Field("title", i18n.Pick(ctx, "标题至少 2 个字", "the title needs at least 2 characters"))
	}
	if err := checkContent(ctx, content); err != nil {
		return 0, err
	}
	who := actor.From(ctx)
	row := Feedback{UserID: who.UserID, UserName: nameOf(who), DeptID: who.DeptID, Kind: in.Kind, Title: title, Content: content, Images: images(in.Images)}
	if st, found, err := academic.StudentOfUser(ctx, who.UserID); err != nil {
		return 0, err
	} else if found {
		row.DeptID, row.UserName = st.DeptID, st.Name
	}
	if err := feedbacks.Insert(ctx, &row); err != nil {
		return 0, err
	}
	if err := s.attachImages(ctx, in.Images, row.ID); err != nil {
		return 0, err
	}
	to, err := s.feedbackDesk(ctx, row)
	if err != nil {
		return 0, err
	}
	return row.ID, s.deps.Notify(ctx, to, msgFeedback, map[string]any{"author": row.UserName, "title": title})
}

// feedbackDesk is who takes care of a feedback: its handler, before there is one the
// secretaries of the college, and without any the administrators. Its author is not
// among them.
func (s *Service) feedbackDesk(ctx context.Context, f Feedback) ([]int64, error) {
	if f.HandlerID > 0 {
		return []int64{f.HandlerID}, nil
	}
	notAuthor := func(id int64) bool { return id == f.UserID }
	to, err := s.deps.UsersWithRole(ctx, roleSecretary, []int64{f.DeptID})
	if to = slices.DeleteFunc(slices.Clone(to), notAuthor); err != nil || len(to) > 0 {
		return to, err
	}
	to, err = s.administrators(ctx)
	return slices.DeleteFunc(to, notAuthor), err
}

// tellFeedback tells the other side of a feedback what the caller did.
func (s *Service) tellFeedback(ctx context.Context, f Feedback, template, content string) error {
	who := actor.From(ctx)
	to, name := []int64{f.UserID}, nameOf(who)
	if who.UserID == f.UserID {
		var err error
		if to, err = s.feedbackDesk(ctx, f); err != nil {
			return err
		}
		name = f.UserName
	}
	return s.deps.Notify(ctx, to, template, map[string]any{"title": f.Title, "actor": name, "content": clip(content, 80)})
}

func orInvalid(err error, name, msg string) error {
	if err != nil {
		return err
	}
	return errs.Field(name, msg)
}

func checkContent(ctx context.Context, content string) error {
	if utf8.RuneCountInString(content) < contentMin || !storable(content, true) {
		return errs.Field("content", i18n.Pick(ctx, "内容至少 10 个字，且不能含有控制字符", "the content needs at least 10 printable characters"))
	}
	return nil
}

func images(ids []int64) store.JSON[[]int64] {
	if ids == nil {
		ids = []int64{}
	}
	return store.JSON[[]int64]{V: ids}
}

func (s *Service) attachImages(ctx context.Context, ids []int64, feedbackID int64) error {
	if len(ids) == 0 {
		return nil
	}
	for i, id := range ids {
		if id <= 0 || slices.Contains(ids[:i], id) {
			return errs.Field("images", i18n.Pick(ctx, "图片不正确或重复", "an image is wrong or listed twice"))
		}
	}
	if err := s.deps.Attach(ctx, ids, ownerFeedback, feedbackID); err != nil { // first: the files of others are not described
		return err
	}
	for _, id := range ids {
		file, err := s.deps.FileOf(ctx, id)
		if err != nil {
			return err
		}
		if !strings.HasPrefix(file.Mime, "image/") {
			return errs.Field("images", i18n.Pick(ctx, "只能上传图片", "only images are allowed"))
		}
	}
	return nil
}
