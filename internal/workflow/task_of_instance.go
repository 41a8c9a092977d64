package workflow

import (
	"cmp"
	"context"
	"slices"

	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
	"viva/internal/workflow/engine"
	"viva/internal/workflow/runtime"
)

// InstanceTask is a task of one instance: with the signers added to it, and with the form
// as its decider saw it.
type InstanceTask struct {
	TaskView
	Children []*InstanceTask `json:"children"`
	// AttachmentFiles are those attachments that are uploaded files.
	AttachmentFiles []AttachedFile `json:"attachmentFiles"`
	FormID          *int64         `json:"formId"`
	FormName        string         `json:"formName"`
	FormConf        string         `json:"formConf"`
	FormFields      []string       `json:"formFields"`
	FormVariables   map[string]any `json:"formVariables"`
}

// instanceTasks lists the tasks of an instance, newest first; signers stand under the
// task they were added to.
func (s *Service) instanceTasks(ctx context.Context, in instanceIDIn) ([]*InstanceTask, error) {
	row, err := s.readable(ctx, in.ProcessInstanceID)
	if err != nil {
		return nil, err
	}
	return s.tasksOf(ctx, row)
}

func (s *Service) tasksOf(ctx context.Context, row instanceRow) ([]*InstanceTask, error) {
	lines, err := store.Select[taskLine](ctx, sqlTasksOfInstance, store.Args{"instance": row.ID})
	if err != nil {
		return nil, err
	}
	views, err := s.taskViews(ctx, lines)
	if err != nil {
		return nil, err
	}
	comments, err := commentsOf(ctx, row.ID)
	if err != nil {
		return nil, err
	}
	may, err := s.fieldsFor(ctx, row) // of the caller, not of each task's decider
	if err != nil {
		return nil, err
	}
	p, err := s.planOf(ctx, row.DefinitionID)
	if err != nil {
		return nil, err
	}
	summary := p.summary(documentVars(row.Vars), may)
	byID, top := map[int64]*InstanceTask{}, []*InstanceTask{}
	for i, r := range lines {
		v := &InstanceTask{TaskView: views[i], Children: []*InstanceTask{}, FormFields: []string{}, FormVariables: map[string]any{}}
		v.ProcessInstance.Summary = summary
		for _, c := range comments { // the last decision counts
			if c.TaskID == r.ID && (c.Type == commentApproved || c.Type == commentRejected) {
				v.SignPicURL, v.Attachments = c.SignPicURL, c.Attachments.V
			}
		}
		if v.AttachmentFiles, err = s.attached(ctx, v.Attachments); err != nil {
			return nil, err
		}
		byID[r.ID] = v
	}
	for _, r := range lines {
		if parent := byID[r.ParentID]; r.ParentID != 0 && parent != nil {
			parent.Children = append(parent.Children, byID[r.ID])
			continue
		}
		top = append(top, byID[r.ID])
	}
	return top, nil
}

const sqlTaskOnRecord = `SELECT ` + taskColumns + ` ` + sqlTasksFrom + ` AND t.instance_id = :instance AND t.id = :id`

// taskOnRecord reads a task, open or done, of an instance that the caller may read.
func (s *Service) taskOnRecord(ctx context.Context, id string) (instanceRow, taskLine, error) {
	instance, n, ok := runtime.SplitExecutionID(id)
	if !ok {
		return instanceRow{}, taskLine{}, errTaskMissing.With()
	}
	row, err := s.readable(ctx, instance)
	if errs.Is(err, errInstanceMissing) {
		err = errTaskMissing.With()
	}
	if err != nil {
		return row, taskLine{}, err
	}
	line, ok, err := store.Get[taskLine](ctx, sqlTaskOnRecord, store.Args{"instance": instance, "id": n})
	if err == nil && !ok {
		err = errTaskMissing.With()
	}
	return row, line, err
}

type childTasksIn struct {
	ParentID     string `query:"parentId" maxLength:"100" doc:"任务|Task"`
	ParentTaskID string `query:"parentTaskId" maxLength:"100" doc:"任务|Task"`
}

// childTasks lists the signers of a task who have not decided: those who can be removed.
func (s *Service) childTasks(ctx context.Context, in childTasksIn) ([]TaskView, error) {
	row, task, err := s.taskOnRecord(ctx, cmp.Or(in.ParentID, in.ParentTaskID))
	if err != nil {
		return nil, err
	}
	lines, err := store.Select[taskLine](ctx, sqlTasksOfInstance, store.Args{"instance": row.ID})
	if err != nil {
		return nil, err
	}
	lines = slices.DeleteFunc(lines, func(r taskLine) bool { return r.ParentID != task.ID || r.EndedAt > 0 })
	for i, r := range lines { // a signer who waits is known as the owner only
		if r.AssigneeID == 0 && r.Status == int(engine.TaskWaiting) {
			lines[i].AssigneeID = r.OwnerID
		}
	}
	views, err := s.taskViews(ctx, lines)
	for i := range views {
		views[i].ProcessInstance.Summary = []SummaryItem{} // the list chooses signers, nothing else
	}
	return views, err
}
