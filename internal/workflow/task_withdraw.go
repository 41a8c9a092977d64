package workflow

import (
	"context"
	"slices"
	"strconv"

	"viva/internal/kernel/clock"
	"viva/internal/kernel/errs"
	"viva/internal/workflow/bpmn"
	"viva/internal/workflow/engine"
	"viva/internal/workflow/runtime"
)

// The refusals of contract bpm.md A.12 about withdrawal, and two of our own.
var (
	errWithdrawEnded   = errs.Define(1009005017, errs.Conflict, "流程不在审批中，不能撤回", "The process is not running; nothing can be withdrawn")
	errWithdrawWhat    = errs.Define(1009005018, errs.NotFound, "没有可以撤回的任务：它不存在，或不是您办理的", "There is nothing to withdraw: no such task, or you did not decide it")
	errWithdrawMay     = errs.Define(1009005019, errs.Forbidden, "该流程不允许审批人撤回", "This process does not allow deciders to withdraw")
	errWithdrawLate    = errs.Define(1009005020, errs.Conflict, "后续任务已办理，不能撤回", "What follows was decided already; it is too late to withdraw")
	errWithdrawSeveral = errs.Define(1009005022, errs.Conflict, "该任务的审批人由流程图逐个指定，不能撤回", "The people of this task come from the diagram one by one; it cannot be withdrawn")
	errWithdrawTurn    = errs.Define(1009005039, errs.Conflict, "下一位审批人已办理，不能撤回", "The next person in turn decided already; it is too late to withdraw")
)

type withdrawIn struct {
	TaskID string `query:"taskId" required:"true" minLength:"1" maxLength:"100" doc:"任务|Task"`
}

// withdrawTask takes back the caller's own decision for, while nobody has decided anything
// that followed from it; the task opens again for him. Of a task that several people decide
// only his part does: beside the others while they decide, and afterwards together with
// those who were no longer asked because of it.
func (s *Service) withdrawTask(ctx context.Context, in withdrawIn) (bool, error) {
	id, n, ok := runtime.SplitExecutionID(in.TaskID)
	if !ok {
		return false, errWithdrawWhat.With()
	}
	same := &samePerson{user: me(ctx), always: true}
	ctx = context.WithValue(ctx, samePersonKey{}, same)
	err := s.engine.Together(ctx, func(ctx context.Context) error {
		v, err := s.engine.Lock(ctx, id)
		if errs.Is(err, runtime.ErrNoInstance) {
			return errWithdrawWhat.With()
		}
		if err != nil {
			return err
		}
		tasks, err := s.engine.Tasks(ctx, id)
		if err != nil {
			return err
		}
		at := slices.IndexFunc(tasks, func(k engine.Task) bool { return k.ID == n })
		if at < 0 || tasks[at].AssigneeID != me(ctx) || tasks[at].EndedAt == 0 || tasks[at].Status != engine.TaskApproved || tasks[at].Parent != 0 {
			return errWithdrawWhat.With()
		}
		if v.State.Instance.Status != engine.Running {
			return errWithdrawEnded.With()
		}
		p, err := s.planOf(ctx, v.Definition.ID)
		if err != nil {
			return err
		}
		if !p.settings().AllowWithdrawTask {
			return errWithdrawMay.With()
		}
		same.element = tasks[at].Element
		return s.withdraw(ctx, v, tasks, tasks[at])
	})
	return err == nil, err
}

const whyWithdrawn = "审批人撤回"

// withdraw opens the decided task again for its person, whom ctx names.
func (s *Service) withdraw(ctx context.Context, v *runtime.View, tasks []engine.Task, mine engine.Task) error {
	id := v.State.Instance.ID
	n := nodeOf(v.Process, mine.Element)
	if n == nil {
		return errWithdrawLate.With()
	}
	if slices.ContainsFunc(tasks, func(k engine.Task) bool {
		return k.Element == mine.Element && k.ID > mine.ID && k.AssigneeID == mine.AssigneeID && k.Parent == 0 && k.CreatedAt >= mine.EndedAt
	}) {
		return errWithdrawLate.With() // it was opened again already
	}
	body := bodyOf(v.State, mine)
	if body != nil {
		if err := reopenable(body, n, tasks, mine); err != nil {
			return err
		}
	} else if err := withdrawable(v, tasks, mine); err != nil {
		return err
	}
	if err := keep(ctx, id, mine.ID, note{kind: commentReturned, message: "撤回"}); err != nil {
		return err
	}
	if body == nil {
		if n.Loop != nil {
			same, _ := ctx.Value(samePersonKey{}).(*samePerson)
			same.people = undecided(tasks, mine)
		}
		return s.sendBack(ctx, backward{instance: id, to: mine.Element, reason: whyWithdrawn})
	}
	returned, err := engine.Object(map[string]any{varReturnedAt: clock.Millis()})
	if err != nil {
		return err
	}
	value := engine.Document(strconv.FormatInt(mine.AssigneeID, 10))
	for _, do := range []engine.Action{&engine.SetVariables{Vars: returned}, &engine.ReopenItem{Body: body.ID, Value: value, Reason: whyWithdrawn}} {
		if _, err := s.engine.Do(ctx, runtime.Command{Instance: id, Action: do}); err != nil {
			return err
		}
	}
	return nil
}

// bodyOf finds the multi-instance step, still open, to which a decided task belonged: its
// token is older than that of the task.
func bodyOf(st *engine.State, mine engine.Task) (body *engine.Token) {
	for _, t := range st.Tokens {
		if t.Kind == engine.KindBody && t.Element == mine.Element && t.ID < mine.Token && (body == nil || t.ID > body.ID) {
			body = t
		}
	}
	return body
}

// reopenable wants people whom the rules chose, and of those asked in turn none decided
// after the caller.
func reopenable(body *engine.Token, n *bpmn.Node, tasks []engine.Task, mine engine.Task) error {
	if !body.Counters.Given {
		return errWithdrawSeveral.With()
	}
	later := func(k engine.Task) bool {
		return k.Element == mine.Element && k.ID > mine.ID && k.Parent == 0 && k.EndedAt > 0 && k.Status != engine.TaskCancelled
	}
	if n.Loop.Kind == bpmn.LoopSequential && slices.ContainsFunc(tasks, later) {
		return errWithdrawTurn.With()
	}
	return nil
}

// undecided are the caller and those who were asked together with him and no longer had
// to decide.
func undecided(tasks []engine.Task, mine engine.Task) []int64 {
	people := []int64{mine.AssigneeID}
	for _, k := range tasks {
		if k.Element == mine.Element && k.Status == engine.TaskCancelled && k.AssigneeID != 0 && k.Parent == 0 && k.CreatedAt <= mine.EndedAt && k.EndedAt >= mine.EndedAt {
			people = append(people, k.AssigneeID)
		}
	}
	return distinct(people)
}

// withdrawable wants open tasks that follow from the decision, and none decided since.
func withdrawable(v *runtime.View, tasks []engine.Task, mine engine.Task) error {
	node, ok := v.Process.Node(mine.Element)
	if !ok {
		return errWithdrawLate.With()
	}
	following := 0
	for _, k := range tasks {
		if k.ID <= mine.ID || k.Parent != 0 || k.Element == mine.Element && k.CreatedAt <= mine.EndedAt {
			continue
		}
		at, ok := v.Process.Node(k.Element)
		if !ok || !comesFrom(v.Process, at, node) {
			continue
		}
		if k.EndedAt > 0 && k.Status != engine.TaskCancelled {
			return errWithdrawLate.With()
		}
		if k.EndedAt == 0 {
			following++
		}
	}
	if following == 0 {
		return errWithdrawLate.With()
	}
	return nil
}
