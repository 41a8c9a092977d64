package workflow

import (
	"context"
	"strings"

	"viva/internal/identity"
	"viva/internal/kernel/actor"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
	"viva/internal/workflow/engine"
	"viva/internal/workflow/runtime"
)

// What a comment stands for; dictionary bpm_comment_type. urged and copied are our own.
const (
	commentText      = 0
	commentApproved  = 1
	commentRejected  = 2
	commentCancelled = 3
	commentReturned  = 4
	commentDelegated = 5
	commentResolved  = 6
	commentHanded    = 7
	commentSigned    = 8
	commentUnsigned  = 9
	commentUrged     = 10
	commentCopied    = 11
)

// note is one line of what was said and done about a task.
type note struct {
	kind        int
	message     string
	signature   string
	attachments []string
}

const (
	sqlAddComment = `INSERT INTO bpm_comment (tenant_id, instance_id, task_id, user_id, type, message, sign_pic_url, attachments, create_time)
 VALUES (:tenant, :instance, :task, :user, :type, :message, :signature, :attachments, :now)`
	sqlCommentsOf = `SELECT c.id, c.instance_id, c.task_id, c.user_id, c.type, c.message, c.sign_pic_url, c.attachments, c.create_time,
 COALESCE(t.name, '') AS task_name, COALESCE(t.element, '') AS element FROM bpm_comment c
 LEFT JOIN wf_task t ON t.tenant_id = c.tenant_id AND t.instance_id = c.instance_id AND t.id = c.task_id
 WHERE c.tenant_id = :tenant AND c.instance_id = :instance ORDER BY c.id LIMIT 2000`
)

// keep writes a comment in the name of the caller.
func keep(ctx context.Context, instance string, task int64, n note) error {
	if n.attachments == nil {
		n.attachments = []string{}
	}
	return store.Later(ctx, sqlAddComment, store.Args{"instance": instance, "task": task, "user": actor.From(ctx).UserID, "type": n.kind,
		"message": n.message, "signature": n.signature, "attachments": store.JSON[[]string]{V: n.attachments}, "now": clock.Millis()})
}

type commentRow struct {
	ID          int64
	InstanceID  string
	TaskID      int64
	UserID      int64
	Type        int
	Message     string
	SignPicURL  string `db:"sign_pic_url"`
	Attachments store.JSON[[]string]
	CreateTime  int64
	TaskName    string
	Element     string
}

func commentsOf(ctx context.Context, instance string) ([]commentRow, error) {
	return store.Select[commentRow](ctx, sqlCommentsOf, store.Args{"instance": instance})
}

// CommentView is a comment on the wire.
type CommentView struct {
	ID                int64               `json:"id"`
	TaskID            string              `json:"taskId"`
	Task              CommentTask         `json:"task"`
	ProcessInstanceID string              `json:"processInstanceId"`
	Type              int                 `json:"type"`
	Message           string              `json:"message"`
	CreateTime        int64               `json:"createTime"`
	User              *identity.UserBrief `json:"user"`
}

// CommentTask names the task of a comment.
type CommentTask struct {
	ID                string `json:"id"`
	Name              string `json:"name"`
	TaskDefinitionKey string `json:"taskDefinitionKey"`
}

func (s *Service) mountComments(m *web.Module) {
	web.Get(m, "/comment/list-by-process-instance-id", web.Perm("bpm:task:query"), s.listComments, web.Title("流程评论列表"))
	web.Post(m, "/comment/create", web.Perm("bpm:task:update"), s.createComment, web.Title("发表流程评论"))
}

type instanceIDIn struct {
	ProcessInstanceID string `query:"processInstanceId" required:"true" minLength:"1" maxLength:"64" doc:"流程实例|Instance"`
}

func (s *Service) listComments(ctx context.Context, in instanceIDIn) ([]CommentView, error) {
	if _, err := s.readable(ctx, in.ProcessInstanceID); err != nil {
		return nil, err
	}
	rows, err := commentsOf(ctx, in.ProcessInstanceID)
	if err != nil {
		return nil, err
	}
	ids := make([]int64, len(rows))
	for i, r := range rows {
		ids[i] = r.UserID
	}
	known, err := usersOf(ctx, ids)
	out := make([]CommentView, len(rows))
	for i, r := range rows {
		id := runtime.ExecutionID(r.InstanceID, r.TaskID)
		out[i] = CommentView{ID: r.ID, TaskID: id, Task: CommentTask{ID: id, Name: r.TaskName, TaskDefinitionKey: r.Element}, ProcessInstanceID: r.InstanceID, Type: r.Type,
			Message: r.Message, CreateTime: r.CreateTime, User: known.of(r.UserID)}
	}
	return out, err
}

type commentIn struct {
	TaskID  string `json:"taskId" required:"true" minLength:"1" maxLength:"100" doc:"任务|Task"`
	Message string `json:"message" required:"true" minLength:"1" maxLength:"500" doc:"评论|Comment"`
}

// createComment is open to whoever may read the instance while it runs.
func (s *Service) createComment(ctx context.Context, in commentIn) (bool, error) {
	message, err := plainText("message", in.Message)
	if err != nil {
		return false, err
	}
	if message == "" {
		return false, errs.Field("message", "请填写评论内容", "write a comment")
	}
	instance, task, err := s.taskOnRecord(ctx, in.TaskID)
	if err != nil {
		return false, err
	}
	if instance.Status == int(engine.Ended) {
		return false, errTaskMissing.With()
	}
	return true, keep(ctx, instance.ID, task.ID, note{kind: commentText, message: message})
}

// plainText trims what somebody typed; characters that no page shows are refused.
func plainText(name, text string) (string, error) {
	if strings.ContainsRune(text, 0) {
		return "", errs.Field(name, "含有无法保存的字符，请删除后重试", "holds a character that cannot be stored; remove it")
	}
	return strings.TrimSpace(strings.ToValidUTF8(text, "")), nil
}
